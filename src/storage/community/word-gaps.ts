// Ranges of SQLite's index in which no text has a word. The words of removed and edited texts stay in the index until
// its parts are merged. Stepping over many of them takes long, and is done in one piece.

import { MINUTE } from '../../lib/clock.ts';

// Milliseconds. An ordinary step takes far less.
const SLOW = 2;
// A new word in such a range is not completed for as long; whole, it is found.
const REMEMBERED_FOR = 5 * MINUTE;
const MOST_REMEMBERED = 100;

interface Gap {
  from: string;
  to: string;
  until: number;
}

export interface WordGaps {
  /** Returns the end of the range that a word is in, or else the word. */
  skip(word: string, now: number): string;
  /** Notes that there is no word between two, which it took so many milliseconds to find out. */
  note(from: string, to: string, took: number, now: number): void;
}

/** Remember the ranges for a while. `now` is in milliseconds of any clock that only goes forward. */
export function wordGaps(): WordGaps {
  let gaps: Gap[] = [];
  return {
    skip(word, now) {
      const gap = gaps.find(({ from, to, until }) => from <= word && word < to && now < until);
      return gap?.to ?? word;
    },
    note(from, to, took, now) {
      if (took < SLOW) return;
      gaps = [{ from, to, until: now + REMEMBERED_FOR }, ...gaps.slice(0, MOST_REMEMBERED - 1)];
    },
  };
}
