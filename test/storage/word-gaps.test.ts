// Ranges of the index of words that are not looked through again.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MINUTE } from '../../src/lib/clock.ts';
import { wordGaps } from '../../src/storage/community/word-gaps.ts';

test('a range that took long is skipped for five minutes, from wherever a search comes into it', () => {
  const gaps = wordGaps();
  gaps.note('zzz', 'zzzz', 20, 0);

  const ends = (now: number) => ['zzy', 'zzz', 'zzza', 'zzzz'].map((word) => gaps.skip(word, now));

  assert.deepEqual(ends(5 * MINUTE - 1), ['zzy', 'zzzz', 'zzzz', 'zzzz']);
  assert.deepEqual(ends(5 * MINUTE), ['zzy', 'zzz', 'zzza', 'zzzz']);
});

test('a range that took no time is looked through each time', () => {
  const gaps = wordGaps();
  gaps.note('zzz', 'zzzz', 1, 0);

  assert.equal(gaps.skip('zzz', 0), 'zzz');
});

test('the hundred newest ranges are remembered', () => {
  const gaps = wordGaps();
  for (let number = 100; number <= 200; number += 1) gaps.note(`a${number}`, `a${number}z`, 20, 0);

  assert.deepEqual([gaps.skip('a100', 0), gaps.skip('a101', 0)], ['a100', 'a101z']);
});
