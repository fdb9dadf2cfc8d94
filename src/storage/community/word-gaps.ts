// Ranges of SQLite's index in which no text has a word. The words of removed and edited texts stay in the index until
// its parts are merged. Stepping over many of them takes long, and is done in one piece.

import { MINUTE } from '../../lib/clock.ts';

// Milliseconds. An ordinary step takes far less.
const SLOW = 2;
// A new word in such a range is not completed for as long; whole, it is found.
const REMEMBERED_FOR = 5 * MINUTE;
const MOST_REMEMBERED = 100;
// Milliseconds in five minutes. Longer, and one request in a hundred would meet a step.
const LONGEST_LOOKS = 1000;

/** No text has a word from the first one to before the second one. */
export interface Gap {
  from: string;
  to: string;
}

interface RememberedGap extends Gap {
  until: number;
  /** Milliseconds that it took to look through it. */
  took: number;
}

export interface WordGaps {
  /** Returns the first range that ends behind a word. The word may be in it. */
  nextAfter(word: string, now: number): Gap | undefined;
  /**
   * Reports whether so much time went into steps lately that what comes just before a range is taken for a part of it.
   * A step that begins there is as slow, and words have many beginnings.
   */
  isTimeUsedUp(now: number): boolean;
  /** Notes a range, and how many milliseconds it took to find it. */
  note(gap: Gap, took: number, now: number): void;
}

/**
 * Remember the ranges for a while, and of a hundred those that took longest. `now` is in milliseconds of any clock that
 * only goes forward.
 */
export function wordGaps(): WordGaps {
  // In the order of the index. They neither overlap nor touch.
  let gaps: RememberedGap[] = [];
  // Milliseconds of slow steps, at a time.
  let spent = 0;
  let spentAt = 0;

  function spentBy(now: number): number {
    return Math.max(0, spent - (LONGEST_LOOKS / REMEMBERED_FOR) * (now - spentAt));
  }

  return {
    isTimeUsedUp: (now) => spentBy(now) > LONGEST_LOOKS,
    nextAfter: (word, now) => gaps.find(({ to, until }) => now < until && comesBefore(word, to)),
    note({ from, to }, took, now) {
      if (took < SLOW) return;
      spent = spentBy(now) + took;
      spentAt = now;
      const joined: RememberedGap = { from, to, took, until: now + REMEMBERED_FOR };
      const others: RememberedGap[] = [];
      for (const gap of gaps) {
        if (now >= gap.until) continue;
        if (comesBefore(gap.to, joined.from) || comesBefore(joined.to, gap.from)) others.push(gap);
        else join(joined, gap);
      }
      gaps = [...others, joined].sort((a, b) => (comesBefore(a.from, b.from) ? -1 : 1));
      if (gaps.length > MOST_REMEMBERED) gaps.splice(gaps.indexOf(leastOf(gaps)), 1);
    },
  };
}

function join(gap: RememberedGap, other: RememberedGap): void {
  if (comesBefore(other.from, gap.from)) gap.from = other.from;
  if (comesBefore(gap.to, other.to)) gap.to = other.to;
  gap.took += other.took;
  gap.until = Math.min(gap.until, other.until);
}

function leastOf(gaps: readonly RememberedGap[]): RememberedGap {
  return gaps.reduce((least, gap) => (gap.took < least.took ? gap : least));
}

/** Report whether a word comes before another in the index, which has the order of UTF-8. */
export function comesBefore(word: string, other: string): boolean {
  const length = Math.min(word.length, other.length);
  for (let index = 0; index < length; index += 1) {
    const [one, two] = [word.charCodeAt(index), other.charCodeAt(index)];
    if (one !== two) return placeOf(one) < placeOf(two);
  }
  return word.length < other.length;
}

// The two halves of a character beyond U+FFFF come before U+E000 to U+FFFF in UTF-16 only.
function placeOf(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit;
}
