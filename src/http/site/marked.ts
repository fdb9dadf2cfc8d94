// Marks the words of a search in a text.

import { html } from 'hono/html';
import type { Html } from '../pages/page.ts';

/** The words of a query, in lower case. */
export function wordsOf(query: string): string[] {
  return query
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
}

/** Return the text with each occurrence of a word of the query marked. */
export function marked(text: string, query: string): Html {
  const words = wordsOf(query).toSorted((a, b) => b.length - a.length);
  if (words.length === 0) return html`${text}`;
  const pattern = new RegExp(`(${words.map(RegExp.escape).join('|')})`, 'giu');
  // Every second part is a word, since the pattern has one group.
  return html`${text.split(pattern).map((part, at) => (at % 2 === 1 ? html`<mark>${part}</mark>` : part))}`;
}
