// Signs of scripts without spaces. SQLite's index has each as a word, and each two that are beside each other.

/** The rows of signs in a phrase, which is one word for readers, except those that the index has as pairs. */
export function rowsOfSigns(phrase: readonly string[]): string[][] {
  const rows: string[][] = [[]];
  for (const word of phrase) {
    if (isSign(word)) rows.at(-1)?.push(word);
    else rows.push([]);
  }
  return rows.filter((row) => row.length > 2 || (row.length === 2 && !row.every(isPaired)));
}

function isSign(word: string): boolean {
  return !/[\p{Script=Latin}\p{N}]/u.test(word) && [...word].length === 1;
}

// A part of the signs that are paired in the index: letters of scripts in which each is a word.
function isPaired(word: string): boolean {
  return /^(?:(?=\p{L})[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}])$/u.test(word) && word >= '々';
}

/** The words of which each post with the phrase has all: pairs of signs, which are in fewer posts, and other words. */
export function indexedWords(phrase: readonly string[]): string[] {
  const words: string[] = [];
  for (const [index, word] of phrase.entries()) {
    const next = phrase[index + 1];
    const isBegun = isPaired(word) && next !== undefined && isPaired(next);
    if (isBegun) words.push(`${word}${next}`);
    const previous = phrase[index - 1];
    const isEnded = isPaired(word) && previous !== undefined && isPaired(previous);
    if (!isBegun && !isEnded) words.push(word);
  }
  return words;
}
