// Lists of posts for everyone: the popular posts, the categories, and the posts of one category.

import { html } from 'hono/html';
import type { Category } from '../../../community/store.ts';
import { notFoundPage } from '../../pages/failures.ts';
import { bilingual } from '../../pages/language.ts';
import { page } from '../../pages/page.ts';
import { categoryPath } from '../../pages/post-path.ts';
import type { PageContext } from '../../pages/visitor.ts';
import { sharingOfPage } from '../sharing.ts';
import type { SiteParts } from '../site-parts.ts';
import { listPage } from './list-page.ts';
import { languageInQuery, type PostList, pathOfList } from './post-list.ts';
import { TAGS_PATH } from './tags.ts';

/** Show the popular posts, the most popular first. */
export async function popularPage(site: SiteParts, c: PageContext): Promise<Response> {
  const t = words[c.get('visitor').language];
  const list: PostList = { order: 'popular', language: languageInQuery(c) };
  const categories = await site.community.reads.categories();
  return listPage(site, c, {
    list,
    categories,
    options: { title: t.popular, feed: '/popular/feed.atom' },
    head: html`<h1>${t.popular}</h1>`,
  });
}

/** Show all categories. */
export async function categoriesPage(site: SiteParts, c: PageContext): Promise<Response> {
  const t = words[c.get('visitor').language];
  const items = (await site.community.reads.categories()).map(
    ({ slug, name, description }) => html`
      <li>
        <a href="${categoryPath(slug)}">${name}</a>
        ${description !== '' && html`<br><span class="soft">${description}</span>`}
      </li>`,
  );
  return page(
    c,
    { title: t.categories, sharing: sharingOfPage('/categories') },
    html`
      <h1>${t.categories}</h1>
      <ul class="plain">${items}</ul>
      <p><a href="${TAGS_PATH}">${t.tags}</a></p>`,
  );
}

/** Show the posts of the category in the path, the newest first. */
export function categoryPage(site: SiteParts, c: PageContext): Promise<Response> {
  return pageOfCategory(site, c, 'new');
}

/** As `categoryPage`, the most popular first. */
export function popularInCategoryPage(site: SiteParts, c: PageContext): Promise<Response> {
  return pageOfCategory(site, c, 'popular');
}

async function pageOfCategory(site: SiteParts, c: PageContext, order: PostList['order']): Promise<Response> {
  const categories = await site.community.reads.categories();
  const slug = c.req.param('slug') ?? '';
  const category = categoryOf(categories, slug);
  if (category !== undefined) {
    const { name, description } = category;
    return listPage(site, c, {
      list: { order, category, language: languageInQuery(c) },
      categories,
      options: { title: name, feed: `${categoryPath(slug)}/feed.atom` },
      head: html`<h1>${name}</h1>${description !== '' && html`<p class="soft">${description}</p>`}`,
    });
  }
  // A category that was merged into another keeps its address.
  const heir = await site.community.reads.findMergedCategory(slug);
  if (heir === undefined) return notFoundPage(c);
  // Browsers must not cache the redirect: a new category can get the address.
  c.header('Cache-Control', 'no-store');
  return c.redirect(pathOfList({ order, category: heir }), 301);
}

/** Find the category with this slug. */
export function categoryOf(categories: readonly Category[], slug: string): Category | undefined {
  return categories.find((category) => category.slug === slug);
}

const words = bilingual(
  { popular: 'Popular posts', categories: 'Categories', tags: 'All tags' },
  { popular: '热门文章', categories: '分类', tags: '全部标签' },
);
