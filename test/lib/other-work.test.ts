// How long a piece of work waits for others.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { otherWork } from '../../src/lib/other-work.ts';

/** How many turns of the event loop pass meanwhile, each with so many milliseconds of work. */
async function turnsDuring(work: Promise<void>, each: number): Promise<number> {
  let turns = 0;
  let isOver = false;
  const turn = () => {
    for (const end = performance.now() + each; performance.now() < end; );
    turns += 1;
    if (!isOver) setImmediate(turn);
  };
  setImmediate(turn);
  await work;
  isOver = true;
  return turns;
}

test('others have some thirty turns, in which the runtime accepts as many connections', async () => {
  // The first turns have the beginning of the tests.
  await otherWork();
  const turns = await turnsDuring(otherWork(), 0);

  assert.ok(turns >= 30 && turns <= 34, `${turns} turns`);
});

test('turns that take long are fewer', async () => {
  const turns = await turnsDuring(otherWork(), 5);

  assert.ok(turns >= 2 && turns <= 6, `${turns} turns`);
});
