// Text that must stay on one line, where a reader sees all of it.

// Characters that turn the direction of what follows, or have no width: they make a text read otherwise than it
// is. The joiners U+200C and U+200D are none of them, since scripts and emoji need them.
const BIDI_OR_ZERO_WIDTH = /[\u061C\u180E\u200B\u200E\u200F\u202A-\u202E\u2060-\u206F\uFEFF\uFFF9-\uFFFB]/u;

/** Report whether a text has control characters: line breaks, directions of writing, or without a width. */
export function hasControlCharacters(text: string): boolean {
  return /[\p{Cc}\u2028\u2029]/u.test(text) || BIDI_OR_ZERO_WIDTH.test(text);
}

/** Put a text on one line: each run of line breaks and blanks becomes a space, and hidden characters go. */
export function oneLine(text: string): string {
  return text
    .replaceAll(new RegExp(BIDI_OR_ZERO_WIDTH, 'gu'), '')
    .replaceAll(/[\p{Cc}\u2028\u2029\s]+/gu, ' ')
    .trim();
}

/** Shorten a text to at most so many characters, the last of them an ellipsis. */
export function cutOff(text: string, most: number): string {
  const characters = [...text];
  if (characters.length <= most) return text;
  const beginning = characters.slice(0, most - 1).join('');
  return `${beginning.trimEnd()}…`;
}
