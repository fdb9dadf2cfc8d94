// Lets one caller's many requests wait while others have some. Alone, a caller has the whole process.

import { performance } from 'node:perf_hooks';
import { SECOND } from '../lib/clock.ts';

type Work = () => unknown;

// Milliseconds. How long a request may wait for those of others that arrived before it.
const SPELL = 2;

/**
 * Make the function that does some work for a caller, at once or after work of others. While several callers
 * send requests, they take turns for a spell. Then the process reads what arrived meanwhile.
 */
export function fairTurns(): (caller: string, work: Work) => void {
  const waiting = new Map<string, Work[]>();
  let lastCaller: string | undefined;
  let hasSeveral = false;
  const forget = setTimeout(() => {
    hasSeveral = false;
  }, SECOND).unref();

  function workOff(): void {
    const end = performance.now() + SPELL;
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
