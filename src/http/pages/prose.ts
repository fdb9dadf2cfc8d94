// A rendered text in a page.

import { html, raw } from 'hono/html';
import { bilingual, type Language } from './language.ts';
import type { Html } from './page.ts';

/** Show HTML that was rendered from Markdown (`lib/markdown.ts`), and is safe. */
export function prose(rendered: string): Html {
  return html`<div class="prose">${raw(rendered)}</div>`;
}

/** The same for a text whose blocks of code get copy buttons from the script `copy.js`. */
export function proseToCopy(rendered: string, language: Language): Html {
  const { copy, done } = words[language];
  return html`<div class="prose" data-copy-code="${copy}" data-done="${done}">${raw(rendered)}</div>`;
}

const words = bilingual({ copy: 'Copy', done: 'Copied' }, { copy: '复制', done: '已复制' });
