// A parser under attack: what it is fed with, how long it may take, and what it must never do.

import assert from 'node:assert/strict';

export interface Target {
  name: string;
  /** Its part of all inputs, compared with the other targets. */
  share: number;
  /** Correct inputs, from which the others are made. */
  seeds: readonly string[];
  /** Pieces with a meaning for the parser, which are inserted and repeated. */
  pieces: readonly string[];
  /** Beginnings and ends of what the parser can nest. */
  pairs?: readonly (readonly [string, string])[];
  /** The longest input in characters. */
  maxLength: number;
  /** How many of a thousand inputs may be as long as that: 3 if left out, more for quick parsers. */
  longPerThousand?: number;
  /** Whether the characters stand for bytes. */
  isBytes?: boolean;
  /** Milliseconds of processor time for 1,000 characters: about ten times what an ordinary input takes. */
  msPerThousand: number;
  /** Parses an input. Throws if it breaks a promise of the parser. */
  check(input: string): void | Promise<void>;
}

/** Every input may take this long, however short it is. */
const BASE_MS = 150;

/** The processor time that an input may take, in milliseconds. */
export function boundOf({ msPerThousand }: Target, input: string): number {
  return BASE_MS + (msPerThousand * input.length) / 1000;
}

/** Characters that nobody sees, as the standard has them, whatever the program takes for hidden. */
export const HIDDEN = /[\p{Cc}\p{Zl}\p{Zp}]/u;

/** Runs a parser that may refuse. Returns undefined if it refuses with one of these errors. */
export function refusable<T>(
  parse: () => T,
  ...refusals: readonly (abstract new (
    ...args: never[]
  ) => Error)[]
): T | undefined {
  try {
    return parse();
  } catch (error) {
    if (refusals.some((refusal) => error instanceof refusal)) return undefined;
    throw error;
  }
}

/** Does the same for a parser that returns a promise. */
export async function refusableAsync<T>(
  parse: () => Promise<T>,
  ...refusals: readonly (abstract new (
    ...args: never[]
  ) => Error)[]
): Promise<T | undefined> {
  try {
    return await parse();
  } catch (error) {
    if (refusals.some((refusal) => error instanceof refusal)) return undefined;
    throw error;
  }
}

/** Fails if a text has half of a character although the input had none. */
export function assertWellFormed(text: string, input: string): void {
  assert.ok(text.isWellFormed() || !input.isWellFormed(), 'a character was cut in half');
}
