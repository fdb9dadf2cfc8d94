// The categories of posts, for operators and moderators: adding, naming, describing, ordering, merging and deleting.

import { html } from 'hono/html';
import { byModerating } from '../../../audit/doer.ts';
import {
  categoryNamed,
  deleteCategory,
  describeCategory,
  mergeCategory,
  moveCategoryUp,
  renameCategory,
} from '../../../community/category.ts';
import type { Category } from '../../../community/store.ts';
import type { User } from '../../../identity/user.ts';
import { notFoundPage } from '../../pages/failures.ts';
import { inputField, problemSummary } from '../../pages/fields.ts';
import type { PostedForm } from '../../pages/form-page.ts';
import { formTokenField, type Html } from '../../pages/page.ts';
import { questionPage } from '../../pages/question.ts';
import type { PageContext } from '../../pages/visitor.ts';
import { notice } from '../notice.ts';
import type { SiteParts } from '../site-parts.ts';
import { categoryWords as words } from './category-words.ts';
import { operatorMenu, operatorPage, operatorTitle } from './page.ts';

const PATH = '/operator/categories';

/** Add a category, or save the name and the description of the one whose slug is in the form. */
export async function saveCategory(
  site: SiteParts,
  c: PageContext,
  user: User,
  form: PostedForm,
): Promise<Response> {
  const by = byModerating(user, site.clock);
  const [slug, name, description] = [form.text('slug'), form.text('name'), form.text('description')];
  const typed = { slug, name, description };
  if (slug === '') {
    const category = await categoryNamed(by, site.community, name);
    if (typeof category === 'string') return pageOfCategories(site, c, { ...typed, problem: category });
    return c.redirect(`${PATH}?done=saved`, 303);
  }
  const problem =
    (await renameCategory(by, site.community, slug, name)) ??
    (await describeCategory(by, site.community, slug, description));
  if (problem === 'unknown') return notFoundPage(c);
  return problem === undefined
    ? c.redirect(`${PATH}?done=saved`, 303)
    : pageOfCategories(site, c, { ...typed, problem });
}

/** Move a category up, merge it into another or delete it, whichever button was pressed. */
export async function changeCategory(
  site: SiteParts,
  c: PageContext,
  user: User,
  form: PostedForm,
): Promise<Response> {
  const by = byModerating(user, site.clock);
  const { community } = site;
  const [change, slug] = [form.text('change'), form.text('slug')];
  const answer = (
    problem: 'unknown' | 'full' | 'too_fast' | undefined,
    done: 'up' | 'deleted' | 'merged',
  ): Response | Promise<Response> => {
    if (problem === undefined) return c.redirect(`${PATH}?done=${done}`, 303);
    return problem === 'unknown' ? notFoundPage(c) : pageOfCategories(site, c, { slug, problem });
  };
  if (change === 'up') return answer(await moveCategoryUp(by, community, slug), 'up');
  if (change === 'delete') return answer(await deleteCategory(by, community, slug), 'deleted');
  const into = form.text('into');
  if (change !== 'merge') return notFoundPage(c);
  if (!form.has('confirmed')) return questionOfMerge(site, c, slug, into);
  return answer(await mergeCategory(by, community, { from: slug, to: into }), 'merged');
}

async function questionOfMerge(
  site: SiteParts,
  c: PageContext,
  slug: string,
  into: string,
): Promise<Response> {
  const t = words[c.get('visitor').language];
  const categories = await site.community.reads.categories();
  const [from, to] = [slug, into].map((one) => categories.find((category) => category.slug === one));
  if (from === undefined || to === undefined || from === to) return notFoundPage(c);
  return questionPage(c, {
    title: t.mergeQuestion(from.name, to.name),
    menu: operatorMenu(c, PATH),
    consequences: t.mergeConsequences(from.name, to.name),
    fields: html`
      <input type="hidden" name="slug" value="${slug}">
      <input type="hidden" name="into" value="${into}">
      <input type="hidden" name="change" value="merge">
      <input type="hidden" name="confirmed" value="1">`,
    action: `${PATH}/change`,
    button: t.merge,
    back: { path: PATH, text: t.cancel },
  });
}

/** Why a change was refused, and for which category. */
interface CategoryRefusal {
  /** Empty for a new category. */
  slug: string;
  name?: string;
  description?: string;
  problem: 'name' | 'taken' | 'description' | 'full' | 'too_many' | 'too_fast';
}

const STATUS_OF: Partial<Record<CategoryRefusal['problem'], 409 | 429>> = {
  full: 409,
  too_many: 409,
  too_fast: 429,
};

