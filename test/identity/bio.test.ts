// The bio.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { problemWithBio } from '../../src/identity/bio.ts';

describe('a bio', () => {
  for (const [title, bio, expected] of [
    ['may be empty', '', undefined],
    ['may have 160 characters', '讀'.repeat(160), undefined],
    ['may not have 161', '讀'.repeat(161), 'too_long'],
    ['is one line', 'one\ntwo', 'hidden_characters'],
    ['has no tab', 'one\ttwo', 'hidden_characters'],
    ['has no paragraph separator', 'one\u2029two', 'hidden_characters'],
  ] as const) {
    test(title, () => {
      assert.equal(problemWithBio(bio), expected);
    });
  }
});
