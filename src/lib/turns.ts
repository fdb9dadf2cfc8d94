// Callers that take turns: a few tasks are under way at once, and one of each caller.

import { spentTime } from './spent-time.ts';

/** How many tasks are under way, and how many wait. */
export interface TurnLimits {
  atOnce: number;
  waiting: number;
  /** Of one caller. */
  waitingOfCaller: number;
  /**
   * In milliseconds. Callers come last whose tasks took longer lately, by this much, and they leave one of several
   * places to those with less. Without it, all are equal.
   */
  aboutAsLong?: number;
}

/** Ends the waiting of a task: it starts, or is given up. */
type EndOfWaiting = (isTurn: boolean) => void;

/**
 * Make the function that does a caller's task in its turn. Returns undefined if too many wait already, or if the
 * signal is aborted before. The callers that wait go on in the order of their first task, however many each has. When
 * all places are taken, the caller with the most gives up its last one for another who would have fewer, or who would
 * come before.
 */
export function turnsOf({ atOnce, waiting: mostWaiting, waitingOfCaller, aboutAsLong }: TurnLimits) {
  const underWay = new Set<string>();
  const waiting = new Map<string, EndOfWaiting[]>();
  const spent = spentTime(aboutAsLong ?? Number.POSITIVE_INFINITY);
  let waitingCount = 0;

  const isSlow = (caller: string) => spent.stepsOf(caller) > 0;

  function mayStart(caller: string): boolean {
    if (underWay.size >= atOnce || underWay.has(caller)) return false;
    return !isSlow(caller) || [...underWay].filter(isSlow).length < Math.max(1, atOnce - 1);
  }

  function startNext(): void {
    for (let next = nextCaller(); next !== undefined; next = nextCaller()) {
      const [caller, [start, ...others]] = next;
      // Behind all others.
      waiting.delete(caller);
      if (others.length > 0) waiting.set(caller, others);
      waitingCount -= 1;
      underWay.add(caller);
      start?.(true);
    }
  }

  function nextCaller() {
    let next: [string, EndOfWaiting[]] | undefined;
    for (const other of waiting) {
      if (!mayStart(other[0])) continue;
      if (aboutAsLong === undefined) return other;
      if (next === undefined || spent.stepsOf(other[0]) < spent.stepsOf(next[0])) next = other;
    }
    return next;
  }

  function leave(caller: string, start: EndOfWaiting): void {
    const queue = waiting.get(caller) ?? [];
    const others = queue.filter((other) => other !== start);
    waitingCount -= queue.length - others.length;
    if (others.length > 0) waiting.set(caller, others);
    else waiting.delete(caller);
  }

  /** Report whether there is a place for a caller with so many already, if necessary by taking one from another. */
  function findPlace(caller: string, count: number): boolean {
    if (waitingCount < mostWaiting) return true;
    const [last, queue] = [...waiting].reduce((one, other) => (comesAfter(other, one) ? other : one));
    const start = queue.at(-1);
    if (start === undefined || !comesAfter([last, queue], [caller, { length: count + 1 }])) return false;
    leave(last, start);
    start(false);
    return true;
  }

  type Waiting = [caller: string, queue: { length: number }];

  function comesAfter([one, ofOne]: Waiting, [other, ofOther]: Waiting): boolean {
    if (ofOne.length !== ofOther.length) return ofOne.length > ofOther.length;
    return spent.stepsOf(one) > spent.stepsOf(other);
  }

  /** Resolves when a task of the caller starts, or with false if it is given up. */
  function turnOf(caller: string, signal: AbortSignal | undefined): Promise<boolean> {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    waiting.set(caller, [...(waiting.get(caller) ?? []), resolve]);
    waitingCount += 1;
    signal?.addEventListener('abort', () => {
      leave(caller, resolve);
      resolve(false);
    });
    startNext();
    return promise;
  }

  return async <T>(caller: string, task: () => Promise<T>, signal?: AbortSignal): Promise<T | undefined> => {
    const count = waiting.get(caller)?.length ?? 0;
    if (signal?.aborted || (!mayStart(caller) && (count >= waitingOfCaller || !findPlace(caller, count))))
      return undefined;
    if (!(await turnOf(caller, signal))) return undefined;
    const begin = performance.now();
    try {
      return await task();
    } finally {
      if (aboutAsLong !== undefined) spent.add(caller, performance.now() - begin);
      underWay.delete(caller);
      startNext();
    }
  };
}
