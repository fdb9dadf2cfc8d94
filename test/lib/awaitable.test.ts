// Values that may be at hand.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { andThen, both } from '../../src/lib/awaitable.ts';

describe('what is gone on with', () => {
  test('at once where the value is at hand, later where it is promised', async () => {
    assert.equal(
      andThen(2, (value) => value + 1),
      3,
    );
    assert.equal(await andThen(Promise.resolve(2), (value) => value + 1), 3);
  });

  test('both of two values, whichever is promised', async () => {
    assert.deepEqual(both(1, 'a'), [1, 'a']);
    assert.deepEqual(await both(1, Promise.resolve('a')), [1, 'a']);
    assert.deepEqual(await both(Promise.resolve(1), 'a'), [1, 'a']);
  });

  test('two failures are one failure, and none is left unheard', async (t) => {
    const unheard: unknown[] = [];
    const listen = (reason: unknown) => unheard.push(reason);
    process.on('unhandledRejection', listen);
    t.after(() => process.off('unhandledRejection', listen));

    const failing = both(Promise.reject(new Error('first')), Promise.reject(new Error('second')));

    await assert.rejects(async () => failing, /first/);
    await new Promise(setImmediate);
    assert.deepEqual(unheard, []);
  });
});
