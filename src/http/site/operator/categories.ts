// The categories of posts, for operators: adding and renaming them.

import { html } from 'hono/html';
import { byOperator } from '../../../audit/doer.ts';
import { categoryNamed, renameCategory } from '../../../community/category.ts';
import type { Category } from '../../../community/store.ts';
import type { User } from '../../../identity/user.ts';
import { notFoundPage } from '../../pages/failures.ts';
import { inputField, problemSummary } from '../../pages/fields.ts';
import type { PostedForm } from '../../pages/form-page.ts';
import { bilingual } from '../../pages/language.ts';
import { formTokenField, type Html } from '../../pages/page.ts';
import type { PageContext } from '../../pages/visitor.ts';
import { notice } from '../notice.ts';
import type { SiteParts } from '../site-parts.ts';
import { operatorPage, operatorTitle } from './page.ts';

const PATH = '/operator/categories';

/** Add a category, or rename the one whose slug is in the form. */
export async function saveCategory(
  site: SiteParts,
  c: PageContext,
  operator: User,
  form: PostedForm,
): Promise<Response> {
  const by = byOperator(operator, site.clock);
  const name = form.text('name');
  const slug = form.text('slug');
  if (slug === '') {
    const category = await categoryNamed(by, site.community, name);
    return category === undefined
      ? pageOfCategories(site, c, { slug, name, problem: 'name' })
      : c.redirect(`${PATH}?saved`, 303);
  }
  const problem = await renameCategory(by, site.community, slug, name);
  if (problem === 'unknown') return notFoundPage(c);
  return problem === undefined
    ? c.redirect(`${PATH}?saved`, 303)
    : pageOfCategories(site, c, { slug, name, problem });
}

/** Why a name was not saved, and for which category. */
interface CategoryRefusal {
  /** Empty for a new category. */
  slug: string;
  name: string;
  problem: 'name' | 'taken';
}

/** Show all categories, each with a field to rename it, and a form for a new one. */
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
  const refusedCategory = categories.find(({ slug }) => slug === refusal?.slug);
  const isSaved = refusal === undefined && c.req.query('saved') !== undefined;
  return operatorPage(
    c,
    PATH,
    { title, status: refusal === undefined ? 200 : 400 },
    html`
      <h1>${title}</h1>
      ${notice(isSaved ? t.saved : undefined)}
      ${problemSummary({ [refusedCategory === undefined ? 'name' : fieldOf(refusedCategory)]: problem }, language)}
      <p class="soft">${t.explanation}</p>
      <section class="card">
        <ul class="plain">
          ${categories.map((category) => html`<li>${renameForm(c, category, refusal)}</li>`)}
        </ul>
      </section>
      <section class="card">
        <h2>${t.another}</h2>
        ${newCategoryForm(c, refusal?.slug === '' ? refusal : undefined)}
      </section>`,
  );
}

function renameForm(c: PageContext, category: Category, refusal: CategoryRefusal | undefined): Html {
  const t = words[c.get('visitor').language];
  const { slug, name } = category;
  const field = fieldOf(category);
  const value = refusal?.slug === slug ? refusal.name : name;
  const invalid = refusal?.slug === slug && html` aria-invalid="true"`;
  return html`
    <form method="post" action="${PATH}" class="find">
      ${formTokenField(c)}
      <input type="hidden" name="slug" value="${slug}">
      <div class="field">
        <label class="unseen" for="${field}">${t.nameOf(name)}</label>
        <input type="text" id="${field}" name="name" value="${value}" required autocomplete="off"${invalid}>
      </div>
      <button aria-label="${t.rename}: ${name}">${t.rename}</button>
    </form>`;
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

function fieldOf({ id }: Category): string {
  return `name-${id}`;
}

const words = bilingual(
  {
    saved: 'Category saved.',
    explanation: 'Renaming a category keeps its address. Categories can’t be deleted.',
    nameOf: (name: string) => `Name of the category “${name}”`,
    rename: 'Rename',
    another: 'New category',
    name: 'Name',
    add: 'Add category',
    problems: {
      name: 'Enter a name of 1 to 40 visible characters.',
      taken: 'Another category has this name.',
    },
  },
  {
    saved: '分类已保存。',
    explanation: '更名不会改变分类的地址。分类不能删除。',
    nameOf: (name: string) => `分类“${name}”的名称`,
    rename: '更名',
    another: '新建分类',
    name: '名称',
    add: '添加分类',
    problems: { name: '请填写 1 到 40 个可见字符的名称。', taken: '已有同名的分类。' },
  },
);
