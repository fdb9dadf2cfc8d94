// Making an account.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type RegistrationProblems, signUp, signUpFirstOperator } from '../../src/identity/sign-up.ts';
import { NEW_YEAR, openAccounts } from './accounts.ts';

const PASSWORD = 'correct horse';

describe('signing up', () => {
  test('makes an active account with what was given, in its one form', async (t) => {
    const { identity } = await openAccounts(t);

    const account = await signUp(identity, {
      username: ' Ａlice ',
      password: PASSWORD,
      email: ' Alice@Home.Example ',
      bio: ' Reads. ',
    });

    assert.ok('id' in account);
    assert.equal(account.username, 'Alice');
    assert.deepEqual(await identity.reads.findUser(account.id), {
      id: account.id,
      username: 'Alice',
      email: 'Alice@Home.Example',
      bio: 'Reads.',
      avatar: undefined,
      status: 'active',
      isOperator: false,
      memberUntil: undefined,
      xp: 0,
      createdAt: NEW_YEAR,
    });
  });

  test('keeps no password in clear', async (t) => {
    const { identity } = await openAccounts(t);

    const account = await signUp(identity, { username: 'alice', password: PASSWORD });

    assert.ok('id' in account);
    assert.doesNotMatch((await identity.reads.findPasswordHash(account.id)) ?? '', /horse/);
  });

  test('needs neither an address nor a bio', async (t) => {
    const { identity } = await openAccounts(t);

    const account = await signUp(identity, { username: 'alice', password: PASSWORD, email: '  ' });

    assert.ok('id' in account);
    const user = await identity.reads.findUser(account.id);
    assert.deepEqual([user?.email, user?.bio], [undefined, '']);
  });

  test('refuses an address longer than mail can carry, and at once', async (t) => {
    const { identity } = await openAccounts(t);
    const began = performance.now();

    const refused = await signUp(identity, {
      username: 'mallory',
      password: PASSWORD,
      email: `a@${'.'.repeat(50_000)}@`,
    });

    assert.deepEqual(refused, { problems: { email: 'invalid' } });
    assert.ok(performance.now() - began < 500);
  });

  test('says everything that is wrong at once', async (t) => {
    const { identity } = await openAccounts(t);

    const refused = await signUp(identity, {
      username: 'a/b',
      password: 'short',
      email: 'not an address',
      bio: 'x'.repeat(161),
    });

    assert.deepEqual(refused, {
      problems: { username: 'characters', password: 'too_short', email: 'invalid', bio: 'too_long' },
    });
    assert.equal(await identity.reads.findUserByName('a/b'), undefined);
  });

  const problems: [title: string, more: object, problems: RegistrationProblems][] = [
    ['a name that is taken, in any of its forms', { username: 'ＢＯＢ' }, { username: 'taken' }],
    ['an address that is taken, in any case', { email: 'BOB@home.example' }, { email: 'taken' }],
    ['an address without a domain', { email: 'alice@home' }, { email: 'invalid' }],
    ['an address with a line feed', { email: 'alice@home.example\nBcc: x@y.example' }, { email: 'invalid' }],
    ['a bio of two lines', { bio: 'one\ntwo' }, { bio: 'hidden_characters' }],
    ['a bio with a line separator', { bio: 'one\u2028two' }, { bio: 'hidden_characters' }],
    [
      'a password that is the name',
      { username: 'aliceliddell', password: 'AliceLiddell' },
      { password: 'is_username' },
    ],
  ];
  for (const [title, more, expected] of problems) {
    test(`is refused with ${title}`, async (t) => {
      const { identity } = await openAccounts(t);
      await signUp(identity, { username: 'bob', password: PASSWORD, email: 'bob@home.example' });

      const refused = await signUp(identity, { username: 'alice', password: PASSWORD, ...more });

      assert.deepEqual(refused, { problems: expected });
    });
  }

  test('takes a bio of 160 characters, however long each is', async (t) => {
    const { identity } = await openAccounts(t);

    const account = await signUp(identity, { username: 'alice', password: PASSWORD, bio: '🕮'.repeat(160) });

    assert.ok('id' in account);
  });
});

describe('the first operator', () => {
  test('is made once', async (t) => {
    const { identity } = await openAccounts(t);

    const first = await signUpFirstOperator(identity, { username: 'olivia', password: PASSWORD });
    const second = await signUpFirstOperator(identity, { username: 'mallory', password: PASSWORD });

    assert.ok(first !== undefined && 'id' in first);
    assert.equal((await identity.reads.findUser(first.id))?.isOperator, true);
    assert.equal(second, undefined);
    assert.equal(await identity.reads.findUserByName('mallory'), undefined);
  });

  test('is judged like anyone', async (t) => {
    const { identity } = await openAccounts(t);

    const refused = await signUpFirstOperator(identity, { username: 'olivia', password: 'short' });

    assert.deepEqual(refused, { problems: { password: 'too_short' } });
    assert.equal(await identity.reads.hasOperator(), false);
  });
});
