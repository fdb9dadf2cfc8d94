// What goes on for long lets others have their turns in between.

import { performance } from 'node:perf_hooks';
import { setImmediate } from 'node:timers/promises';

// The runtime accepts one connection in each turn of the event loop. With one turn between pieces of some milliseconds,
// a caller who opens connections would keep all new callers outside.
const TURNS = 32;
// After as many without a new connection, none waits.
const TURNS_WITHOUT_CONNECTION = 4;
// Milliseconds. Turns with work of others take longer.
const LONGEST = 20;
// The same while there are new connections.
const LONGEST_WITH_CONNECTIONS = 100;

let turnOfConnection = Number.NEGATIVE_INFINITY;

/** Note that a connection was accepted: more may be waiting. */
export function noteConnection(): void {
  turnOfConnection = currentTurn();
}

/** Wait for some turns of the event loop, and until no connection waits, or until that has taken long. */
export async function otherWork(): Promise<void> {
  const start = performance.now();
  for (let turn = 0; turn < TURNS || isAccepting(); turn += 1) {
    const longest = isAccepting() ? LONGEST_WITH_CONNECTIONS : LONGEST;
    if (performance.now() - start >= longest) return;
    await setImmediate();
  }
}

function isAccepting(): boolean {
  return currentTurn() - turnOfConnection < TURNS_WITHOUT_CONNECTION;
}

function currentTurn(): number {
  return performance.nodeTiming.uvMetricsInfo.loopCount;
}
