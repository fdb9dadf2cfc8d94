// Markdown in a page.

import { html, raw } from 'hono/html';
import { renderMarkdown } from '../lib/markdown.ts';
import type { Html } from './page.ts';

/** The text as safe HTML. What may be wider than the page can be reached, and then scrolled, by keyboard. */
export function prose(markdown: string): Html {
  const rendered = renderMarkdown(markdown).replaceAll('<pre>', '<pre tabindex="0">');
  return html`<div class="prose">${raw(rendered)}</div>`;
}
