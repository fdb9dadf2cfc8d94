// What all lists of posts for everyone share: the head with its ways to the others, and the way on.

import { html } from 'hono/html';
import type { Place } from '../../../community/feed.ts';
import type { PostSummary } from '../../../community/post.ts';
import type { Category } from '../../../community/store.ts';
import { partOf } from '../../../lib/part.ts';
import { bilingual, type Language } from '../../pages/language.ts';
import type { Html } from '../../pages/page.ts';
import { wayOn } from '../../pages/pagination.ts';
import { categoryPath } from '../../pages/post-path.ts';
import type { PageContext } from '../../pages/visitor.ts';

export const FEED_PAGE_SIZE = 30;
// More of them would push the posts out of sight.
const MOST_CATEGORIES = 12;

/** The place that the address asks to go on from; undefined for the beginning, and for anything that is no place. */
export function askedPlace(c: PageContext): Place | undefined {
  const [, at, id] = /^(\d{1,15})-(\d{1,15})$/.exec(c.req.query('before') ?? '') ?? [];
  return at === undefined || id === undefined ? undefined : { at: Number(at), id: Number(id) };
}

/** Of one post more than a page has: the page, and the place where it ends if there is more. */
export function pageOf<T extends PostSummary>(
  posts: readonly T[],
  size: number,
  at: (post: T) => number | undefined,
): { items: readonly T[]; end: Place | undefined } {
  const { items, last } = partOf(posts, size);
  return { items, end: last && { at: at(last) ?? 0, id: last.id } };
}

/** The heading of a list, the order of posts, and the categories. */
export function feedHead(
  title: string,
  current: 'new' | 'popular' | Category | undefined,
  categories: readonly Category[],
  language: Language,
): Html {
  const t = words[language];
  const link = (path: string, text: string, isCurrent: boolean) =>
    html`<a href="${path}"${isCurrent ? html` aria-current="page"` : ''}>${text}</a>`;
  const topics = categories
    .slice(0, MOST_CATEGORIES)
    .map(({ id, slug, name }) =>
      link(categoryPath(slug), name, typeof current === 'object' && current.id === id),
    );
  return html`<div class="masthead row spread"><h1>${title}</h1>
<nav class="tabs" aria-label="${t.order}">${link('/', t.newest, current === 'new')} ${link('/popular', t.popular, current === 'popular')}</nav></div>
${topics.length < 2 ? '' : html`<nav class="topics" aria-label="${t.categories}">${topics} ${categories.length > MOST_CATEGORIES ? link('/categories', t.all, false) : ''}</nav>`}`;
}

/** The way on, and from further pages back to the beginning. `query` is what else the address says. */
export function feedLinks(
  path: string,
  end: string | undefined,
  isBeginning: boolean,
  language: Language,
  query: Record<string, string> = {},
): Html | string {
  const beginning = new URLSearchParams(query).toString();
  const next = new URLSearchParams({ ...query, before: end ?? '' });
  return wayOn(language, {
    back: isBeginning ? undefined : { href: beginning === '' ? path : `${path}?${beginning}` },
    on: end === undefined ? undefined : { href: `${path}?${next}`, text: words[language].older },
  });
}

/** As it stands in an address. */
export function placeText(place: Place | undefined): string | undefined {
  return place && `${place.at}-${place.id}`;
}

const words = bilingual(
  {
    order: 'Order',
    newest: 'New',
    popular: 'Popular',
    categories: 'Categories',
    all: 'All categories',
    older: 'More posts',
  },
  {
    order: '排序',
    newest: '最新',
    popular: '热门',
    categories: '分类',
    all: '全部分类',
    older: '更多文章',
  },
);
