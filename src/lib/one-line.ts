// Text that is to stay on one line, where a reader sees all of it.

/** Whether a text has control characters or line breaks. */
export function hasHidden(text: string): boolean {
  return /[\p{Cc}\u2028\u2029]/u.test(text);
}

/** Puts a text on one line: a space for whatever is hidden or blank. */
export function oneLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\u2028\u2029\s]+/gu, ' ').trim();
}

/** A text of no more than so many characters: what is longer ends in an ellipsis. */
export function cutOff(text: string, most: number): string {
  const characters = [...text];
  if (characters.length <= most) return text;
  const kept = characters.slice(0, most - 1).join('');
  return `${kept.trimEnd()}…`;
}
