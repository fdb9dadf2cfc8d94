// Inputs made from correct ones by chance. Each depends on the seed, the target and its number alone, so any of
// them can be made again without those before it.

import { crc32 } from 'node:zlib';
import { type Chance, chanceFrom } from '../../demo/random.ts';
import { runsAt } from './runs.ts';
import type { Target } from './target.ts';

type Change = (text: string, target: Target, chance: Chance) => string;

/** The input with this number. */
export function inputAt(target: Target, seed: number, index: number): string {
  const chance = chanceFrom(crc32(`${seed} ${target.name} ${index}`));
  const maxLength = lengthFor(target, chance);
  const input =
    index % RUNS_EVERY === 0
      ? runsAt(target, index / RUNS_EVERY, Math.max(maxLength, LENGTH_OF_RUNS), chance)
      : changed(chance.pick(target.seeds), target, chance, changesOf(chance), maxLength);
  return target.isBytes ? asBytes(input) : input;
}

// A target has about 500 inputs for each part of its share.
const RUNS_EVERY = 5;
// As much as the excerpt reads, nearly. Cubic time shows.
const LENGTH_OF_RUNS = 4_000;

// One in twenty stays correct.
function changesOf(chance: Chance): number {
  return chance.below(20) === 0 ? 0 : 1 + chance.below(5);
}

/** Makes `changes` random changes to a text. The result has at most `maxLength` characters. */
export function changed(
  text: string,
  target: Target,
  chance: Chance,
  changes: number,
  maxLength: number,
): string {
  let input = text;
  for (let count = 0; count < changes; count += 1) {
    input = chance.pick(CHANGES)(input, target, chance).slice(0, maxLength);
  }
  return input;
}

// Most inputs are short, since many short ones find more than a few long ones. Only long ones show work that grows
// faster than its input.
export function lengthFor({ maxLength, longPerThousand = 3 }: Target, chance: Chance): number {
  const size = chance.below(1000);
  if (size < longPerThousand) return maxLength;
  return Math.min(maxLength, size < 60 ? 10_000 : 600);
}

const CHANGES: readonly Change[] = [
  flipBit,
  insertPiece,
  insertPiece,
  insertCharacter,
  removeRange,
  doubleRange,
  splice,
  repeatPiece,
  repeatRange,
  repeatCharacter,
  nest,
  changeNumber,
  truncate,
  changeCase,
  encode,
];

function flipBit(text: string, { isBytes }: Target, chance: Chance): string {
  if (text === '') return text;
  const at = chance.below(text.length);
  const bit = 1 << chance.below(isBytes ? 8 : 16);
  return text.slice(0, at) + String.fromCharCode(text.charCodeAt(at) ^ bit) + text.slice(at + 1);
}

function insertPiece(text: string, { pieces }: Target, chance: Chance): string {
  return insert(text, chance.pick(pieces), chance);
}

function insertCharacter(text: string, _: Target, chance: Chance): string {
  return insert(text, chance.pick(CHARACTERS), chance);
}

function removeRange(text: string, _: Target, chance: Chance): string {
  const [from, to] = range(text, chance);
  return text.slice(0, from) + text.slice(to);
}

function doubleRange(text: string, _: Target, chance: Chance): string {
  const [from, to] = range(text, chance);
  return text.slice(0, to) + text.slice(from);
}

function splice(text: string, { seeds }: Target, chance: Chance): string {
  const other = chance.pick(seeds);
  return text.slice(0, chance.below(text.length + 1)) + other.slice(chance.below(other.length + 1));
}

function repeatPiece(text: string, { pieces, maxLength }: Target, chance: Chance): string {
  return insert(text, repeated(chance.pick(pieces), maxLength, chance), chance);
}

function repeatRange(text: string, { maxLength }: Target, chance: Chance): string {
  const [from, to] = range(text, chance);
  return text.slice(0, from) + repeated(text.slice(from, to), maxLength, chance) + text.slice(to);
}

function repeatCharacter(text: string, { maxLength }: Target, chance: Chance): string {
  return insert(text, repeated(chance.pick(CHARACTERS), maxLength, chance), chance);
}

function nest(text: string, { pairs = [], pieces, maxLength }: Target, chance: Chance): string {
  const [open, close] = pairs.length === 0 ? [chance.pick(pieces), ''] : chance.pick(pairs);
  const times = Math.min(10 ** (1 + chance.below(5)), Math.ceil(maxLength / Math.max(1, open.length)));
  // Half of them stay open.
  return open.repeat(times) + text + (chance.below(2) === 0 ? close.repeat(times) : '');
}