/** Show all categories, each with its forms, and a form for a new one. */
export function categoriesPage(site: SiteParts, c: PageContext): Promise<Response> {
  return pageOfCategories(site, c);
}

async function pageOfCategories(
  site: SiteParts,
  c: PageContext,
  refusal?: CategoryRefusal,
): Promise<Response> {
  const { language } = c.get('visitor');
  const t = words[language];
  const title = operatorTitle(c, PATH);
  const categories = await site.community.reads.categories();
  const problem = refusal && t.problems[refusal.problem];
  const refused = categories.find(({ slug }) => slug === refusal?.slug);
  const field = refused === undefined ? 'name' : fieldOf(refused, refusal?.problem);
  const done = c.req.query('done') ?? '';
  const isDone = refusal === undefined && Object.hasOwn(t.done, done);
  return operatorPage(
    c,
    PATH,
    { title, status: refusal === undefined ? 200 : (STATUS_OF[refusal.problem] ?? 400) },
    html`
      <h1>${title}</h1>
      ${notice(isDone ? t.done[done as keyof typeof t.done] : undefined)}
      ${problemSummary({ [field]: problem }, language)}
      <p class="soft">${t.explanation}</p>
      ${categories.map((category, index) => categoryCard(c, category, { index, categories, refusal }))}
      <section class="card">
        <h2>${t.another}</h2>
        ${newCategoryForm(c, refusal?.slug === '' ? refusal : undefined)}
      </section>`,
  );
}

interface CardContext {
  index: number;
  categories: readonly Category[];
  refusal: CategoryRefusal | undefined;
}

function categoryCard(c: PageContext, category: Category, { index, categories, refusal }: CardContext): Html {
  const t = words[c.get('visitor').language];
  const { id, slug, name, description } = category;
  const own = refusal?.slug === slug ? refusal : undefined;
  const isInvalid = (field: 'name' | 'description') =>
    own !== undefined &&
    (own.problem === 'description') === (field === 'description') &&
    !(own.problem in STATUS_OF);
  return html`
    <section class="card" aria-label="${name}">
      <form method="post" action="${PATH}">
        ${formTokenField(c)}
        <input type="hidden" name="slug" value="${slug}">
        <div class="field">
          <label for="name-${id}">${t.nameOf(name)}</label>
          <input type="text" id="name-${id}" name="name" value="${own?.name ?? name}" required autocomplete="off"
            ${isInvalid('name') && html` aria-invalid="true"`}>
        </div>
        <div class="field">
          <label for="description-${id}">${t.description}</label>
          <input type="text" id="description-${id}" name="description" value="${own?.description ?? description}"
            autocomplete="off"${isInvalid('description') && html` aria-invalid="true"`}>
        </div>
        <button aria-label="${t.save}: ${name}">${t.save}</button>
      </form>
      ${categories.length > 1 && changeForm(c, category, { isFirst: index === 0, categories })}
    </section>`;
}

function changeForm(
  c: PageContext,
  { id, slug, name }: Category,
  { isFirst, categories }: { isFirst: boolean; categories: readonly Category[] },
): Html {
  const t = words[c.get('visitor').language];
  const others = categories.filter((category) => category.id !== id);
  return html`
    <details>
      <summary>${t.more(name)}</summary>
      <form method="post" action="${PATH}/change">
        ${formTokenField(c)}
        <input type="hidden" name="slug" value="${slug}">
        <div class="find">
          ${!isFirst && html`<button name="change" value="up">${t.up}</button>`}
          <button name="change" value="delete">${t.delete}</button>
        </div>
        <div class="find">
          <div class="field">
            <label for="into-${id}">${t.into}</label>
            <select id="into-${id}" name="into">
              ${others.map((other) => html`<option value="${other.slug}">${other.name}</option>`)}
            </select>
          </div>
          <button name="change" value="merge">${t.merge}</button>
        </div>
      </form>
    </details>`;
}

function newCategoryForm(c: PageContext, refusal: CategoryRefusal | undefined): Html {
  const t = words[c.get('visitor').language];
  const problem = refusal && t.problems[refusal.problem];
  return html`
    <form method="post" action="${PATH}">
      ${formTokenField(c)}
      ${inputField({ name: 'name', label: t.name, problem, value: refusal?.name ?? '', required: true })}
      <div class="actions">
        <button class="primary">${t.add}</button>
      </div>
    </form>`;
}

function fieldOf({ id }: Category, problem: CategoryRefusal['problem'] | undefined): string {
  return problem === 'description' ? `description-${id}` : `name-${id}`;
}
