// Pages of a list: which one is asked for, and the way to the ones beside it. People count from 1, rules from 0.

import { html } from 'hono/html';
import { bilingual, type Language } from './language.ts';
import type { Html } from './page.ts';
import type { PageContext } from './visitor.ts';

/** The page that the address asks for, counted from 0; the first one for anything that is no page number. */
export function askedPage(c: PageContext): number {
  const text = c.req.query('page') ?? '1';
  return /^[1-9]\d{0,5}$/.test(text) ? Number(text) - 1 : 0;
}

interface Ways {
  /** To the part before, which has a name; without one, to the beginning. */
  back?: { href: string; text?: string } | undefined;
  /** What stands between the two: where one is. */
  middle?: string;
  on?: { href: string; text?: string } | undefined;
}

/** From a part of a list to those beside it; nothing if there is none. */
export function wayOn(language: Language, { back, middle, on }: Ways): Html | string {
  if (back === undefined && on === undefined) return '';
  const t = words[language];
  const before = (href: string, text: string | undefined) =>
    text === undefined
      ? html`<a href="${href}">&larr; ${t.beginning}</a>`
      : html`<a rel="prev" href="${href}">&larr; ${text}</a>`;
  return html`<nav class="pages" aria-label="${t.pages}">
<span>${back === undefined ? '' : before(back.href, back.text)}</span>
<span class="soft small">${middle ?? ''}</span>
<span>${on === undefined ? '' : html`<a rel="next" href="${on.href}">${on.text ?? t.further} &rarr;</a>`}</span></nav>`;
}

/** Links to the newer and the older page; nothing if there is one page only. */
export function pageLinks(path: string, page: number, pages: number, language: Language): Html | string {
  if (pages <= 1) return '';
  const t = words[language];
  return wayOn(language, {
    back: page > 0 ? { href: `${path}?page=${page}`, text: t.newer } : undefined,
    middle: t.position(page + 1, pages),
    on: page + 1 < pages ? { href: `${path}?page=${page + 2}`, text: t.older } : undefined,
  });
}

const words = bilingual(
  {
    pages: 'Pages',
    beginning: 'To the beginning',
    further: 'Further',
    newer: 'Newer',
    older: 'Older',
    position: (page: number, pages: number) => `Page ${page} of ${pages}`,
  },
  {
    pages: '分页',
    beginning: '回到开头',
    further: '继续',
    newer: '较新',
    older: '较早',
    position: (page: number, pages: number) => `第 ${page} 页，共 ${pages} 页`,
  },
);
