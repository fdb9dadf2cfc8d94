// The cookie of a browser that signed members in before.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { byMember } from '../../src/audit/doer.ts';
import { browserOf, knowMember } from '../../src/identity/known-browser.ts';
import { changePassword } from '../../src/identity/password-change.ts';
import { type SignIn, signIn } from '../../src/identity/sign-in.ts';
import type { User } from '../../src/identity/user.ts';
import { PASSWORD_HASH } from '../support/people.ts';
import { type Accounts, ALICES_PASSWORD, addAlice, openAccounts } from './accounts.ts';

const secret = 'secret of the seals';
const of = (userId: number, passwordHash = 'hash', hasFactor = false) => ({
  userId,
  passwordHash,
  hasFactor,
});
const HOME = '192.0.2.1';
const HERS = { username: 'alice', password: ALICES_PASSWORD };

test('the browser keeps its id over all sign-ins, and is known for each member who signed in', () => {
  const first = knowMember({ cookie: undefined, secret }, of(7));
  const cookie = knowMember({ cookie: first, secret }, of(8));

  const name = browserOf({ cookie, secret }, of(7));
  assert.ok(name !== undefined && first.startsWith(`${name}.`));
  assert.equal(browserOf({ cookie, secret }, of(8)), name);
  assert.equal(browserOf({ cookie, secret }, of(9)), undefined);
});

test('the browser remembers the last five members', () => {
  let cookie: string | undefined;
  for (const userId of [1, 2, 3, 4, 5, 6, 6]) cookie = knowMember({ cookie, secret }, of(userId));

  const known = [1, 2, 3, 4, 5, 6].map((userId) => browserOf({ cookie, secret }, of(userId)) !== undefined);
  assert.deepEqual(known, [false, true, true, true, true, true]);
});

test('a sign-in with the password alone counts until the first factor; one with the factor counts without one, too', () => {
  const byPassword = knowMember({ cookie: undefined, secret }, of(7));
  const byFactor = knowMember({ cookie: undefined, secret }, of(7, 'hash', true));
  const isKnown = (cookie: string, hasFactor: boolean) =>
    browserOf({ cookie, secret }, of(7, 'hash', hasFactor)) !== undefined;

  assert.deepEqual([isKnown(byPassword, false), isKnown(byPassword, true)], [true, false]);
  assert.deepEqual([isKnown(byFactor, false), isKnown(byFactor, true)], [true, true]);
});

test('two browsers have different ids', () => {
  const cookies = [1, 2].map(() => knowMember({ cookie: undefined, secret }, of(7)));
  assert.notEqual(
    browserOf({ cookie: cookies[0], secret }, of(7)),
    browserOf({ cookie: cookies[1], secret }, of(7)),
  );
});

describe('signing in from a browser that signed the member in before', () => {
  async function guessFromHere({ identity }: Accounts): Promise<void> {
    for (let tried = 0; tried < 10; tried += 1) {
      await signIn(identity, { username: 'alice', password: 'wrong password', address: HOME });
    }
  }

  async function knownTo(
    accounts: Accounts,
  ): Promise<(password: string, cookie?: string) => Promise<SignIn>> {
    const userId = await addAlice(accounts);
    const known = knowMember({ cookie: undefined, secret }, of(userId, PASSWORD_HASH));
    return (password, cookie = known) =>
      signIn(accounts.identity, {
        username: 'alice',
        password,
        address: HOME,
        browser: { cookie, secret },
      });
  }

  test('others’ guesses from the same address don’t shut it out', async (t) => {
    const accounts = await openAccounts(t);
    const fromKnownBrowser = await knownTo(accounts);
    await guessFromHere(accounts);
    await Promise.all(
      Array.from({ length: 100 }, (_, name) =>
        signIn(accounts.identity, { username: `name${name}`, password: 'wrong password', address: HOME }),
      ),
    );

    const stranger = await signIn(accounts.identity, { ...HERS, address: HOME });
    const known = await fromKnownBrowser(ALICES_PASSWORD);

    assert.deepEqual([stranger.outcome, known.outcome], ['too_many', 'signed_in']);
  });

  test('10 of 32 guesses at once are checked, and other browsers can still sign in', async (t) => {
    const accounts = await openAccounts(t);
    const fromKnownBrowser = await knownTo(accounts);

    const guesses = await Promise.all(
      Array.from({ length: 32 }, (_, guess) => fromKnownBrowser(`guess ${guess}`)),
    );

    assert.equal(guesses.filter(({ outcome }) => outcome === 'wrong').length, 10);
    assert.equal((await fromKnownBrowser(ALICES_PASSWORD)).outcome, 'too_many');
    assert.equal((await signIn(accounts.identity, { ...HERS, address: HOME })).outcome, 'signed_in');
  });

  test('a new password makes the cookies worthless that were made with the old one', async (t) => {
    const accounts = await openAccounts(t);
    const fromKnownBrowser = await knownTo(accounts);
    const next = 'a walk in the evening snow';
    const user = { ...(await accounts.identity.reads.findUser(1)) } as User;
    const by = byMember(user, accounts.identity.clock);
    await changePassword(by, accounts.identity, user, { current: ALICES_PASSWORD, next, language: 'en' });
    await guessFromHere(accounts);

    assert.equal((await fromKnownBrowser(next)).outcome, 'too_many');
  });

  test('20 guesses of all known browsers of a member together are checked', async (t) => {
    const accounts = await openAccounts(t);
    const fromKnownBrowser = await knownTo(accounts);
    const cookies = [1, 2, 3].map(() => knowMember({ cookie: undefined, secret }, of(1, PASSWORD_HASH)));

    const guesses = await Promise.all(
      cookies.flatMap((cookie) => Array.from({ length: 9 }, () => fromKnownBrowser('a wrong guess', cookie))),
    );

    assert.equal(guesses.filter(({ outcome }) => outcome === 'wrong').length, 20);
  });

  test('a cookie for another member, with another secret, or malformed gives no extra guesses', async (t) => {
    const accounts = await openAccounts(t);
    const fromKnownBrowser = await knownTo(accounts);
    await guessFromHere(accounts);
    const ofAnother = knowMember({ cookie: undefined, secret }, of(999));
    const otherSecret = knowMember({ cookie: undefined, secret: 'another' }, of(1));
    const [name = '', seal = ''] = ofAnother.split('.');

    for (const cookie of [ofAnother, otherSecret, '', name, `${name}.${seal.slice(1)}`, 'x'.repeat(9000)]) {
      assert.equal((await fromKnownBrowser(ALICES_PASSWORD, cookie)).outcome, 'too_many', cookie);
    }
  });
});
