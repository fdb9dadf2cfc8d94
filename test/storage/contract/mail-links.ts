// Links in mails: a confirmation and a reset happen once, with all their effects.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HOUR } from '../../../src/lib/clock.ts';
import { asMember, SERVER } from '../doers.ts';
import { approve, atOnce, type Fixture, type Open, openFixture, waitingMails } from '../fixture.ts';
import {
  ADDRESS_NOTICE,
  mailLimit,
  NOON,
  newMail,
  newMailToken,
  newSession,
  SESSION_START,
} from '../records.ts';

/** Give a member (by default alice) a confirmed address. */
export async function addEmail(
  fixture: Fixture,
  email = 'alice@x.example',
  userId = fixture.alice,
): Promise<void> {
  const token = newMailToken(userId, { email });
  await fixture.identity.addMailToken(token);
  const change = { email, emailKey: email };
  assert.equal(
    await fixture.identity.confirmEmail(asMember(userId), token.key, change, ADDRESS_NOTICE),
    'confirmed',
  );
}

export const mailLinks = {
  title: 'links in mails',
  registerTests(open: Open): void {
    test('the address to confirm is the latest one, until its link expires', async (t) => {
      const { identity, alice } = await openFixture(open, t);

      const none = await identity.emailToConfirm(alice, NOON);
      await identity.addMailToken(newMailToken(alice, { email: 'old@x.example' }));
      const withLink = await identity.emailToConfirm(alice, NOON);
      const expired = await identity.emailToConfirm(alice, NOON + HOUR);
      await identity.addMailWithin(mailLimit(), newMail(alice, { email: 'new@x.example' }));
      const address = await identity.emailToConfirm(alice, NOON);

      assert.deepEqual(
        [none, withLink, expired, address],
        [undefined, 'old@x.example', undefined, 'new@x.example'],
      );
    });

    test('a confirmed address belongs to the account; all its other links and mails are deleted', async (t) => {
      const fixture = await openFixture(open, t);
      const { identity, alice } = fixture;
      const other = newMailToken(alice, { email: 'old@x.example' });
      await identity.addMailToken(other);
      await identity.addMailWithin(mailLimit(), newMail(alice));

      await addEmail(fixture);

      assert.equal((await identity.findUser(alice))?.email, 'alice@x.example');
      assert.equal((await identity.findUserByEmail('alice@x.example'))?.id, alice);
      assert.equal(await identity.findMailToken(other.key), undefined);
      assert.deepEqual(await waitingMails(fixture), []);
    });

    test('the earlier address gets a notice about the new one', async (t) => {
      const fixture = await openFixture(open, t);
      await addEmail(fixture, 'old@x.example');

      await addEmail(fixture, 'new@x.example');

      assert.deepEqual(await waitingMails(fixture), ['email_changed old@x.example']);
      assert.equal(await fixture.identity.findUserByEmail('old@x.example'), undefined);
    });

    test('another account’s address is not taken over, and no notice is sent', async (t) => {
      const fixture = await openFixture(open, t);
      const { identity, alice, bob } = fixture;
      await addEmail(fixture, 'bob@x.example', bob);
      await addEmail(fixture, 'alice@x.example');
      const token = newMailToken(alice, { email: 'bob@x.example' });
      await identity.addMailToken(token);

      const change = { email: 'bob@x.example', emailKey: 'bob@x.example' };
      const outcome = await identity.confirmEmail(asMember(alice), token.key, change, ADDRESS_NOTICE);

      assert.equal(outcome, 'taken');
      assert.equal((await identity.findUser(alice))?.email, 'alice@x.example');
      assert.equal((await identity.findUser(bob))?.email, 'bob@x.example');
      assert.deepEqual(await waitingMails(fixture), []);
    });

    test('if two accounts confirm the same address at once, one gets it', async (t) => {
      const { identity, alice, bob } = await openFixture(open, t);
      const tokens = [alice, bob].map((userId) => newMailToken(userId));
      for (const token of tokens) await identity.addMailToken(token);

      const outcomes = await Promise.all(
        tokens.map(({ key, userId, email }) =>
          identity.confirmEmail(asMember(userId), key, { email, emailKey: email }, ADDRESS_NOTICE),
        ),
      );

      assert.deepEqual(outcomes.sort(), ['confirmed', 'taken']);
    });

    test('a link works once, and not after it expires', async (t) => {
      const { identity, alice } = await openFixture(open, t);
      const [token, late] = [newMailToken(alice), newMailToken(alice)];
      await identity.addMailToken(token);
      const change = { email: token.email, emailKey: token.email };

      const outcomes = await atOnce(8, () =>
        identity.confirmEmail(asMember(alice), token.key, change, ADDRESS_NOTICE),
      );
      await identity.addMailToken(late);
      const expired = await identity.confirmEmail(
        asMember(alice, NOON + HOUR),
        late.key,
        change,
        ADDRESS_NOTICE,
      );

      assert.equal(outcomes.filter((outcome) => outcome === 'confirmed').length, 1);
      assert.equal(outcomes.filter((outcome) => outcome === 'unusable').length, 7);
      assert.equal(expired, 'unusable');
    });

    test('a removed address gets a notice, and all links of the account are deleted', async (t) => {
      const fixture = await openFixture(open, t);
      const { identity, alice } = fixture;
      await addEmail(fixture);
      const reset = newMailToken(alice, { purpose: 'reset' });
      await identity.addMailToken(reset);

      const wrong = await identity.removeEmail(asMember(alice), 'bob@x.example', ADDRESS_NOTICE);
      const right = await identity.removeEmail(asMember(alice), 'alice@x.example', ADDRESS_NOTICE);

      assert.deepEqual([wrong, right], [false, true]);
      assert.equal((await identity.findUser(alice))?.email, undefined);
      assert.equal(await identity.findMailToken(reset.key), undefined);
      assert.deepEqual(await waitingMails(fixture), ['email_removed alice@x.example']);
    });

    test('a new password ends the account’s sessions, links, mails and codes, and its address gets a notice', async (t) => {
      const fixture = await openFixture(open, t);
      const { identity, alice, bob } = fixture;
      await addEmail(fixture);
      const [session, foreign, token] = [newSession(alice), newSession(bob), newMailToken(alice)];
      await identity.addSession(session, SESSION_START);
      await identity.addSession(foreign, SESSION_START);
      await identity.addMailToken(token);
      await identity.addMailWithin(mailLimit(), newMail(alice, { purpose: 'reset' }));
      const code = await approve(fixture, alice, 'notebook');
      const bobsCode = await approve(fixture, bob, 'notebook');
      const before = (await identity.findPasswordHash(alice)) ?? '';
      const replacement = { from: before, to: 'new hash', language: 'en' };

      const wrong = await identity.changePassword(asMember(alice), { ...replacement, from: 'another hash' });
      const stored = await identity.findSession(session.key);
      const right = await identity.changePassword(asMember(alice), replacement);

      assert.deepEqual([wrong, right], [false, true]);
      assert.ok(stored);
      assert.equal(await identity.findPasswordHash(alice), 'new hash');
      assert.equal(await identity.findSession(session.key), undefined);
      assert.ok(await identity.findSession(foreign.key));
      assert.equal(await identity.findMailToken(token.key), undefined);
      assert.equal((await fixture.oauth.findAuthorizationCode(code.key))?.voidedAt, NOON);
      assert.equal((await fixture.oauth.findAuthorizationCode(bobsCode.key))?.voidedAt, undefined);
      assert.deepEqual(await waitingMails(fixture), [
        'application_allowed alice@x.example',
        'password_changed alice@x.example',
      ]);
    });

    test('of 8 resets at once with one link exactly one sets the password', async (t) => {
      const fixture = await openFixture(open, t);
      const { identity, alice } = fixture;
      await addEmail(fixture);
      const token = newMailToken(alice, { purpose: 'reset' });
      await identity.addMailToken(token);

      const answers = await atOnce(8, (index) => identity.resetPassword(token, `hash ${index}`, 'en', NOON));

      assert.equal(answers.filter(Boolean).length, 1);
      assert.equal(await identity.findPasswordHash(alice), `hash ${answers.indexOf(true)}`);
      assert.deepEqual(await waitingMails(fixture), ['password_changed alice@x.example']);
    });

    test('a reset for an earlier address, or for a closed account, changes nothing', async (t) => {
      const fixture = await openFixture(open, t);
      const { identity, alice } = fixture;
      await addEmail(fixture);
      const session = newSession(alice);
      await identity.addSession(session, SESSION_START);
      const foreign = newMailToken(alice, { purpose: 'reset', email: 'old@x.example' });
      await identity.addMailToken(foreign);

      const before = await identity.findSession(session.key);
      const own = newMailToken(alice, { purpose: 'reset' });

      const answer = await identity.resetPassword(foreign, 'new hash', 'en', NOON);
      const unchanged = [await identity.findPasswordHash(alice), await identity.findSession(session.key)];
      assert.equal(await identity.closeAccount(SERVER, alice), true);
      await identity.addMailToken(own);
      const closed = await identity.resetPassword(own, 'new hash', 'en', NOON);

      assert.deepEqual([answer, ...unchanged], [false, "hash of alice's password", before]);
      assert.equal(closed, false);
      assert.notEqual(await identity.findPasswordHash(alice), 'new hash');
    });

    test('a link works for its own purpose only', async (t) => {
      const fixture = await openFixture(open, t);
      const { identity, alice } = fixture;
      await addEmail(fixture);
      const token = newMailToken(alice);
      await identity.addMailToken(token);

      assert.equal(await identity.resetPassword(token, 'new hash', 'en', NOON), false);
      assert.ok(await identity.findMailToken(token.key));
    });
  },
};
