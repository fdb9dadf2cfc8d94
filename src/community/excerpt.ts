// The excerpt of a post (spec §2.3, contract §7): plain text, at most 200 characters, never cut through one.

import { plainTextOf } from '../lib/markdown.ts';

export const MOST_EXCERPT_CHARACTERS = 200;

// Whatever of the text makes no words: links, pictures, marks. To read all of a long one takes most of a second.
const MOST_READ = 5_000;

/** The beginning of a Markdown text as plain text. What is cut off is told by an ellipsis, within the bound. */
export function excerptOf(markdown: string): string {
  const text = plainTextOf(markdown.slice(0, MOST_READ)).replace(/\s+/g, ' ').trim();
  if (text.length <= MOST_EXCERPT_CHARACTERS) return text;
  // Measured in UTF-16 units: then the bound holds in whatever unit a reader counts.
  const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });
  let cut = '';
  for (const { segment } of graphemes.segment(text.slice(0, 2 * MOST_EXCERPT_CHARACTERS))) {
    if (cut.length + segment.length >= MOST_EXCERPT_CHARACTERS) break;
    cut += segment;
  }
  return `${cut.trimEnd()}…`;
}
