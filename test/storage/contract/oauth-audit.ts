// The audit log's entries for applications, consents, tokens and signing keys. Acts of operators and of the command
// line have one; acts of members, applications and the server don't.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { asMember, asOperator, COMMAND_LINE, SERVER } from '../doers.ts';
import { addOperator, type Fixture, type Open, openFixture, signIn } from '../fixture.ts';
import { NOON, newClient, newPersonalToken, newSigningKey } from '../records.ts';

/** Return the entries of the audit log, oldest first. */
async function auditLog({ audit }: Fixture) {
  const events = await audit.auditEvents({ limit: 50 });
  return events
    .reverse()
    .map(({ at: _, id: __, subjectName: ___, actorName = 'command line', ...event }) => ({
      ...event,
      actorName,
      subject: `${event.subject.kind}:${event.subject.id}`,
    }));
}

export const oauthAudit = {
  title: 'the audit log of applications, consents, tokens and keys',
  registerTests(open: Open): void {
    test('an application: created, activated, deactivated, with a new secret', async (t) => {
      const fixture = await openFixture(open, t);
      const { oauth } = fixture;
      const olivia = asOperator(await addOperator(fixture, 'olivia'));

      await oauth.addClient(COMMAND_LINE, newClient('atlas'));
      await oauth.setClientStatus(olivia, 'atlas', 'deactivated');
      await oauth.setClientStatus(COMMAND_LINE, 'atlas', 'active');
      await oauth.replaceClientSecret(
        COMMAND_LINE,
        'atlas',
        { digest: 'x'.repeat(43), ending: 'wxyz' },
        undefined,
      );
      // These do nothing, so they leave no entry.
      await oauth.setClientStatus(olivia, 'nothing', 'active');
      await oauth.replaceClientSecret(
        olivia,
        'pocket',
        { digest: 'x'.repeat(43), ending: 'wxyz' },
        undefined,
      );

      const subject = 'client:atlas';
      assert.deepEqual(await auditLog(fixture), [
        { action: 'client.create', actorName: 'command line', subject, detail: {} },
        { action: 'client.deactivate', actorName: 'olivia', subject, detail: {} },
        { action: 'client.activate', actorName: 'command line', subject, detail: {} },
        { action: 'client.rotate_secret', actorName: 'command line', subject, detail: {} },
      ]);
    });

    test('a consent: an entry if it is withdrawn for the member, none if the member withdraws it', async (t) => {
      const fixture = await openFixture(open, t);
      const { oauth, alice, bob } = fixture;
      await signIn(fixture, alice, 'notebook');
      await signIn(fixture, bob, 'notebook');

      await oauth.withdrawGrant(asMember(alice), alice, 'notebook');
      await oauth.withdrawGrant(COMMAND_LINE, alice, 'notebook');
      await oauth.withdrawGrant(COMMAND_LINE, bob, 'notebook');

      assert.deepEqual(await auditLog(fixture), [
        {
          action: 'consent.withdraw',
          actorName: 'command line',
          subject: `user:${bob}`,
          detail: { client: 'notebook' },
        },
      ]);
    });

    test('a personal token: an entry if it is created or revoked for the member, none if the member does so', async (t) => {
      const fixture = await openFixture(open, t);
      const { oauth, alice } = fixture;
      const own = (await oauth.addPersonalToken(asMember(alice), newPersonalToken(alice), 50)) ?? 0;
      const token = newPersonalToken(alice, { scopes: ['profile:read', 'posts:read'] });

      const id = (await oauth.addPersonalToken(COMMAND_LINE, token, 2)) ?? 0;
      await oauth.addPersonalToken(COMMAND_LINE, newPersonalToken(alice), 2);
      await oauth.revokePersonalToken(asMember(alice), own);
      await oauth.revokePersonalToken(COMMAND_LINE, own);
      await oauth.revokePersonalToken(COMMAND_LINE, id);

      const subject = `token:${id}`;
      const detail = { user: alice, scopes: 'profile:read posts:read' };
      assert.deepEqual(await auditLog(fixture), [
        { action: 'token.create', actorName: 'command line', subject, detail },
        { action: 'token.revoke', actorName: 'command line', subject, detail: {} },
      ]);
    });

    test('other tokens: an entry if a person revokes them, none if an application does', async (t) => {
      const fixture = await openFixture(open, t);
      const { oauth, alice, bob } = fixture;
      const first = await signIn(fixture, alice, 'notebook');
      const second = await signIn(fixture, bob, 'notebook');

      await oauth.revokeAccessToken(first.accessToken.key, NOON);
      await oauth.revokeFamily(first.family.key, NOON);
      await oauth.revokeAccessTokenBy(COMMAND_LINE, second.accessToken.key);
      await oauth.revokeFamilyBy(COMMAND_LINE, second.family.key);
      await oauth.revokeAccessTokenBy(COMMAND_LINE, first.accessToken.key);
      await oauth.revokeFamilyBy(COMMAND_LINE, first.family.key);

      const act = { action: 'token.revoke', actorName: 'command line', detail: {} };
      assert.deepEqual(await auditLog(fixture), [
        { ...act, subject: `token:${second.accessToken.key}` },
        { ...act, subject: `token:${second.family.key}` },
      ]);
      assert.equal((await oauth.findAccessToken(second.accessToken.key))?.revokedAt, NOON);
      assert.equal((await oauth.findTokenFamily(second.family.key))?.revokedAt, NOON);
    });

    test('the signing keys: an entry if a person rotates them, none if the server does', async (t) => {
      const fixture = await openFixture(open, t);
      const { oauth } = fixture;
      await oauth.addFirstSigningKeys([newSigningKey('one', 'active'), newSigningKey('two', 'next')]);

      await oauth.rotateSigningKey(SERVER, rotation('one', 'two', 'three'));
      await oauth.rotateSigningKey(COMMAND_LINE, rotation('two', 'three', 'four'));
      await oauth.rotateSigningKey(COMMAND_LINE, rotation('two', 'three', 'five'));

      assert.deepEqual(await auditLog(fixture), [
        { action: 'keys.rotate', actorName: 'command line', subject: 'key:three', detail: {} },
      ]);
    });
  },
};

function rotation(activeKid: string, nextKid: string, following: string) {
  return { activeKid, nextKid, following: newSigningKey(following, 'next') };
}
