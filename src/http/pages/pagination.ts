// The pages of a list, and links between them. People count pages from 1, rules from 0.

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
interface Ways {
  /** The link to the part before. Without a text it leads to the start of the list. */
  back?: { href: string; text?: string } | undefined;
  /** The position in the list, between the two links. */
  middle?: string;
  /** The link to the part after. */
  on?: { href: string; text?: string } | undefined;
}

/** Links from a part of a list to its neighbours. Empty if there are none. */
export function wayOn(language: Language, { back, middle, on }: Ways): Html | string {
  if (back === undefined && on === undefined) return '';
  const t = words[language];
  return html`
    <nav class="pages" aria-label="${t.pages}">
      <span>${back !== undefined && backLink(back, t)}</span>
      <span class="soft small">${middle}</span>
      <span>${on !== undefined && html`<a rel="next" href="${on.href}">${on.text ?? t.further} &rarr;</a>`}</span>
    </nav>`;
}

function backLink({ href, text }: NonNullable<Ways['back']>, t: Words): Html {
  return text === undefined
    ? html`<a href="${href}">&larr; ${t.beginning}</a>`
    : html`<a rel="prev" href="${href}">&larr; ${text}</a>`;
}

/** Links to the newer and the older page. Empty if there is only one page. */
export function pageLinks(path: string, page: number, pages: number, language: Language): Html | string {
  if (pages <= 1) return '';
  const t = words[language];
  return wayOn(language, {
    back: page > 0 ? { href: `${path}?page=${page}`, text: t.newer } : undefined,
    middle: t.position(page + 1, pages),
    on: page + 1 < pages ? { href: `${path}?page=${page + 2}`, text: t.older } : undefined,
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
