// Limits of the /48 network around an IPv6 address, which one person can have.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { byMember } from '../../src/audit/doer.ts';
import { signInWithPasskey } from '../../src/identity/passkey-sign-in.ts';
import { requestReset } from '../../src/identity/password-reset.ts';
import { reauthenticate } from '../../src/identity/reauthentication.ts';
import { signInWithCode } from '../../src/identity/second-factor.ts';
import { type SignIn, signIn } from '../../src/identity/sign-in.ts';
import { withApp } from '../support/codes.ts';
import { type Accounts, ALICES_PASSWORD, addAlice, aliceIn, openAccounts } from './accounts.ts';

function aliceSignsIn({ identity }: Accounts, password: string, address: string): Promise<SignIn> {
  return signIn(identity, { username: 'alice', password, address });
}

test('At most 100 failed sign-ins are checked for one account from one IPv6 network of /48, also if its member signs in meanwhile', async (t) => {
  const accounts = await openAccounts(t);
  await addAlice(accounts);
  const addressOf = (part: number) => `2001:db8:1:${part.toString(16)}::/64`;
  const failed: SignIn[] = [];
  for (let part = 1; part <= 100; part += 1) {
    if (part === 50) await aliceSignsIn(accounts, ALICES_PASSWORD, addressOf(0));
    failed.push(await aliceSignsIn(accounts, 'wrong password', addressOf(part)));
  }

  const near = await aliceSignsIn(accounts, ALICES_PASSWORD, addressOf(0));
  const far = await aliceSignsIn(accounts, ALICES_PASSWORD, '2001:db8:2:1::/64');

  assert.ok(failed.every(({ outcome }) => outcome === 'wrong'));
  assert.deepEqual([near.outcome, far.outcome], ['too_many', 'signed_in']);
});

test('At most 1,000 failed sign-ins are checked from one IPv6 network of /48, over all accounts', async (t) => {
  const accounts = await openAccounts(t);
  const limits = new Map<string, number>();
  const writes = {
    ...accounts.identity.writes,
    countAttempt: async (subject: string, most: number) => {
      limits.set(subject, most);
      return true;
    },
  };
  for (const [username, address] of [
    ['alice', '2001:db8:1:1::/64'],
    ['bob', '2001:db8:1:2::/64'],
  ] as const) {
    await signIn({ ...accounts.identity, writes }, { username, password: 'wrong', address });
  }

  // Only one limit is the same for both: that of the network.
  const ofTheName = [10, 100];
  const ofTheAccount = [10, 100];
  assert.deepEqual(
    [...limits.values()],
    [...ofTheName, 100, 1000, ...ofTheAccount, ...ofTheName, 100, ...ofTheAccount],
  );
});

test('A reset is possible forty times an hour from one IPv6 network of /48', async (t) => {
  const { identity } = await openAccounts(t);
  const ask = (address: string) => requestReset(identity, { account: 'nobody', address, language: 'en' });
  for (let part = 1; part <= 40; part += 1) {
    assert.deepEqual(await ask(`2001:db8:1:${part}::/64`), { outcome: 'accepted' });
  }

  const more = await ask('2001:db8:1:41::/64');
  const elsewhere = await ask('2001:db8:2:1::/64');

  assert.deepEqual(more, { outcome: 'too_many', retryAfterSeconds: 3600 });
  assert.deepEqual(elsewhere, { outcome: 'accepted' });
});

test('A reset beyond the limit of an address or of its network writes nothing', async (t) => {
  const { identity } = await openAccounts(t);
  const ask = (address: string, { writes } = identity) =>
    requestReset({ ...identity, writes }, { account: 'nobody', address, language: 'en' });
  const refuse = () => assert.fail('A reset beyond the limit was written.');
  const refusing = { ...identity, writes: { ...identity.writes, countAttempt: refuse } };
  for (let part = 0; part < 40; part += 1) await ask(`2001:db8:1:${part >> 3}::/64`);
  for (let times = 0; times < 10; times += 1) await ask('192.0.2.1');

  for (const address of ['2001:db8:1:0::/64', '192.0.2.1']) {
    assert.equal((await ask(address, refusing)).outcome, 'too_many');
  }
});

