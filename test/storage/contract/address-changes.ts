// Changes of an email address: older confirmation links die, and the previous address can undo a change.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Restoration } from '../../../src/identity/email-store.ts';
import type { MailToken } from '../../../src/identity/mail-store.ts';
import { HOUR, MINUTE } from '../../../src/lib/clock.ts';
import { asMember } from '../doers.ts';
import { approve, atOnce, type Open, openFixture, openSession, waitingMails } from '../fixture.ts';
import {
  ADDRESS_NOTICE,
  mailLimit,
  NOON,
  newMail,
  newMailToken,
  newSession,
  SESSION_START,
} from '../records.ts';
import { addEmail } from './mail-links.ts';

/** The undo link of an address change that was made `after` milliseconds after noon. */
function undoToken(userId: number, email: string, after: number): MailToken {
  return newMailToken(userId, { purpose: 'undo', email, expiresAt: NOON + 72 * HOUR + after });
}

function restoration(userId: number, email: string, after: number): Restoration {
  const reset = newMailToken(userId, { purpose: 'reset', email });
  return {
    emailKey: email,
    passwordHash: 'no password',
    changedAt: NOON + after,
    reset,
    language: 'en',
    factorsSince: NOON + after,
    at: NOON + HOUR,
  };
}

export const addressChanges = {
  title: 'changes of an email address',
  registerTests(open: Open): void {
    test('a confirmation mail replaces the earlier ones of its member, sent or not', async (t) => {
      const { identity, alice, bob } = await openFixture(open, t);
      const [older, reset, bobs] = [
        newMailToken(alice),
        newMailToken(alice, { purpose: 'reset' }),
        newMailToken(bob, { email: 'bob@x.example' }),
      ];
      for (const token of [older, reset, bobs]) await identity.addMailToken(token);
      await identity.addMailWithin(mailLimit(), newMail(alice, { email: 'waiting@x.example' }));
      await identity.addMailWithin(mailLimit(), newMail(alice, { purpose: 'reset' }));

      const none = await identity.addMailWithin({ ...mailLimit(), most: 2 }, newMail(alice));
      const kept = await identity.findMailToken(reset.key);
      const added = await identity.addMailWithin(mailLimit(), newMail(alice, { email: 'new@x.example' }));

      assert.deepEqual([none, added], [false, true]);
      assert.ok(kept);
      assert.equal(await identity.findMailToken(older.key), undefined);
      assert.ok(await identity.findMailToken(reset.key));
      assert.ok(await identity.findMailToken(bobs.key));
      const due = await identity.mailsDue(NOON, 100);
      assert.deepEqual(due.map(({ purpose, email }) => `${purpose} ${email}`).sort(), [
        'confirm new@x.example',
        'reset alice@x.example',
      ]);
    });

    test('a confirmation link is used by its own member alone', async (t) => {
      const { identity, alice, bob } = await openFixture(open, t);
      const token = newMailToken(alice);
      await identity.addMailToken(token);
      const wanted = { email: token.email, emailKey: token.email };

      const foreign = await identity.confirmEmail(asMember(bob), token.key, wanted, ADDRESS_NOTICE);
      const own = await identity.confirmEmail(asMember(alice), token.key, wanted, ADDRESS_NOTICE);

      assert.deepEqual([foreign, own], ['unusable', 'confirmed']);
      assert.equal((await identity.findUser(bob))?.email, undefined);
    });

    test('a confirmed address leaves the link that keeps the second factor', async (t) => {
      const { identity, alice } = await openFixture(open, t);
      const [token, keep, disown] = [
        newMailToken(alice),
        newMailToken(alice, { purpose: 'keep_factors' }),
        newMailToken(alice, { purpose: 'disown' }),
      ];
      for (const one of [token, keep, disown]) await identity.addMailToken(one);

      const wanted = { email: token.email, emailKey: token.email };
      await identity.confirmEmail(asMember(alice), token.key, wanted, ADDRESS_NOTICE);

      assert.ok(await identity.findMailToken(keep.key));
      assert.equal(await identity.findMailToken(disown.key), undefined);
    });

    test('undoing a change restores the address, and ends the access of the person who made it', async (t) => {
      const fixture = await openFixture(open, t);
      const { identity, oauth, alice } = fixture;
      await addEmail(fixture, 'old@x.example');
      await addEmail(fixture, 'new@x.example');
      const [session, stolen, code] = [
        newSession(alice),
        newMailToken(alice, { purpose: 'reset', email: 'new@x.example' }),
        await approve(fixture, alice, 'notebook'),
      ];
      await identity.addSession(session, SESSION_START);
      await identity.addMailToken(stolen);
      const undo = undoToken(alice, 'old@x.example', 0);
      await identity.addMailToken(undo);

      const answers = await atOnce(4, () =>
        identity.restoreEmail(undo, restoration(alice, 'old@x.example', 0)),
      );

      assert.deepEqual(answers.sort(), ['restored', 'unusable', 'unusable', 'unusable']);
      assert.equal((await identity.findUser(alice))?.email, 'old@x.example');
      assert.equal(await identity.findPasswordHash(alice), 'no password');
      assert.equal(await identity.findSession(session.key), undefined);
      assert.equal(await identity.findMailToken(stolen.key), undefined);
      assert.equal((await oauth.findAuthorizationCode(code.key))?.voidedAt, NOON + HOUR);
      assert.deepEqual(await waitingMails(fixture), [
        'application_allowed new@x.example',
        'email_restored new@x.example',
      ]);
    });

    test('undoing a change removes newer factors, and none if another account has the previous address', async (t) => {
      const fixture = await openFixture(open, t);
      const { identity, alice, bob } = fixture;
      await addEmail(fixture, 'old@x.example');
      const undo = undoToken(alice, 'old@x.example', 0);
      const addPasskey = async (credentialId: string, at: number) => {
        const passkey = {
          credentialId,
          publicKey: new Uint8Array([1]),
          counter: 0,
          transports: '',
          name: 'Key',
        };
        const change = { sessionKey: await openSession(fixture, alice), recoveryCodes: [] };
        return identity.addPasskey({ ...asMember(alice), at }, passkey, 5, change);
      };
      await addPasskey('own', NOON - 1);
      await addEmail(fixture, 'thief@x.example');
      await addPasskey('stranger', NOON);
      const idsNow = async () => (await identity.passkeysOf(alice)).map(({ credentialId }) => credentialId);

      await addEmail(fixture, 'old@x.example', bob);
      await identity.addMailToken(undo);
      const taken = await identity.restoreEmail(undo, restoration(alice, 'old@x.example', 0));
      const before = await idsNow();
      await addEmail(fixture, 'bob@x.example', bob);
      await identity.addMailToken(undo);
      const restored = await identity.restoreEmail(undo, restoration(alice, 'old@x.example', 0));

      assert.deepEqual([taken, before], ['taken', ['own', 'stranger']]);
      assert.deepEqual([restored, await idsNow()], ['restored', ['own']]);
      assert.equal((await identity.findUser(alice))?.hasFactor, true);
    });

    test('an undo link survives later changes of address and password, and ends the later undo links', async (t) => {
      const fixture = await openFixture(open, t);
      const { identity, alice } = fixture;
      await addEmail(fixture, 'old@x.example');
      const [first, second] = [
        undoToken(alice, 'old@x.example', 0),
        undoToken(alice, 'thief@x.example', MINUTE),
      ];
      await identity.addMailToken(first);
      await addEmail(fixture, 'thief@x.example');
      await identity.addMailToken(second);
      await addEmail(fixture, 'third@x.example');
      const from = (await identity.findPasswordHash(alice)) ?? '';
      await identity.changePassword(asMember(alice), { from, to: 'new hash', language: 'en' });
      await identity.removeEmail(asMember(alice), 'third@x.example', ADDRESS_NOTICE);

      const later = await identity.restoreEmail(second, restoration(alice, 'thief@x.example', MINUTE));
      const earlier = await identity.restoreEmail(first, restoration(alice, 'old@x.example', 0));
      const again = await identity.restoreEmail(second, restoration(alice, 'thief@x.example', MINUTE));

      assert.deepEqual([later, earlier, again], ['restored', 'restored', 'unusable']);
      assert.equal((await identity.findUser(alice))?.email, 'old@x.example');
    });

    test('the earliest undo link ends the later ones', async (t) => {
      const fixture = await openFixture(open, t);
      const { identity, alice } = fixture;
      await addEmail(fixture, 'third@x.example');
      const [first, second] = [
        undoToken(alice, 'old@x.example', 0),
        undoToken(alice, 'thief@x.example', MINUTE),
      ];
      for (const token of [first, second]) await identity.addMailToken(token);

      const earlier = await identity.restoreEmail(first, restoration(alice, 'old@x.example', 0));
      const later = await identity.restoreEmail(second, restoration(alice, 'thief@x.example', MINUTE));

      assert.deepEqual([earlier, later], ['restored', 'unusable']);
    });

    test('a change can’t be undone if another account has the previous address now', async (t) => {
      const fixture = await openFixture(open, t);
      const { identity, alice, bob } = fixture;
      await addEmail(fixture, 'new@x.example');
      await addEmail(fixture, 'old@x.example', bob);
      const [session, undo] = [newSession(alice), undoToken(alice, 'old@x.example', 0)];
      await identity.addSession(session, SESSION_START);
      await identity.addMailToken(undo);

      const outcome = await identity.restoreEmail(undo, restoration(alice, 'old@x.example', 0));

      assert.equal(outcome, 'taken');
      assert.equal((await identity.findUser(alice))?.email, 'new@x.example');
      assert.ok(await identity.findSession(session.key));
      assert.notEqual(await identity.findPasswordHash(alice), 'no password');
      assert.deepEqual(await waitingMails(fixture), []);
    });
  },
};
