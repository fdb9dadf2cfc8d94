// Callers that take turns: a few tasks are under way at once, and one of each caller.

/** How many tasks are under way, and how many wait. */
export interface TurnLimits {
  atOnce: number;
  waiting: number;
  /** Of one caller. */
  waitingOfCaller: number;
}

/** Ends the waiting of a task: it starts, or is given up. */
type EndOfWaiting = (isTurn: boolean) => void;

/**
 * Make the function that does a caller's task in its turn. Returns undefined if too many wait already, or if the
 * signal is aborted before. The callers that wait go on in the order of their first task, however many each has. When
 * all places are taken, the caller with the most gives up its last one for another who would have fewer.
 */
export function turnsOf({ atOnce, waiting: mostWaiting, waitingOfCaller }: TurnLimits) {
  const underWay = new Set<string>();
  const waiting = new Map<string, EndOfWaiting[]>();
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
      start(true);
    }
  }

  function leave(caller: string, start: EndOfWaiting): void {
    const queue = waiting.get(caller) ?? [];
    const others = queue.filter((other) => other !== start);
    waitingCount -= queue.length - others.length;
    if (others.length > 0) waiting.set(caller, others);
    else waiting.delete(caller);
  }

  /** Report whether there is a place for a caller with so many already, if necessary by taking one from another. */
  function findPlace(count: number): boolean {
    if (waitingCount < mostWaiting) return true;
    const [caller, queue] = [...waiting].reduce((most, other) =>
      other[1].length > most[1].length ? other : most,
    );
    const last = queue.at(-1);
    if (last === undefined || queue.length <= count + 1) return false;
    leave(caller, last);
    last(false);
    return true;
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
    const mayStart = underWay.size < atOnce && !underWay.has(caller);
    if (signal?.aborted || (!mayStart && (count >= waitingOfCaller || !findPlace(count)))) return undefined;
    if (!(await turnOf(caller, signal))) return undefined;
    try {
      return await task();
    } finally {
      underWay.delete(caller);
      startNext();
    }
  };
}
