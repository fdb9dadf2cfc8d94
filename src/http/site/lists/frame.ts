// The frame of the lists of posts: the head with links to the other lists, and the links to the next part.

import { html } from 'hono/html';
import type { Cursor } from '../../../community/feed.ts';
import type { PostSummary } from '../../../community/post.ts';
import type { Category } from '../../../community/store.ts';
import { partOf } from '../../../lib/part.ts';
import { bilingual, type Language } from '../../pages/language.ts';
import type { Html } from '../../pages/page.ts';
import { neighbourLinks } from '../../pages/pagination.ts';
import { categoryPath } from '../../pages/post-path.ts';
import type { PageContext } from '../../pages/visitor.ts';

/** How many posts a page of a list shows. */
export const FEED_PAGE_SIZE = 30;
// More categories would push the posts out of sight.
const MOST_CATEGORIES = 12;

/** Read the cursor after which the list continues. Undefined for the beginning, and for a malformed one. */
export function cursorInQuery(c: PageContext): Cursor | undefined {
  const [, at, id] = /^(\d{1,15})-(\d{1,15})$/.exec(c.req.query('before') ?? '') ?? [];
  return at === undefined || id === undefined ? undefined : { at: Number(at), id: Number(id) };
}

/**
 * Cut a list down to one page. The list must have been read with one post more than a page shows. The next
 * page continues after `end`, which is undefined on the last page.
 */
export function pageOf<T extends PostSummary>(
  posts: readonly T[],
  size: number,
  at: (post: T) => number | undefined,
): { items: readonly T[]; end: Cursor | undefined } {
  const { items, last } = partOf(posts, size);
  return { items, end: last && { at: at(last) ?? 0, id: last.id } };
}

/** The list that the visitor looks at. */
type CurrentList = 'new' | 'popular' | Category;

/** Make the head of a list: its title, the tabs for the order of posts, and the categories. */
export function feedHead(
  title: string,
  current: CurrentList,
  categories: readonly Category[],
  language: Language,
): Html {
  const t = words[language];
  return html`
    <div class="masthead row spread">
      <h1>${title}</h1>
      <nav class="tabs" aria-label="${t.order}">
        ${link('/', t.newest, current === 'new')}
        ${link('/popular', t.popular, current === 'popular')}
      </nav>
    </div>
    ${categories.length < 2 ? '' : topicLinks(categories, current, language)}`;
}

function topicLinks(categories: readonly Category[], current: CurrentList, language: Language): Html {
  const t = words[language];
  const topics = categories.slice(0, MOST_CATEGORIES).map(({ id, slug, name }) => {
    const isCurrent = typeof current === 'object' && current.id === id;
    return link(categoryPath(slug), name, isCurrent);
  });
  return html`
    <nav class="topics" aria-label="${t.categories}">
      ${topics}
      ${categories.length > MOST_CATEGORIES ? link('/categories', t.all, false) : ''}
    </nav>`;
}

function link(path: string, text: string, isCurrent: boolean): Html {
  return html`<a href="${path}"${isCurrent ? html` aria-current="page"` : ''}>${text}</a>`;
}

/** Link to the next page, and from later pages back to the beginning. `query` is the rest of the address. */
export function feedLinks(
  path: string,
  end: string | undefined,
  isBeginning: boolean,
  language: Language,
  query: Record<string, string> = {},
): Html | string {
  const to = (parameters: Record<string, string>) => {
    const text = new URLSearchParams(parameters).toString();
    return text === '' ? path : `${path}?${text}`;
  };
  return neighbourLinks(language, {
    back: isBeginning ? undefined : { href: to(query) },
    next:
      end === undefined ? undefined : { href: to({ ...query, before: end }), text: words[language].older },
  });
}

/** Write a cursor as `cursorInQuery` reads it. */
export function cursorText(cursor: Cursor | undefined): string | undefined {
  return cursor && `${cursor.at}-${cursor.id}`;
}

const words = bilingual(
  {
    order: 'Sort order',
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
