// Which networks have costly requests: beside others, those together get half of the time.

import { performance } from 'node:perf_hooks';
import { afterMicrotasks } from '../lib/after-microtasks.ts';
import { SECOND } from '../lib/clock.ts';

// Milliseconds of work at a time. Ordinary requests take less than one, but may have to wait for the system.
const COSTLY = 5;
// So much costly work of a network is forgiven, in milliseconds, and this part of the time. So a visitor who meets a
// slow moment doesn't have to rest with those who cause it.
const FORGIVEN = 25;
const FORGIVEN_PART = 0.05;
// Milliseconds. A whole process can stand still for longer, which is not the fault of a request.
const LONGEST_REST = 100;
const MOST_REMEMBERED = 1000;

export interface CostlyRequests {
  /** Measures the work that begins now for a network, until it waits for another turn of the event loop. */
  measure(network: string): void;
  /** Reports whether a network's next request has to wait, if there are other callers. */
  mustRest(network: string, now: number): boolean;
}

/** What a network has used, in milliseconds, that was not forgiven at a time. */
interface Use {
  spent: number;
  at: number;
}

/**
 * Remember for a second who had costly requests. A new caller's request meets a turn of others at several steps: when
 * its connection is accepted, when it is read, and before its answer. So after a costly request there is as long a time
 * without any.
 */
export function costlyRequests(): CostlyRequests {
  // The oldest first.
  const uses = new Map<string, Use>();
  let restUntil = 0;

  function spentBy(network: string, now: number): number {
    const use = uses.get(network);
    return use === undefined ? 0 : Math.max(0, use.spent - FORGIVEN_PART * (now - use.at));
  }

  function note(network: string, now: number, duration: number): void {
    if (duration < COSTLY) return;
    const spent = Math.min(spentBy(network, now) + duration, FORGIVEN + FORGIVEN_PART * SECOND);
    uses.delete(network);
    uses.set(network, { spent, at: now });
    if (uses.size > MOST_REMEMBERED) uses.delete(uses.keys().next().value as string);
    restUntil = now + Math.min(duration, LONGEST_REST);
  }

  return {
    measure(network) {
      const start = performance.now();
      afterMicrotasks(() => {
        const now = performance.now();
        note(network, now, now - start);
      });
    },
    mustRest: (network, now) => now < restUntil && spentBy(network, now) > FORGIVEN,
  };
}
