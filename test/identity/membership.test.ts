// The membership: when a member has one, and how its end is written.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { byCommandLine } from '../../src/audit/doer.ts';
import {
  isMember,
  MEMBER_FOREVER,
  membershipWord,
  readMembership,
  setMembership,
} from '../../src/identity/membership.ts';
import { aliceIn, NEW_YEAR, openAccounts } from './accounts.ts';

describe('membership', () => {
  for (const [title, memberUntil, expected] of [
    ['there never was one', undefined, false],
    ['it ends later', NEW_YEAR + 1, true],
    ['it ends now', NEW_YEAR, false],
    ['it ended', NEW_YEAR - 1, false],
    ['it has no end', MEMBER_FOREVER, true],
  ] as const) {
    test(`is ${expected} when ${title}`, () => {
      assert.equal(isMember({ memberUntil }, NEW_YEAR), expected);
    });
  }

  for (const [word, until] of [
    ['none', undefined],
    ['never', Date.parse('9999-12-31T00:00:00Z')],
    ['2027-01-31', Date.UTC(2027, 0, 31, 16)],
    ['2028-02-29', Date.UTC(2028, 1, 29, 16)],
  ] as const) {
    test(`is written as ${word}, and read back`, () => {
      assert.deepEqual(readMembership(word, 'Asia/Shanghai'), { until });
      assert.equal(membershipWord(until, 'Asia/Shanghai'), word);
    });
  }

  for (const word of ['', 'day', '2027-02-30', '2027-13-01', '2027-1-1', 'Never']) {
    test(`is not read from "${word}"`, () => {
      assert.equal(readMembership(word, 'Asia/Shanghai'), undefined);
    });
  }

  test('with an end in the past is set only if that is meant', async (t) => {
    const accounts = await openAccounts(t);
    const { identity } = accounts;
    const { id } = await aliceIn(accounts);
    const set = async (until: number, isPastMeant: boolean) => [
      await setMembership(byCommandLine(identity.clock), identity, id, { until, isPastMeant }),
      (await identity.reads.findUser(id))?.memberUntil,
    ];

    assert.deepEqual(await set(NEW_YEAR, false), ['past', undefined]);
    assert.deepEqual(await set(NEW_YEAR + 1, false), [undefined, NEW_YEAR + 1]);
    assert.deepEqual(await set(NEW_YEAR - 1, true), [undefined, NEW_YEAR - 1]);
  });
});
