// Resetting a forgotten password, and changing a known one.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { byMember, byServer } from '../../src/audit/doer.ts';
import { changePassword } from '../../src/identity/password-change.ts';
import { openReset, requestReset, resetPassword } from '../../src/identity/password-reset.ts';
import { findVisit, startSession } from '../../src/identity/session.ts';
import { signIn } from '../../src/identity/sign-in.ts';
import { createUser } from '../../src/identity/user-creation.ts';
import { HOUR } from '../../src/lib/clock.ts';
import { digestOf, timeOrderedKey } from '../../src/lib/secrets.ts';
import type { TestScope } from '../support/databases.ts';
import { type Accounts, ALICES_PASSWORD, aliceIn, openAccounts } from './accounts.ts';
import { testMailer } from './test-mailer.ts';

const START = { method: 'password', address: '192.0.2.7' } as const;

const HOME = '192.0.2.1';
const NEW_PASSWORD = 'another long walk';

async function openWithAlice(scope: TestScope) {
  const accounts = await openAccounts(scope);
  const alice = await aliceIn(accounts, 'alice@home.example');
  return { ...accounts, alice, mailer: testMailer(accounts) };
}

function asks({ identity }: Accounts, account: string, address = HOME) {
  return requestReset(identity, { account, address, language: 'en' });
}

async function canSignIn({ identity }: Accounts, password: string): Promise<boolean> {
  return (await signIn(identity, { username: 'alice', password, address: HOME })).outcome === 'signed_in';
}

describe('a reset', () => {
  for (const account of ['alice', ' ALICE ', 'alice@home.example', 'Alice@Home.Example']) {
    test(`of the account ${JSON.stringify(account)} sets a new password once`, async (t) => {
      const accounts = await openWithAlice(t);
      const { identity, mailer, alice } = accounts;
      const session = await startSession(identity, alice.id, START);
      await asks(accounts, account);
      await mailer.send();
      const token = mailer.lastToken();

      const open = await openReset(identity, token);
      const first = await resetPassword(identity, { token, password: NEW_PASSWORD, language: 'en' });
      const second = await resetPassword(identity, { token, password: 'yet another one', language: 'en' });

      assert.deepEqual(open, { username: 'alice', hasFactor: false });
      assert.deepEqual([first.outcome, second.outcome], ['done', 'unusable']);
      assert.equal(await findVisit(identity, session), undefined);
      assert.deepEqual(
        [await canSignIn(accounts, ALICES_PASSWORD), await canSignIn(accounts, NEW_PASSWORD)],
        [false, true],
      );
      await mailer.send();
      assert.deepEqual(
        mailer.arrived.map(({ kind }) => kind),
        ['reset', 'password_changed'],
      );
    });
  }

  test('of one account is not limited by requests that give its id instead of its username', async (t) => {
    const accounts = await openWithAlice(t);
    for (let times = 0; times < 3; times += 1)
      await asks(accounts, String(accounts.alice.id), '198.51.100.7');

    await asks(accounts, 'alice');
    await accounts.mailer.send();

    assert.deepEqual(
      accounts.mailer.arrived.map(({ kind }) => kind),
      ['reset'],
    );
  });

  test('gets the same answer for unknown usernames and email addresses, and sends no mail', async (t) => {
    const accounts = await openWithAlice(t);
    await createUser(byServer(accounts.identity.clock), accounts.identity, {
      username: 'bob',
      password: ALICES_PASSWORD,
    });

    for (const account of ['nobody', 'nobody@home.example', 'bob', 'a'.repeat(5000), '@']) {
      assert.deepEqual(await asks(accounts, account), { outcome: 'accepted' });
    }
    assert.equal(await accounts.mailer.send(), 0);
  });

  test('is valid for an hour', async (t) => {
    const accounts = await openWithAlice(t);
    await asks(accounts, 'alice');
    await accounts.mailer.send();
    const token = accounts.mailer.lastToken();

    accounts.setClock(HOUR - 1);
    const before = await openReset(accounts.identity, token);
    accounts.setClock(HOUR);

    assert.ok(before);
    assert.equal(await openReset(accounts.identity, token), undefined);
  });

  test('is not possible by a link that was mailed for another purpose', async (t) => {
    const { identity, alice } = await openWithAlice(t);
    const now = identity.clock();
    const key = timeOrderedKey(now);
    const token = key + 'x'.repeat(32);
    const link = { key, digest: digestOf(token), userId: alice.id, email: 'alice@home.example' };
    await identity.writes.addMailToken({ ...link, purpose: 'confirm', expiresAt: now + HOUR });

    assert.equal(await openReset(identity, token), undefined);
  });

  test('invalidates every other link of the account, including links that wait to be sent', async (t) => {
    const accounts = await openWithAlice(t);
    const { identity, mailer } = accounts;
    await asks(accounts, 'alice');
    await asks(accounts, 'alice');
    await mailer.send();
    await asks(accounts, 'alice');
    const [first = '', second = ''] = mailer.arrived.map(({ token }) => token);

    await resetPassword(identity, { token: second, password: NEW_PASSWORD, language: 'en' });
    await mailer.send();

    assert.equal(await openReset(identity, first), undefined);
    assert.deepEqual(
      mailer.arrived.slice(2).map(({ kind }) => kind),
      ['password_changed'],
    );
  });

  test('with a refused password leaves the link valid', async (t) => {
    const accounts = await openWithAlice(t);
    const { identity, mailer } = accounts;
    await asks(accounts, 'alice');
    await mailer.send();
    const token = mailer.lastToken();

    const refused = await resetPassword(identity, { token, password: 'short', language: 'en' });

    assert.deepEqual(refused, { outcome: 'problem', problem: 'too_short' });
    assert.ok(await openReset(identity, token));
  });

  test('of a suspended account sets the password without reactivating the account', async (t) => {
    const accounts = await openWithAlice(t);
    const { identity, mailer, alice } = accounts;
    await asks(accounts, 'alice');
    await mailer.send();
    await identity.writes.setStatus(byServer(identity.clock), alice.id, 'suspended');

    const answer = await resetPassword(identity, {
      token: mailer.lastToken(),
      password: NEW_PASSWORD,
      language: 'en',
    });

    assert.equal(answer.outcome, 'done');
    const signedIn = await signIn(identity, { username: 'alice', password: NEW_PASSWORD, address: HOME });
    assert.deepEqual(signedIn, { outcome: 'suspended', reason: undefined });
  });

  test('of a closed account is refused', async (t) => {
    const accounts = await openWithAlice(t);
    const { identity, mailer, alice } = accounts;
    await asks(accounts, 'alice');
    await mailer.send();
    await identity.writes.closeAccount(byServer(identity.clock), alice.id);

    const answer = await resetPassword(identity, {
      token: mailer.lastToken(),
      password: NEW_PASSWORD,
      language: 'en',
    });

    assert.deepEqual(answer, { outcome: 'unusable' });
  });
});

