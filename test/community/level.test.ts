// The level that experience points make.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { levelOf } from '../../src/community/level.ts';

describe('the level', () => {
  for (const [xp, level] of [
    [-10, 1],
    [0, 1],
    [49, 1],
    [50, 2],
    [199, 2],
    [200, 3],
    [449, 3],
    [450, 4],
    [799, 4],
    [800, 5],
    [490_049, 99],
    [490_050, 100],
  ] as const) {
    test(`of ${xp} points is ${level}`, () => {
      assert.equal(levelOf(xp), level);
    });
  }
});
