// When the server sends a mail, tries again, and gives up.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { byCommandLine, byMember, byServer } from '../../src/audit/doer.ts';
import { changeEmail, confirmEmail, removeEmail } from '../../src/identity/email.ts';
import { sendDueMails } from '../../src/identity/mail.ts';
import { requestReset, resetPassword } from '../../src/identity/password-reset.ts';
import { signUpVisitor } from '../../src/identity/sign-up.ts';
import { createFirstOperator } from '../../src/identity/user-creation.ts';
import { DAY, MINUTE } from '../../src/lib/clock.ts';
import type { TestScope } from '../support/databases.ts';
import { ALICES_PASSWORD, aliceIn, NEW_YEAR, openAccounts } from './accounts.ts';
import { testMailer } from './test-mailer.ts';

async function openWithMail(scope: TestScope) {
  const accounts = await openAccounts(scope);
  const alice = await aliceIn(accounts);
  await changeEmail(byMember(alice, accounts.identity.clock), accounts.identity, alice, {
    email: 'alice@home.example',
    password: ALICES_PASSWORD,
    language: 'zh',
  });
  return { ...accounts, alice, mailer: testMailer(accounts) };
}

const refused = (permanent: boolean) => Object.assign(new Error('refused'), { permanent });

describe('a mail', () => {
  test('is sent once, in the language of the request, with a link that is valid for a day', async (t) => {
    const { mailer } = await openWithMail(t);

    const counts = [await mailer.send(), await mailer.send()];

    assert.deepEqual(counts, [1, 0]);
    const [mail] = mailer.arrived;
    assert.deepEqual(
      [mail?.kind, mail?.language, mail?.expiresAt, mail?.token?.length],
      ['confirm', 'zh', NEW_YEAR + DAY, 54],
    );
  });

  test('that can’t be delivered is tried again after growing pauses, and given up after two days', async (t) => {
    const accounts = await openWithMail(t);
    const { mailer } = accounts;
    mailer.deliveryError = refused(false);
    const attemptTimes: number[] = [];
    for (let minutes = 0; minutes <= 3 * 24 * 60; minutes += 1) {
      accounts.setClock(minutes * MINUTE);
      const before = mailer.failures.length;
      await mailer.send();
      if (mailer.failures.length > before) attemptTimes.push(minutes);
    }

    const pauses = attemptTimes.slice(1).map((at, index) => at - (attemptTimes[index] ?? 0));
    assert.deepEqual(pauses.slice(0, 6), [1, 4, 16, 64, 256, 360]);
    assert.ok(pauses.slice(6).every((pause) => pause === 360));
    assert.ok(
      (attemptTimes.at(-1) ?? 0) <= 48 * 60 && (attemptTimes.at(-1) ?? 0) > 40 * 60,
      `${attemptTimes.at(-1)}`,
    );
    assert.deepEqual(
      mailer.failures.map(({ isLastAttempt }) => isLastAttempt),
      [...Array(attemptTimes.length - 1).fill(false), true],
    );
  });

  test('that is delivered on the second attempt is not sent again', async (t) => {
    const accounts = await openWithMail(t);
    const { mailer } = accounts;
    mailer.deliveryError = refused(false);
    await mailer.send();
    mailer.deliveryError = undefined;

    const early = await mailer.send();
    accounts.setClock(1 * MINUTE);
    const later = await mailer.send();
    accounts.setClock(1 * DAY);

    assert.deepEqual([early, later, await mailer.send()], [0, 1, 0]);
  });

  test('with a permanent error is given up at once', async (t) => {
    const accounts = await openWithMail(t);
    const { mailer } = accounts;
    mailer.deliveryError = refused(true);
    await mailer.send();
    mailer.deliveryError = undefined;
    accounts.setClock(DAY);

    assert.equal(await mailer.send(), 0);
    assert.deepEqual(mailer.failures, [{ purpose: 'confirm', attempts: 1, isLastAttempt: true }]);
  });

  test('is sent once by several senders at once', async (t) => {
    const { identity } = await openWithMail(t);
    let delivered = 0;
    const deliver = async () => {
      delivered += 1;
    };

    await Promise.all(
      Array.from({ length: 8 }, () =>
        sendDueMails(
          identity,
          async () => undefined,
          deliver,
          () => {},
        ),
      ),
    );

    assert.equal(delivered, 1);
  });

  test('whose sender stopped is sent by another sender after five minutes', async (t) => {
    const accounts = await openWithMail(t);
    const { identity, mailer } = accounts;
    const [mail] = await identity.reads.mailsDue(NEW_YEAR, 1);
    assert.ok(mail);
    await identity.writes.claimMail(mail, NEW_YEAR + 5 * MINUTE);

    accounts.setClock(5 * MINUTE - 1);
    const during = await mailer.send();
    accounts.setClock(5 * MINUTE);

    assert.deepEqual([during, await mailer.send()], [0, 1]);
  });

  test('that is out of date is not sent', async (t) => {
    const { identity, alice, mailer } = await openWithMail(t);
    await mailer.send();
    const token = mailer.lastToken();
    await confirmEmail(byMember(alice, identity.clock), identity, token, 'en');
    await requestReset(identity, { account: 'alice', address: '192.0.2.1', language: 'en' });
    const user = await identity.reads.findUser(alice.id);
    assert.ok(user);
    await removeEmail(byMember(user, identity.clock), identity, user, {
      password: ALICES_PASSWORD,
      language: 'en',
    });
    await mailer.send();

    assert.deepEqual(
      mailer.arrived.map(({ kind }) => kind),
      ['confirm', 'email_removed'],
    );
  });

  test('to a closed account is not sent', async (t) => {
    const { identity, alice, mailer } = await openWithMail(t);
    await identity.writes.closeAccount(byServer(identity.clock), alice.id);

    assert.equal(await mailer.send(), 0);
  });
});

