// Inputs with long runs of one sign beside long runs of another. A pattern that takes both signs in two places tries
// every way to divide them, which takes quadratic time or worse.

import type { Chance } from '../../demo/random.ts';
import type { Target } from './target.ts';

// One or two of each class that patterns name: white space of several kinds, one of which is wide, marks, letters,
// digits, hidden signs, and what syntaxes are made of.
const SIGNS = [
  ' ',
  '\n',
  '\u3000',
  '\t',
  '\r\n',
  '\u2028',
  '。',
  '中',
  'a',
  '0',
  '\u0301',
  '\u200B',
  '-',
  '.',
  '<',
  '"',
] as const;

/** So many numbers in a row have each sign beside each other. */
export const PAIRS_OF_SIGNS = SIGNS.length ** 2;

/** An input with the runs that have this number, in a correct input or between the beginning and the end of a pair. */
export function runsAt(target: Target, number: number, length: number, chance: Chance): string {
  const first = SIGNS[number % SIGNS.length] ?? '';
  const second = SIGNS[Math.floor(number / SIGNS.length) % SIGNS.length] ?? '';
  const runs = `a${runOf(first, length / 2)}${runOf(second, length / 2)}b`;
  const pairs = target.pairs ?? [];
  if (pairs.length > 0 && chance.below(2) === 0) {
    const [open, close] = chance.pick(pairs);
    return (open + runs + close).slice(0, target.maxLength);
  }
  const seed = chance.pick(target.seeds);
  const at = chance.below(seed.length + 1);
  return (seed.slice(0, at) + runs + seed.slice(at)).slice(0, target.maxLength);
}

function runOf(sign: string, length: number): string {
  return sign.repeat(Math.floor(length / sign.length));
}
