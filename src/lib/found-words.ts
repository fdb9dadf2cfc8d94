// Where a text has the words that someone searched for, and the part of it around the first of them.

import { lazily } from './remember.ts';
import { placedWords } from './words.ts';

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

// Reading more of each of twenty posts would take too long.
const MOST_READ = 8_000;

/** Split a text into what was searched for and what is between. */
export function withFoundWords(text: string, sought: SoughtWords): TextPiece[] {
  return split(text, placesOf(text, sought));
}

const BEFORE = 60;
const MOST_SHOWN = 200;

/** As `withFoundWords`, for the part of a text around the first of the words. Undefined if there are none. */
export function partAroundFound(text: string, sought: SoughtWords): TextPiece[] | undefined {
  const places = placesOf(text, sought);
  const [first] = places;
  if (first === undefined) return undefined;
  const start = first.start <= BEFORE ? 0 : wordAfter(text, first.start - BEFORE, first.start);
  const end =
    text.length - start <= MOST_SHOWN ? text.length : wordBefore(text, start + MOST_SHOWN, first.end);
  const inside = places.filter((place) => place.start >= start && place.end <= end);
  const moved = inside.map((place) => ({ start: place.start - start, end: place.end - start }));
  const pieces = split(text.slice(start, end).trimEnd(), moved);
  const ellipsis = { text: '…', isFound: false };
  return [...(start > 0 ? [ellipsis] : []), ...pieces, ...(end < text.length ? [ellipsis] : [])];
}

interface Place {
  start: number;
  end: number;
}

function placesOf(text: string, { phrases, isCompleted }: SoughtWords): Place[] {
  const words = placedWords(text.slice(0, MOST_READ));
  const stems = words.map(({ word }) => stemOf(word));
  const sought = phrases.map((phrase) => phrase.map(stemOf));
  const beginning = isCompleted ? phrases.at(-1)?.[0] : undefined;
  const places: Place[] = [];
  for (let at = 0; at < words.length; at += 1) {
    const lengths = sought.filter((phrase) => phrase.every((stem, index) => stems[at + index] === stem));
    const isBegun = beginning !== undefined && words[at]?.word.startsWith(beginning) === true;
    const length = Math.max(isBegun ? 1 : 0, ...lengths.map((phrase) => phrase.length));
    const last = words[at + length - 1];
    if (length > 0) places.push({ start: words[at]?.start ?? 0, end: last?.end ?? 0 });
    at += Math.max(0, length - 1);
  }
  return places;
}

// Nearly what the databases do with the endings of English words. Where it differs, a word is not marked.
function stemOf(word: string): string {
  return word.replace(/(?<=\w{3})(?:ies|ing|ed|es|ly|e|y|s)$/, '');
}

function split(text: string, places: readonly Place[]): TextPiece[] {
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
  return from + (character?.index ?? index - from);
}
