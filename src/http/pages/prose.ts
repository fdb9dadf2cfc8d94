// A rendered text in a page.

import { html, raw } from 'hono/html';
import type { Html } from './page.ts';

/** Show HTML that was rendered from Markdown (`lib/markdown.ts`), and is safe. */
export function prose(rendered: string): Html {
  return html`<div class="prose">${raw(rendered)}</div>`;
}
