// How long the tasks of each caller took lately, so that those whose tasks took long come last.

import { performance } from 'node:perf_hooks';
import { MINUTE } from './clock.ts';

export interface SpentTime {
  /** In milliseconds. */
  add(caller: string | number | undefined, time: number): void;
  /** The caller's time in steps. Those with as many take turns. */
  stepsOf(caller: string | number | undefined): number;
}

const HALF_FORGOTTEN_AFTER = 1 * MINUTE;

/** Begin to measure. `step` is in milliseconds. Half of each caller's time is forgotten after a minute. */
export function spentTime(step: number): SpentTime {
  const spent = new Map<string | number | undefined, number>();
  let forgottenAt = performance.now();

  function forget(): void {
    if (performance.now() < forgottenAt + HALF_FORGOTTEN_AFTER) return;
    forgottenAt = performance.now();
    for (const [caller, time] of spent) {
      if (time < 1) spent.delete(caller);
      else spent.set(caller, time / 2);
    }
  }

  return {
    add(caller, time) {
      forget();
      spent.set(caller, (spent.get(caller) ?? 0) + time);
    },
    stepsOf(caller) {
      forget();
      return Math.floor((spent.get(caller) ?? 0) / step);
    },
  };
}
