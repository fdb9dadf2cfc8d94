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

/** Links to the newer and the older page; nothing if there is one page only. */
export function pageLinks(path: string, page: number, pages: number, language: Language): Html | string {
  if (pages <= 1) return '';
  const t = words[language];
  return html`<nav class="pages" aria-label="${t.pages}">
<span>${page > 0 ? html`<a rel="prev" href="${path}?page=${page}">← ${t.newer}</a>` : ''}</span>
<span class="soft small">${t.position(page + 1, pages)}</span>
<span>${page + 1 < pages ? html`<a rel="next" href="${path}?page=${page + 2}">${t.older} →</a>` : ''}</span></nav>`;
}

const words = bilingual(
  {
    pages: 'Pages',
    newer: 'Newer',
    older: 'Older',
    position: (page: number, pages: number) => `Page ${page} of ${pages}`,
  },
  {
    pages: '分页',
    newer: '较新',
    older: '较早',
    position: (page: number, pages: number) => `第 ${page} 页，共 ${pages} 页`,
  },
);
