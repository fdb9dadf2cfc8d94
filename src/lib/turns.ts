// Callers that take turns: a few tasks are under way at once, and one of each caller.

/** How many tasks are under way, and how many wait. */
export interface TurnLimits {
  atOnce: number;
  waiting: number;
  /** Of one caller. */
  waitingOfCaller: number;
}

type Start = () => void;

/**
 * Make the function that does a caller's task in its turn. Returns undefined if too many wait already, or if the
 * signal is aborted before. The callers that wait go on in the order of their first task, however many each has.
 */
export function turnsOf({ atOnce, waiting: mostWaiting, waitingOfCaller }: TurnLimits) {
  const underWay = new Set<string>();
  const waiting = new Map<string, Start[]>();
  let waitingCount = 0;

  function startNext(): void {
    for (const [caller, [start, ...others]] of waiting) {
      if (underWay.size >= atOnce) return;
      if (start === undefined || underWay.has(caller)) continue;
      // Behind all others.
      waiting.delete(caller);
      if (others.length > 0) waiting.set(caller, others);
      waitingCount -= 1;
      underWay.add(caller);
      start();
    }
  }

  function leave(caller: string, start: Start): void {
    const queue = waiting.get(caller) ?? [];
    const others = queue.filter((other) => other !== start);
    waitingCount -= queue.length - others.length;
    if (others.length > 0) waiting.set(caller, others);
    else waiting.delete(caller);
  }

  /** Resolves when a task of the caller starts, or with false if the signal is aborted before. */
  function turnOf(caller: string, queue: Start[], signal: AbortSignal | undefined): Promise<boolean> {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const start = () => resolve(true);
    waiting.set(caller, [...queue, start]);
    waitingCount += 1;
    signal?.addEventListener('abort', () => {
      leave(caller, start);
      resolve(false);
    });
    startNext();
    return promise;
  }

  return async <T>(caller: string, task: () => Promise<T>, signal?: AbortSignal): Promise<T | undefined> => {
    const queue = waiting.get(caller) ?? [];
    const mayStart = underWay.size < atOnce && !underWay.has(caller);
    if (!mayStart && (waitingCount >= mostWaiting || queue.length >= waitingOfCaller)) return undefined;
    if (signal?.aborted || !(await turnOf(caller, queue, signal))) return undefined;
    try {
      return await task();
    } finally {
      underWay.delete(caller);
      startNext();
    }
  };
}
