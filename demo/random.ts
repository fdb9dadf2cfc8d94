// Random choices that are the same in each run, so that everyone sees the same community.

export interface Chance {
  /** At least 0 and less than 1. */
  next(): number;
  /** A whole number from 0, below `bound`. */
  below(bound: number): number;
  /** One of these. */
  pick<T>(list: readonly T[]): T;
  /** Some of these, each at most once, in random order. */
  some<T>(list: readonly T[], count: number): T[];
}

export function chanceFrom(seed: number): Chance {
  let state = seed >>> 0;
  const chance: Chance = {
    // Mulberry32, of the public domain.
    next() {
      state = (state + 0x6d2b79f5) >>> 0;
      let mixed = Math.imul(state ^ (state >>> 15), state | 1);
      mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
      return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
    },
    below: (bound) => Math.floor(chance.next() * bound),
    pick<T>(list: readonly T[]): T {
      return list[chance.below(list.length)] as T;
    },
    some<T>(list: readonly T[], count: number): T[] {
      const rest = [...list];
      const picks: T[] = [];
      while (picks.length < count && rest.length > 0)
        picks.push(...rest.splice(chance.below(rest.length), 1));
      return picks;
    },
  };
  return chance;
}
