// The parts of a list of posts: where it continues, and the links to the next part.

import type { Cursor } from '../../../community/feed.ts';
import type { PostSummary } from '../../../community/post-store.ts';
import { partOf } from '../../../lib/part.ts';
import { bilingual, type Language } from '../../pages/language.ts';
import type { Html } from '../../pages/page.ts';
import { neighbourLinks } from '../../pages/pagination.ts';
import type { PageContext } from '../../pages/visitor.ts';

/** How many posts a page of a list shows. */
export const FEED_PAGE_SIZE = 30;

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

const words = bilingual({ older: 'More posts' }, { older: '更多文章' });
