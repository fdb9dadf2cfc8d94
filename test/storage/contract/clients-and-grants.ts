// Registered applications, and the members' consents.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MINUTE } from '../../../src/lib/clock.ts';
import { digestOf } from '../../../src/lib/secrets.ts';
import { asMember, SERVER } from '../doers.ts';
import { approve, atOnce, type Open, openFixture, signIn } from '../fixture.ts';
import { asStored, inForce, NOON, newAccessToken, newClient, newCode, newFamily } from '../records.ts';

const LATER = NOON + MINUTE;

export const clientsAndGrants = {
  title: 'applications and consents',
  registerTests(open: Open): void {
    test('an application is found with all that it was registered with', async (t) => {
      const { oauth, bob } = await openFixture(open, t);
      const { secretDigest, ...atlas } = newClient('atlas', {
        ownerId: bob,
        name: 'Atlas & <Sons>',
        scopes: ['posts:read'],
        redirectUris: ['https://atlas.example/callback', 'http://127.0.0.1/callback'],
        postLogoutRedirectUris: ['https://atlas.example/bye'],
        acceptsMissingStateAndNonce: true,
        requiredScopes: ['posts:read'],
        scopeReasons: { 'posts:read': { en: 'To map “them”.', zh: '绘制地图' } },
        homePage: 'https://atlas.example/',
        createdAt: LATER,
      });

      await oauth.addClient(SERVER, { ...atlas, secretDigest });
      const { secretDigest: storedDigest, ...stored } = (await oauth.findClient('atlas')) ?? {};

      assert.deepEqual(stored, atlas);
      assert.deepEqual(Buffer.from(storedDigest ?? []), Buffer.from(secretDigest ?? []));
      assert.deepEqual(
        (await oauth.clientsOf(bob)).map(({ id }) => id),
        ['atlas', 'notebook'],
      );
      assert.equal(await oauth.findClient('nothing'), undefined);
    });

    test('a public application has no secret, and none can be set', async (t) => {
      const { oauth } = await openFixture(open, t);

      const replaced = await oauth.replaceClientSecret(
        SERVER,
        'pocket',
        { digest: digestOf('secret'), ending: 'wxyz' },
        undefined,
      );

      assert.equal(replaced, false);
      assert.equal((await oauth.findClient('pocket'))?.secretDigest, undefined);
      assert.equal(
        await oauth.replaceClientSecret(
          SERVER,
          'nothing',
          { digest: digestOf('secret'), ending: 'wxyz' },
          undefined,
        ),
        false,
      );
    });

    test('a new secret replaces the old one', async (t) => {
      const { oauth } = await openFixture(open, t);

      const replaced = await oauth.replaceClientSecret(
        SERVER,
        'notebook',
        { digest: digestOf('new'), ending: 'wxyz' },
        undefined,
      );

      assert.equal(replaced, true);
      assert.equal((await oauth.findClient('notebook'))?.secretDigest, digestOf('new'));
    });

    test('an application is deactivated and activated; setting its current status is not an error', async (t) => {
      const { oauth } = await openFixture(open, t);

      const answers = [
        await oauth.setClientStatus(SERVER, 'notebook', 'deactivated'),
        await oauth.setClientStatus(SERVER, 'notebook', 'deactivated'),
      ];

      assert.deepEqual(answers, [true, true]);
      assert.equal((await oauth.findClient('notebook'))?.status, 'deactivated');
      assert.equal(await oauth.setClientStatus(SERVER, 'nothing', 'active'), false);
    });

    test('of parallel removals of an abandoned consent one happens, and none if the application is active', async (t) => {
      const { oauth, audit, alice } = await openFixture(open, t);
      const grant = { userId: alice, clientId: 'notebook' };
      await oauth.approve(asMember(alice), undefined, ['posts:read'], newCode(alice, 'notebook'));
      const remove = () => oauth.withdrawAbandonedGrant(SERVER, grant);

      assert.deepEqual([await remove(), await oauth.abandonedGrants(LATER, LATER, 10)], [false, []]);
      await oauth.setClientStatus({ ...SERVER, at: LATER }, 'notebook', 'deactivated');
      assert.deepEqual(await oauth.abandonedGrants(LATER - 1, LATER, 10), []);
      assert.deepEqual(await oauth.abandonedGrants(LATER, LATER, 10), [grant]);
      const removals = await atOnce(5, remove);

      assert.deepEqual(
        [removals.filter(Boolean).length, await oauth.connectedClients(alice, LATER)],
        [1, []],
      );
      const [event] = await audit.securityEvents({ userId: alice, limit: 1 });
      assert.deepEqual(
        [event?.event, event?.detail, event?.by],
        ['consent_withdrawn', 'deactivated', 'server'],
      );
    });

    test('an approval stores the allowed scopes, in place of earlier ones, and the code', async (t) => {
      const { oauth, alice } = await openFixture(open, t);
      const [first, second] = [newCode(alice, 'notebook'), newCode(alice, 'notebook')];

      await oauth.approve(asMember(alice), undefined, ['profile:read', 'posts:read'], first);
      await oauth.approve(
        asMember(alice, LATER),
        inForce('profile:read', 'posts:read'),
        ['posts:read'],
        second,
      );

      assert.deepEqual(await oauth.findGrant(alice, 'notebook', LATER), {
        userId: alice,
        clientId: 'notebook',
        scopes: ['posts:read'],
        grantedAt: NOON,
        consentedAt: LATER,
        lastAuthorizedAt: LATER,
        duration: 'until_removed',
        endsAt: undefined,
        allowedAs: 'The notebook',
        pausedAt: undefined,
        withdrawnAt: undefined,
      });
      assert.notEqual(await oauth.findAuthorizationCode(first.key), undefined);
      assert.notEqual(await oauth.findAuthorizationCode(second.key), undefined);
      assert.equal(await oauth.countGrants('notebook', LATER), 1);
      assert.equal(await oauth.countGrants('notebook', LATER, 0), 0);
      assert.equal(await oauth.findGrant(alice, 'pocket', LATER), undefined);
    });

    test('an approval stores the name that the member saw, also if the application has another by now', async (t) => {
      const { oauth, alice } = await openFixture(open, t);
      const code = newCode(alice, 'notebook');

      await oauth.approve(asMember(alice), undefined, ['profile:read'], code, {
        allowedAs: 'The old notebook',
      });

      assert.equal((await oauth.findGrant(alice, 'notebook', NOON))?.allowedAs, 'The old notebook');
    });

    test('an approval based on another consent than the one in force stores nothing', async (t) => {
      const { oauth, alice } = await openFixture(open, t);
      const [first, late] = [newCode(alice, 'notebook'), newCode(alice, 'notebook')];

      const answers = [
        await oauth.approve(asMember(alice), undefined, ['profile:read'], first),
        await oauth.approve(asMember(alice, LATER), undefined, ['posts:read'], late),
        await oauth.withdrawGrant(asMember(alice, LATER), alice, 'notebook'),
        await oauth.approve(
          asMember(alice, LATER),
          inForce('profile:read'),
          ['profile:read', 'posts:read'],
          late,
        ),
      ];

      assert.deepEqual(answers, [true, false, true, false]);
      assert.deepEqual((await oauth.findGrant(alice, 'notebook', LATER))?.scopes, ['profile:read']);
      assert.equal((await oauth.findGrant(alice, 'notebook', LATER))?.withdrawnAt, LATER);
      assert.equal(await oauth.findAuthorizationCode(late.key), undefined);
    });

    test('a code is added under the consent in force, and not once it is withdrawn or changed', async (t) => {
      const fixture = await openFixture(open, t);
      const { oauth, alice } = fixture;
      const { scopes } = await approve(fixture, alice, 'notebook');
      const [covered, changed, withdrawn, never] = [
        newCode(alice, 'notebook'),
        newCode(alice, 'notebook'),
        newCode(alice, 'notebook'),
        newCode(alice, 'pocket'),
      ];

      const answers = [await oauth.approveAgain(asMember(alice, LATER), inForce(...scopes), covered)];
      await oauth.approve(
        asMember(alice, LATER),
        inForce(...scopes),
        ['posts:read'],
        newCode(alice, 'notebook'),
      );
      answers.push(await oauth.approveAgain(asMember(alice, LATER), inForce(...scopes), changed));
      await oauth.withdrawGrant(asMember(alice, LATER), alice, 'notebook');
      answers.push(await oauth.approveAgain(asMember(alice, LATER), inForce('posts:read'), withdrawn));
      answers.push(await oauth.approveAgain(asMember(alice, LATER), inForce(...scopes), never));

      assert.deepEqual(answers, [true, false, false, false]);
      assert.notEqual(await oauth.findAuthorizationCode(covered.key), undefined);
      for (const { key } of [changed, withdrawn, never]) {
        assert.equal(await oauth.findAuthorizationCode(key), undefined);
      }
    });

    test('withdrawing consent voids the codes and ends the sign-ins of that application only', async (t) => {
      const fixture = await openFixture(open, t);
      const { oauth, alice, bob } = fixture;
      const { family, accessToken } = await signIn(fixture, alice, 'notebook');
      const pending = await approve(fixture, alice, 'notebook');
      const elsewhere = await signIn(fixture, alice, 'pocket');
      const another = await signIn(fixture, bob, 'notebook');

      const answers = [
        await oauth.withdrawGrant(asMember(alice, LATER), alice, 'notebook'),
        await oauth.withdrawGrant(asMember(alice, LATER + 1), alice, 'notebook'),
      ];

      assert.deepEqual(answers, [true, false]);
      assert.equal((await oauth.findGrant(alice, 'notebook', LATER))?.withdrawnAt, LATER);
      assert.equal((await oauth.findAuthorizationCode(pending.key))?.voidedAt, LATER);
      assert.equal((await oauth.findTokenFamily(family.key))?.revokedAt, LATER);
      assert.equal((await oauth.findAccessToken(accessToken.key))?.familyRevokedAt, LATER);
      assert.equal((await oauth.findTokenFamily(elsewhere.family.key))?.revokedAt, undefined);
      assert.equal((await oauth.findTokenFamily(another.family.key))?.revokedAt, undefined);
      assert.equal(await oauth.countGrants('notebook', LATER), 1);
    });

    test('a consent after a withdrawal is a new one', async (t) => {
      const fixture = await openFixture(open, t);
      const { oauth, alice } = fixture;
      await approve(fixture, alice, 'notebook');
      await oauth.withdrawGrant(asMember(alice, LATER), alice, 'notebook');

      await oauth.approve(
        asMember(alice, LATER + MINUTE),
        undefined,
        ['profile:read'],
        newCode(alice, 'notebook'),
      );

      const grant = await oauth.findGrant(alice, 'notebook', LATER);
      assert.equal(grant?.withdrawnAt, undefined);
      assert.equal(grant?.grantedAt, LATER + MINUTE);
      assert.deepEqual(grant?.scopes, ['profile:read']);
    });

    test('connected applications are those with a consent in force, last used first', async (t) => {
      const fixture = await openFixture(open, t);
      const { oauth, alice } = fixture;
      await oauth.approve(asMember(alice), undefined, ['profile:read'], newCode(alice, 'notebook'));
      await oauth.approve(asMember(alice, LATER), undefined, ['posts:read'], newCode(alice, 'pocket'));

      const connected = await oauth.connectedClients(alice, LATER);
      await oauth.withdrawGrant(asMember(alice, LATER), alice, 'pocket');
      const afterwards = await oauth.connectedClients(alice, LATER);

      assert.deepEqual(
        connected.map(({ client, grant }) => [client.id, client.name, grant.clientId, grant.scopes]),
        [
          ['pocket', 'The pocket', 'pocket', ['posts:read']],
          ['notebook', 'The notebook', 'notebook', ['profile:read']],
        ],
      );
      assert.deepEqual(
        afterwards.map(({ client }) => client.id),
        ['notebook'],
      );
    });

    test('a code redeemed while consent is withdrawn leaves no live sign-in, 50 times over', async (t) => {
      const fixture = await openFixture(open, t);
      const { oauth, alice } = fixture;

      for (let round = 0; round < 50; round += 1) {
        const code = await approve(fixture, alice, 'notebook');
        const family = newFamily(alice, 'notebook');
        await atOnce(2, async (index) =>
          index === round % 2
            ? oauth.withdrawGrant(asMember(alice, LATER), alice, 'notebook')
            : oauth.redeem(asStored(code), family, newAccessToken(family.key), NOON),
        );

        const stored = await oauth.findTokenFamily(family.key);
        assert.ok(stored === undefined || stored.revokedAt === LATER);
      }
    });
  },
};
