// Invitations: each creates one account.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { NewInvitation } from '../../../src/identity/invitation-store.ts';
import { DAY } from '../../../src/lib/clock.ts';
import { digestOf, timeOrderedKey } from '../../../src/lib/secrets.ts';
import { asOperator, COMMAND_LINE, SERVER } from '../doers.ts';
import { addOperator, atOnce, type Open, openFixture } from '../fixture.ts';
import { NOON, newUser } from '../records.ts';

function newInvitation(more: Partial<NewInvitation> = {}): NewInvitation {
  const key = timeOrderedKey(NOON);
  return { key, digest: digestOf(key), note: 'for eve', expiresAt: NOON + DAY, ...more };
}

const NOT_USED = { usedBy: undefined, usedAt: undefined, revokedAt: undefined };

export const invitations = {
  title: 'invitations',
  registerTests(open: Open): void {
    test('an invitation is found with all its fields, and lists begin with the newest', async (t) => {
      const { identity, alice } = await openFixture(open, t);
      const times = [NOON, NOON + 1, NOON + 2];
      const all = times.map((at) => ({ at, invitation: newInvitation({ key: timeOrderedKey(at) }) }));
      for (const { at, invitation } of all) await identity.addInvitation(asOperator(alice, at), invitation);

      const [oldest, middle, newest] = all.map(({ at, invitation }) => ({
        ...invitation,
        createdBy: alice,
        createdAt: at,
        ...NOT_USED,
      }));
      assert.deepEqual(await identity.findInvitation(oldest?.key ?? ''), oldest);
      assert.deepEqual(await identity.invitationsBefore('~', 2), [newest, middle]);
      assert.deepEqual(await identity.invitationsBefore(middle?.key ?? '', 2), [oldest]);
    });

    test('of 16 sign-ups at once with one invitation exactly one creates an account', async (t) => {
      const { identity } = await openFixture(open, t);
      const invitation = newInvitation();
      await identity.addInvitation(SERVER, invitation);

      const answers = await atOnce(16, (index) =>
        identity.register(newUser(`guest${index}`), { invitation: invitation.key, mail: undefined }),
      );

      const ids = answers.filter((answer) => typeof answer === 'number');
      assert.equal(ids.length, 1);
      assert.equal(answers.filter((answer) => answer === 'invitation_unusable').length, 15);
      const invitationNow = await identity.findInvitation(invitation.key);
      const username = `guest${answers.findIndex((answer) => typeof answer === 'number')}`;
      assert.deepEqual([invitationNow?.usedBy, invitationNow?.usedAt], [{ id: ids[0], username }, NOON]);
      for (let index = 0; index < 16; index += 1) {
        const user = await identity.findUserByName(`guest${index}`);
        assert.equal(user !== undefined, `guest${index}` === username);
      }
    });

    test('a sign-up whose username is taken does not use up the invitation', async (t) => {
      const { identity } = await openFixture(open, t);
      const invitation = newInvitation();
      await identity.addInvitation(SERVER, invitation);
      const extras = { invitation: invitation.key, mail: undefined };

      const duplicate = await identity.register(newUser('alice', { passwordHash: 'another' }), extras);
      const between = await identity.findInvitation(invitation.key);
      const id = await identity.register(newUser('eve'), extras);

      assert.equal(duplicate, 'username_taken');
      assert.equal(between?.usedAt, undefined);
      assert.equal(typeof id, 'number');
    });

    test('an invitation that expired, was revoked or does not exist creates no account', async (t) => {
      const { identity } = await openFixture(open, t);
      const [expired, revoked] = [newInvitation({ expiresAt: NOON }), newInvitation()];
      await identity.addInvitation(SERVER, expired);
      await identity.addInvitation(SERVER, revoked);
      await identity.revokeInvitation(SERVER, revoked.key);

      for (const key of [expired.key, revoked.key, timeOrderedKey(NOON)]) {
        const answer = await identity.register(newUser('eve'), { invitation: key, mail: undefined });
        assert.equal(answer, 'invitation_unusable');
      }
      assert.equal(await identity.findUserByName('eve'), undefined);
    });

    test('an invitation can be revoked once, and not after it was used', async (t) => {
      const { identity } = await openFixture(open, t);
      const [first, second] = [newInvitation(), newInvitation()];
      await identity.addInvitation(SERVER, first);
      await identity.addInvitation(SERVER, second);
      await identity.register(newUser('eve'), { invitation: second.key, mail: undefined });

      const answers = [];
      for (const key of [first.key, first.key, second.key, 'nothing']) {
        answers.push(await identity.revokeInvitation(SERVER, key));
      }

      assert.deepEqual(answers, [true, false, false, false]);
      assert.equal((await identity.findInvitation(first.key))?.revokedAt, NOON);
    });

    test('the unused ones of an operator who loses the role or is suspended are deleted, and no others', async (t) => {
      const fixture = await openFixture(open, t);
      const { identity } = fixture;
      const [olga, otto, pia] = [
        await addOperator(fixture, 'olga'),
        await addOperator(fixture, 'otto'),
        await addOperator(fixture, 'pia'),
      ];
      const keys: string[] = [];
      for (const id of [olga, otto, pia]) {
        const invitation = newInvitation();
        keys.push(invitation.key);
        await identity.addInvitation(asOperator(id), invitation);
      }

      await identity.setRole(SERVER, olga, 'moderator');
      await identity.setStatus(SERVER, otto, 'suspended');

      const left = await identity.invitationsBefore('~', 9);
      assert.deepEqual(
        left.map(({ key }) => key),
        keys.slice(2),
      );
    });

    test('the audit log has its creation and its revocation, with the doer', async (t) => {
      const { identity, audit, alice } = await openFixture(open, t);
      const invitation = newInvitation();
      await identity.addInvitation(COMMAND_LINE, invitation);
      await identity.revokeInvitation(asOperator(alice), invitation.key);
      await identity.revokeInvitation(asOperator(alice), invitation.key);

      const subject = { kind: 'invitation', id: invitation.key } as const;
      const events = await audit.auditEvents({ before: undefined, limit: 10, subject });

      assert.deepEqual(
        events.map(({ action, actorName }) => [action, actorName]),
        [
          ['invitation.revoke', 'alice'],
          ['invitation.create', undefined],
        ],
      );
    });
  },
};
