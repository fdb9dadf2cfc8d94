// Counts hits in windows that open with the first hit, exactly, also when many arrive at once.

import type { Awaitable } from './awaitable.ts';
import { type Clock, SECOND, secondsUntil } from './clock.ts';

export interface Hit {
  /** Whether this hit is within the limit. A hit beyond it changes nothing. */
  allowed: boolean;
  /** Hits left in this window after this one. */
  remaining: number;
  /** Whole seconds until the window closes, at least 1. */
  resetSeconds: number;
}

/** Counts hits per key. One hit is judged once, and parallel hits are judged one after another. */
export interface Counter {
  hit(key: string, limit: number, windowSeconds: number): Awaitable<Hit>;
  /** Tells what a hit would be answered, without counting one. */
  look(key: string, limit: number): Awaitable<Hit>;
  close(): Promise<void>;
}

/** Counts inside this process. Windows that have closed are forgotten, so memory follows the live keys only. */
export function processCounter(clock: Clock): Counter {
  const windows = new Map<string, { count: number; closesAt: number }>();
  let sweepAt = 0;

  function sweep(now: number, everyMs: number): void {
    if (now < sweepAt) return;
    sweepAt = now + everyMs;
    for (const [key, window] of windows) if (window.closesAt <= now) windows.delete(key);
  }

  return {
    hit(key, limit, windowSeconds) {
      const now = clock();
      sweep(now, windowSeconds * SECOND);
      let window = windows.get(key);
      if (window === undefined || window.closesAt <= now) {
        window = { count: 0, closesAt: now + windowSeconds * SECOND };
        windows.set(key, window);
      }
      const allowed = window.count < limit;
      if (allowed) window.count += 1;
      return { allowed, remaining: limit - window.count, resetSeconds: secondsUntil(window.closesAt, now) };
    },
    look(key, limit) {
      const now = clock();
      const window = windows.get(key);
      if (window === undefined || window.closesAt <= now) {
        return { allowed: limit > 0, remaining: limit, resetSeconds: 1 };
      }
      const remaining = Math.max(0, limit - window.count);
      return { allowed: remaining > 0, remaining, resetSeconds: secondsUntil(window.closesAt, now) };
    },
    async close() {
      windows.clear();
    },
  };
}
