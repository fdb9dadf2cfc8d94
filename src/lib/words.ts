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

/** The forms of the words of some texts, each made once. */
export interface WordForms {
  known: Map<string, string>;
  /** How much may still be read of words that aren't known, in characters. */
  left: number;
}

// Making the form of a short word takes as long as that of so many characters.
const SHORTEST_FORMED = 6;

/** Begin with texts of which at most so many characters of different words are read. */
export function wordForms(left: number): WordForms {
  return { known: new Map(), left };
}

/**
 * Find the words of a text one after another, as `phrasesOf` splits a query. Ends before a word whose form may not be
 * made any more.
 */
export function* placedWords(text: string, forms: WordForms): Generator<PlacedWord> {
  for (const { 0: piece, index } of text.matchAll(PLACED)) {
    const word = formOf(piece, forms);
    if (word === undefined) return;
    yield { word, start: index, end: index + piece.length };
  }
}

const UNSPACED_SIGN = UNSPACED.source;
const PLACED = new RegExp(`${UNSPACED_SIGN}\\p{M}*|(?:(?!${UNSPACED_SIGN})[\\p{L}\\p{M}\\p{N}])+`, 'gu');

// What no normal form changes: nearly all signs of Chinese and Japanese texts, and most words of Korean, Thai, Hebrew,
// Arabic and Cyrillic ones. Normalizing each would take most of the time of a search.
const UNCHANGED_SIGN =
  /^[ก-ะเ-ๆ\u3041-\u3096\u30A1-\u30FA\u3400-\u4DBF\u4E00-\u9FFF\u{20000}-\u{2F7FF}\u{30000}-\u{323AF}]$/u;
const UNCHANGED_WORD =
  /^[a-z0-9\uAC00-\uD7A3\u05D0-\u05EA\u0621-\u063A\u0641-\u064A\u0430-\u0438\u043A-\u044F]+$/;
const ASCII = /^[a-zA-Z0-9]+$/;

function formOf(piece: string, forms: WordForms): string | undefined {
  if (UNCHANGED_SIGN.test(piece) || UNCHANGED_WORD.test(piece)) return piece;
  if (ASCII.test(piece)) return piece.toLowerCase();
  const known = forms.known.get(piece);
  if (known !== undefined) return known;
  if (forms.left <= 0) return undefined;
  forms.left -= Math.max(SHORTEST_FORMED, piece.length);
  const form = phrasesOf(piece).flat()[0] ?? '';
  forms.known.set(piece, form);
  return form;
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