test('A hundred sign-ins from one IPv6 network of /48 can wait, and delay no others', async (t) => {
  const { identity } = await openAccounts(t);
  let finished = 0;
  const attempt = async (username: string, address: string) => {
    const { outcome } = await signIn(identity, { username, password: 'wrong password', address });
    finished += 1;
    return outcome;
  };
  const many = Array.from({ length: 110 }, (_, part) => attempt(`name${part}`, `2001:db8:1:${part}::/64`));
  // Nine are refused at once.
  while (finished < 9) await new Promise(setImmediate);

  const other = await attempt('bob', '2001:db8:2:1::/64');
  const finishedBefore = finished - 1;

  assert.ok(finishedBefore < 20, `${finishedBefore} of 110 were finished before it`);
  const outcomes = await Promise.all(many);
  assert.deepEqual(
    outcomes,
    outcomes.map((_, part) => (part < 101 ? 'wrong' : 'too_many')),
  );
  assert.equal(other, 'wrong');
});

test('At most 30 passwords are checked in 15 minutes where a page asks for it again, from one network of /48', async (t) => {
  const accounts = await openAccounts(t);
  const alice = await aliceIn(accounts);
  const enter = (password: string, address: string) =>
    reauthenticate(byMember(alice, accounts.identity.clock, address), accounts.identity, password);
  for (let attempt = 0; attempt < 30; attempt += 1) {
    const refusal = await enter('wrong password', `2001:db8:1:${attempt}::/64`);
    assert.deepEqual(refusal, { problem: 'wrong_password' });
  }

  const near = await enter(ALICES_PASSWORD, '2001:db8:1:30::/64');
  const far = await enter(ALICES_PASSWORD, '2001:db8:2:1::/64');

  assert.deepEqual(near, { problem: 'too_many_attempts', retryAfterSeconds: 900 });
  assert.equal(far, undefined);
});

test('Recovery codes are checked 30 times in 15 minutes for one account from one IPv6 network of /48', async (t) => {
  const accounts = await openAccounts(t);
  const { identity } = accounts;
  const alice = await aliceIn(accounts);
  const { recoveryCodes } = await withApp(identity, alice);
  const account = { userId: alice.id, passwordHash: (await identity.reads.findPasswordHash(alice.id)) ?? '' };
  const browser = { cookie: undefined, secret: 'a secret of the server' };
  const enter = (code: string, address: string) =>
    signInWithCode(identity, account, code, { address, browser });
  const outcomes: string[] = [];
  for (let part = 1; part <= 31; part += 1) {
    const address = `2001:db8:1:${part.toString(16)}::/64`;
    outcomes.push((await enter('0123456789abcdefghjkmnpq', address)).outcome);
  }

  const far = await enter(recoveryCodes[0] ?? '', '2001:db8:2:1::/64');

  assert.deepEqual(outcomes, [...Array(30).fill('wrong'), 'too_many']);
  assert.equal(far.outcome, 'signed_in');
});

test('Passkeys are checked 1,000 times in 15 minutes from one IPv6 network of /48', async (t) => {
  const { identity } = await openAccounts(t);
  const site = { id: 'localhost', origin: 'http://localhost' };
  const use = { purpose: 'sign-in', secret: 'a secret', browser: 'a browser', userId: 0 } as const;
  const send = async (address: string) => {
    const from = { address, browser: { cookie: undefined, secret: 'a secret' } };
    return (await signInWithPasskey(identity, site, use, { response: '{}', challenge: '' }, from)).outcome;
  };
  const outcomes = new Set<string>();
  for (let part = 1; part <= 1000; part += 1)
    outcomes.add(await send(`2001:db8:1:${part.toString(16)}::/64`));

  assert.deepEqual([...outcomes], ['refused']);
  assert.deepEqual(
    [await send('2001:db8:1:ffff::/64'), await send('2001:db8:2:1::/64')],
    ['too_many', 'refused'],
  );
});
