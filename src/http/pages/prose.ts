// Markdown in a page.

import { html, raw } from 'hono/html';
import { renderMarkdown } from '../../lib/markdown.ts';
import { BoundedMap } from '../../lib/remember.ts';
import type { Html } from './page.ts';

/**
 * Render Markdown as safe HTML. Code and tables can be focused, so that the keyboard can scroll wide ones.
 */
export function prose(markdown: string): Html {
  let text = cache.get(markdown);
  if (text === undefined) {
    text = safeHtml(markdown);
    if (text.length <= LONGEST_IN_CACHE) cache.set(markdown, text);
  }
  return html`<div class="prose">${raw(text)}</div>`;
}

// Longer texts are not cached, so that the cache stays below some megabytes.
const LONGEST_IN_CACHE = 20_000;
const cache = new BoundedMap<string, string>(200);

function safeHtml(markdown: string): string {
  return renderMarkdown(markdown).replaceAll(/<(pre|table)>/g, '<$1 tabindex="0">');
}
