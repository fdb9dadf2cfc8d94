// How often the right password signs in.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hashPassword } from '../../src/identity/password.ts';
import { type SignIn, signIn } from '../../src/identity/sign-in.ts';
import { DAY } from '../../src/lib/clock.ts';
import { asMember } from '../storage/doers.ts';
import { type Accounts, ALICES_PASSWORD, addAlice, openAccounts } from './accounts.ts';

function aliceSignsIn({ identity }: Accounts, password: string): Promise<SignIn> {
  return signIn(identity, { username: 'alice', password, address: '192.0.2.1' });
}

test('Signing in is possible 2,000 times a day with one password, and then after a change of the password', async (t) => {
  const accounts = await openAccounts(t);
  const alice = await addAlice(accounts);
  const { identity } = accounts;
  const limits = new Set<number>();
  const countAttempt: typeof identity.writes.countAttempt = (subject, most, now, closesAt) => {
    const isOfDay = closesAt - now === DAY;
    if (isOfDay) limits.add(most);
    return identity.writes.countAttempt(subject, isOfDay ? 2 : most, now, closesAt);
  };
  const paced = { ...accounts, identity: { ...identity, writes: { ...identity.writes, countAttempt } } };
  // The first replaces the hash, which is outdated.
  await aliceSignsIn(paced, ALICES_PASSWORD);

  const outcomes = [];
  for (const _ of [1, 2, 3]) outcomes.push((await aliceSignsIn(paced, ALICES_PASSWORD)).outcome);
  const wrong = await aliceSignsIn(paced, 'wrong password');
  const from = (await identity.reads.findPasswordHash(alice)) ?? '';
  const to = await hashPassword('Another passphrase 42');
  await identity.writes.changePassword(asMember(alice), { from, to, language: 'en' });
  outcomes.push((await aliceSignsIn(paced, 'Another passphrase 42')).outcome);

  assert.deepEqual(outcomes, ['signed_in', 'signed_in', 'too_many', 'signed_in']);
  assert.deepEqual(wrong, { outcome: 'wrong' });
  assert.deepEqual([...limits], [2_000]);
});
