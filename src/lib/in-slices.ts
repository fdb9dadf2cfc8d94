// Answers that come together: what follows each of them can take long, and all of it would be done in one piece.

import { performance } from 'node:perf_hooks';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterMicrotasks } from './after-microtasks.ts';

type Answer = () => void;

// Milliseconds of work, after which others have their turns.
const SLICE = 5;
// A new caller needs some: for its connection, its request and its answer. Fewer, if they take as long as the slice:
// what waits for its answer must not become more with every slice.
const TURNS = 4;

// Two lists, so that what was given is forgotten although more keeps coming.
let waiting: Answer[] = [];
let current: Answer[] = [];
let next = 0;
let isGiving = false;
let start = 0;

/**
 * Give answers to those who wait for them, in the order of the calls: the first at once, and each further one when what
 * follows the one before has come to an end or waits for something else.
 */
export function giveInSlices(answers: readonly Answer[]): void {
  for (const answer of answers) waiting.push(answer);
  if (isGiving) return;
  isGiving = true;
  start = performance.now();
  giveNext();
}

function giveNext(): void {
  if (next === current.length) {
    current = waiting;
    waiting = [];
    next = 0;
  }
  const answer = current[next];
  isGiving = answer !== undefined;
  if (answer === undefined) return;
  next += 1;
  answer();
  afterMicrotasks(goOn);
}

function goOn(): void {
  const worked = performance.now() - start;
  if (worked < SLICE) giveNext();
  else void goOnAfterOthers(worked);
}

async function goOnAfterOthers(longest: number): Promise<void> {
  const pause = performance.now();
  for (let turn = 0; turn < TURNS && performance.now() - pause < longest; turn += 1) await nextTurn();
  start = performance.now();
  giveNext();
}
