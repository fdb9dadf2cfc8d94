// Answers that come together: what follows each of them can take long, and all of it would be done in one piece.

import { performance } from 'node:perf_hooks';
import { setImmediate as nextTurn } from 'node:timers/promises';

type Answer = () => void;

// Milliseconds of work, after which others have their turns.
const SLICE = 5;
// A new caller needs some: for its connection, its request and its answer. Fewer, if they take as long as the slice:
// what waits for its answer must not become more with every slice.
const TURNS = 4;

let waiting: Answer[] = [];
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
  let isFirst = true;
  while (waiting.length > 0) {
    const answers = waiting;
    waiting = [];
    for (const answer of answers) {
      if (!isFirst) await followed();
      isFirst = false;
      const worked = performance.now() - start;
      if (worked >= SLICE) {
        await otherTurns(worked);
        start = performance.now();
      }
      answer();
    }
  }
  isGiving = false;
}

async function otherTurns(longest: number): Promise<void> {
  const start = performance.now();
  for (let turn = 0; turn < TURNS && performance.now() - start < longest; turn += 1) await nextTurn();
}

// A tick that a microtask asks for comes when no microtask is left.
function followed(): Promise<void> {
  return new Promise((resolve) => queueMicrotask(() => process.nextTick(resolve)));
}
