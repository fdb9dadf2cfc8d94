// A member's email address: how it is confirmed, changed and removed, and which mails are sent.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { byMember } from '../../src/audit/doer.ts';
import {
  changeEmail,
  confirmEmail,
  confirmEmailAgain,
  emailToConfirm,
  openConfirmation,
  removeEmail,
  undoEmailChange,
} from '../../src/identity/email.ts';
import { looksLikeEmail } from '../../src/identity/email-address.ts';
import { resetPassword } from '../../src/identity/password-reset.ts';
import type { User } from '../../src/identity/user.ts';
import { DAY, HOUR, MINUTE } from '../../src/lib/clock.ts';
import type { TestScope } from '../support/databases.ts';
import { PASSWORD_HASH } from '../support/people.ts';
import { addMember } from '../support/seeding.ts';
import { type Accounts, ALICES_PASSWORD, aliceIn, openAccounts } from './accounts.ts';
import { type TestMailer, testMailer } from './test-mailer.ts';

interface EmailFixture extends Accounts {
  alice: User;
  mailer: TestMailer;
}

/** Open accounts with alice, who has no address, and bob, who has bob@home.example. */
async function openFixture(scope: TestScope): Promise<EmailFixture> {
  const accounts = await openAccounts(scope);
  const alice = await aliceIn(accounts);
  await addMember(accounts, 'bob', { email: 'bob@home.example', passwordHash: PASSWORD_HASH });
  return { ...accounts, alice, mailer: testMailer(accounts) };
}

async function currentAlice({ identity, alice }: EmailFixture): Promise<User> {
  const user = await identity.reads.findUser(alice.id);
  assert.ok(user);
  return user;
}

const wanting = (email: string, password = ALICES_PASSWORD) => ({ email, password, language: 'en' });

