// The pages of a list, and links between them. Addresses count pages from 1, the code counts from 0.

import { html } from 'hono/html';
import { bilingual, type Language } from './language.ts';
import type { Html } from './page.ts';
import type { PageContext } from './visitor.ts';

/**
 * Return the page that the address names, counted from 0. Anything but a page number means the first page.
 */
export function askedPage(c: PageContext): number {
  const text = c.req.query('page') ?? '1';
  return /^[1-9]\d{0,5}$/.test(text) ? Number(text) - 1 : 0;
}

/** The links around a part of a list. */
interface Neighbours {
  /** The link to the previous part. Without a text it leads to the start of the list. */
  back?: { href: string; text?: string } | undefined;
  /** The position in the list, between the two links. */
  middle?: string;
  /** The link to the next part. */
  next?: { href: string; text?: string } | undefined;
}

/** Links from a part of a list to its neighbours. Empty if there are none. */
export function neighbourLinks(language: Language, { back, middle, next }: Neighbours): Html | string {
  if (back === undefined && next === undefined) return '';
  const t = words[language];
  return html`
    <nav class="pages" aria-label="${t.pages}">
      <span>${back !== undefined && backLink(back, t)}</span>
      <span class="soft small">${middle}</span>
      <span>${next !== undefined && nextLink(next, t)}</span>
    </nav>`;
}

function nextLink({ href, text }: NonNullable<Neighbours['next']>, t: Words): Html {
  return html`<a rel="next" href="${href}">${text ?? t.further} &rarr;</a>`;
}

function backLink({ href, text }: NonNullable<Neighbours['back']>, t: Words): Html {
  return text === undefined
    ? html`<a href="${href}">&larr; ${t.beginning}</a>`
    : html`<a rel="prev" href="${href}">&larr; ${text}</a>`;
}

/** Links to the newer and the older page. Empty if there is only one page. */
export function pageLinks(path: string, page: number, pages: number, language: Language): Html | string {
  if (pages <= 1) return '';
  const t = words[language];
  return neighbourLinks(language, {
    back: page > 0 ? { href: `${path}?page=${page}`, text: t.newer } : undefined,
    middle: t.position(page + 1, pages),
    next: page + 1 < pages ? { href: `${path}?page=${page + 2}`, text: t.older } : undefined,
  });
}

type Words = (typeof words)['en'];

const words = bilingual(
  {
    pages: 'Pages',
    beginning: 'Back to the start',
    further: 'More',
    newer: 'Newer',
    older: 'Older',
    position: (page: number, pages: number) => `Page ${page} of ${pages}`,
  },
  {
    pages: '分页',
    beginning: '回到开头',
    further: '更多',
    newer: '较新',
    older: '较早',
    position: (page: number, pages: number) => `第 ${page} 页，共 ${pages} 页`,
  },
);
