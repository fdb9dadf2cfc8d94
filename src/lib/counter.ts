// Exact counts of hits in windows. A window opens with its first hit.

import type { Awaitable } from './awaitable.ts';
import { type Clock, MINUTE, SECOND, secondsUntil } from './clock.ts';

export interface Hit {
  /** Whether this hit is within the limit. A hit beyond the limit isn't counted. */
  allowed: boolean;
  /** Hits left in the window after this one. */
  remaining: number;
  /** Whole seconds until the window closes, at least 1. */
  resetSeconds: number;
}

/** Counts hits for each key. Parallel hits are counted one after another. */
export interface Counter {
  hit(key: string, limit: number, windowSeconds: number): Awaitable<Hit>;
  close(): Promise<void>;
}

/** Count inside this process. Closed windows are deleted, so memory follows the keys in use. */
export function processCounter(clock: Clock): Counter {
  const windows = new Map<string, { count: number; closesAt: number }>();
  let sweepAt = 0;

  // Also if most windows are longer: the short ones may have many keys.
  function sweep(now: number): void {
    if (now < sweepAt) return;
    sweepAt = now + MINUTE;
    for (const [key, window] of windows) if (window.closesAt <= now) windows.delete(key);
  }

  return {
    hit(key, limit, windowSeconds) {
      const now = clock();
      sweep(now);
      let window = windows.get(key);
      if (window === undefined || window.closesAt <= now) {
        window = { count: 0, closesAt: now + windowSeconds * SECOND };
        windows.set(key, window);
      }
      const allowed = window.count < limit;
      if (allowed) window.count += 1;
      return { allowed, remaining: limit - window.count, resetSeconds: secondsUntil(window.closesAt, now) };
    },
    async close() {
      windows.clear();
    },
  };
}
