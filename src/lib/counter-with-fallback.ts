// Keeps limits working while the shared counter is unavailable: a local counter takes its place.

import { type Clock, MINUTE } from './clock.ts';
import type { Counter } from './counter.ts';

/**
 * Count in `shared`, and in `fallback` while `shared` fails. `tell` gets the error, at most once a minute.
 * `onFallback` is called for each hit that `fallback` counts.
 */
export function counterWithFallback(
  shared: Counter,
  fallback: Counter,
  clock: Clock,
  tell: (error: unknown) => void,
  onFallback: () => void = () => {},
): Counter {
  let quietUntil = 0;

  function tellOfFailure(error: unknown): void {
    const now = clock();
    if (now < quietUntil) return;
    quietUntil = now + MINUTE;
    tell(error);
  }

  return {
    async hit(key, limit, windowSeconds) {
      try {
        return await shared.hit(key, limit, windowSeconds);
      } catch (error) {
        tellOfFailure(error);
        onFallback();
        return fallback.hit(key, limit, windowSeconds);
      }
    },
    async close() {
      await Promise.all([shared.close(), fallback.close()]);
    },
  };
}
