// Answers that come together: what follows each of them can take long, and all of it would be done in one piece.

import { performance } from 'node:perf_hooks';
import { setImmediate as nextTurn } from 'node:timers/promises';

type Answer = () => void;

// Milliseconds of work, after which others have their turns.
const SLICE = 5;
// A new caller needs some: for its connection, its request and its answer.
const TURNS = 4;

const waiting: Answer[] = [];
let isGiving = false;

/**
 * Give answers to those who wait for them, in the order of the calls: the first at once, and each further one when what
 * follows the one before has come to an end or waits for something else.
 */
export function giveInSlices(answers: readonly Answer[]): void {
  for (const answer of answers) waiting.push(answer);
  if (!isGiving) void giveAll();
}

async function giveAll(): Promise<void> {
  isGiving = true;
  let start = performance.now();
  for (let next = 0; next < waiting.length; next += 1) {
    if (next > 0) await followed();
    if (performance.now() - start >= SLICE) {
      for (let turn = 0; turn < TURNS; turn += 1) await nextTurn();
      start = performance.now();
    }
    (waiting[next] as Answer)();
  }
  waiting.length = 0;
  isGiving = false;
}

// A tick that a microtask asks for comes when no microtask is left.
function followed(): Promise<void> {
  return new Promise((resolve) => queueMicrotask(() => process.nextTick(resolve)));
}
