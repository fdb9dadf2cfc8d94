// Text that must stay on one line, where a reader sees all of it.

// Characters that change the direction of the text after them, or that are invisible. Joiners and variation
// selectors are not among them, since scripts and emoji need them, nor are the tags in the flag of a region.
const INVISIBLE =
  /[[\p{Default_Ignorable_Code_Point}\uFFF9-\uFFFB]--[\u200C\u200D\p{Variation_Selector}\u{E0000}-\u{E007F}]]/v;
const LONE_TAG = /(?<!\u{1F3F4}[\u{E0030}-\u{E007A}]{0,6})[\u{E0000}-\u{E007F}]/v;
const HIDDEN = new RegExp(`${INVISIBLE.source}|${LONE_TAG.source}`, 'v');
const ALL_HIDDEN = new RegExp(HIDDEN, 'gv');
const LINE_BREAK_OR_CONTROL = /[\p{Cc}\u2028\u2029]/u;
const ALL_UNPRINTABLE = new RegExp(`${LINE_BREAK_OR_CONTROL.source}|${HIDDEN.source}`, 'gv');
// Braille has a pattern without dots.
const VISIBLE = /[^\p{White_Space}\p{Cc}\p{Default_Ignorable_Code_Point}\u2800\uFFF9-\uFFFB]/u;

/** Report whether a text has line breaks, control characters or invisible ones, or nothing visible but blanks. */
export function hasHiddenCharacters(text: string): boolean {
  return LINE_BREAK_OR_CONTROL.test(text) || HIDDEN.test(text) || (text.trim() !== '' && !VISIBLE.test(text));
}

/**
 * Put a text on one line: each run of line breaks and blanks becomes a space, and hidden characters go. A text
 * without a visible character becomes empty.
 */
export function oneLine(text: string): string {
  if (!VISIBLE.test(text)) return '';
  // Two halves of characters would become a whole one when the text between them goes.
  return text
    .toWellFormed()
    .replaceAll(ALL_HIDDEN, '')
    .replaceAll(/[\p{Cc}\u2028\u2029\s]+/gu, ' ')
    .trim();
}

/** Show hidden characters as `\u{1b}`, so that they change neither a terminal nor the lines of an output. */
export function escapeHidden(text: string): string {
  return text.replaceAll(ALL_UNPRINTABLE, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);
}

/** Shorten a text to at most so many characters, the last of them an ellipsis. */
export function cutOff(text: string, most: number): string {
  const characters = [...text];
  if (characters.length <= most) return text;
  const beginning = characters.slice(0, most - 1).join('');
  return `${beginning.trimEnd()}…`;
}
