// Text that must stay on one line, where a reader sees all of it.

/** Report whether a text has control characters, which include line breaks. */
export function hasControlCharacters(text: string): boolean {
  return /[\p{Cc}\u2028\u2029]/u.test(text);
}

/** Put a text on one line: each run of control characters and blanks becomes a space. */
export function oneLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\u2028\u2029\s]+/gu, ' ').trim();
}

/** Shorten a text to at most so many characters, the last of them an ellipsis. */
export function cutOff(text: string, most: number): string {
  const characters = [...text];
  if (characters.length <= most) return text;
  const beginning = characters.slice(0, most - 1).join('');
  return `${beginning.trimEnd()}…`;
}
