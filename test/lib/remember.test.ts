// Remembering results, within bounds.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { BoundedMap, memoize, memoizeByFacts, memoizeByRecord } from '../../src/lib/remember.ts';
import { collectGarbage } from '../support/garbage.ts';

describe('a bounded map', () => {
  test('drops the oldest entry for a new one, also after entries were deleted and added again', () => {
    const map = new BoundedMap<string, number>(3);
    for (const [index, key] of ['a', 'b', 'c', 'd'].entries()) map.set(key, index);
    const afterOne = [...map.keys()];
    map.delete('b');
    for (const [index, key] of ['b', 'e', 'f'].entries()) map.set(key, index);

    assert.deepEqual(afterOne, ['b', 'c', 'd']);
    assert.deepEqual([...map.keys()], ['b', 'e', 'f']);
  });

  test('replaces the value of a key without dropping an entry', () => {
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

  test('works again after it was cleared, and stays empty if its bound is 0', () => {
    const map = new BoundedMap<number, number>(2);
    for (let round = 0; round < 3; round += 1) {
      for (let key = 0; key < 5; key += 1) map.set(key, key);
      assert.deepEqual([...map.keys()], [3, 4]);
      map.clear();
    }

    assert.equal(new BoundedMap<string, number>(0).set('a', 1).size, 0);
  });

  test('keeps no reference to its values after it was cleared', async () => {
    const map = new BoundedMap<number, object>(2);
    const references = [0, 1, 2, 3].map((key) => {
      const value = { key };
      map.set(key, value);
      return new WeakRef(value);
    });

    map.clear();
    // The target of a new weak reference is kept until the end of the turn.
    await new Promise(setImmediate);
    collectGarbage();

    assert.deepEqual(
      references.map((reference) => reference.deref()),
      [undefined, undefined, undefined, undefined],
    );
  });

  test('never exceeds its bound, whatever is added and deleted', () => {
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

test('A memoized function computes the result for an argument once, until newer results displace it', () => {
  const calls: string[] = [];
  const shout = memoize((word: string) => {
    calls.push(word);
    return word.toUpperCase();
  }, 2);

  const results = ['a', 'a', 'b', 'c', 'a'].map(shout);

  assert.deepEqual(results, ['A', 'A', 'B', 'C', 'A']);
  assert.deepEqual(calls, ['a', 'b', 'c', 'a']);
});

test('A result is computed once for a record, and again for an equal but different record', () => {
  const once = memoizeByRecord<{ name: string }, object>();
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

test('A result is computed again when one of the other facts changes, and only the newest is remembered', () => {
  const page = memoizeByFacts<{ name: string }, object>();
  const alice = { name: 'alice' };
  const names = new Map();
  const at = (record: { name: string }, ...facts: unknown[]) => page(record, facts, () => ({}));

  const first = at(alice, 'en', 7, names);

  assert.equal(at(alice, 'en', 7, names), first);
  assert.notEqual(at({ ...alice }, 'en', 7, names), first);
  const others = [
    ['zh', 7, names],
    ['en', 8, names],
    ['en', 7, new Map()],
  ];
  for (const facts of others) {
    const known = at(alice, 'en', 7, names);
    const other = at(alice, ...facts);
    assert.notEqual(other, known);
    assert.equal(at(alice, ...facts), other);
    assert.notEqual(at(alice, 'en', 7, names), known);
  }
});