describe('an email address', () => {
  test('belongs to the account only after its link is used, and the link works once', async (t) => {
    const fixture = await openFixture(t);
    const { identity, alice, mailer } = fixture;

    const refused = await changeEmail(
      byMember(alice, identity.clock),
      identity,
      alice,
      wanting(' Alice@Home.Example '),
    );
    await mailer.send();
    const before = await currentAlice(fixture);
    const open = await openConfirmation(identity, mailer.lastToken());
    const outcome = await confirmEmail(byMember(alice, identity.clock), identity, mailer.lastToken(), 'en');
    const again = await confirmEmail(byMember(alice, identity.clock), identity, mailer.lastToken(), 'en');

    assert.equal(refused, undefined);
    assert.equal(before.email, undefined);
    const about = { userId: alice.id, username: 'alice', email: 'Alice@Home.Example', hasFactor: false };
    assert.deepEqual(open, about);
    assert.deepEqual([outcome, again], ['confirmed', 'unusable']);
    assert.equal((await currentAlice(fixture)).email, 'Alice@Home.Example');
  });

  test('is not confirmed by a link that is a day old, incomplete or invented', async (t) => {
    const fixture = await openFixture(t);
    const { identity, alice, mailer } = fixture;
    await changeEmail(byMember(alice, identity.clock), identity, alice, wanting('alice@home.example'));
    await mailer.send();
    const token = mailer.lastToken();

    for (const wrong of [
      '',
      token.slice(0, -1),
      `${token}x`,
      `${token.slice(0, -1)}${token.endsWith('x') ? 'y' : 'x'}`,
    ]) {
      assert.equal(await confirmEmail(byMember(alice, identity.clock), identity, wrong, 'en'), 'unusable');
    }
    fixture.setClock(1 * DAY);
    assert.equal(await confirmEmail(byMember(alice, identity.clock), identity, token, 'en'), 'unusable');
    assert.equal((await currentAlice(fixture)).email, undefined);
  });

  test('of another member gets a mail that says so, without a link, and the settings show no difference', async (t) => {
    const { identity, alice, mailer } = await openFixture(t);

    const refused = await changeEmail(
      byMember(alice, identity.clock),
      identity,
      alice,
      wanting('BOB@home.example'),
    );
    await mailer.send();

    assert.equal(refused, undefined);
    assert.deepEqual(mailer.arrived, [
      { kind: 'taken', username: 'bob', email: 'bob@home.example', language: 'en', about: {} },
    ]);
    assert.equal(await emailToConfirm(identity, alice), 'BOB@home.example');
  });

  test('that another member confirms first can’t be confirmed any more', async (t) => {
    const fixture = await openFixture(t);
    const { identity, alice, mailer } = fixture;
    const bob = await identity.reads.findUserByName('bob');
    assert.ok(bob);
    await changeEmail(byMember(alice, identity.clock), identity, alice, wanting('both@home.example'));
    await changeEmail(byMember(bob, identity.clock), identity, bob, wanting('both@home.example'));
    await mailer.send();
    const tokens = new Map(mailer.arrived.map(({ username, token }) => [username, token ?? '']));

    const outcomes = [
      await confirmEmail(byMember(bob, identity.clock), identity, tokens.get('bob') ?? '', 'en'),
      await confirmEmail(byMember(alice, identity.clock), identity, tokens.get('alice') ?? '', 'en'),
    ];

    assert.deepEqual(outcomes, ['confirmed', 'taken']);
    assert.equal((await currentAlice(fixture)).email, undefined);
  });

  test('is changed and removed only with the password, with ten guesses at most', async (t) => {
    const fixture = await openFixture(t);
    const { identity, alice, mailer } = fixture;

    const wrong = await changeEmail(
      byMember(alice, identity.clock),
      identity,
      alice,
      wanting('alice@home.example', 'wrong'),
    );
    for (let attempt = 1; attempt < 10; attempt += 1) {
      await removeEmail(byMember(alice, identity.clock), identity, alice, {
        password: 'wrong',
        language: 'en',
      });
    }
    const right = await changeEmail(
      byMember(alice, identity.clock),
      identity,
      alice,
      wanting('alice@home.example'),
    );
    await mailer.send();

    assert.deepEqual(wrong, { problem: 'wrong_password' });
    assert.deepEqual(right, { problem: 'too_many_attempts', retryAfterSeconds: 900 });
    assert.deepEqual(mailer.arrived, []);
    fixture.setClock(15 * MINUTE);
    assert.equal(
      await changeEmail(byMember(alice, identity.clock), identity, alice, wanting('alice@home.example')),
      undefined,
    );
  });

  test('gets a notice when it is removed or replaced', async (t) => {
    const fixture = await openFixture(t);
    const { identity, alice, mailer } = fixture;
    for (const email of ['old@home.example', 'new@home.example']) {
      await changeEmail(byMember(alice, identity.clock), identity, alice, wanting(email));
      await mailer.send();
      await confirmEmail(byMember(alice, identity.clock), identity, mailer.lastToken(), 'zh');
      await mailer.send();
    }

    await removeEmail(byMember(alice, identity.clock), identity, await currentAlice(fixture), {
      password: ALICES_PASSWORD,
      language: 'en',
    });
    await mailer.send();

    const notices = mailer.arrived.filter(({ kind }) => kind !== 'confirm');
    assert.deepEqual(
      notices.map(({ kind, email }) => [kind, email]),
      [
        ['email_changed', 'old@home.example'],
        ['email_removed', 'new@home.example'],
      ],
    );
    assert.equal((await currentAlice(fixture)).email, undefined);
  });

  test('gets at most three confirmation mails an hour, whichever members ask for them', async (t) => {
    const fixture = await openFixture(t);
    const { identity, alice } = fixture;
    await changeEmail(byMember(alice, identity.clock), identity, alice, wanting('alice@home.example'));
    const answers = [];
    for (let attempt = 0; attempt < 3; attempt += 1)
      answers.push(await confirmEmailAgain(byMember(alice, identity.clock), identity, 'en'));
    const bob = await identity.reads.findUserByName('bob');
    assert.ok(bob);
    answers.push(
      await changeEmail(byMember(bob, identity.clock), identity, bob, wanting('ALICE@home.example')),
    );

    fixture.setClock(HOUR);
    const later = await confirmEmailAgain(byMember(alice, identity.clock), identity, 'en');

    const tooMany = { problem: 'too_many_mails' };
    assert.deepEqual(answers, [undefined, undefined, tooMany, tooMany]);
    assert.equal(later, undefined);
  });

  test('gets six of these mails a day, over all members', async (t) => {
    const fixture = await openFixture(t);
    const { identity, alice } = fixture;
    await changeEmail(byMember(alice, identity.clock), identity, alice, wanting('alice@home.example'));
    const answers = [];
    for (const hours of [0, 1, 2, 3, 4, 5, 23]) {
      fixture.setClock(hours * HOUR);
      answers.push(await confirmEmailAgain(byMember(alice, identity.clock), identity, 'en'));
    }
    fixture.setClock(DAY);
    const nextDay = await changeEmail(
      byMember(alice, identity.clock),
      identity,
      alice,
      wanting('alice@home.example'),
    );

    const tooMany = { problem: 'too_many_mails' };
    assert.deepEqual(answers, [...Array(5).fill(undefined), tooMany, tooMany]);
    assert.equal(nextDay, undefined);
  });

  for (const text of [
    'a@b',
    'a b@c.example',
    'a@b.example\nBcc: x@y.example',
    'a,b@c.example',
    '<a@b.example>',
    'a@b@c.example',
    `${'a'.repeat(65)}@b.example`,
    'a@b.example.',
    'a\u202E@b.example',
    'a@b\u200B.example',
  ]) {
    test(`is not ${JSON.stringify(text)}`, () => {
      assert.equal(looksLikeEmail(text), false);
    });
  }

  for (const text of ['a@b.example', 'a=b@c.example', 'first.last+tag@sub.b.example', '用户@例子.广告']) {
    test(`may be ${text}`, () => {
      assert.equal(looksLikeEmail(text), true);
    });
  }
});

