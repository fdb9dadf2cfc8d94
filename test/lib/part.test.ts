// A part of a list, and whether more follows.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { partOf } from '../../src/lib/part.ts';

test('More follows if there is one more item than fits, not if the part is exactly full', () => {
  assert.deepEqual(partOf(['a', 'b', 'c'], 2), { items: ['a', 'b'], last: 'b' });
  assert.deepEqual(partOf(['a', 'b'], 2), { items: ['a', 'b'], last: undefined });
  assert.deepEqual(partOf([], 2), { items: [], last: undefined });
});
