// The excerpt of a post (spec §2.3, contract §7): plain text of at most 200 characters, never cut inside a
// character.

import { plainTextOf } from '../lib/markdown.ts';

export const MOST_EXCERPT_CHARACTERS = 200;

// Enough for an excerpt, also after links and pictures. Reading all of a long text takes most of a second.
const MOST_READ = 5_000;

/**
 * The beginning of a Markdown text as plain text. A shortened text ends in an ellipsis, which counts as one
 * character.
 */
export function excerptOf(markdown: string): string {
  return excerptOfWords(plainTextOf(markdown.slice(0, MOST_READ)));
}

/** As `excerptOf`, for a text that is plain already. */
export function excerptOfWords(words: string): string {
  const text = words.replace(/\s+/g, ' ').trim();
  if (text.length <= MOST_EXCERPT_CHARACTERS) return text;
  // Clients count code units, code points or graphemes. Code units are the most, so the limit fits them all.
  const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });
  let excerpt = '';
  for (const { segment } of graphemes.segment(text.slice(0, 2 * MOST_EXCERPT_CHARACTERS))) {
    if (excerpt.length + segment.length >= MOST_EXCERPT_CHARACTERS) break;
    excerpt += segment;
  }
  return `${excerpt.trimEnd()}…`;
}
