// Keeping some of what was made, within bounds.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { releaseMemory } from '../../src/lib/memory.ts';
import { BoundedMap, madeOnce, remembering } from '../../src/lib/remember.ts';

describe('a bounded map', () => {
  test('lets the oldest go for a new entry, also after some were deleted and put in again', () => {
    const map = new BoundedMap<string, number>(3);
    for (const [index, key] of ['a', 'b', 'c', 'd'].entries()) map.set(key, index);
    const afterOne = [...map.keys()];
    map.delete('b');
    for (const [index, key] of ['b', 'e', 'f'].entries()) map.set(key, index);

    assert.deepEqual(afterOne, ['b', 'c', 'd']);
    assert.deepEqual([...map.keys()], ['b', 'e', 'f']);
  });

  test('takes a new value for a key that it has without letting any go', () => {
    const map = new BoundedMap<string, number>(2);
    map.set('a', 1).set('b', 2).set('a', 3);

    assert.deepEqual(
      [...map],
      [
        ['a', 3],
        ['b', 2],
      ],
    );
  });

  test('goes on after it was emptied, and one for nothing stays empty', () => {
    const map = new BoundedMap<number, number>(2);
    for (let round = 0; round < 3; round += 1) {
      for (let key = 0; key < 5; key += 1) map.set(key, key);
      assert.deepEqual([...map.keys()], [3, 4]);
      map.clear();
    }

    assert.equal(new BoundedMap<string, number>(0).set('a', 1).size, 0);
  });

  test('holds on to nothing once it was emptied', async () => {
    const map = new BoundedMap<number, object>(2);
    const seen = [0, 1, 2, 3].map((key) => {
      const value = { key };
      map.set(key, value);
      return new WeakRef(value);
    });

    map.clear();
    // What was looked at through a weak reference is kept until the turn is over.
    await new Promise(setImmediate);
    releaseMemory();

    assert.deepEqual(
      seen.map((reference) => reference.deref()),
      [undefined, undefined, undefined, undefined],
    );
  });

  test('tells of each value that leaves, whether it is let go, deleted or replaced', () => {
    const gone: string[] = [];
    const map = new BoundedMap<string, string>(2, (value) => gone.push(value));
    map.set('a', 'first').set('b', 'second').set('c', 'third');
    map.delete('b');
    map.delete('b');
    map.set('c', 'fourth');

    assert.deepEqual(gone, ['first', 'second', 'third']);
    assert.deepEqual([...map], [['c', 'fourth']]);
  });

  test('never holds more than it may, whatever is put in and deleted', () => {
    const map = new BoundedMap<number, number>(50);
    for (let step = 0; step < 20_000; step += 1) {
      const key = (step * 7919) % 211;
      if (step % 5 === 0) map.delete(key);
      else map.set(key, step);
      assert.ok(map.size <= 50);
    }
    assert.equal(map.size > 40, true);
  });
});

test('A remembering function makes the result for an argument once, until others took its place', () => {
  const loads: string[] = [];
  const shout = remembering((word: string) => {
    loads.push(word);
    return word.toUpperCase();
  }, 2);

  const said = ['a', 'a', 'b', 'c', 'a'].map(shout);

  assert.deepEqual(said, ['A', 'A', 'B', 'C', 'A']);
  assert.deepEqual(loads, ['a', 'b', 'c', 'a']);
});

test('What follows from a record is made once for the record, and anew for another that is alike', () => {
  const once = madeOnce<{ name: string }, object>();
  const alice = { name: 'alice' };

  const first = once(alice, () => ({}));

  assert.equal(
    once(alice, () => ({})),
    first,
  );
  assert.notEqual(
    once({ name: 'alice' }, () => ({})),
    first,
  );
});
