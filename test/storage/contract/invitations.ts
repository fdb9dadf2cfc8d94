// Invitations: each makes one account.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { NewInvitation } from '../../../src/identity/invitation-store.ts';
import { DAY } from '../../../src/lib/clock.ts';
import { digestOf, timeOrderedKey } from '../../../src/lib/secrets.ts';
import { atOnce, type Open, openHouse } from '../house.ts';
import { NOON, newUser } from '../records.ts';

function newInvitation(more: Partial<NewInvitation> = {}): NewInvitation {
  const key = timeOrderedKey(more.createdAt ?? NOON);
  const base = { key, digest: digestOf(key), note: 'for eve', createdBy: undefined };
  return { ...base, createdAt: NOON, expiresAt: NOON + DAY, ...more };
}

const NOT_USED = { usedBy: undefined, usedAt: undefined, revokedAt: undefined };
const act = { at: NOON, actorId: undefined };

export const invitations = {
  title: 'invitations',
  promises(open: Open): void {
    test('an invitation comes back as it was, and lists begin with the newest', async (t) => {
      const { identity, alice } = await openHouse(open, t);
      const made = [0, 1, 2].map((day) => newInvitation({ createdAt: NOON + day, createdBy: alice }));
      for (const invitation of made) await identity.addInvitation(invitation);

      const [oldest, middle, newest] = made.map((invitation) => ({ ...invitation, ...NOT_USED }));
      assert.deepEqual(await identity.findInvitation(oldest?.key ?? ''), oldest);
      assert.deepEqual(await identity.invitationsBefore('~', 2), [newest, middle]);
      assert.deepEqual(await identity.invitationsBefore(middle?.key ?? '', 2), [oldest]);
    });

    test('of 16 sign-ups at once with one invitation exactly one makes an account', async (t) => {
      const { identity } = await openHouse(open, t);
      const invitation = newInvitation();
      await identity.addInvitation(invitation);

      const answers = await atOnce(16, (index) =>
        identity.register(newUser(`guest${index}`), { invitation: invitation.key, mail: undefined }),
      );

      const made = answers.filter((answer) => typeof answer === 'number');
      assert.equal(made.length, 1);
      assert.equal(answers.filter((answer) => answer === 'invitation_unusable').length, 15);
      const used = await identity.findInvitation(invitation.key);
      const username = `guest${answers.findIndex((answer) => typeof answer === 'number')}`;
      assert.deepEqual([used?.usedBy, used?.usedAt], [{ id: made[0], username }, NOON]);
      for (let index = 0; index < 16; index += 1) {
        const found = await identity.findUserByName(`guest${index}`);
        assert.equal(found !== undefined, `guest${index}` === username);
      }
    });

    test('a sign-up with a taken name leaves the invitation as it was', async (t) => {
      const { identity } = await openHouse(open, t);
      const invitation = newInvitation();
      await identity.addInvitation(invitation);
      const extras = { invitation: invitation.key, mail: undefined };

      const taken = await identity.register(newUser('alice', { passwordHash: 'another' }), extras);
      const between = await identity.findInvitation(invitation.key);
      const made = await identity.register(newUser('eve'), extras);

      assert.equal(taken, 'username_taken');
      assert.equal(between?.usedAt, undefined);
      assert.equal(typeof made, 'number');
    });

    test('one that has expired, was revoked or is not there makes no account', async (t) => {
      const { identity } = await openHouse(open, t);
      const [expired, revoked] = [newInvitation({ expiresAt: NOON }), newInvitation()];
      await identity.addInvitation(expired);
      await identity.addInvitation(revoked);
      await identity.revokeInvitation(revoked.key, act);

      for (const key of [expired.key, revoked.key, timeOrderedKey(NOON)]) {
        const answer = await identity.register(newUser('eve'), { invitation: key, mail: undefined });
        assert.equal(answer, 'invitation_unusable');
      }
      assert.equal(await identity.findUserByName('eve'), undefined);
    });

    test('one is revoked once, and not after it was used', async (t) => {
      const { identity } = await openHouse(open, t);
      const [first, second] = [newInvitation(), newInvitation()];
      await identity.addInvitation(first);
      await identity.addInvitation(second);
      await identity.register(newUser('eve'), { invitation: second.key, mail: undefined });

      const answers = [];
      for (const key of [first.key, first.key, second.key, 'nothing']) {
        answers.push(await identity.revokeInvitation(key, act));
      }

      assert.deepEqual(answers, [true, false, false, false]);
      assert.equal((await identity.findInvitation(first.key))?.revokedAt, NOON);
    });

    test('making and revoking one is written into the book of what operators did', async (t) => {
      const { identity, audit, alice } = await openHouse(open, t);
      const invitation = newInvitation({ createdBy: alice });
      await identity.addInvitation(invitation);
      await identity.revokeInvitation(invitation.key, { at: NOON, actorId: alice });
      await identity.revokeInvitation(invitation.key, { at: NOON, actorId: alice });

      const subject = { kind: 'invitation', id: invitation.key } as const;
      const events = await audit.auditEvents({ before: undefined, limit: 10, subject });

      assert.deepEqual(
        events.map(({ action, actorName }) => [action, actorName]),
        [
          ['invitation.revoke', 'alice'],
          ['invitation.create', 'alice'],
        ],
      );
    });
  },
};
