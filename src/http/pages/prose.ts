// Markdown in a page.

import { html, raw } from 'hono/html';
import { renderMarkdown } from '../../lib/markdown.ts';
import { BoundedMap } from '../../lib/remember.ts';
import type { Html } from './page.ts';

/** The text as safe HTML. What may be wider than the page can be reached, and then scrolled, by keyboard. */
export function prose(markdown: string): Html {
  let rendered = kept.get(markdown);
  if (rendered === undefined) {
    rendered = safeHtml(markdown);
    if (rendered.length <= LONG) kept.set(markdown, rendered);
  }
  return html`<div class="prose">${raw(rendered)}</div>`;
}

// Of long texts none is kept, so that what is kept stays below some megabytes.
const LONG = 20_000;
const kept = new BoundedMap<string, string>(200);

function safeHtml(markdown: string): string {
  return renderMarkdown(markdown).replaceAll(/<(pre|table)>/g, '<$1 tabindex="0">');
}
