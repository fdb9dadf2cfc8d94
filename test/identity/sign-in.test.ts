// Signing in with a password, and the limit on guesses (contract §2).

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { byServer } from '../../src/audit/doer.ts';
import { findVisit } from '../../src/identity/session.ts';
import { type SignIn, signIn } from '../../src/identity/sign-in.ts';
import { createUser } from '../../src/identity/user-creation.ts';
import { MINUTE } from '../../src/lib/clock.ts';
import { setStatus } from '../support/people.ts';
import { type Accounts, ALICES_PASSWORD, addAlice, NEW_YEAR, openAccounts } from './accounts.ts';

const HOME = '192.0.2.1';
const ELSEWHERE = '198.51.100.7';

function aliceSignsIn({ identity }: Accounts, password: string, address = HOME): Promise<SignIn> {
  return signIn(identity, { username: 'alice', password, address });
}

describe('signing in', () => {
  test('with the right name and password starts a session', async (t) => {
    const accounts = await openAccounts(t);
    const userId = await addAlice(accounts);

    const signedIn = await aliceSignsIn(accounts, ALICES_PASSWORD);

    assert.ok(signedIn.outcome === 'signed_in');
    assert.equal(signedIn.userId, userId);
    const visit = await findVisit(accounts.identity, signedIn.cookie);
    assert.equal(visit?.user.username, 'alice');
    assert.equal(visit?.authenticatedAt, NEW_YEAR);
  });

  test('accepts the username in any of its forms', async (t) => {
    const accounts = await openAccounts(t);
    await addAlice(accounts);

    const credentials = { username: ' ＡLICE ', password: ALICES_PASSWORD, address: HOME };
    const signedIn = await signIn(accounts.identity, credentials);

    assert.equal(signedIn.outcome, 'signed_in');
  });

  test('uses the password exactly as typed', async (t) => {
    const accounts = await openAccounts(t);
    await addAlice(accounts);

    const answer = await aliceSignsIn(accounts, `${ALICES_PASSWORD} `);

    assert.deepEqual(answer, { outcome: 'wrong' });
  });

  test('answers an unknown username like a wrong password', async (t) => {
    const accounts = await openAccounts(t);
    await addAlice(accounts);

    const unknown = await signIn(accounts.identity, {
      username: 'nobody',
      password: ALICES_PASSWORD,
      address: HOME,
    });
    const wrong = await aliceSignsIn(accounts, 'wrong password');

    assert.deepEqual(unknown, { outcome: 'wrong' });
    assert.deepEqual(wrong, { outcome: 'wrong' });
  });

  test('hashes for an unknown username as for a wrong password, so both take the same time', async (t) => {
    const accounts = await openAccounts(t);
    await createUser(byServer(accounts.identity.clock), accounts.identity, {
      username: 'alice',
      password: ALICES_PASSWORD,
    });
    const timeSignIn = async (username: string): Promise<number> => {
      const start = performance.now();
      await signIn(accounts.identity, { username, password: 'wrong password', address: HOME });
      return performance.now() - start;
    };

    const known: number[] = [];
    const unknown: number[] = [];
    for (let turn = 0; turn < 5; turn += 1) {
      known.push(await timeSignIn('alice'));
      unknown.push(await timeSignIn(`nobody${turn}`));
    }

    // Almost all the time is hashing: without it, an unknown username would take far less than half.
    assert.ok(Math.min(...unknown) > Math.min(...known) / 2, `${unknown} ms, but ${known} ms`);
  });

  test('shows only with the right password that the account is suspended', async (t) => {
    const accounts = await openAccounts(t);
    const userId = await addAlice(accounts);
    await setStatus(accounts.identity, userId, 'suspended');

    const right = await aliceSignsIn(accounts, ALICES_PASSWORD);
    const wrong = await aliceSignsIn(accounts, 'wrong password');

    assert.deepEqual(right, { outcome: 'suspended', reason: undefined });
    assert.deepEqual(wrong, { outcome: 'wrong' });
  });

  test('shows nothing about a closed account, which has no password any more', async (t) => {
    const accounts = await openAccounts(t);
    const userId = await addAlice(accounts);
    await setStatus(accounts.identity, userId, 'closed');

    assert.deepEqual(await aliceSignsIn(accounts, ALICES_PASSWORD), { outcome: 'wrong' });
  });
});

