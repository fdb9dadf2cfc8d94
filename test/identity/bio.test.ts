// The bio.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { byMember } from '../../src/audit/doer.ts';
import { problemWithBio, setBio } from '../../src/identity/bio.ts';
import { aliceIn, openAccounts } from './accounts.ts';

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

test('A new bio replaces the old one only if it is accepted', async (t) => {
  const accounts = await openAccounts(t);
  const { identity } = accounts;
  const alice = await aliceIn(accounts);
  const by = byMember(alice, identity.clock);

  const accepted = await setBio(by, identity, 'Reads.');
  const refused = await setBio(by, identity, 'x'.repeat(161));

  assert.deepEqual([accepted, refused], [undefined, 'too_long']);
  assert.equal((await identity.reads.findUser(alice.id))?.bio, 'Reads.');
});
