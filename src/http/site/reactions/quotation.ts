// What a reply quotes of the comment that it answers.

// A quotation reminds readers of a comment, and leaves room for the reply.
const MOST_CHARACTERS = 1000;

/**
 * Make a quotation in Markdown of the beginning of a comment. It has no pictures, which are the author's, and mentions
 * nobody: those whom the comment mentions were told.
 */
export function quotation(markdown: string): string {
  const characters = [...markdown.trim()];
  const shown = characters.slice(0, MOST_CHARACTERS).join('');
  const text = characters.length > MOST_CHARACTERS ? `${shown.trimEnd()}…` : shown;
  // Two backslashes are a shown one, so only an odd number of them escapes the sign.
  return text
    .replaceAll(/!(?=\[)/g, '')
    .replaceAll(/(?<=(?<!\\)(?:\\\\)*)@/g, '\\@')
    .split('\n')
    .map((line) => `> ${line}`.trimEnd())
    .join('\n');
}
