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
  let turn = -1;
  let batchEnd = 0;
  const forget = setTimeout(() => {
    hasSeveral = false;
  }, SECOND).unref();

  // Each request has an immediate of its own, since Node runs what a page awaits between two immediates.
  function takeTurn(): void {
    const { loopCount } = performance.nodeTiming.uvMetricsInfo;
    if (loopCount !== turn) {
      turn = loopCount;
      batchEnd = performance.now() + BATCH_TIME;
    }
    if (performance.now() < batchEnd) nextWork()?.();
    else setImmediate(takeTurn);
  }

  function nextWork(): Work | undefined {
    for (const [caller, queue] of waiting) {
      const work = queue.shift();
      // Behind all others.
      waiting.delete(caller);
      if (queue.length > 0) waiting.set(caller, queue);
      return work;
    }
    return undefined;
  }

  return (caller, work) => {
    if (caller !== lastCaller) {
      hasSeveral = lastCaller !== undefined;
      lastCaller = caller;
      forget.refresh();
    }
    if (!hasSeveral && waiting.size === 0) return work();
    setImmediate(takeTurn);
    const queue = waiting.get(caller);
    if (queue === undefined) waiting.set(caller, [work]);
    else queue.push(work);
  };
}
