// How long a piece of work waits for others.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { noteConnection, otherWork } from '../../src/lib/other-work.ts';

/** How many turns of the event loop pass meanwhile, each with so many milliseconds of work. */
async function turnsDuring(work: Promise<void>, each: number, connections = 0): Promise<number> {
  let turns = 0;
  let isOver = false;
  const turn = () => {
    for (const end = performance.now() + each; performance.now() < end; );
    turns += 1;
    if (turns <= connections) noteConnection();
    if (!isOver) setImmediate(turn);
  };
  setImmediate(turn);
  await work;
  isOver = true;
  return turns;
}

test('others have some thirty turns, in which the runtime accepts as many connections', async () => {
  // The first turns have the beginning of the tests.
  await otherWork(0);
  const turns = await turnsDuring(otherWork(0), 0);

  assert.ok(turns >= 30 && turns <= 34, `${turns} turns`);
});

test('they have more while connections are accepted, but not for ever', async () => {
  const turns = await turnsDuring(otherWork(100), 0, 64);
  const durationAfter = async (worked: number) => {
    const start = performance.now();
    await turnsDuring(otherWork(worked), 1, 1000);
    return performance.now() - start;
  };
  // A busy machine makes some of them longer.
  const short = Math.min(await durationAfter(5), await durationAfter(5), await durationAfter(5));
  const long = await durationAfter(1000);

  assert.ok(turns >= 64 && turns <= 70, `${turns} turns`);
  assert.ok(short >= 40 && short < 90, `${short} ms`);
  assert.ok(long >= 100 && long < 900, `${long} ms`);
});

test('turns that take long are fewer', async () => {
  const turns = await turnsDuring(otherWork(100), 5);

  assert.ok(turns >= 2 && turns <= 6, `${turns} turns`);
});
