// How often the right password signs in.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { knowMember } from '../../src/identity/known-browser.ts';
import { hashPassword } from '../../src/identity/password.ts';
import { signInWithCode } from '../../src/identity/second-factor.ts';
import { type SignIn, signIn } from '../../src/identity/sign-in.ts';
import { DAY } from '../../src/lib/clock.ts';
import { asMember } from '../storage/doers.ts';
import { withApp } from '../support/codes.ts';
import { type Accounts, ALICES_PASSWORD, addAlice, aliceIn, NEW_YEAR, openAccounts } from './accounts.ts';

function aliceSignsIn({ identity }: Accounts, password: string): Promise<SignIn> {
  return signIn(identity, { username: 'alice', password, address: '192.0.2.1' });
}

/** The same accounts with so many sign-ins a day instead of 2,000, and the limits that were asked for. */
function pacedAt(accounts: Accounts, mostOfDay: number): { paced: Accounts; limits: Set<number> } {
  const { identity } = accounts;
  const limits = new Set<number>();
  const countAttempt: typeof identity.writes.countAttempt = (subject, most, now, closesAt) => {
    const isOfDay = closesAt - now === DAY;
    if (isOfDay) limits.add(most);
    return identity.writes.countAttempt(subject, isOfDay ? (most * mostOfDay) / 2_000 : most, now, closesAt);
  };
  // As many as that are as good as 2,000.
  const findAttempts: typeof identity.reads.findAttempts = async (subject) => {
    const found = await identity.reads.findAttempts(subject);
    const isOfDay = found?.closesAt === NEW_YEAR + DAY;
    return found && isOfDay ? { ...found, count: (found.count * 2_000) / mostOfDay } : found;
  };
  const [reads, writes] = [
    { ...identity.reads, findAttempts },
    { ...identity.writes, countAttempt },
  ];
  return { paced: { ...accounts, identity: { ...identity, reads, writes } }, limits };
}

test('Signing in is possible 2,000 times a day with one password, and 3,000 times with all of a member', async (t) => {
  const accounts = await openAccounts(t);
  const alice = await addAlice(accounts);
  const { identity } = accounts;
  const { paced, limits } = pacedAt(accounts, 4);
  // The first replaces the hash, which is outdated.
  await aliceSignsIn(paced, ALICES_PASSWORD);

  const outcomes = [];
  for (const _ of [1, 2, 3, 4, 5]) outcomes.push((await aliceSignsIn(paced, ALICES_PASSWORD)).outcome);
  const wrong = await aliceSignsIn(paced, 'wrong password');
  const from = (await identity.reads.findPasswordHash(alice)) ?? '';
  const to = await hashPassword('Another passphrase 42');
  await identity.writes.changePassword(asMember(alice), { from, to, language: 'en' });
  for (const _ of [1, 2]) outcomes.push((await aliceSignsIn(paced, 'Another passphrase 42')).outcome);

  assert.deepEqual(outcomes, [...Array(4).fill('signed_in'), 'too_many', 'signed_in', 'too_many']);
  assert.deepEqual(wrong, { outcome: 'wrong' });
  assert.deepEqual([...limits], [2_000, 3_000]);
});

test('A browser that signed the member in before has sign-ins of its own', async (t) => {
  const accounts = await openAccounts(t);
  const userId = await addAlice(accounts);
  const { paced } = pacedAt(accounts, 2);
  for (const _ of [1, 2, 3]) await aliceSignsIn(paced, ALICES_PASSWORD);
  const passwordHash = (await accounts.identity.reads.findPasswordHash(userId)) ?? '';
  const secret = 'of the tests';
  const cookie = knowMember({ cookie: undefined, secret }, { userId, passwordHash, hasFactor: false });
  const credentials = { username: 'alice', password: ALICES_PASSWORD, address: '192.0.2.1' };

  const unknown = await signIn(paced.identity, credentials);
  const known = await signIn(paced.identity, { ...credentials, browser: { cookie, secret } });

  assert.deepEqual([unknown.outcome, known.outcome], ['too_many', 'signed_in']);
});

test('Where there is a second factor, whoever has the password alone uses up no sign-ins', async (t) => {
  const accounts = await openAccounts(t);
  const alice = await aliceIn(accounts);
  const { recoveryCodes } = await withApp(accounts.identity, alice);
  const { paced } = pacedAt(accounts, 2);
  const outcomes = [];
  for (const _ of [1, 2, 3, 4]) outcomes.push((await aliceSignsIn(paced, ALICES_PASSWORD)).outcome);
  const passwordHash = (await accounts.identity.reads.findPasswordHash(alice.id)) ?? '';
  const from = { address: '192.0.2.2', browser: { cookie: undefined, secret: 'of the tests' } };
  for (const code of recoveryCodes.slice(0, 3)) {
    outcomes.push(
      (await signInWithCode(paced.identity, { userId: alice.id, passwordHash }, code, from)).outcome,
    );
  }

  assert.deepEqual(outcomes, [...Array(4).fill('second_factor'), 'signed_in', 'signed_in', 'too_many']);
});
