// Work that is repeated in rounds.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { SECOND } from '../../src/lib/clock.ts';
import { roundOf, startRounds } from '../../src/lib/rounds.ts';

const LONG = 60_000;

test('A round begins after the pause that the previous round returned', async () => {
  let count = 0;
  const rounds = startRounds(async () => {
    count += 1;
    return count < 3 ? 1 : LONG;
  }, 1);

  await pause(200);
  await rounds.stop();

  assert.equal(count, 3);
});

test('Waking begins a round at once, or one more after the current round', async () => {
  let count = 0;
  let finish = () => {};
  const rounds = startRounds(() => {
    count += 1;
    return new Promise((resolve) => {
      finish = () => resolve(LONG);
    });
  }, LONG);

  rounds.wake();
  await pause(20);
  const first = count;
  rounds.wake();
  rounds.wake();
  finish();
  await pause(50);
  const second = count;
  finish();
  await pause(50);
  await rounds.stop();

  assert.deepEqual([first, second, count], [1, 2, 2]);
});

test('Stopping waits for the current round, and no other begins', async () => {
  let count = 0;
  let isOver = false;
  const rounds = startRounds(async () => {
    count += 1;
    await pause(50);
    isOver = true;
    return 0;
  }, 0);
  await pause(20);

  await rounds.stop();
  const wasOver = isOver;
  rounds.wake();
  await pause(30);

  assert.deepEqual([wasOver, count], [true, 1]);
});

test('The pause depends on whether there was work; a failure is reported, and followed by a long pause', async () => {
  const outcomes = [2, 0, new Error('away')];
  const errors: unknown[] = [];
  const work = async () => {
    const outcome = outcomes.shift();
    if (typeof outcome === 'number') return outcome;
    throw outcome;
  };
  const round = roundOf(work, { more: 1, done: 2 }, (error) => errors.push((error as Error).message));

  const pauses = [await round(), await round(), await round()];

  assert.deepEqual(pauses, [1, 2, 30 * SECOND]);
  assert.deepEqual(errors, ['away']);
});
