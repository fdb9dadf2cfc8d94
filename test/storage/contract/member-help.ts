// What operators do for members: links for a new password, email addresses, usernames, sign-ins.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { MailToken } from '../../../src/identity/mail-store.ts';
import { asOperator, COMMAND_LINE, SERVER } from '../doers.ts';
import {
  addOperator,
  approve,
  atOnce,
  auditActs,
  type Open,
  openFixture,
  signIn,
  waitingMails,
} from '../fixture.ts';
import {
  asStored,
  mailLimit,
  NOON,
  newAccessToken,
  newFamily,
  newMail,
  newMailToken,
  newSession,
  newUser,
  SESSION_START,
} from '../records.ts';

const MEMBERS_ONLY = { mayBeOperator: false, language: 'en' };
const EVERYONE = { mayBeOperator: true, language: 'en' };

function resetToken(userId: number, email = ''): MailToken {
  return newMailToken(userId, { purpose: 'reset', email });
}

function emailOf(name: string) {
  return { email: `${name}@x.example`, emailKey: `${name}@x.example` };
}

function nameOf(username: string, earlierKey: string) {
  return { username, usernameKey: username.toLowerCase(), earlierKey, language: 'en' };
}

export const memberHelp = {
  title: 'the help of operators',
  registerTests(open: Open): void {
    test('a reset link sets the password of an account without an address, once', async (t) => {
      const fixture = await openFixture(open, t);
      const { identity, alice } = fixture;
      const olivia = await addOperator(fixture, 'olivia');
      const [first, second] = [resetToken(alice), resetToken(alice)];

      assert.equal(await identity.addResetLink(asOperator(olivia), first, MEMBERS_ONLY), true);
      assert.equal(await identity.addResetLink(asOperator(olivia), second, MEMBERS_ONLY), true);
      const results = [
        await identity.resetPassword(first, 'another hash', 'en', NOON),
        await identity.resetPassword(second, 'her hash', 'en', NOON),
        await identity.resetPassword(second, 'a third hash', 'en', NOON),
      ];

      assert.deepEqual(results, [false, true, false]);
      assert.equal(await identity.findPasswordHash(alice), 'her hash');
      assert.deepEqual(await waitingMails(fixture), []);
      assert.equal((await auditActs(fixture))[0], `olivia user.reset_link user:${alice}`);
    });

    test('a reset link is refused for an operator on the pages, a closed account, and another address', async (t) => {
      const fixture = await openFixture(open, t);
      const { identity, alice, bob } = fixture;
      const olivia = await addOperator(fixture, 'olivia');
      await identity.closeAccount(SERVER, bob);
      const add = (token: MailToken, options = MEMBERS_ONLY) =>
        identity.addResetLink(asOperator(olivia), token, options);

      assert.equal(await add(resetToken(olivia)), false);
      assert.equal(await add(resetToken(bob)), false);
      assert.equal(await add(resetToken(alice, 'alice@x.example')), false);
      assert.equal(await identity.addResetLink(COMMAND_LINE, resetToken(olivia), EVERYONE), true);
      assert.deepEqual(await auditActs(fixture), [`undefined user.reset_link user:${olivia}`]);
    });

    test('a new role ends the password links that wait, and is mailed to the member', async (t) => {
      const fixture = await openFixture(open, t);
      const { identity, alice } = fixture;
      const olivia = await addOperator(fixture, 'olivia');
      await identity.setEmail(SERVER, { id: alice, email: undefined }, emailOf('alice'), EVERYONE);
      const link = resetToken(alice, 'alice@x.example');
      await identity.addResetLink(asOperator(olivia), link, MEMBERS_ONLY);

      assert.equal(await identity.setRole(asOperator(olivia), alice, 'operator'), true);

      assert.equal(await identity.resetPassword(link, 'another hash', 'en', NOON), false);
      assert.ok((await waitingMails(fixture)).includes('role_changed alice@x.example'));
    });

    test('of a password link and a promotion at once, the new operator is left no link', async (t) => {
      const fixture = await openFixture(open, t);
      const { identity, alice } = fixture;
      const olivia = await addOperator(fixture, 'olivia');
      for (let round = 0; round < 30; round += 1) {
        const link = resetToken(alice);
        await atOnce(2, (index) =>
          index === round % 2
            ? identity.addResetLink(asOperator(olivia), link, MEMBERS_ONLY)
            : identity.setRole(asOperator(olivia), alice, 'operator'),
        );

        assert.equal(await identity.findMailToken(link.key), undefined);
        await identity.setRole(asOperator(olivia), alice, 'member');
      }
    });

    test('the password links that an operator made end with the role, a suspension, and the account', async (t) => {
      const fixture = await openFixture(open, t);
      const { identity, alice } = fixture;
      const [olivia, oscar] = [await addOperator(fixture, 'olivia'), await addOperator(fixture, 'oscar')];
      const ends = [
        () => identity.setRole(asOperator(olivia), oscar, 'moderator'),
        () => identity.setStatus(asOperator(olivia), oscar, 'suspended'),
        () => identity.closeAccount(asOperator(olivia), oscar),
      ];
      for (const end of ends) {
        await identity.setStatus(SERVER, oscar, 'active');
        await identity.setRole(SERVER, oscar, 'operator');
        const link = resetToken(alice);
        await identity.addResetLink(asOperator(oscar), link, MEMBERS_ONLY);
        assert.notEqual(await identity.findMailToken(link.key), undefined);

        assert.equal(await end(), true, String(end));

        assert.equal(await identity.findMailToken(link.key), undefined, String(end));
        assert.equal(await identity.resetPassword(link, 'another hash', 'en', NOON), false);
      }
    });

    test('an address that is set replaces the earlier one, ends every link, and tells both', async (t) => {
      const fixture = await openFixture(open, t);
      const { identity, alice } = fixture;
      assert.equal(
        await identity.setEmail(SERVER, { id: alice, email: undefined }, emailOf('old'), EVERYONE),
        true,
      );
      const [reset, undo] = [resetToken(alice, 'old@x.example'), newMailToken(alice, { purpose: 'undo' })];
      for (const token of [reset, undo]) await identity.addMailToken(token);
      await identity.addMailWithin(mailLimit(), newMail(alice, { purpose: 'email_changed' }));
      await identity.addMailWithin(mailLimit(), newMail(alice, { email: 'waiting@x.example' }));

      const user = { id: alice, email: 'old@x.example' };
      assert.equal(await identity.setEmail(SERVER, user, emailOf('new'), EVERYONE), true);
      assert.equal(await identity.setEmail(SERVER, user, emailOf('late'), EVERYONE), false);

      assert.equal((await identity.findUser(alice))?.email, 'new@x.example');
      for (const { key } of [reset, undo]) assert.equal(await identity.findMailToken(key), undefined);
      assert.deepEqual((await waitingMails(fixture)).sort(), [
        'email_added new@x.example',
        'email_added old@x.example',
        'email_replaced old@x.example',
      ]);
    });

    test('an address is not set if it is another member’s, or for an operator on the pages', async (t) => {
      const fixture = await openFixture(open, t);
      const { identity, alice, bob } = fixture;
      const olivia = await addOperator(fixture, 'olivia');
      await identity.setEmail(SERVER, { id: bob, email: undefined }, emailOf('bob'), EVERYONE);
      const by = asOperator(olivia);
      const withoutEmail = (id: number) => ({ id, email: undefined });

      assert.equal(await identity.setEmail(by, withoutEmail(alice), emailOf('bob'), MEMBERS_ONLY), false);
      assert.equal(await identity.setEmail(by, withoutEmail(olivia), emailOf('o'), MEMBERS_ONLY), false);
      assert.equal(
        await identity.setEmail(by, { id: bob, email: 'bob@x.example' }, undefined, MEMBERS_ONLY),
        true,
      );
      assert.equal((await identity.findUser(bob))?.email, undefined);
      assert.deepEqual(await auditActs(fixture), [`olivia user.set_email user:${bob}`]);
    });

    test('an earlier username finds its member, and stays reserved for the member', async (t) => {
      const fixture = await openFixture(open, t);
      const { identity, alice, bob } = fixture;
      const rename = async (id: number, to: string) => {
        const user = await identity.findUser(id);
        return user !== undefined && identity.renameUser(SERVER, user, nameOf(to, user.username));
      };

      assert.equal(await rename(alice, 'anna'), true);

      assert.equal((await identity.findUserByName('anna'))?.id, alice);
      assert.equal(await identity.findUserByName('alice'), undefined);
      assert.equal((await identity.findUserByAnyName('alice'))?.id, alice);
      assert.equal(await identity.addUser(SERVER, newUser('alice')), 'username_taken');
      const extras = { invitation: undefined, mail: undefined };
      assert.equal(await identity.register(newUser('alice'), extras), 'username_taken');
      assert.deepEqual([await rename(bob, 'alice'), await rename(bob, 'anna')], [false, false]);
      assert.equal(await identity.untoldUsername(alice), 'alice');
      assert.deepEqual(
        [await identity.markRenameTold(alice, NOON), await identity.markRenameTold(alice, NOON)],
        [true, false],
      );
      assert.equal(await identity.untoldUsername(alice), undefined);

      assert.equal(await rename(alice, 'alice'), true);
      assert.deepEqual(
        (await identity.earlierUsernames(alice)).map(({ username, isReserved }) => [username, isReserved]),
        [['anna', true]],
      );
    });

    test('an imported member’s name elsewhere is remembered, not reserved, and deleted with the account', async (t) => {
      const { identity, imports, bob } = await openFixture(open, t);
      const user = newUser('bob_1', { passwordHash: 'hash of an imported account' });

      await imports.addImportedMembers('old', [{ externalId: '7', user, foreignName: 'Bob' }]);

      const imported = await identity.findUserByName('bob_1');
      assert.equal((await identity.findUserByAnyName('bob'))?.id, bob);
      assert.equal(await identity.untoldUsername(imported?.id ?? 0), 'Bob');
      await identity.closeAccount(SERVER, imported?.id ?? 0);
      assert.deepEqual(await identity.earlierUsernames(imported?.id ?? 0), []);
    });

    test('all sign-ins of a member end, in browsers and to applications', async (t) => {
      const fixture = await openFixture(open, t);
      const { identity, oauth, alice, bob } = fixture;
      for (const id of [alice, alice, bob]) await identity.addSession(newSession(id), SESSION_START);
      const { family } = await signIn(fixture, alice, 'notebook');
      assert.equal(await identity.countSessions(alice, NOON, NOON - 1), 2);

      assert.equal(await identity.endSignIns(COMMAND_LINE, alice), true);

      assert.equal(await identity.countSessions(alice, NOON, NOON - 1), 0);
      assert.equal(await identity.countSessions(bob, NOON, NOON - 1), 1);
      assert.notEqual((await oauth.findTokenFamily(family.key))?.revokedAt, undefined);
      await identity.closeAccount(SERVER, bob);
      assert.equal(await identity.endSignIns(COMMAND_LINE, bob), false);
      assert.deepEqual(await auditActs(fixture), [`undefined user.sign_out user:${alice}`]);
    });

    test('a code redeemed while an operator ends the member’s sign-ins leaves no live sign-in, 50 times over', async (t) => {
      const fixture = await openFixture(open, t);
      const { oauth, identity, alice } = fixture;

      for (let round = 0; round < 50; round += 1) {
        const code = await approve(fixture, alice, 'notebook');
        const family = newFamily(alice, 'notebook');
        await atOnce(2, async (index) =>
          index === round % 2
            ? identity.endSignIns({ ...COMMAND_LINE, at: NOON + 1 }, alice)
            : oauth.redeem(asStored(code), family, newAccessToken(family.key), NOON),
        );

        const stored = await oauth.findTokenFamily(family.key);
        assert.ok(stored === undefined || stored.revokedAt === NOON + 1);
      }
    });

    test('members are found by status, role, membership, and a part of their name or address', async (t) => {
      const fixture = await openFixture(open, t);
      const { identity, alice, bob } = fixture;
      const olivia = await addOperator(fixture, 'olivia');
      await identity.setStatus(SERVER, alice, 'suspended');
      await identity.setMemberUntil(SERVER, bob, NOON + 1);
      await identity.setEmail(SERVER, { id: bob, email: undefined }, emailOf('robert_1'), EVERYONE);
      const idsOf = async (query: Parameters<typeof identity.membersMatching>[0], now = NOON) =>
        (await identity.membersMatching(query, 0, 10, now)).map(({ id }) => id);

      assert.deepEqual(await idsOf({}), [alice, bob, olivia]);
      assert.deepEqual(await idsOf({ status: 'suspended' }), [alice]);
      assert.deepEqual(await idsOf({ role: 'operator' }), [olivia]);
      assert.deepEqual(await idsOf({ role: 'member', status: 'active' }), [bob]);
      await identity.setRole(COMMAND_LINE, bob, 'moderator');
      assert.deepEqual(await idsOf({ role: 'moderator' }), [bob]);
      await identity.setRole(COMMAND_LINE, bob, 'member');
      assert.deepEqual(await idsOf({ hasMembership: true }), [bob]);
      assert.deepEqual(await idsOf({ hasMembership: true }, NOON + 1), []);
      assert.deepEqual(await idsOf({ search: 'li' }), [alice, olivia]);
      assert.deepEqual(await idsOf({ search: 'bert_1@' }), [bob]);
      assert.deepEqual(await idsOf({ search: 'a_i' }), []);
      const rest = await identity.membersMatching({}, alice, 1, NOON);
      assert.deepEqual(
        rest.map(({ id }) => id),
        [bob],
      );
      const newest = await identity.newestMembers('membership', undefined, 10, NOON);
      assert.deepEqual(
        newest.map(({ id }) => id),
        [bob],
      );
    });
  },
};
