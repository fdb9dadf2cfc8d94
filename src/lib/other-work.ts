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
// While there are new connections: at most so many times as long as the work before, and so many milliseconds.
const TIMES_WITH_CONNECTIONS = 8;
const LONGEST_WITH_CONNECTIONS = 100;

let turnOfConnection = Number.NEGATIVE_INFINITY;

/** Note that a connection was accepted: more may be waiting. */
export function noteConnection(): void {
  turnOfConnection = currentTurn();
}

/**
 * Wait for some turns of the event loop, and then while connections come, but not for long. `worked` is how many
 * milliseconds others have just waited for the work.
 */
export async function otherWork(worked: number): Promise<void> {
  const start = performance.now();
  const longest = Math.min(TIMES_WITH_CONNECTIONS * worked, LONGEST_WITH_CONNECTIONS);
  for (let turn = 0; ; turn += 1) {
    const past = performance.now() - start;
    const hadTurns = turn >= TURNS || past >= LONGEST;
    if (hadTurns && (past >= longest || !isAccepting())) return;
    await setImmediate();
  }
}

function isAccepting(): boolean {
  return currentTurn() - turnOfConnection < TURNS_WITHOUT_CONNECTION;
}

function currentTurn(): number {
  return performance.nodeTiming.uvMetricsInfo.loopCount;
}
