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

/** A word of a text, in the form that a search compares, and where it is. */
export interface PlacedWord {
  word: string;
  start: number;
  end: number;
}

/** Find the words of a text, as `phrasesOf` splits a query. */
export function placedWords(text: string): PlacedWord[] {
  return [...text.matchAll(PLACED)].map(({ 0: piece, index }) => {
    return { word: formOf(piece), start: index, end: index + piece.length };
  });
}

const UNSPACED_SIGN = UNSPACED.source;
const PLACED = new RegExp(`${UNSPACED_SIGN}\\p{M}*|(?:(?!${UNSPACED_SIGN})[\\p{L}\\p{M}\\p{N}])+`, 'gu');

function formOf(piece: string): string {
  return /^[a-zA-Z0-9]+$/.test(piece) ? piece.toLowerCase() : (phrasesOf(piece).flat()[0] ?? '');
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
