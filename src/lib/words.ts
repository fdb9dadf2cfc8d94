// The words of a text for search, in the same form for posts and for queries.

import { normalForm } from './normal-form.ts';

// Scripts without spaces between words: each character counts as a word, and a search finds a sequence.
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;

// The accents of Latin, Greek and Cyrillic, which people omit when they search. Marks of other scripts change
// the letter.
const ACCENTS = /[\u0300-\u036F]/g;

// A search compares the positions of words, so a text with many of them makes every search slower.
const MOST_WORDS = 10_000;

/**
 * Turn a text into lower-case words without accents, separated by single spaces, at most 10,000. Characters of
 * scripts without spaces are words of their own.
 */
export function searchWords(text: string): string {
  return phrasesOf(text).flat().slice(0, MOST_WORDS).join(' ');
}

/** Split a query: each of its words becomes the sequence of words that `searchWords` makes of it. */
export function phrasesOf(text: string): string[][] {
  const runs = normalForm(text, 'NFKD')
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
