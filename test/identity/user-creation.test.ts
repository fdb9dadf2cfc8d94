// Accounts that operators create, and the first operator's account.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { byCommandLine, byServer } from '../../src/audit/doer.ts';
import type { RegistrationProblems } from '../../src/identity/registration.ts';
import { createFirstOperator, createUser } from '../../src/identity/user-creation.ts';
import { NEW_YEAR, openAccounts } from './accounts.ts';

const PASSWORD = 'correct horse';

describe('creating a user', () => {
  test('adds an active account with the normalized fields', async (t) => {
    const { identity } = await openAccounts(t);

    const account = await createUser(byServer(identity.clock), identity, {
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
      isModerator: false,
      hasFactor: false,
      memberUntil: undefined,
      xp: 0,
      keepsDiary: true,
      diarySince: undefined,
      createdAt: NEW_YEAR,
    });
  });

  test('stores no password in plain text', async (t) => {
    const { identity } = await openAccounts(t);

    const account = await createUser(byServer(identity.clock), identity, {
      username: 'alice',
      password: PASSWORD,
    });

    assert.ok('id' in account);
    assert.doesNotMatch((await identity.reads.findPasswordHash(account.id)) ?? '', /horse/);
  });

  test('needs neither an email address nor a bio', async (t) => {
    const { identity } = await openAccounts(t);

    const account = await createUser(byServer(identity.clock), identity, {
      username: 'alice',
      password: PASSWORD,
      email: '  ',
    });

    assert.ok('id' in account);
    const user = await identity.reads.findUser(account.id);
    assert.deepEqual([user?.email, user?.bio], [undefined, '']);
  });

  test('quickly refuses an email address that is too long for mail', async (t) => {
    const { identity } = await openAccounts(t);
    const start = performance.now();

    const refused = await createUser(byServer(identity.clock), identity, {
      username: 'mallory',
      password: PASSWORD,
      email: `a@${'.'.repeat(50_000)}@`,
    });

    assert.deepEqual(refused, { problems: { email: 'invalid' } });
    assert.ok(performance.now() - start < 500);
  });

  test('reports all problems at once', async (t) => {
    const { identity } = await openAccounts(t);

    const refused = await createUser(byServer(identity.clock), identity, {
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
    ['a taken username, in any of its forms', { username: 'ＢＯＢ' }, { username: 'taken' }],
    ['a username that looks like a host', { username: 'login.evil-bank.com' }, { username: 'characters' }],
    ['a bio with a right-to-left override', { bio: 'a\u202Eb' }, { bio: 'hidden_characters' }],
    ['a taken email address, in any case', { email: 'BOB@home.example' }, { email: 'taken' }],
    ['an address without a domain', { email: 'alice@home' }, { email: 'invalid' }],
    ['an address with a line feed', { email: 'alice@home.example\nBcc: x@y.example' }, { email: 'invalid' }],
    ['a bio of two lines', { bio: 'one\ntwo' }, { bio: 'hidden_characters' }],
    ['a bio with a line separator', { bio: 'one\u2028two' }, { bio: 'hidden_characters' }],
    [
      'the username as the password',
      { username: 'aliceliddell', password: 'AliceLiddell' },
      { password: 'context' },
    ],
  ];
  for (const [title, more, expected] of problems) {
    test(`is refused with ${title}`, async (t) => {
      const { identity } = await openAccounts(t);
      await createUser(byServer(identity.clock), identity, {
        username: 'bob',
        password: PASSWORD,
        email: 'bob@home.example',
      });

      const refused = await createUser(byServer(identity.clock), identity, {
        username: 'alice',
        password: PASSWORD,
        ...more,
      });

      assert.deepEqual(refused, { problems: expected });
    });
  }

  test('accepts a bio of 160 characters, however many bytes each has', async (t) => {
    const { identity } = await openAccounts(t);

    const account = await createUser(byServer(identity.clock), identity, {
      username: 'alice',
      password: PASSWORD,
      bio: '🕮'.repeat(160),
    });

    assert.ok('id' in account);
  });
});

describe('the first operator', () => {
  test('is created once', async (t) => {
    const { identity } = await openAccounts(t);
    const createFirst = (username: string, password: string) =>
      createFirstOperator(byCommandLine(identity.clock), identity, { username, password }, 'en');

    const first = await createFirst('olivia', PASSWORD);
    const second = await createFirst('mallory', PASSWORD);

    assert.ok(first !== undefined && 'id' in first);
    assert.equal((await identity.reads.findUser(first.id))?.isOperator, true);
    assert.equal(second, undefined);
    assert.equal(await identity.reads.findUserByName('mallory'), undefined);
  });

  test('must keep the rules for registrations', async (t) => {
    const { identity } = await openAccounts(t);
    const registration = { username: 'olivia', password: 'short' };

    const refused = await createFirstOperator(byCommandLine(identity.clock), identity, registration, 'en');

    assert.deepEqual(refused, { problems: { password: 'too_short' } });
    assert.equal(await identity.reads.hasOperator(), false);
  });
});