function changeNumber(text: string, _: Target, chance: Chance): string {
  const numbers = [...text.matchAll(/\d+/g)];
  const number = numbers.length === 0 ? undefined : chance.pick(numbers);
  if (number === undefined) return insert(text, chance.pick(NUMBERS), chance);
  return text.slice(0, number.index) + chance.pick(NUMBERS) + text.slice(number.index + number[0].length);
}

function truncate(text: string, _: Target, chance: Chance): string {
  const at = chance.below(text.length + 1);
  return chance.below(2) === 0 ? text.slice(0, at) : text.slice(at);
}

function changeCase(text: string, _: Target, chance: Chance): string {
  return chance.below(2) === 0 ? text.toUpperCase() : text.toLowerCase();
}

// As in addresses, HTML, JSON or quoted strings.
function encode(text: string, _: Target, chance: Chance): string {
  if (text === '') return text;
  const at = chance.below(text.length);
  const code = text.charCodeAt(at);
  const hex = code.toString(16);
  const coded = [
    `%${hex.padStart(2, '0').slice(-2)}`,
    `%25${hex.padStart(2, '0').slice(-2)}`,
    `&#${code};`,
    `&#x${hex};`,
    `\\u${hex.padStart(4, '0')}`,
    `\\${text[at]}`,
  ];
  return text.slice(0, at) + chance.pick(coded) + text.slice(at + 1);
}

function insert(text: string, piece: string, chance: Chance): string {
  const at = chance.below(text.length + 1);
  return text.slice(0, at) + piece + text.slice(at);
}

function range(text: string, chance: Chance): [number, number] {
  const from = chance.below(text.length + 1);
  // Short ranges and long ones are equally likely.
  const length = chance.below(2) === 0 ? chance.below(8) : chance.below(text.length + 1);
  return [from, Math.min(text.length, from + length)];
}

function repeated(piece: string, maxLength: number, chance: Chance): string {
  const times = 10 ** (1 + chance.below(5));
  return piece.repeat(Math.min(times, Math.ceil(maxLength / Math.max(1, piece.length))));
}

/** Returns a text whose characters stand for bytes: unchanged if all are below 256, otherwise all of it in UTF-8. */
export function asBytes(text: string): string {
  return /^[\0-\xFF]*$/.test(text) ? text : Buffer.from(text, 'utf8').toString('latin1');
}

const NUMBERS = [
  '0',
  '-1',
  '00',
  '1e9',
  '2147483648',
  '9007199254740993',
  '18446744073709551616',
  '99999999999999999999999999999999',
  '0.1',
  'NaN',
  '٣',
  '1 ',
];

// One or two of each kind that programs stumble over.
const CHARACTERS = [
  '\0',
  '\x01',
  '\t',
  '\n',
  '\r',
  '\r\n',
  '\x0B',
  '\x1B[2J',
  '\x7F',
  '\x85',
  '\xA0',
  '\xAD',
  // Hidden, or changing the direction of what follows.
  '\u200B',
  '\u200D',
  '\u202E',
  '\u2028',
  '\u2066',
  '\uFEFF',
  // Letters and marks that nobody sees.
  '\u3164',
  '\uFE0F',
  '\u034F',
  '\uFFFD',
  '\uFFFF',
  // Halves of characters, in the wrong order too.
  '\uD800',
  '\uDFFF',
  '\uDE00\uD83D',
  '😀',
  '👩‍👩‍👧‍👦',
  '🇨🇳',
  '\u{10FFFF}',
  '\u{E0041}',
  // They grow, shrink or change when they are normalised or change case.
  'ﷺ',
  'ﬃ',
  'İ',
  'ı',
  'ß',
  'ẞ',
  'ΐ',
  'Å',
  '①',
  '㍿',
  'Ａ',
  '가',
  // Marks that pile up.
  '\u0301',
  'Z\u0351\u036B\u0343\u036A\u0302\u036B',
  '\u0E33',
  '中',
  'の',
  'ไ',
  'ا',
  '\u3000',
  '．',
  '。',
  '／',
  '＠',
  '%00',
  '%0d%0a',
  '%ff',
  '%c0%ae',
  '%',
  '__proto__',
  'constructor',
  "'",
  '"',
  '`',
  '<',
  '>',
  '&',
  '\\',
  ';',
  ',',
  '=',
  ':',
  '@',
  '#',
  '?',
  '*',
];
