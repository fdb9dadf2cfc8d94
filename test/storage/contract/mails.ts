// Mails that wait to be sent: added within a limit or with a sign-up, claimed by one sender, with one link each.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MINUTE } from '../../../src/lib/clock.ts';
import { COMMAND_LINE } from '../doers.ts';
import { atOnce, auditActs, type Open, openFixture, waitingMails } from '../fixture.ts';
import { mailLimit, NOON, newMail, newMailToken, newUser } from '../records.ts';

export const mails = {
  title: 'mails',
  registerTests(open: Open): void {
    test('a mail is added within the limit, and not beyond it', async (t) => {
      const fixture = await openFixture(open, t);

      const answers = await atOnce(5, () =>
        fixture.identity.addMailWithin(mailLimit(), newMail(fixture.alice, { purpose: 'reset' })),
      );
      const nothing = await fixture.identity.addMailWithin({ ...mailLimit(), subject: 'bob' }, undefined);

      assert.equal(answers.filter(Boolean).length, 3);
      assert.equal(nothing, true);
      assert.equal((await waitingMails(fixture)).length, 3);
    });

    test('a mail is returned with all its fields when it is due', async (t) => {
      const { identity, alice } = await openFixture(open, t);
      await identity.addMailWithin(mailLimit(), newMail(alice, { language: 'zh' }));

      const early = await identity.mailsDue(NOON - 1, 10);
      const [mail] = await identity.mailsDue(NOON, 10);

      assert.deepEqual(early, []);
      const { id, ...rest } = mail ?? { id: 0 };
      assert.deepEqual(rest, {
        ...newMail(alice, { language: 'zh' }),
        about: {},
        attempts: 0,
        nextAttemptAt: NOON,
      });
      assert.ok(id > 0);
    });

    test('mails with links go before notices, however long those wait', async (t) => {
      const { identity, alice } = await openFixture(open, t);
      const purposes = ['token_created', 'password_changed', 'reset', 'email_added', 'confirm'] as const;
      for (const [index, purpose] of purposes.entries()) {
        const limit = { ...mailLimit(), subject: purpose };
        await identity.addMailWithin(limit, newMail(alice, { purpose, createdAt: NOON + index }));
      }

      const purposesOf = async (most: number) =>
        (await identity.mailsDue(NOON + MINUTE, most)).map(({ purpose }) => purpose);

      assert.deepEqual(await purposesOf(1), ['reset']);
      assert.deepEqual(await purposesOf(3), ['reset', 'confirm', 'token_created']);
      assert.deepEqual(await purposesOf(9), [
        'reset',
        'confirm',
        'token_created',
        'password_changed',
        'email_added',
      ]);
    });

    test('of 16 claims at once one succeeds, and the mail is due again when the claim expires', async (t) => {
      const { identity, alice } = await openFixture(open, t);
      await identity.addMailWithin(mailLimit(), newMail(alice));
      const [mail] = await identity.mailsDue(NOON, 10);
      assert.ok(mail);

      const claims = await atOnce(16, () => identity.claimMail(mail, NOON + MINUTE));
      const during = await identity.mailsDue(NOON + MINUTE - 1, 10);
      const [after] = await identity.mailsDue(NOON + MINUTE, 10);

      assert.equal(claims.filter(Boolean).length, 1);
      assert.deepEqual(during, []);
      assert.deepEqual([after?.id, after?.attempts], [mail.id, 1]);
    });

    test('a postponed mail is due later, and a removed one never', async (t) => {
      const { identity, alice } = await openFixture(open, t);
      for (const subject of ['a', 'b'])
        await identity.addMailWithin({ ...mailLimit(), subject }, newMail(alice));
      const [first, second] = await identity.mailsDue(NOON, 10);

      await identity.postponeMail(first?.id ?? 0, NOON + MINUTE, 'ESOCKET');
      await identity.removeMail(second?.id ?? 0);

      assert.deepEqual(await identity.mailsDue(NOON, 10), []);
      assert.deepEqual(
        (await identity.mailsDue(NOON + MINUTE, 10)).map(({ id }) => id),
        [first?.id],
      );
    });

    test('a mail that was given up is not due, and operators see why, until it is sent again', async (t) => {
      const fixture = await openFixture(open, t);
      const { identity, alice } = fixture;
      await identity.addMailWithin(mailLimit(), newMail(alice, { purpose: 'reset' }));
      const [mail] = await identity.mailsDue(NOON, 1);
      assert.ok(mail);
      await identity.giveUpMail(mail.id, NOON + MINUTE, 'EENVELOPE 550');

      const due = await identity.mailsDue(NOON + 2 * MINUTE, 10);
      const [unsent] = await identity.unsentMails(mail.id + 1, 10);
      const older = await identity.unsentMails(mail.id, 10);
      assert.ok(unsent);
      const answers = await atOnce(4, () =>
        identity.sendMailAgain({ ...COMMAND_LINE, at: NOON + MINUTE }, unsent, NOON + 5 * MINUTE),
      );

      assert.deepEqual([due, older], [[], []]);
      assert.deepEqual(
        [unsent.username, unsent.problem, unsent.givenUpAt],
        ['alice', 'EENVELOPE 550', NOON + MINUTE],
      );
      assert.deepEqual(await identity.findUnsentMail(mail.id), { ...unsent, givenUpAt: undefined });
      assert.equal(answers.filter(Boolean).length, 1);
      assert.equal((await identity.mailsDue(NOON + MINUTE, 10)).length, 1);
      assert.deepEqual(await auditActs(fixture), [`undefined mail.send_again user:${alice}`]);
    });

    test('a mail that a process may be sending is not made due; one that waits for hours is', async (t) => {
      const { identity, alice } = await openFixture(open, t);
      await identity.addMailWithin(mailLimit(), newMail(alice));
      const [mail] = await identity.unsentMails(Number.MAX_SAFE_INTEGER, 1);
      assert.ok(mail);
      await identity.claimMail({ ...mail, about: {} }, NOON + 5 * MINUTE);

      const claimed = await identity.sendMailAgain(COMMAND_LINE, mail, NOON + 5 * MINUTE);
      await identity.postponeMail(mail.id, NOON + 60 * MINUTE, 'ESOCKET');
      const waiting = await identity.sendMailAgain(COMMAND_LINE, mail, NOON + 5 * MINUTE);

      assert.deepEqual([claimed, waiting], [false, true]);
      assert.equal((await identity.mailsDue(NOON, 10)).length, 1);
    });

    test('a link is not added for a mail that is no longer waiting', async (t) => {
      const { identity, alice } = await openFixture(open, t);
      await identity.addMailWithin(mailLimit(), newMail(alice));
      const [mail] = await identity.mailsDue(NOON, 1);
      const [now, late] = [newMailToken(alice), newMailToken(alice, { email: 'late@x.example' })];

      const first = await identity.addMailToken(now, mail?.id);
      await identity.removeMail(mail?.id ?? 0);
      const second = await identity.addMailToken(late, mail?.id);

      assert.deepEqual([first, second], [true, false]);
      assert.equal((await identity.findMailToken(now.key))?.email, 'alice@x.example');
      assert.equal(await identity.findMailToken(late.key), undefined);
    });

    test('the mail of a sign-up is added if and only if the account is', async (t) => {
      const fixture = await openFixture(open, t);
      const mail = { purpose: 'confirm', email: 'eve@x.example', language: 'zh', createdAt: NOON } as const;

      const eve = await fixture.identity.register(newUser('eve'), { invitation: undefined, mail });
      const refused = await fixture.identity.register(newUser('alice', { passwordHash: 'another' }), {
        invitation: undefined,
        mail: { ...mail, email: 'mallory@x.example' },
      });
      const first = await fixture.identity.addFirstOperator(COMMAND_LINE, newUser('olivia'), {
        ...mail,
        email: 'o@x.example',
      });

      assert.ok(typeof eve === 'number' && typeof first === 'number');
      assert.equal(refused, 'username_taken');
      assert.deepEqual(
        (await fixture.identity.mailsDue(NOON, 10)).map(({ userId, email, language }) => [
          userId,
          email,
          language,
        ]),
        [
          [eve, 'eve@x.example', 'zh'],
          [first, 'o@x.example', 'zh'],
        ],
      );
    });
  },
};
