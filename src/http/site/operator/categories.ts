// The categories of posts, for operators: adding one, calling one otherwise.

import { html } from 'hono/html';
import { byOperator } from '../../../audit/doer.ts';
import { categoryNamed, renameCategory } from '../../../community/category.ts';
import type { User } from '../../../identity/user.ts';
import { notFoundPage } from '../../pages/failures.ts';
import { inputField, problemSummary } from '../../pages/fields.ts';
import type { PostedForm } from '../../pages/form-page.ts';
import { bilingual } from '../../pages/language.ts';
import { formTokenField } from '../../pages/page.ts';
import type { PageContext } from '../../pages/visitor.ts';
import type { SiteParts } from '../site-parts.ts';
import { operatorPage, operatorTitle } from './page.ts';

const PATH = '/operator/categories';

/** Adds a category, or renames the one that the form names. */
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

interface CategoryRefusal {
  /** Empty: the name of a new one. */
  slug: string;
  name: string;
  problem: 'name' | 'taken';
}

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
  const items = categories.map(({ id, slug, name }) => {
    const field = `name-${id}`;
    const isRefused = refusal?.slug === slug;
    return html`<li><form method="post" action="${PATH}" class="find">${formTokenField(c)}<input type="hidden" name="slug" value="${slug}">
<div class="field"><label for="${field}">${t.called(name)}</label><input type="text" id="${field}" name="name" value="${isRefused ? refusal.name : name}" required autocomplete="off"${isRefused ? html` aria-invalid="true"` : ''}></div><button aria-label="${t.rename}: ${name}">${t.rename}</button></form></li>`;
  });
  const place = refusal === undefined || refusal.slug === '' ? 'name' : fieldOf(categories, refusal.slug);
  return operatorPage(
    c,
    PATH,
    { title, status: refusal === undefined ? 200 : 400 },
    html`<h1>${title}</h1>
${c.req.query('saved') === undefined || refusal !== undefined ? '' : html`<p class="notice" role="status">${t.saved}</p>`}
${problemSummary({ [place]: problem }, language)}
<p class="soft">${t.explanation}</p>
<section class="card"><ul class="plain">${items}</ul></section>
<section class="card"><h2>${t.another}</h2><form method="post" action="${PATH}">${formTokenField(c)}
${inputField({ name: 'name', label: t.name, problem: refusal?.slug === '' ? problem : undefined, value: refusal?.slug === '' ? refusal.name : '', required: true })}
<div class="actions"><button class="primary">${t.add}</button></div></form></section>`,
  );
}

function fieldOf(categories: readonly { id: number; slug: string }[], slug: string): string {
  return `name-${categories.find((category) => category.slug === slug)?.id ?? 0}`;
}

const words = bilingual(
  {
    saved: 'Saved.',
    explanation:
      'A category keeps its address when it is called otherwise. It can not be deleted: posts are in it.',
    called: (name: string) => `The name of “${name}”`,
    rename: 'Rename',
    another: 'Another category',
    name: 'Name',
    add: 'Add',
    problems: {
      name: 'The name must have 1 to 40 visible characters.',
      taken: 'Another category has this name.',
    },
  },
  {
    saved: '已保存。',
    explanation: '更名后分类的地址不变。分类中有文章，因此不能删除。',
    called: (name: string) => `“${name}”的名称`,
    rename: '更名',
    another: '新增分类',
    name: '名称',
    add: '添加',
    problems: { name: '名称须为 1 到 40 个可见字符。', taken: '已有同名的分类。' },
  },
);
