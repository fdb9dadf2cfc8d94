// Where a text has the words that someone searched for, and the part of it around the first of them.

import { lazily } from './remember.ts';
import { placedWords, type WordForms, wordForms } from './words.ts';

/** The words of a search, as `phrasesOf` splits them. */
export interface SoughtWords {
  phrases: readonly (readonly string[])[];
  /** Whether the last phrase is the beginning of a word. */
  isCompleted: boolean;
}

/** A piece of a text, and whether it was searched for. */
export interface TextPiece {
  text: string;
  isFound: boolean;
}

// More would take too long.
const MOST_READ = { ofText: 8_000, ofPage: 60_000 };
const MOST_FORMED = 16_000;

/** How much of the texts of a page is still read. */
export interface LeftToRead {
  characters: number;
  forms: WordForms;
}

/** For a page with some texts of ordinary length. Long texts that have the words nowhere use it up. */
export function leftOfPage(): LeftToRead {
  return { characters: MOST_READ.ofPage, forms: wordForms(MOST_FORMED) };
}

/** Split a short text into what was searched for and what is between. */
export function withFoundWords(text: string, sought: SoughtWords, left = leftOfPage()): TextPiece[] {
  return split(text, placesOf(text, sought, left.forms));
}

const BEFORE = 60;
const MOST_SHOWN = 200;

/**
 * As `withFoundWords`, for the part of a text around the first of the words. Undefined if there are none in what is
 * read.
 */
export function partAroundFound(
  text: string,
  sought: SoughtWords,
  left = leftOfPage(),
): TextPiece[] | undefined {
  const read = text.slice(0, Math.min(MOST_READ.ofText, left.characters));
  const [first] = placesOf(read, sought, left.forms);
  left.characters -= first?.end ?? read.length;
  if (first === undefined) return undefined;
  const start = first.start <= BEFORE ? 0 : wordAfter(text, first.start - BEFORE, first.start);
  const end =
    text.length - start <= MOST_SHOWN ? text.length : wordBefore(text, start + MOST_SHOWN, first.end);
  const pieces = withFoundWords(text.slice(start, end).trimEnd(), sought, left);
  const ellipsis = { text: '…', isFound: false };
  return [...(start > 0 ? [ellipsis] : []), ...pieces, ...(end < text.length ? [ellipsis] : [])];
}

interface Place {
  start: number;
  end: number;
}

// Reads no further than the caller does.
function* placesOf(text: string, { phrases, isCompleted }: SoughtWords, forms: WordForms): Generator<Place> {
  const sought = phrases.map((phrase) => phrase.map(stemOf));
  const firsts = new Set(sought.map(([stem]) => stem));
  const beginning = isCompleted ? phrases.at(-1)?.[0] : undefined;
  const longest = Math.max(1, ...sought.map((phrase) => phrase.length));
  let end = 0;
  for (const words of rowsOf(placedWords(text, forms), longest)) {
    const { word = '', start = 0 } = words[0] ?? {};
    const isBegun = beginning !== undefined && word.startsWith(beginning);
    if (start < end || !(isBegun || firsts.has(stemOf(word)))) continue;
    const stems = words.map((each) => stemOf(each.word));
    const phrasesHere = sought.filter((phrase) => phrase.every((stem, index) => stems[index] === stem));
    const length = Math.max(isBegun ? 1 : 0, ...phrasesHere.map((phrase) => phrase.length));
    const last = words[length - 1];
    if (last === undefined) continue;
    end = last.end;
    yield { start, end };
  }
}

/** For each item, it and those after it, so many in all. */
function* rowsOf<T>(items: Iterable<T>, length: number): Generator<readonly T[]> {
  const row: T[] = [];
  for (const item of items) {
    row.push(item);
    if (row.length < length) continue;
    yield row;
    row.shift();
  }
  while (row.length > 0) {
    yield row;
    row.shift();
  }
}

const LEAST_STEMMED = 4;

// Nearly what the databases do with the endings of English words. Where it differs, a word is not marked.
function stemOf(word: string): string {
  return word.length < LEAST_STEMMED ? word : word.replace(/(?<=\w{3})(?:ies|ing|ed|es|ly|e|y|s)$/, '');
}

function split(text: string, places: Iterable<Place>): TextPiece[] {
  const pieces: TextPiece[] = [];
  let at = 0;
  for (const { start, end } of places) {
    if (start > at) pieces.push({ text: text.slice(at, start), isFound: false });
    pieces.push({ text: text.slice(start, end), isFound: true });
    at = end;
  }
  if (at < text.length) pieces.push({ text: text.slice(at), isFound: false });
  return pieces;
}

// Where the script has no spaces, any character. A character can have several parts.
function wordAfter(text: string, from: number, to: number): number {
  const space = text.slice(from, to).indexOf(' ');
  return space >= 0 ? from + space + 1 : characterAt(text, from);
}

function wordBefore(text: string, to: number, least: number): number {
  const space = text.lastIndexOf(' ', to);
  return space > Math.max(least, to - BEFORE) ? space : Math.max(least, characterAt(text, to));
}

const characters = lazily(() => new Intl.Segmenter('en', { granularity: 'grapheme' }));
const LONGEST_CHARACTER = 30;

function characterAt(text: string, index: number): number {
  const from = Math.max(0, index - LONGEST_CHARACTER);
  const character = characters()
    .segment(text.slice(from, index + LONGEST_CHARACTER))
    .containing(index - from);
  const start = from + (character?.index ?? index - from);
  // `from` can be inside a character.
  return (text.codePointAt(start - 1) ?? 0) > 0xffff ? start - 1 : start;
}
