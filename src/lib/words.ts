// Texts as the words that are looked for in them: one form for what is written and for what is asked.

// Scripts that put no spaces between words: each character stands alone, and a word is found as a row of them.
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;

// Of Latin, Greek and Cyrillic letters: people leave them out. Other scripts' marks make other letters.
const ACCENTS = /[\u0300-\u036F]/g;

/**
 * The words of a text in lower case and without accents, separated by single spaces; characters of scripts without
 * spaces stand alone.
 */
export function searchWords(text: string): string {
  return phrasesOf(text).flat().join(' ');
}

/** What is asked for: each word of the text as the row of words that it becomes in `searchWords`. */
export function phrasesOf(text: string): string[][] {
  const runs = text
    .normalize('NFKD')
    .replace(ACCENTS, '')
    .normalize('NFKC')
    .toLowerCase()
    .match(/[\p{L}\p{M}\p{N}]+/gu);
  return (runs ?? []).map(rowOf);
}

function rowOf(run: string): string[] {
  if (!UNSPACED.test(run)) return [run];
  const row: string[] = [];
  let word = '';
  for (const character of run) {
    if (UNSPACED.test(character)) {
      if (word !== '') row.push(word);
      row.push(character);
      word = '';
    } else word += character;
  }
  if (word !== '') row.push(word);
  return row;
}
