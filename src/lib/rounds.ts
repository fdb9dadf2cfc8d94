// Repeats a piece of background work until it is stopped.

import { SECOND } from './clock.ts';

export interface Rounds {
  /** Starts the next round now, or as soon as the current one ends. */
  wake(): void;
  /** Waits for the current round; no other follows. */
  stop(): Promise<void>;
}

/**
 * Call `round` again and again. It returns the pause before the next call, and must not fail. The timer
 * doesn't keep the process alive.
 */
export function startRounds(round: () => Promise<number>, firstPause: number): Rounds {
  let isStopped = false;
  let isAwake = false;
  let isRunning = false;
  let current = Promise.resolve();
  let timer = setTimeout(begin, firstPause).unref();

  function begin(): void {
    isRunning = true;
    isAwake = false;
    current = round().then((pause) => {
      isRunning = false;
      if (!isStopped) timer = setTimeout(begin, isAwake ? 0 : pause).unref();
    });
  }

  return {
    wake() {
      isAwake = true;
      if (isRunning || isStopped) return;
      clearTimeout(timer);
      timer = setTimeout(begin, 0).unref();
    },
    async stop() {
      isStopped = true;
      clearTimeout(timer);
      await current;
    },
  };
}

const PAUSE_AFTER_FAILURE = 30 * SECOND;

/**
 * Make a round that calls `work`, which returns how many items it handled. After some items the pause is `more`,
 * and after none it is `done`. A failure goes to `tell` and is followed by a pause of 30 seconds.
 */
export function roundOf(
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
