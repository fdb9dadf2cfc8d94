// Mails and their links: claimed by one, added with what causes them, used once.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Restoration } from '../../../src/identity/email-store.ts';
import type { MailToken, NewMail } from '../../../src/identity/mail-store.ts';
import { HOUR, MINUTE } from '../../../src/lib/clock.ts';
import { digestOf, timeOrderedKey } from '../../../src/lib/secrets.ts';
import { asMember, COMMAND_LINE, SERVER } from '../doers.ts';
import { approved, atOnce, type House, type Open, openHouse } from '../house.ts';
import { NOON, newSession, newUser } from '../records.ts';

function newMail(userId: number, more: Partial<NewMail> = {}): NewMail {
  return { purpose: 'confirm', userId, email: 'alice@x.example', language: 'en', createdAt: NOON, ...more };
}

function newToken(userId: number, more: Partial<MailToken> = {}): MailToken {
  const key = timeOrderedKey(NOON);
  const base = { key, digest: digestOf(key), purpose: 'confirm', userId } as const;
  return { ...base, email: 'alice@x.example', expiresAt: NOON + HOUR, ...more };
}

const limit = (most = 3) => ({ subject: 'alice', most, now: NOON, closesAt: NOON + HOUR });

async function waiting({ identity }: House, now = NOON + HOUR): Promise<string[]> {
  return (await identity.mailsDue(now, 100)).map(({ purpose, email }) => `${purpose} ${email}`);
}

/** Gives alice a confirmed address. */
async function confirmed(house: House, email = 'alice@x.example', userId = house.alice): Promise<void> {
  const token = newToken(userId, { email });
  await house.identity.addMailToken(token);
  const outcome = await house.identity.confirmEmail(
    asMember(userId),
    token.key,
    { email, emailKey: email },
    'en',
  );
  assert.equal(outcome, 'confirmed');
}

/** The undo link of a change of address, so long after noon. */
function undoToken(userId: number, email: string, after: number): MailToken {
  return newToken(userId, { purpose: 'undo', email, expiresAt: NOON + 72 * HOUR + after });
}

function restoration(userId: number, email: string, after: number): Restoration {
  const reset = newToken(userId, { purpose: 'reset', email });
  return {
    emailKey: email,
    passwordHash: 'no password',
    changedAt: NOON + after,
    reset,
    language: 'en',
    at: NOON + HOUR,
  };
}

