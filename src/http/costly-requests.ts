// Which networks have costly requests: beside others, those together get half of the time.

import { performance } from 'node:perf_hooks';
import { SECOND } from '../lib/clock.ts';

// Milliseconds of work at a time. Ordinary requests take less than one.
const COSTLY = 5;
// Milliseconds. A whole process can stand still for longer, which is not the fault of a request.
const LONGEST_REST = 100;
const MOST_REMEMBERED = 1000;

export interface CostlyRequests {
  /** Measures the work that begins now for a network, until it waits for another turn of the event loop. */
  measure(network: string): void;
  /** Reports whether a network's next request has to wait, if there are other callers. */
  mustRest(network: string, now: number): boolean;
}

/**
 * Remember for a second who had a costly request. A new caller's request meets a turn of others at several steps: when
 * its connection is accepted, when it is read, and before its answer. So after a costly request there is as long a time
 * without any.
 */
export function costlyRequests(): CostlyRequests {
  // The oldest first.
  const costlyUntil = new Map<string, number>();
  let restUntil = 0;

  function note(network: string, now: number, duration: number): void {
    if (duration < COSTLY) return;
    costlyUntil.delete(network);
    costlyUntil.set(network, now + SECOND);
    if (costlyUntil.size > MOST_REMEMBERED) costlyUntil.delete(costlyUntil.keys().next().value as string);
    restUntil = now + Math.min(duration, LONGEST_REST);
  }

  return {
    measure(network) {
      const start = performance.now();
      // A tick that a microtask asks for comes when no microtask is left.
      queueMicrotask(() =>
        process.nextTick(() => {
          const now = performance.now();
          note(network, now, now - start);
        }),
      );
    },
    mustRest: (network, now) => now < restUntil && now < (costlyUntil.get(network) ?? 0),
  };
}
