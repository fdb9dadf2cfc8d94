// Ranges of the index of words that are not looked through again.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MINUTE } from '../../src/lib/clock.ts';
import { comesBefore, wordGaps } from '../../src/storage/community/word-gaps.ts';

test('a range that took long is remembered for five minutes', () => {
  const gaps = wordGaps();
  gaps.note({ from: 'zzz', to: 'zzzz' }, 20, 0);

  const ends = (now: number) => ['a', 'zzza', 'zzzz'].map((word) => gaps.nextAfter(word, now)?.to);

  assert.deepEqual(ends(5 * MINUTE - 1), ['zzzz', 'zzzz', undefined]);
  assert.deepEqual(ends(5 * MINUTE), [undefined, undefined, undefined]);
});

test('a range that took no time is looked through each time', () => {
  const gaps = wordGaps();
  gaps.note({ from: 'zzz', to: 'zzzz' }, 1, 0);

  assert.equal(gaps.nextAfter('zzz', 0), undefined);
});

test('ranges that overlap or touch become one, for as long as the first of them', () => {
  const gaps = wordGaps();
  gaps.note({ from: 'c', to: 'd' }, 20, 0);
  gaps.note({ from: 'f', to: 'g' }, 20, 0);
  gaps.note({ from: 'b', to: 'c' }, 20, MINUTE);
  gaps.note({ from: 'ba', to: 'ca' }, 20, MINUTE);

  const bounds = (now: number) => {
    const { from, to } = gaps.nextAfter('a', now) ?? {};
    return [from, to];
  };

  assert.deepEqual(bounds(MINUTE), ['b', 'd']);
  assert.deepEqual(gaps.nextAfter('d', MINUTE)?.from, 'f');
  assert.deepEqual(bounds(5 * MINUTE), [undefined, undefined]);
});

test('of more than a hundred ranges, the one that took least is forgotten', () => {
  const gaps = wordGaps();
  for (let number = 100; number <= 200; number += 1) {
    gaps.note({ from: `a${number}`, to: `a${number}z` }, number === 150 ? 10 : 20, 0);
  }

  const firstAfter = (word: string) => gaps.nextAfter(word, 0)?.from;

  assert.deepEqual([firstAfter('a100'), firstAfter('a150'), firstAfter('a200')], ['a100', 'a151', 'a200']);
});

test('after a second of slow steps there is no time, until some of the five minutes are over', () => {
  const gaps = wordGaps();
  gaps.note({ from: 'a', to: 'b' }, 900, 0);
  const before = gaps.isTimeUsedUp(0);
  gaps.note({ from: 'c', to: 'd' }, 200, 0);

  const after = [0, 29_000, 31_000].map(gaps.isTimeUsedUp);

  assert.deepEqual([before, after], [false, [true, true, false]]);
});

test('words are in the order of UTF-8', () => {
  const words = ['', 'a', 'ab', 'b', 'é', '你', '\u{E000}', '\uFE73', '\uFE73a', '𠮷', '𠮷a', '\u{10FFFF}'];

  const sorted = words.toReversed().sort((a, b) => (comesBefore(a, b) ? -1 : 1));

  assert.deepEqual(sorted, words);
  assert.equal(comesBefore('a', 'a'), false);
});
