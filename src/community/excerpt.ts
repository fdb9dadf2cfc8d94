// The excerpt of a post (spec §2.3, contract §7): plain text of at most 200 characters, never cut inside a
// character, and between words in scripts that have spaces.

import { openingOf } from '../lib/opening.ts';
import { lazily } from '../lib/remember.ts';

export const MOST_EXCERPT_CHARACTERS = 200;

/**
 * The beginning of a Markdown text as plain text. A shortened text ends in an ellipsis, which counts as one
 * character.
 */
export function excerptOf(markdown: string): string {
  return excerptOfOpening(openingOf(markdown));
}

/** As `excerptOf`, for the text that `openingOf` returns. */
export function excerptOfOpening(opening: string): string {
  const text = opening.trim();
  if (text.length <= MOST_EXCERPT_CHARACTERS) return text;
  // Half of a character at the end must not change where the others end.
  const words = cut(wordsIn(), text);
  const last = words.isInside && words.kept.length > SHORTEST ? words.kept : cut(charactersIn(), text).kept;
  return `${last.replace(/[\s\p{Pd}\p{Ps}\p{Pi},;:.·、。，：；]+$/u, '')}…`;
}

// A longer word is cut.
const SHORTEST = MOST_EXCERPT_CHARACTERS / 2;
// Each sign is a word, or several make one that no reader sees.
const BEGINS_WITHOUT_SPACES = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;

const charactersIn = lazily(() => new Intl.Segmenter('en', { granularity: 'grapheme' }));
const wordsIn = lazily(() => new Intl.Segmenter('en', { granularity: 'word' }));

// Clients count code units, code points or graphemes. Code units are the most, so the limit fits them all.
// `isInside`: a word that has to be left out whole would have been cut.
function cut(segmenter: Intl.Segmenter, text: string): { kept: string; isInside: boolean } {
  let kept = '';
  for (const { segment } of segmenter.segment(text.slice(0, 2 * MOST_EXCERPT_CHARACTERS))) {
    if (kept.length + segment.length >= MOST_EXCERPT_CHARACTERS) {
      return { kept, isInside: !BEGINS_WITHOUT_SPACES.test(segment) };
    }
    kept += segment;
  }
  return { kept, isInside: false };
}