test('The server starts to send right after each act that mails something, and after no other', async (t) => {
  const accounts = await openAccounts(t);
  await aliceIn(accounts, 'alice@home.example');
  const { identity } = accounts;
  const mailer = testMailer(accounts);
  const started: string[] = [];
  const watched = (act: string) => ({ ...identity, onMail: () => void started.push(act) });
  const reset = (act: string, account: string) =>
    requestReset(watched(act), { account, address: '192.0.2.1', language: 'en' });
  const signUp = (act: string, username: string, email?: string) =>
    signUpVisitor(watched(act), {
      registration: { username, password: 'a long walk in the rain', email },
      mode: 'open',
      invitation: undefined,
      address: '192.0.2.1',
      language: 'en',
    });
  const firstOperator = (act: string, username: string, email: string) => {
    const registration = { username, password: 'a long walk in the rain', email };
    return createFirstOperator(byCommandLine(identity.clock), watched(act), registration, 'en');
  };

  await reset('reset', 'alice');
  await reset('reset of nobody', 'nobody');
  await mailer.send();
  await resetPassword(watched('new password'), {
    token: mailer.lastToken(),
    password: 'a long walk in the rain',
    language: 'en',
  });
  await signUp('sign-up', 'bob', 'bob@home.example');
  await signUp('sign-up without an address', 'carol');
  await firstOperator('first operator', 'olivia', 'olivia@home.example');
  await firstOperator('second operator', 'oscar', 'oscar@home.example');

  assert.deepEqual(started, ['reset', 'new password', 'sign-up', 'first operator']);
});

test('A mail that one process is sending is not sent by another', async (t) => {
  const { identity, mailer } = await openWithMail(t);
  const byOther: number[] = [];

  const deliver = async () => void byOther.push(await mailer.send());
  await sendDueMails(
    identity,
    async () => undefined,
    deliver,
    () => {},
  );

  assert.deepEqual(byOther, [0]);
});
