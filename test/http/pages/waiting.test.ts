// Waiting times in words.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { waitText } from '../../../src/http/pages/waiting.ts';

test('A wait is given in minutes up to an hour, then in hours, and always rounded up', () => {
  const seconds = [1, 60, 61, 3600, 3601, 86_400];

  assert.deepEqual(
    seconds.map((each) => waitText(each, 'en')),
    ['a minute', 'a minute', '2 minutes', '60 minutes', '2 hours', '24 hours'],
  );
  assert.deepEqual(
    [61, 3601].map((each) => waitText(each, 'zh')),
    ['2 分钟', '2 小时'],
  );
});
