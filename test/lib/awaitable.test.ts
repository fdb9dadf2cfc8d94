// Values that are either there or promised.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { andThen, both } from '../../src/lib/awaitable.ts';

describe('a value or a promise of one', () => {
  test('is passed on synchronously if it is a value, and later if it is a promise', async () => {
    assert.equal(
      andThen(2, (value) => value + 1),
      3,
    );
    assert.equal(await andThen(Promise.resolve(2), (value) => value + 1), 3);
  });

  test('can be combined with another, whichever of the two is a promise', async () => {
    assert.deepEqual(both(1, 'a'), [1, 'a']);
    assert.deepEqual(await both(1, Promise.resolve('a')), [1, 'a']);
    assert.deepEqual(await both(Promise.resolve(1), 'a'), [1, 'a']);
  });

  test('fails once if both promises fail, without an unhandled rejection', async (t) => {
    const unhandled: unknown[] = [];
    const listen = (reason: unknown) => unhandled.push(reason);
    process.on('unhandledRejection', listen);
    t.after(() => process.off('unhandledRejection', listen));

    const failing = both(Promise.reject(new Error('first')), Promise.reject(new Error('second')));

    await assert.rejects(async () => failing, /first/);
    await new Promise(setImmediate);
    assert.deepEqual(unhandled, []);
  });
});
