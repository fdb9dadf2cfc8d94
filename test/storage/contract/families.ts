// Sign-ins: rotation of the refresh token, access tokens, and revocation.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAY, MINUTE, SECOND } from '../../../src/lib/clock.ts';
import { digestOf } from '../../../src/lib/secrets.ts';
import type { NewTokenFamily, Rotation } from '../../../src/oauth/store.ts';
import { SERVER } from '../doers.ts';
import { type Open, openFixture, signIn } from '../fixture.ts';
import { NOON, newAccessToken } from '../records.ts';

const LATER = NOON + MINUTE;

function rotationOf({ key, refreshDigest }: NewTokenFamily, more: Partial<Rotation> = {}): Rotation {
  return {
    familyKey: key,
    presentedDigest: refreshDigest,
    nextDigest: digestOf(`${key} generation 1`),
    refreshExpiresAt: LATER + 30 * DAY,
    at: LATER,
    raceSince: undefined,
    ...more,
  };
}

export const families = {
  title: 'sign-ins',
  registerTests(open: Open): void {
    test('an access token is found with everything that decides whether it is valid', async (t) => {
      const fixture = await openFixture(open, t);
      const { oauth, identity, alice } = fixture;
      const { accessToken } = await signIn(fixture, alice, 'notebook');

      const account = await identity.findUser(alice);
      const before = await oauth.findAccessToken(accessToken.key);
      await identity.setStatus(SERVER, alice, 'suspended');
      await oauth.setClientStatus(SERVER, 'notebook', 'deactivated');
      const after = await oauth.findAccessToken(accessToken.key);

      assert.deepEqual(before, {
        ...accessToken,
        clientId: 'notebook',
        user: account,
        revokedAt: undefined,
        familyRevokedAt: undefined,
        familyPausedAt: undefined,
        clientStatus: 'active',
        clientDocument: undefined,
      });
      assert.deepEqual([after?.clientStatus, after?.user.status], ['deactivated', 'suspended']);
      assert.equal(await oauth.findAccessToken('no such key'), undefined);
    });

    test('revoking an access token revokes no other', async (t) => {
      const fixture = await openFixture(open, t);
      const { oauth, alice } = fixture;
      const { family, accessToken } = await signIn(fixture, alice, 'notebook');
      const second = newAccessToken(family.key);
      await oauth.rotate(rotationOf(family), second);

      await oauth.revokeAccessToken(accessToken.key, LATER);
      await oauth.revokeAccessToken(accessToken.key, LATER + MINUTE);

      assert.equal((await oauth.findAccessToken(accessToken.key))?.revokedAt, LATER);
      assert.equal((await oauth.findAccessToken(second.key))?.revokedAt, undefined);
      assert.equal((await oauth.findTokenFamily(family.key))?.revokedAt, undefined);
    });

    test('a rotation replaces the newest refresh token and stores the access token', async (t) => {
      const fixture = await openFixture(open, t);
      const { oauth, alice } = fixture;
      const { family } = await signIn(fixture, alice, 'notebook');
      const accessToken = newAccessToken(family.key, { scopes: ['posts:read'] });

      const answer = await oauth.rotate(rotationOf(family), accessToken);

      const stored = await oauth.findTokenFamily(family.key);
      assert.equal(answer, 'rotated');
      assert.equal(stored?.refreshDigest, digestOf(`${family.key} generation 1`));
      assert.equal(stored?.previousDigest, family.refreshDigest);
      assert.equal(stored?.rotatedAt, LATER);
      assert.equal(stored?.refreshExpiresAt, LATER + 30 * DAY);
      assert.equal(stored?.expiresAt, family.expiresAt);
      assert.deepEqual((await oauth.findAccessToken(accessToken.key))?.scopes, ['posts:read']);
    });

    test('an old refresh token ends the sign-in, and its access tokens with it', async (t) => {
      const fixture = await openFixture(open, t);
      const { oauth, alice } = fixture;
      const { family, accessToken } = await signIn(fixture, alice, 'notebook');
      await oauth.rotate(rotationOf(family), newAccessToken(family.key));
      const never = newAccessToken(family.key);

      const answer = await oauth.rotate(rotationOf(family, { at: LATER + MINUTE }), never);

      assert.equal(answer, 'refused');
      assert.equal((await oauth.findTokenFamily(family.key))?.revokedAt, LATER + MINUTE);
      assert.equal((await oauth.findAccessToken(accessToken.key))?.familyRevokedAt, LATER + MINUTE);
      assert.equal(await oauth.findAccessToken(never.key), undefined);
    });

    test('the loser of a race does not end the sign-in if the rotation was recent', async (t) => {
      const fixture = await openFixture(open, t);
      const { oauth, alice } = fixture;
      const { family } = await signIn(fixture, alice, 'notebook');
      await oauth.rotate(rotationOf(family), newAccessToken(family.key));
      const late = (since: number) =>
        oauth.rotate(
          rotationOf(family, { at: since + 10 * SECOND, raceSince: since }),
          newAccessToken(family.key),
        );

      const inTime = await late(LATER);
      const revokedInTime = (await oauth.findTokenFamily(family.key))?.revokedAt;
      const tooLate = await late(LATER + 1);

      assert.deepEqual([inTime, tooLate], ['refused', 'refused']);
      assert.equal(revokedInTime, undefined);
      assert.equal((await oauth.findTokenFamily(family.key))?.revokedAt, LATER + 1 + 10 * SECOND);
    });

    test('only the immediate predecessor can have lost a race', async (t) => {
      const fixture = await openFixture(open, t);
      const { oauth, alice } = fixture;
      const { family } = await signIn(fixture, alice, 'notebook');
      const first = rotationOf(family);
      await oauth.rotate(first, newAccessToken(family.key));
      await oauth.rotate(
        rotationOf(family, { presentedDigest: first.nextDigest, nextDigest: digestOf('generation 2') }),
        newAccessToken(family.key),
      );

      const answer = await oauth.rotate(rotationOf(family, { raceSince: NOON }), newAccessToken(family.key));

      assert.equal(answer, 'refused');
      assert.equal((await oauth.findTokenFamily(family.key))?.revokedAt, LATER);
    });

    test('a revoked sign-in is not rotated, and keeps the time of its first revocation', async (t) => {
      const fixture = await openFixture(open, t);
      const { oauth, alice } = fixture;
      const { family, accessToken } = await signIn(fixture, alice, 'notebook');
      const second = await signIn(fixture, alice, 'notebook');

      await oauth.revokeFamily(family.key, LATER);
      await oauth.revokeFamily(family.key, LATER + MINUTE);
      const answer = await oauth.rotate(rotationOf(family), newAccessToken(family.key));

      assert.equal(answer, 'refused');
      assert.equal((await oauth.findTokenFamily(family.key))?.revokedAt, LATER);
      assert.equal((await oauth.findAccessToken(accessToken.key))?.familyRevokedAt, LATER);
      assert.equal((await oauth.findTokenFamily(second.family.key))?.revokedAt, undefined);
      assert.equal(await oauth.findTokenFamily('no such key'), undefined);
    });

    test('all sign-ins of a member for an application are revoked, and no others', async (t) => {
      const fixture = await openFixture(open, t);
      const { oauth, alice, bob } = fixture;
      const [first, second] = [
        await signIn(fixture, alice, 'notebook'),
        await signIn(fixture, alice, 'notebook'),
      ];
      const others = [await signIn(fixture, alice, 'pocket'), await signIn(fixture, bob, 'notebook')];

      await oauth.revokeAfterReplay({ code: first.code, address: undefined, at: LATER });

      const revokedAt = async (key: string) => (await oauth.findTokenFamily(key))?.revokedAt;
      assert.equal(await revokedAt(first.family.key), LATER);
      assert.equal(await revokedAt(second.family.key), LATER);
      for (const { family } of others) assert.equal(await revokedAt(family.key), undefined);
    });

    for (const race of [
      { title: 'the sign-in lives if a race is forgiven', raceSince: NOON, revokedAt: undefined },
      { title: 'the sign-in ends if none is', raceSince: undefined, revokedAt: LATER },
    ]) {
      test(`of 32 rotations at once exactly one happens, and ${race.title}, 200 times over`, async (t) => {
        const fixture = await openFixture(open, t);
        const { oauth, alice } = fixture;

        for (let round = 0; round < 200; round += 1) {
          const { family } = await signIn(fixture, alice, 'notebook');
          const tokens = Array.from({ length: 32 }, () => newAccessToken(family.key));
          const answers = await Promise.all(
            tokens.map((token, index) => {
              const nextDigest = digestOf(`${family.key} racer ${index}`);
              return oauth.rotate(rotationOf(family, { nextDigest, raceSince: race.raceSince }), token);
            }),
          );

          const stored = await Promise.all(tokens.map(({ key }) => oauth.findAccessToken(key)));
          const winner = answers.indexOf('rotated');
          const storedFamily = await oauth.findTokenFamily(family.key);
          assert.equal(answers.filter((answer) => answer === 'rotated').length, 1);
          assert.equal(stored.filter((token) => token !== undefined).length, 1);
          assert.equal(storedFamily?.refreshDigest, digestOf(`${family.key} racer ${winner}`));
          assert.equal(storedFamily?.revokedAt, race.revokedAt);
        }
      });
    }
  },
};