describe('failed sign-ins:', () => {
  async function fail(accounts: Accounts, times: number): Promise<void> {
    for (let attempt = 0; attempt < times; attempt += 1) {
      assert.deepEqual(await aliceSignsIn(accounts, 'wrong password'), { outcome: 'wrong' });
    }
  }

  test('at most 10 are checked in 15 minutes for one account from one address', async (t) => {
    const accounts = await openAccounts(t);
    await addAlice(accounts);
    await fail(accounts, 10);
    accounts.setClock(5 * MINUTE);

    const wrong = await aliceSignsIn(accounts, 'wrong password');
    const right = await aliceSignsIn(accounts, ALICES_PASSWORD);

    assert.deepEqual(wrong, { outcome: 'too_many', retryAfterSeconds: 600 });
    assert.deepEqual(right, { outcome: 'too_many', retryAfterSeconds: 600 });
  });

  test('none counts any more 15 minutes after the first', async (t) => {
    const accounts = await openAccounts(t);
    await addAlice(accounts);
    await fail(accounts, 1);
    accounts.setClock(10 * MINUTE);
    await fail(accounts, 9);

    accounts.setClock(15 * MINUTE - 1);
    const before = await aliceSignsIn(accounts, ALICES_PASSWORD);
    accounts.setClock(15 * MINUTE);
    const after = await aliceSignsIn(accounts, ALICES_PASSWORD);

    assert.deepEqual(before, { outcome: 'too_many', retryAfterSeconds: 1 });
    assert.equal(after.outcome, 'signed_in');
  });

  test('none keeps the member from signing in from another address', async (t) => {
    const accounts = await openAccounts(t);
    await addAlice(accounts);
    await fail(accounts, 10);

    const answer = await aliceSignsIn(accounts, ALICES_PASSWORD, ELSEWHERE);

    assert.equal(answer.outcome, 'signed_in');
  });

  test('those for one account don’t count for another account from the same address', async (t) => {
    const accounts = await openAccounts(t);
    await addAlice(accounts);
    for (let attempt = 0; attempt < 10; attempt += 1) {
      await signIn(accounts.identity, { username: 'bob', password: 'wrong password', address: HOME });
    }

    const answer = await aliceSignsIn(accounts, ALICES_PASSWORD);

    assert.equal(answer.outcome, 'signed_in');
  });

  test('at most 100 are checked in 15 minutes from one address, over all accounts; successful sign-ins do not count', async (t) => {
    const accounts = await openAccounts(t);
    await addAlice(accounts);
    for (let attempt = 0; attempt < 3; attempt += 1) await aliceSignsIn(accounts, ALICES_PASSWORD);
    const failed = await Promise.all(
      Array.from({ length: 100 }, (_, name) =>
        signIn(accounts.identity, { username: `name${name}`, password: 'wrong password', address: HOME }),
      ),
    );

    const here = await aliceSignsIn(accounts, ALICES_PASSWORD);
    const elsewhere = await aliceSignsIn(accounts, ALICES_PASSWORD, ELSEWHERE);
    accounts.setClock(15 * MINUTE);
    const later = await aliceSignsIn(accounts, ALICES_PASSWORD);

    assert.ok(failed.every(({ outcome }) => outcome === 'wrong'));
    assert.deepEqual(here, { outcome: 'too_many', retryAfterSeconds: 900 });
    assert.deepEqual([elsewhere.outcome, later.outcome], ['signed_in', 'signed_in']);
  });

  test('all forms of a username are counted together', async (t) => {
    const accounts = await openAccounts(t);
    await addAlice(accounts);
    const forms = ['alice', 'ALICE', ' Alice', 'ａｌｉｃｅ', 'aLiCe'];
    for (const username of [...forms, ...forms]) {
      await signIn(accounts.identity, { username, password: 'wrong password', address: HOME });
    }

    const answer = await aliceSignsIn(accounts, ALICES_PASSWORD);

    assert.equal(answer.outcome, 'too_many');
  });

  test('a right password does not count, and leaves the count of the wrong ones', async (t) => {
    const accounts = await openAccounts(t);
    await addAlice(accounts);
    await fail(accounts, 9);
    await aliceSignsIn(accounts, ALICES_PASSWORD);
    await aliceSignsIn(accounts, ALICES_PASSWORD);

    await fail(accounts, 1);

    assert.equal((await aliceSignsIn(accounts, 'wrong password')).outcome, 'too_many');
  });

  test('those for unknown usernames are limited like those for known ones', async (t) => {
    const accounts = await openAccounts(t);

    const answers = [];
    for (let attempt = 0; attempt < 11; attempt += 1)
      answers.push((await aliceSignsIn(accounts, 'wrong')).outcome);

    assert.deepEqual(answers, [...Array(10).fill('wrong'), 'too_many']);
  });

  test('10 of 200 at once are checked', async (t) => {
    const accounts = await openAccounts(t);
    await addAlice(accounts);

    const answers = await Promise.all(
      Array.from({ length: 200 }, (_, guess) => aliceSignsIn(accounts, `guess ${guess}`)),
    );

    assert.equal(answers.filter(({ outcome }) => outcome === 'wrong').length, 10);
    assert.equal(answers.filter(({ outcome }) => outcome === 'too_many').length, 190);
  });

  test('one beyond the limit writes nothing', async (t) => {
    const accounts = await openAccounts(t);
    await addAlice(accounts);
    await fail(accounts, 10);
    const refuse = () => assert.fail('An attempt beyond the limit was written.');
    const writes = { ...accounts.identity.writes, countAttempt: refuse };
    const identity = { ...accounts.identity, writes };

    const answer = await signIn(identity, { username: 'alice', password: 'wrong', address: HOME });

    assert.equal(answer.outcome, 'too_many');
  });

  test('the database has neither the username nor the address in plain text', async (t) => {
    const accounts = await openAccounts(t);
    const subjects: string[] = [];
    const writes = {
      ...accounts.identity.writes,
      countAttempt: (subject: string, most: number, now: number, closesAt: number) => {
        subjects.push(subject);
        return accounts.identity.writes.countAttempt(subject, most, now, closesAt);
      },
    };

    await signIn({ ...accounts.identity, writes }, { username: 'alice', password: 'wrong', address: HOME });

    assert.equal(subjects.length, 3);
    assert.doesNotMatch(subjects.join(), /alice|192/);
  });
});

test('A sign-in replaces a hash that has outdated parameters, and its session stays valid', async (t) => {
  const accounts = await openAccounts(t);
  const { identity } = accounts;
  const id = await addAlice(accounts);
  const before = await identity.reads.findPasswordHash(id);

  const wrong = await aliceSignsIn(accounts, 'wrong password');
  const afterWrong = await identity.reads.findPasswordHash(id);
  const right = await aliceSignsIn(accounts, ALICES_PASSWORD);
  const renewed = await identity.reads.findPasswordHash(id);
  const again = await aliceSignsIn(accounts, ALICES_PASSWORD);

  assert.deepEqual([wrong.outcome, right.outcome, again.outcome], ['wrong', 'signed_in', 'signed_in']);
  assert.equal(afterWrong, before);
  assert.match(renewed ?? '', /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  assert.equal(await identity.reads.findPasswordHash(id), renewed);
  const cookies = [right, again].map((one) => ('cookie' in one ? one.cookie : ''));
  for (const cookie of cookies) assert.equal((await findVisit(identity, cookie))?.user.id, id);
});
