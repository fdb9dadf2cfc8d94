// Lists of posts for everyone: the popular posts, the categories, and the posts of one category.

import { html } from 'hono/html';
import { BEGINNING } from '../../../community/feed.ts';
import { MOST_PINNED } from '../../../community/moderation.ts';
import type { PostSummary } from '../../../community/post.ts';
import type { Category } from '../../../community/store.ts';
import { notFoundPage } from '../../pages/failures.ts';
import { bilingual } from '../../pages/language.ts';
import { type Html, page } from '../../pages/page.ts';
import { categoryPath } from '../../pages/post-path.ts';
import type { PageContext } from '../../pages/visitor.ts';
import type { SiteParts } from '../site-parts.ts';
import { cursorInQuery, cursorText, FEED_PAGE_SIZE, feedHead, feedLinks, pageOf } from './frame.ts';
import { postListItems } from './item.ts';
import { TAGS_PATH } from './tags.ts';

/** Show the popular posts, the most popular first. */
export async function popularPage(site: SiteParts, c: PageContext): Promise<Response> {
  const { language } = c.get('visitor');
  const { reads } = site.community;
  const t = words[language];
  const before = cursorInQuery(c);
  const posts = await reads.popularPosts(before ?? BEGINNING, FEED_PAGE_SIZE + 1);
  const { items, end } = pageOf(posts, FEED_PAGE_SIZE, ({ popularity }) => popularity);
  return page(
    c,
    { title: t.popular, feed: '/popular/feed.atom' },
    html`
      ${feedHead(t.popular, 'popular', await reads.categories(), language)}
      ${listOf(c, site, items)}
      ${feedLinks('/popular', cursorText(end), before === undefined, language)}`,
  );
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
    { title: t.categories },
    html`
      <h1>${t.categories}</h1>
      <ul class="plain">${items}</ul>
      <p><a href="${TAGS_PATH}">${t.tags}</a></p>`,
  );
}

/** Show the posts of the category in the path, the newest first. */
export async function categoryPage(site: SiteParts, c: PageContext): Promise<Response> {
  const categories = await site.community.reads.categories();
  const slug = c.req.param('slug') ?? '';
  const category = categoryOf(categories, slug);
  if (category !== undefined) return pageOfCategory(c, site, category, categories);
  // A category that was merged into another keeps its address.
  const heir = await site.community.reads.findMergedCategory(slug);
  if (heir === undefined) return notFoundPage(c);
  // Browsers must not cache the redirect: a new category can get the address.
  c.header('Cache-Control', 'no-store');
  return c.redirect(categoryPath(heir.slug), 301);
}

/** Find the category with this slug. */
export function categoryOf(categories: readonly Category[], slug: string): Category | undefined {
  return categories.find((category) => category.slug === slug);
}

async function pageOfCategory(
  c: PageContext,
  site: SiteParts,
  category: Category,
  categories: readonly Category[],
): Promise<Response> {
  const { language } = c.get('visitor');
  const path = categoryPath(category.slug);
  const before = cursorInQuery(c);
  const { reads } = site.community;
  const posts = await reads.postsInCategory(category.id, before ?? BEGINNING, FEED_PAGE_SIZE + 1);
  const { items, end } = pageOf(posts, FEED_PAGE_SIZE, ({ publishedAt }) => publishedAt);
  const pinned = before === undefined ? await reads.pinnedPosts(MOST_PINNED) : [];
  const pinnedHere = pinned.filter(({ categorySlug }) => categorySlug === category.slug);
  return page(
    c,
    { title: category.name, feed: `${path}/feed.atom` },
    html`
      ${feedHead(category.name, category, categories, language)}
      ${category.description !== '' && html`<p class="soft">${category.description}</p>`}
      ${listOf(c, site, items, pinnedHere)}
      ${feedLinks(path, cursorText(end), before === undefined, language)}`,
  );
}

function listOf(
  c: PageContext,
  site: SiteParts,
  posts: readonly PostSummary[],
  pinned: readonly PostSummary[] = [],
): Html {
  const { language } = c.get('visitor');
  const now = site.clock();
  if (posts.length === 0) return html`<p class="empty">${words[language].nothing}</p>`;
  return html`${postListItems(pinned, posts, now, c.get('visitor'))}`;
}

const words = bilingual(
  { popular: 'Popular posts', categories: 'Categories', nothing: 'No posts here yet.', tags: 'All tags' },
  { popular: '热门文章', categories: '分类', nothing: '这里还没有文章。', tags: '全部标签' },
);
