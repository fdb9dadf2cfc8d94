// What goes on for long lets others have their turns in between.

import { performance } from 'node:perf_hooks';
import { setImmediate } from 'node:timers/promises';

// The runtime accepts one connection in each turn of the event loop. With one turn between pieces of some milliseconds,
// a caller who opens connections would keep all new callers outside.
const TURNS = 32;
// Milliseconds. Turns with work of others take longer, and there may be new connections all the time.
const LONGEST = 20;

let turnOfConnection = Number.NEGATIVE_INFINITY;

/** Note that a connection was accepted: more may be waiting. */
export function noteConnection(): void {
  turnOfConnection = currentTurn();
}

/** Wait for some turns of the event loop, and for all connections that wait, or until that has taken long. */
export async function otherWork(): Promise<void> {
  const end = performance.now() + LONGEST;
  for (let turn = 0; turn < TURNS || currentTurn() - turnOfConnection <= 1; turn += 1) {
    if (performance.now() >= end) return;
    await setImmediate();
  }
}

function currentTurn(): number {
  return performance.nodeTiming.uvMetricsInfo.loopCount;
}
