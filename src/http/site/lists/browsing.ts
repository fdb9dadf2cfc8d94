// Lists of posts for everyone: the popular posts, the categories, and the posts of one category.

import { html } from 'hono/html';
import type { Cursor } from '../../../community/feed.ts';
import { MOST_PINNED } from '../../../community/moderation.ts';
import type { PostSummary } from '../../../community/post.ts';
import type { Category } from '../../../community/store.ts';
import { notFoundPage } from '../../pages/failures.ts';
import { bilingual } from '../../pages/language.ts';
import { type PageOptions, page } from '../../pages/page.ts';
import { categoryPath } from '../../pages/post-path.ts';
import type { Sharing } from '../../pages/sharing.ts';
import type { PageContext } from '../../pages/visitor.ts';
import { sharingOfCategory, sharingOfPage } from '../sharing.ts';
import type { SiteParts } from '../site-parts.ts';
import { partsBeside } from './beside.ts';
import { listChoices } from './choices.ts';
import { cursorInQuery, cursorText, feedLinks } from './frame.ts';
import { type ItemStyle, postListItems } from './item.ts';
import { overviewOf } from './overview.ts';
import { languageInQuery, type PostList, pathOfList, queryOfList, readPart } from './post-list.ts';
import { TAGS_PATH } from './tags.ts';
import { isCompact } from './view.ts';

/** Show the popular posts, the most popular first. */
export async function popularPage(site: SiteParts, c: PageContext): Promise<Response> {
  const t = words[c.get('visitor').language];
  const list: PostList = { order: 'popular', language: languageInQuery(c) };
  const categories = await site.community.reads.categories();
  return listPage(site, c, { list, categories, options: { title: t.popular, feed: '/popular/feed.atom' } });
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
    const feed = `${categoryPath(slug)}/feed.atom`;
    const options = { title: category.name, feed };
    return listPage(site, c, { list: { order, category }, categories, options });
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

interface ListPage {
  list: PostList;
  categories: readonly Category[];
  options: PageOptions;
}

async function listPage(
  site: SiteParts,
  c: PageContext,
  { list, categories, options }: ListPage,
): Promise<Response> {
  const { language } = c.get('visitor');
  const { reads } = site.community;
  const before = cursorInQuery(c);
  const { items, end } = await readPart(reads, list, before);
  const overview = await overviewOf(site);
  const description = list.category?.description ?? '';
  const style: ItemStyle = { isCompact: isCompact(c), ...(list.category && { without: 'category' }) };
  const pinned = before === undefined ? await pinnedIn(site, list) : [];
  const shown = postListItems(pinned, items, site.clock(), c.get('visitor'), style);
  return page(
    c,
    {
      ...options,
      sharing: sharingOf(c, list, before),
      ...(await partsBeside(site, c, list, categories, overview)),
    },
    html`
      <header class="face">
        <h1>${options.title}</h1>
        ${description !== '' && html`<p class="soft">${description}</p>`}
      </header>
      ${listChoices(c, list, categories, overview)}
      <section class="${style.isCompact ? 'compact' : 'full'}" aria-label="${options.title}">
        ${items.length === 0 ? html`<p class="empty">${words[language].nothing}</p>` : shown}
      </section>
      ${feedLinks(pathOfList(list), cursorText(end), before === undefined, language, queryOfList(list))}`,
  );
}

// Only the beginning of a list is shared: other parts have other posts tomorrow.
function sharingOf(c: PageContext, list: PostList, before: Cursor | undefined): Sharing | undefined {
  if (before !== undefined || list.language !== undefined) return undefined;
  const { category, order } = list;
  return category !== undefined && order === 'new'
    ? sharingOfCategory(c, category)
    : sharingOfPage(pathOfList(list));
}

// Only the newest posts have the pinned ones above them.
async function pinnedIn({ community }: SiteParts, { order, category }: PostList): Promise<PostSummary[]> {
  if (order === 'popular' || category === undefined) return [];
  const pinned = await community.reads.pinnedPosts(MOST_PINNED);
  return pinned.filter(({ categorySlug }) => categorySlug === category.slug);
}

const words = bilingual(
  { popular: 'Popular posts', categories: 'Categories', nothing: 'No posts here yet.', tags: 'All tags' },
  { popular: '热门文章', categories: '分类', nothing: '这里还没有文章。', tags: '全部标签' },
);
