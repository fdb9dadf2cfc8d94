// Answers that come together are given in slices.

import assert from 'node:assert/strict';
import { beforeEach, mock, test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { giveInSlices } from '../../src/lib/in-slices.ts';

let now = 0;
let turn = 0;
let turns: number[] = [];
const currentTurn = () => performance.nodeTiming.uvMetricsInfo.loopCount - turn;
mock.method(performance, 'now', () => now);
beforeEach(() => {
  turns = [];
  turn = performance.nodeTiming.uvMetricsInfo.loopCount;
});

/** An answer after which its receiver works for so many milliseconds, some steps later. */
function answerFor(duration: number): () => void {
  const { promise, resolve } = Promise.withResolvers<void>();
  void promise.then(async () => {
    for (let step = 0; step < 5; step += 1) await undefined;
    now += duration;
    turns.push(currentTurn());
  });
  return resolve;
}

async function given(count: number): Promise<number[]> {
  for (let waited = 0; turns.length < count && waited < 100; waited += 1) await nextTurn();
  return turns;
}

test('answers that little work follows are given in one turn of the event loop', async () => {
  giveInSlices(Array.from({ length: 50 }, () => answerFor(0.1)));

  assert.deepEqual(new Set(await given(50)).size, 1);
});

test('after each 5 ms of what follows them, others have turns', async () => {
  giveInSlices([answerFor(3), answerFor(3), answerFor(7), answerFor(1)]);
  giveInSlices([answerFor(1)]);

  const [first, second, third, fourth, fifth] = (await given(5)) as [number, number, number, number, number];
  assert.deepEqual([second - first, fifth - fourth], [0, 0]);
  assert.ok(third - second >= 4 && fourth - third >= 4, `${turns}`);
});

test('others have no longer than a slice took', async () => {
  giveInSlices([answerFor(6), answerFor(1)]);
  setImmediate(() => (now += 6));

  const [first, second] = (await given(2)) as [number, number];
  assert.equal(second - first, 1);
});

test('they are given in the order of the calls', async () => {
  const order: number[] = [];
  const numbered = (number: number) => () => {
    order.push(number);
    now += 6;
    if (number === 1) giveInSlices([numbered(4)]);
  };
  giveInSlices([numbered(1), numbered(2)]);
  giveInSlices([numbered(3)]);

  for (let waited = 0; order.length < 4 && waited < 100; waited += 1) await nextTurn();
  assert.deepEqual(order, [1, 2, 4, 3]);
});
