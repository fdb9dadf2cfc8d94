// Makes one caller's many requests wait while other callers have requests too. A caller alone has the whole
// process.

import { performance } from 'node:perf_hooks';
import { SECOND } from '../lib/clock.ts';

type Work = () => unknown;

// Milliseconds of work, after which the process reads the requests that have arrived meanwhile.
const BATCH_TIME = 2;

/**
 * Make the function that does some work for a caller, at once or after the work of others. While several callers
 * send requests, they take turns, and after each batch the process reads the requests that have arrived.
 */
export function fairTurns(): (caller: string, work: Work) => void {
  const waiting = new Map<string, Work[]>();
  let lastCaller: string | undefined;
  let hasSeveral = false;
  const forget = setTimeout(() => {
    hasSeveral = false;
  }, SECOND).unref();

  function workOff(): void {
    const end = performance.now() + BATCH_TIME;
    while (waiting.size > 0 && performance.now() < end) {
      const [caller, queue] = waiting.entries().next().value as [string, Work[]];
      const work = queue.shift();
      // Behind all others.
      waiting.delete(caller);
      if (queue.length > 0) waiting.set(caller, queue);
      work?.();
    }
    if (waiting.size > 0) setImmediate(workOff);
  }

  return (caller, work) => {
    if (caller !== lastCaller) {
      hasSeveral = lastCaller !== undefined;
      lastCaller = caller;
      forget.refresh();
    }
    if (!hasSeveral && waiting.size === 0) return work();
    if (waiting.size === 0) setImmediate(workOff);
    const queue = waiting.get(caller);
    if (queue === undefined) waiting.set(caller, [work]);
    else queue.push(work);
  };
}
