import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openBatches } from '../../src/lib/batches.ts';

/** Batches that are written into a list, or refused while `isBroken`. */
function recorder() {
  const written: [string, number][] = [];
  const failures: unknown[] = [];
  const state = { isBroken: false };
  const batches = openBatches<number>({
    async write(batch) {
      for (const [key, value] of batch) {
        if (state.isBroken && key !== 'first') throw new Error('disk full');
        written.push([key, value]);
        batch.delete(key);
      }
    },
    onFailure: (error) => failures.push(error),
    pause: 60_000,
    most: 3,
    join: (failed, newer) => failed + newer,
  });
  return { batches, written, failures, state };
}

test('what waits is written once, by the last value of each key', async () => {
  const { batches, written } = recorder();
  batches.set('a', 1);
  batches.set('a', 2);

  assert.equal(batches.get('a'), 2);
  await batches.flush();
  await batches.flush();

  assert.deepEqual(written, [['a', 2]]);
  assert.equal(batches.get('a'), undefined);
});

test('what could not be written waits again, joined with what has come since', async () => {
  const { batches, written, failures, state } = recorder();
  state.isBroken = true;
  batches.set('first', 1);
  batches.set('second', 2);

  const flushing = batches.flush();
  await Promise.resolve();
  batches.set('second', 3);
  await flushing;
  state.isBroken = false;
  await batches.flush();

  assert.equal(failures.length, 1);
  assert.deepEqual(written, [
    ['first', 1],
    ['second', 5],
  ]);
});

test('beyond the limit, new keys are ignored', async () => {
  const { batches, written } = recorder();
  for (const key of ['a', 'b', 'c', 'd']) batches.set(key, 1);
  batches.set('a', 2);

  await batches.flush();

  assert.deepEqual(written, [
    ['a', 2],
    ['b', 1],
    ['c', 1],
  ]);
});

test('closing writes what waits, and later values are ignored', async () => {
  const { batches, written } = recorder();
  batches.set('a', 1);

  await batches.close();
  batches.set('b', 1);
  await batches.flush();

  assert.deepEqual(written, [['a', 1]]);
});
