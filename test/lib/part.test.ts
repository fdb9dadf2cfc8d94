// A part of a list, and whether it goes on.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { partOf } from '../../src/lib/part.ts';

test('A part goes on when one more was found than it holds, and not when it is exactly full', () => {
  assert.deepEqual(partOf(['a', 'b', 'c'], 2), { items: ['a', 'b'], last: 'b' });
  assert.deepEqual(partOf(['a', 'b'], 2), { items: ['a', 'b'], last: undefined });
  assert.deepEqual(partOf([], 2), { items: [], last: undefined });
});