describe('changing a password', () => {
  test('ends every session and every link, starts a new session, and mails a notice', async (t) => {
    const accounts = await openWithAlice(t);
    const { identity, mailer, alice } = accounts;
    const session = await startSession(identity, alice.id, START);
    await asks(accounts, 'alice');
    await mailer.send();

    const changed = await changePassword(byMember(alice, identity.clock), identity, alice, {
      current: ALICES_PASSWORD,
      next: NEW_PASSWORD,
      language: 'en',
    });

    assert.ok('cookie' in changed);
    assert.equal(await findVisit(identity, session), undefined);
    assert.equal((await findVisit(identity, changed.cookie))?.user.username, 'alice');
    assert.equal(await openReset(identity, mailer.lastToken()), undefined);
    await mailer.send();
    assert.equal(mailer.arrived.at(-1)?.kind, 'password_changed');
    assert.ok(await canSignIn(accounts, NEW_PASSWORD));
  });

  test('needs the current one, and a new one that is accepted', async (t) => {
    const accounts = await openWithAlice(t);
    const { identity, alice } = accounts;
    const by = byMember(alice, identity.clock);
    const change = (current: string, next: string) =>
      changePassword(by, identity, alice, { current, next, language: 'en' });

    assert.deepEqual(await change('wrong', NEW_PASSWORD), { problem: 'wrong_password' });
    assert.deepEqual(await change(ALICES_PASSWORD, 'short'), { problem: 'too_short' });
    assert.ok(await canSignIn(accounts, ALICES_PASSWORD));
  });

  test('needs a new one that is not the username', async (t) => {
    const { identity } = await openAccounts(t);
    const account = await createUser(byServer(identity.clock), identity, {
      username: 'alexandra',
      password: ALICES_PASSWORD,
    });
    assert.ok('id' in account);
    const user = await identity.reads.findUser(account.id);
    assert.ok(user);
    const change = { current: ALICES_PASSWORD, next: 'Alexandra', language: 'en' };

    assert.deepEqual(await changePassword(byMember(user, identity.clock), identity, user, change), {
      problem: 'context',
    });
  });

  test('succeeds for one of eight calls at once', async (t) => {
    const { identity, alice } = await openWithAlice(t);

    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        changePassword(byMember(alice, identity.clock), identity, alice, {
          current: ALICES_PASSWORD,
          next: `password ${index}`,
          language: 'en',
        }),
      ),
    );

    assert.equal(answers.filter((answer) => 'cookie' in answer).length, 1);
  });
});