export const mails = {
  title: 'mails',
  promises(open: Open): void {
    test('a mail is added within the limit, and not beyond it', async (t) => {
      const house = await openHouse(open, t);

      const mail = newMail(house.alice, { purpose: 'reset' });
      const answers = await atOnce(5, () => house.identity.addMailWithin(limit(), mail));
      const nothing = await house.identity.addMailWithin({ ...limit(), subject: 'bob' }, undefined);

      assert.equal(answers.filter(Boolean).length, 3);
      assert.equal(nothing, true);
      assert.equal((await waiting(house)).length, 3);
    });

    test('a mail comes back as it was, when its turn has come', async (t) => {
      const { identity, alice } = await openHouse(open, t);
      await identity.addMailWithin(limit(), newMail(alice, { language: 'zh' }));

      const early = await identity.mailsDue(NOON - 1, 10);
      const [mail] = await identity.mailsDue(NOON, 10);

      assert.deepEqual(early, []);
      const { id, ...rest } = mail ?? { id: 0 };
      assert.deepEqual(rest, { ...newMail(alice, { language: 'zh' }), attempts: 0, nextAttemptAt: NOON });
      assert.ok(id > 0);
    });

    test('of 16 claims at once one succeeds, and the mail is due again when the claim is over', async (t) => {
      const { identity, alice } = await openHouse(open, t);
      await identity.addMailWithin(limit(), newMail(alice));
      const [mail] = await identity.mailsDue(NOON, 10);
      assert.ok(mail);

      const claims = await atOnce(16, () => identity.claimMail(mail, NOON + MINUTE));
      const during = await identity.mailsDue(NOON + MINUTE - 1, 10);
      const [after] = await identity.mailsDue(NOON + MINUTE, 10);

      assert.equal(claims.filter(Boolean).length, 1);
      assert.deepEqual(during, []);
      assert.deepEqual([after?.id, after?.attempts], [mail.id, 1]);
    });

    test('a mail that was postponed waits, one that was removed is gone', async (t) => {
      const { identity, alice } = await openHouse(open, t);
      for (const subject of ['a', 'b']) await identity.addMailWithin({ ...limit(), subject }, newMail(alice));
      const [first, second] = await identity.mailsDue(NOON, 10);

      await identity.postponeMail(first?.id ?? 0, NOON + MINUTE);
      await identity.removeMail(second?.id ?? 0);

      assert.deepEqual(await identity.mailsDue(NOON, 10), []);
      assert.deepEqual(
        (await identity.mailsDue(NOON + MINUTE, 10)).map(({ id }) => id),
        [first?.id],
      );
    });

    test('the link of a mail that waits no more is not added', async (t) => {
      const { identity, alice } = await openHouse(open, t);
      await identity.addMailWithin(limit(), newMail(alice));
      const [mail] = await identity.mailsDue(NOON, 1);
      const [now, late] = [newToken(alice), newToken(alice, { email: 'late@x.example' })];

      const first = await identity.addMailToken(now, mail?.id);
      await identity.removeMail(mail?.id ?? 0);
      const second = await identity.addMailToken(late, mail?.id);

      assert.deepEqual([first, second], [true, false]);
      assert.equal((await identity.findMailToken(now.key))?.email, 'alice@x.example');
      assert.equal(await identity.findMailToken(late.key), undefined);
    });

    test('the address to confirm is the one that was asked for last, until its link has expired', async (t) => {
      const { identity, alice } = await openHouse(open, t);

      const none = await identity.emailToConfirm(alice, NOON);
      await identity.addMailToken(newToken(alice, { email: 'old@x.example' }));
      const linked = await identity.emailToConfirm(alice, NOON);
      const expired = await identity.emailToConfirm(alice, NOON + HOUR);
      await identity.addMailWithin(limit(), newMail(alice, { email: 'new@x.example' }));
      const asked = await identity.emailToConfirm(alice, NOON);

      assert.deepEqual(
        [none, linked, expired, asked],
        [undefined, 'old@x.example', undefined, 'new@x.example'],
      );
    });

    test('a confirmed address is the account’s; every other link and mail for it is worthless', async (t) => {
      const house = await openHouse(open, t);
      const { identity, alice } = house;
      const other = newToken(alice, { email: 'old@x.example' });
      await identity.addMailToken(other);
      await identity.addMailWithin(limit(), newMail(alice));

      await confirmed(house);

      assert.equal((await identity.findUser(alice))?.email, 'alice@x.example');
      assert.equal((await identity.findUserByEmail('alice@x.example'))?.id, alice);
      assert.equal(await identity.findMailToken(other.key), undefined);
      assert.deepEqual(await waiting(house), []);
    });

    test('the address before is told of its successor', async (t) => {
      const house = await openHouse(open, t);
      await confirmed(house, 'old@x.example');

      await confirmed(house, 'new@x.example');

      assert.deepEqual(await waiting(house), ['email_changed old@x.example']);
      assert.equal(await house.identity.findUserByEmail('old@x.example'), undefined);
    });

    test('a confirmation mail replaces the earlier ones of its member, sent or not', async (t) => {
      const { identity, alice, bob } = await openHouse(open, t);
      const [older, reset, bobs] = [
        newToken(alice),
        newToken(alice, { purpose: 'reset' }),
        newToken(bob, { email: 'bob@x.example' }),
      ];
      for (const token of [older, reset, bobs]) await identity.addMailToken(token);
      await identity.addMailWithin(limit(), newMail(alice, { email: 'waiting@x.example' }));
      await identity.addMailWithin(limit(), newMail(alice, { purpose: 'reset' }));

      const none = await identity.addMailWithin({ ...limit(), most: 2 }, newMail(alice));
      const kept = await identity.findMailToken(reset.key);
      const added = await identity.addMailWithin(limit(), newMail(alice, { email: 'new@x.example' }));

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
      const { identity, alice, bob } = await openHouse(open, t);
      const token = newToken(alice);
      await identity.addMailToken(token);
      const wanted = { email: token.email, emailKey: token.email };

      const foreign = await identity.confirmEmail(asMember(bob), token.key, wanted, 'en');
      const own = await identity.confirmEmail(asMember(alice), token.key, wanted, 'en');

      assert.deepEqual([foreign, own], ['unusable', 'confirmed']);
      assert.equal((await identity.findUser(bob))?.email, undefined);
    });

    test('an undone change restores the address and ends what its maker could use', async (t) => {
      const house = await openHouse(open, t);
      const { identity, oauth, alice } = house;
      await confirmed(house, 'old@x.example');
      await confirmed(house, 'new@x.example');
      const [session, stolen, code] = [
        newSession(alice),
        newToken(alice, { purpose: 'reset', email: 'new@x.example' }),
        await approved(house, alice, 'notebook'),
      ];
      await identity.addSession(session);
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
      assert.deepEqual(await waiting(house), ['email_restored new@x.example']);
    });

    test('an undo link survives later changes of address and password, and ends the later undo links', async (t) => {
      const house = await openHouse(open, t);
      const { identity, alice } = house;
      await confirmed(house, 'old@x.example');
      const [first, second] = [
        undoToken(alice, 'old@x.example', 0),
        undoToken(alice, 'thief@x.example', MINUTE),
      ];
      await identity.addMailToken(first);
      await confirmed(house, 'thief@x.example');
      await identity.addMailToken(second);
      await confirmed(house, 'third@x.example');
      const from = (await identity.findPasswordHash(alice)) ?? '';
      await identity.changePassword(asMember(alice), { from, to: 'new hash', language: 'en' });
      await identity.removeEmail(asMember(alice), 'third@x.example', 'en');

      const later = await identity.restoreEmail(second, restoration(alice, 'thief@x.example', MINUTE));
      const earlier = await identity.restoreEmail(first, restoration(alice, 'old@x.example', 0));
      const again = await identity.restoreEmail(second, restoration(alice, 'thief@x.example', MINUTE));

      assert.deepEqual([later, earlier, again], ['restored', 'restored', 'unusable']);
      assert.equal((await identity.findUser(alice))?.email, 'old@x.example');
    });

    test('the earliest undo link ends the later ones', async (t) => {
      const house = await openHouse(open, t);
      const { identity, alice } = house;
      await confirmed(house, 'third@x.example');
      const [first, second] = [
        undoToken(alice, 'old@x.example', 0),
        undoToken(alice, 'thief@x.example', MINUTE),
      ];
      for (const token of [first, second]) await identity.addMailToken(token);

      const earlier = await identity.restoreEmail(first, restoration(alice, 'old@x.example', 0));
      const later = await identity.restoreEmail(second, restoration(alice, 'thief@x.example', MINUTE));

      assert.deepEqual([earlier, later], ['restored', 'unusable']);
    });

    test('a change whose previous address another account has can’t be undone', async (t) => {
      const house = await openHouse(open, t);
      const { identity, alice, bob } = house;
      await confirmed(house, 'new@x.example');
      await confirmed(house, 'old@x.example', bob);
      const [session, undo] = [newSession(alice), undoToken(alice, 'old@x.example', 0)];
      await identity.addSession(session);
      await identity.addMailToken(undo);

      const outcome = await identity.restoreEmail(undo, restoration(alice, 'old@x.example', 0));

      assert.equal(outcome, 'taken');
      assert.equal((await identity.findUser(alice))?.email, 'new@x.example');
      assert.ok(await identity.findSession(session.key));
      assert.notEqual(await identity.findPasswordHash(alice), 'no password');
      assert.deepEqual(await waiting(house), []);
    });

    test('an address that another account has stays there, and nobody is told of a change', async (t) => {
      const house = await openHouse(open, t);
      const { identity, alice, bob } = house;
      await confirmed(house, 'bob@x.example', bob);
      await confirmed(house, 'alice@x.example');
      const token = newToken(alice, { email: 'bob@x.example' });
      await identity.addMailToken(token);

      const wanted = { email: 'bob@x.example', emailKey: 'bob@x.example' };
      const outcome = await identity.confirmEmail(asMember(alice), token.key, wanted, 'en');

      assert.equal(outcome, 'taken');
      assert.equal((await identity.findUser(alice))?.email, 'alice@x.example');
      assert.equal((await identity.findUser(bob))?.email, 'bob@x.example');
      assert.deepEqual(await waiting(house), []);
    });

    test('of two accounts that confirm one address at once one gets it', async (t) => {
      const { identity, alice, bob } = await openHouse(open, t);
      const tokens = [alice, bob].map((userId) => newToken(userId));
      for (const token of tokens) await identity.addMailToken(token);

      const outcomes = await Promise.all(
        tokens.map(({ key, userId, email }) =>
          identity.confirmEmail(asMember(userId), key, { email, emailKey: email }, 'en'),
        ),
      );

      assert.deepEqual(outcomes.sort(), ['confirmed', 'taken']);
    });

    test('a link is used once, and not when it has expired', async (t) => {
      const { identity, alice } = await openHouse(open, t);
      const [token, late] = [newToken(alice), newToken(alice)];
      await identity.addMailToken(token);
      const wanted = { email: token.email, emailKey: token.email };

      const outcomes = await atOnce(8, () => identity.confirmEmail(asMember(alice), token.key, wanted, 'en'));
      await identity.addMailToken(late);
      const later = { ...asMember(alice), at: NOON + HOUR };
      const expired = await identity.confirmEmail(later, late.key, wanted, 'en');

      assert.equal(outcomes.filter((outcome) => outcome === 'confirmed').length, 1);
      assert.equal(outcomes.filter((outcome) => outcome === 'unusable').length, 7);
      assert.equal(expired, 'unusable');
    });

    test('a removed address is told, and no link of the account holds', async (t) => {
      const house = await openHouse(open, t);
      const { identity, alice } = house;
      await confirmed(house);
      const reset = newToken(alice, { purpose: 'reset' });
      await identity.addMailToken(reset);

      const wrong = await identity.removeEmail(asMember(alice), 'bob@x.example', 'en');
      const right = await identity.removeEmail(asMember(alice), 'alice@x.example', 'en');

      assert.deepEqual([wrong, right], [false, true]);
      assert.equal((await identity.findUser(alice))?.email, undefined);
      assert.equal(await identity.findMailToken(reset.key), undefined);
      assert.deepEqual(await waiting(house), ['email_removed alice@x.example']);
    });

    test('a changed password ends sessions, links, mails and codes of the account, and is told to its address', async (t) => {
      const house = await openHouse(open, t);
      const { identity, alice, bob } = house;
      await confirmed(house);
      const [session, foreign, token] = [newSession(alice), newSession(bob), newToken(alice)];
      await identity.addSession(session);
      await identity.addSession(foreign);
      await identity.addMailToken(token);
      await identity.addMailWithin(limit(), newMail(alice, { purpose: 'reset' }));
      const code = await approved(house, alice, 'notebook');
      const bobsCode = await approved(house, bob, 'notebook');
      const before = (await identity.findPasswordHash(alice)) ?? '';
      const replacement = { from: before, to: 'new hash', language: 'en' };

      const wrong = await identity.changePassword(asMember(alice), { ...replacement, from: 'another hash' });
      const kept = await identity.findSession(session.key);
      const right = await identity.changePassword(asMember(alice), replacement);

      assert.deepEqual([wrong, right], [false, true]);
      assert.ok(kept);
      assert.equal(await identity.findPasswordHash(alice), 'new hash');
      assert.equal(await identity.findSession(session.key), undefined);
      assert.ok(await identity.findSession(foreign.key));
      assert.equal(await identity.findMailToken(token.key), undefined);
      assert.equal((await house.oauth.findAuthorizationCode(code.key))?.voidedAt, NOON);
      assert.equal((await house.oauth.findAuthorizationCode(bobsCode.key))?.voidedAt, undefined);
      assert.deepEqual(await waiting(house), ['password_changed alice@x.example']);
    });

    test('of 8 resets at once with one link one sets the password', async (t) => {
      const house = await openHouse(open, t);
      const { identity, alice } = house;
      await confirmed(house);
      const token = newToken(alice, { purpose: 'reset' });
      await identity.addMailToken(token);

      const answers = await atOnce(8, (index) => identity.resetPassword(token, `hash ${index}`, 'en', NOON));

      assert.equal(answers.filter(Boolean).length, 1);
      assert.equal(await identity.findPasswordHash(alice), `hash ${answers.indexOf(true)}`);
      assert.deepEqual(await waiting(house), ['password_changed alice@x.example']);
    });

    test('a reset whose address is no longer the account’s, or whose account is closed, changes nothing', async (t) => {
      const house = await openHouse(open, t);
      const { identity, alice } = house;
      await confirmed(house);
      const session = newSession(alice);
      await identity.addSession(session);
      const foreign = newToken(alice, { purpose: 'reset', email: 'old@x.example' });
      await identity.addMailToken(foreign);

      const before = await identity.findSession(session.key);
      const own = newToken(alice, { purpose: 'reset' });

      const answer = await identity.resetPassword(foreign, 'new hash', 'en', NOON);
      const kept = [await identity.findPasswordHash(alice), await identity.findSession(session.key)];
      assert.equal(await identity.closeAccount(SERVER, alice), true);
      await identity.addMailToken(own);
      const closed = await identity.resetPassword(own, 'new hash', 'en', NOON);

      assert.deepEqual([answer, ...kept], [false, "hash of alice's password", before]);
      assert.equal(closed, false);
      assert.notEqual(await identity.findPasswordHash(alice), 'new hash');
    });

    test('a link of one purpose serves no other', async (t) => {
      const house = await openHouse(open, t);
      const { identity, alice } = house;
      await confirmed(house);
      const token = newToken(alice);
      await identity.addMailToken(token);

      assert.equal(await identity.resetPassword(token, 'new hash', 'en', NOON), false);
      assert.ok(await identity.findMailToken(token.key));
    });

    test('the mail of a sign-up is there exactly if the account is', async (t) => {
      const house = await openHouse(open, t);
      const mail = { purpose: 'confirm', email: 'eve@x.example', language: 'zh', createdAt: NOON } as const;

      const made = await house.identity.register(newUser('eve'), { invitation: undefined, mail });
      const refused = await house.identity.register(newUser('alice', { passwordHash: 'another' }), {
        invitation: undefined,
        mail: { ...mail, email: 'mallory@x.example' },
      });
      const first = await house.identity.addFirstOperator(COMMAND_LINE, newUser('olivia'), {
        ...mail,
        email: 'o@x.example',
      });

      assert.ok(typeof made === 'number' && typeof first === 'number');
      assert.equal(refused, 'username_taken');
      assert.deepEqual(
        (await house.identity.mailsDue(NOON, 10)).map(({ userId, email, language }) => [
          userId,
          email,
          language,
        ]),
        [
          [made, 'eve@x.example', 'zh'],
          [first, 'o@x.example', 'zh'],
        ],
      );
    });
  },
};
