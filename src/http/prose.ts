// Markdown in a page.

import { html, raw } from 'hono/html';
import { renderMarkdown } from '../lib/markdown.ts';
import { remembering } from '../lib/remember.ts';
import type { Html } from './page.ts';

/** The text as safe HTML. What may be wider than the page can be reached, and then scrolled, by keyboard. */
export function prose(markdown: string): Html {
  const rendered = markdown.length > LONG ? safeHtml(markdown) : shortHtml(markdown);
  return html`<div class="prose">${raw(rendered)}</div>`;
}

// Of long texts none is kept, so that what is kept stays below some megabytes.
const LONG = 10_000;
const shortHtml = remembering(safeHtml, 200);

function safeHtml(markdown: string): string {
  return renderMarkdown(markdown).replaceAll(/<(pre|table)>/g, '<$1 tabindex="0">');
}
