// The page of a list of posts for everyone: what the list is, the choices, and its posts.

import { html } from 'hono/html';
import type { Cursor } from '../../../community/feed.ts';
import { MOST_PINNED } from '../../../community/moderation.ts';
import type { PostSummary } from '../../../community/post.ts';
import type { Category } from '../../../community/store.ts';
import { bilingual, type Language } from '../../pages/language.ts';
import { type Html, type PageOptions, page } from '../../pages/page.ts';
import type { Sharing } from '../../pages/sharing.ts';
import type { PageContext } from '../../pages/visitor.ts';
import { sharingOfCategory, sharingOfPage } from '../sharing.ts';
import type { SiteParts } from '../site-parts.ts';
import { partsBeside, readBeside } from './beside.ts';
import { listChoices } from './choices.ts';
import { cursorInQuery, cursorText, feedLinks } from './frame.ts';
import { type ItemStyle, postListItems } from './item.ts';
import { overviewOf } from './overview.ts';
import { type PostList, pathOfList, queryOfList, readPart } from './post-list.ts';
import { shownNames } from './shown-tags.ts';
import { isCompact } from './view.ts';

interface ListPage {
  list: PostList;
  categories: readonly Category[];
  options: PageOptions;
  /** What the list is, above the choices. */
  head: Html;
}

/** Show a page of a list, with the choices above it. */
export async function listPage(
  site: SiteParts,
  c: PageContext,
  { list, categories, options, head }: ListPage,
): Promise<Response> {
  const { language } = c.get('visitor');
  const { reads } = site.community;
  const before = cursorInQuery(c);
  const { items, end } = await readPart(reads, list, before);
  const overview = await overviewOf(site);
  const names = await shownNames(site);
  const style: ItemStyle = { names, isCompact: isCompact(c), ...(list.category && { without: 'category' }) };
  const pinned = before === undefined ? await pinnedIn(site, list) : [];
  const shown = postListItems(pinned, items, site.clock(), c.get('visitor'), style);
  return page(
    c,
    {
      ...options,
      sharing: sharingOf(c, list, before),
      ...partsBeside(c, list, categories, overview, await readBeside(site, c, list.order)),
    },
    html`
      <header class="face">
        ${head}
      </header>
      ${listChoices(c, list, categories, overview)}
      <section class="${style.isCompact ? 'compact' : 'full'}" aria-label="${options.title}">
        ${items.length === 0 ? html`<p class="empty">${nothingText(list, before, language)}</p>` : shown}
      </section>
      ${feedLinks(pathOfList(list), cursorText(end), before === undefined, language, queryOfList(list))}`,
  );
}

function nothingText(list: PostList, before: Cursor | undefined, language: Language): string {
  const t = words[language];
  if (before !== undefined) return t.nothingOlder;
  return list.language === undefined ? t.nothing : t.noneInLanguage;
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
  {
    nothing: 'No posts here yet.',
    noneInLanguage: 'No posts in this language yet.',
    nothingOlder: 'There are no older posts.',
  },
  {
    nothing: '这里还没有文章。',
    noneInLanguage: '还没有这种语言的文章。',
    nothingOlder: '没有更早的文章了。',
  },
);
