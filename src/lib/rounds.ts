// Work that is done again and again beside everything else, until it is stopped.

import { SECOND } from './clock.ts';

export interface Rounds {
  /** Lets the next round begin now, or as soon as the one under way is over. */
  wake(): void;
  /** Waits for the round under way. */
  stop(): Promise<void>;
}

/**
 * Calls `round`, which tells how long to rest after it. Does not keep the process alive. `round` must not fail.
 */
export function startRounds(round: () => Promise<number>, firstPause: number): Rounds {
  let stopped = false;
  let woken = false;
  let working = false;
  let underWay = Promise.resolve();
  let timer = setTimeout(begin, firstPause).unref();

  function begin(): void {
    working = true;
    woken = false;
    underWay = round().then((pause) => {
      working = false;
      if (!stopped) timer = setTimeout(begin, woken ? 0 : pause).unref();
    });
  }

  return {
    wake() {
      woken = true;
      if (working || stopped) return;
      clearTimeout(timer);
      timer = setTimeout(begin, 0).unref();
    },
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await underWay;
    },
  };
}

const PAUSE_AFTER_FAILURE = 30 * SECOND;

/**
 * A round of `work`, which tells how much it did: after some there may be more, after nothing it is done. `tell` hears
 * of a failure, after which it rests for half a minute.
 */
export function restingAfter(
  work: () => Promise<number>,
  pause: { more: number; done: number },
  tell: (error: unknown) => void,
): () => Promise<number> {
  return async () => {
    try {
      return (await work()) > 0 ? pause.more : pause.done;
    } catch (error) {
      tell(error);
      return PAUSE_AFTER_FAILURE;
    }
  };
}
