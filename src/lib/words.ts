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

/** Find the words of a text one after another, as `phrasesOf` splits a query. */
export function* placedWords(text: string): Generator<PlacedWord> {
  const forms = new Map<string, string>();
  for (const { 0: piece, index } of text.matchAll(PLACED)) {
    const word = UNCHANGED.test(piece) ? piece : (forms.get(piece) ?? formOf(piece));
    if (word !== piece) forms.set(piece, word);
    yield { word, start: index, end: index + piece.length };
  }
}

const UNSPACED_SIGN = UNSPACED.source;
const PLACED = new RegExp(`${UNSPACED_SIGN}\\p{M}*|(?:(?!${UNSPACED_SIGN})[\\p{L}\\p{M}\\p{N}])+`, 'gu');

// What no normal form changes: nearly all signs of Chinese and Japanese texts. Normalizing each would take most of the
// time of a search.
const UNCHANGED =
  /^(?:[a-z0-9]+|[\u3041-\u3096\u30A1-\u30FA\u3400-\u4DBF\u4E00-\u9FFF\u{20000}-\u{2F7FF}\u{30000}-\u{323AF}])$/u;

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
