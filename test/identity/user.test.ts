// Membership and the bio.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { isMember, MEMBER_FOREVER, problemWithBio, type User } from '../../src/identity/user.ts';
import { NEW_YEAR } from './house.ts';

function alice(memberUntil: number | undefined): User {
  return {
    id: 1,
    username: 'alice',
    email: undefined,
    bio: '',
    avatar: undefined,
    status: 'active',
    isOperator: false,
    memberUntil,
    xp: 0,
    createdAt: NEW_YEAR,
  };
}

describe('membership', () => {
  for (const [title, memberUntil, expected] of [
    ['there never was one', undefined, false],
    ['it ends later', NEW_YEAR + 1, true],
    ['it ends now', NEW_YEAR, false],
    ['it ended', NEW_YEAR - 1, false],
    ['it has no end', MEMBER_FOREVER, true],
  ] as const) {
    test(`is ${expected} when ${title}`, () => {
      assert.equal(isMember(alice(memberUntil), NEW_YEAR), expected);
    });
  }
});

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