test('A link confirms no address for another member, and stays valid', async (t) => {
  const fixture = await openFixture(t);
  const { identity, alice, mailer } = fixture;
  const bob = await identity.reads.findUserByName('bob');
  assert.ok(bob);
  await changeEmail(byMember(alice, identity.clock), identity, alice, wanting('alice@home.example'));
  await mailer.send();

  const byBob = await confirmEmail(byMember(bob, identity.clock), identity, mailer.lastToken(), 'en');
  const byAlice = await confirmEmail(byMember(alice, identity.clock), identity, mailer.lastToken(), 'en');

  assert.deepEqual([byBob, byAlice], ['other_account', 'confirmed']);
});

test('The link in the notice of a change restores the previous address, and leads to a new password', async (t) => {
  const fixture = await openFixture(t);
  const { identity, alice, mailer } = fixture;
  for (const email of ['alice@home.example', 'mallory@evil.example']) {
    await changeEmail(byMember(alice, identity.clock), identity, alice, wanting(email));
    await mailer.send();
    await confirmEmail(byMember(alice, identity.clock), identity, mailer.lastToken(), 'en');
  }
  await mailer.send();
  const notice = mailer.arrived.find(({ kind }) => kind === 'email_changed');

  const undone = await undoEmailChange(identity, notice?.token ?? '', 'en', '192.0.2.1');

  assert.ok(undone.outcome === 'restored');
  assert.equal((await currentAlice(fixture)).email, 'alice@home.example');
  const reset = { token: undone.resetToken, password: 'another long walk', language: 'en' };
  assert.equal((await resetPassword(identity, reset)).outcome, 'done');
});
