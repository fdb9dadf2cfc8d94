// Keeps limits working while the shared counter is away: each process then counts for itself.

import { type Clock, MINUTE } from './clock.ts';
import type { Counter } from './counter.ts';

/**
 * Count in `shared`, and in `own` while `shared` fails. `tell` gets the reason of a failure, at most once a
 * minute. `onAway` is called for each hit that `own` counts.
 */
export function steadyCounter(
  shared: Counter,
  own: Counter,
  clock: Clock,
  tell: (reason: string) => void,
  onAway: () => void = () => {},
): Counter {
  let quietUntil = 0;

  function noteAbsence(error: unknown): void {
    const now = clock();
    if (now < quietUntil) return;
    quietUntil = now + MINUTE;
    tell((error as Error).message);
  }

  return {
    async hit(key, limit, windowSeconds) {
      try {
        return await shared.hit(key, limit, windowSeconds);
      } catch (error) {
        noteAbsence(error);
        onAway();
        return own.hit(key, limit, windowSeconds);
      }
    },
    async look(key, limit) {
      try {
        return await shared.look(key, limit);
      } catch (error) {
        noteAbsence(error);
        return own.look(key, limit);
      }
    },
    async close() {
      await Promise.all([shared.close(), own.close()]);
    },
  };
}
