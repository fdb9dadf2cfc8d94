// Authorization codes: one redemption, and what a second one does.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MINUTE } from '../../../src/lib/clock.ts';
import { timeOrderedKey } from '../../../src/lib/secrets.ts';
import { NO_ENTRY } from '../../../src/storage/audit/audit-trail.ts';
import { sql } from '../../../src/storage/engine/sql.ts';
import { asMember, SERVER } from '../doers.ts';
import { approve, atOnce, type Open, openFixture, signIn } from '../fixture.ts';
import { asStored, inForce, NOON, newAccessToken, newCode, newFamily } from '../records.ts';

const LATER = NOON + MINUTE;

// Copies with later keys.
const copyFamily = sql<{ key: string; from: number; to: number }>`
  WITH RECURSIVE numbers (n) AS (
    SELECT cast(:from AS integer) UNION ALL SELECT n + 1 FROM numbers WHERE n < cast(:to AS integer))
  INSERT INTO token_families (key, client_id, user_id, scopes, authenticated_at, refresh_digest, rotated_at,
    refresh_expires_at, issued_at, expires_at)
  SELECT key || n, client_id, user_id, scopes, authenticated_at, refresh_digest, rotated_at,
    refresh_expires_at, issued_at, expires_at
  FROM token_families, numbers WHERE key = :key`;

export const codes = {
  title: 'authorization codes',
  registerTests(open: Open): void {
    test('a code is found with all that it was issued with, and the status of the account', async (t) => {
      const { oauth, identity, alice } = await openFixture(open, t);
      const code = newCode(alice, 'notebook', {
        codeChallenge: 'challenge',
        nonce: 'n-0S6',
        scopes: ['posts:read'],
      });

      await oauth.approve(asMember(alice), undefined, code.scopes, code);
      await identity.setStatus(SERVER, alice, 'suspended');
      const stored = await oauth.findAuthorizationCode(code.key);

      assert.deepEqual(stored, {
        ...code,
        redeemedAt: undefined,
        voidedAt: undefined,
        pausedAt: undefined,
        accountStatus: 'suspended',
      });
      assert.equal(await oauth.findAuthorizationCode('no such key'), undefined);
    });

    test('a member has at most 500 live codes for an application: one in sixteen deletes older ones', async (t) => {
      const { oauth, alice, bob } = await openFixture(open, t);
      const keyAt = (index: number, end = 'z') => ({ key: keyEndingWith(end, NOON + index) });
      const codes = Array.from({ length: 502 }, (_, index) =>
        newCode(alice, 'notebook', keyAt(index, index === 501 ? '0' : 'z')),
      );
      const others = [newCode(alice, 'pocket', keyAt(-1)), newCode(bob, 'notebook', keyAt(-1))];
      const [redeemed] = codes;
      assert.ok(redeemed !== undefined);
      for (const code of others) await oauth.approve(asMember(code.userId), undefined, code.scopes, code);
      await oauth.approve(asMember(alice), undefined, redeemed.scopes, redeemed);
      const family = newFamily(alice, 'notebook');
      await oauth.redeem(asStored(redeemed), family, newAccessToken(family.key), NOON);

      for (const code of codes.slice(1))
        await oauth.approveAgain(asMember(alice), inForce(...redeemed.scopes), code);

      const found = await Promise.all(codes.map(async ({ key }) => oauth.findAuthorizationCode(key)));
      const missing = codes.filter((_, index) => found[index] === undefined);
      assert.deepEqual(missing, [codes[1]]);
      for (const { key } of others) assert.ok(await oauth.findAuthorizationCode(key));
    });

    test('a member has at most 1,000 live sign-ins at an application: one code in sixteen revokes older ones', async (t) => {
      const fixture = await openFixture(open, t);
      const { oauth, database, alice } = fixture;
      const first = await signIn(fixture, alice, 'notebook');
      const { key } = first.family;
      const copy = (from: number, to: number) =>
        database.atomically({ audit: NO_ENTRY, guard: copyFamily({ key, from, to }) });
      const approveAgain = async () => {
        const code = newCode(alice, 'notebook', { key: keyEndingWith('0') });
        assert.ok(await oauth.approveAgain(asMember(alice, LATER), inForce(...code.scopes), code));
        return (await oauth.findTokenFamily(key))?.revokedAt;
      };

      await copy(1, 999);
      assert.equal(await approveAgain(), undefined);
      await copy(1000, 1000);
      assert.equal(await approveAgain(), LATER);
    });

    test('redeeming a code stores the sign-in and its access token', async (t) => {
      const fixture = await openFixture(open, t);
      const { oauth, alice } = fixture;
      const code = await approve(fixture, alice, 'notebook');
      const family = newFamily(alice, 'notebook');
      const accessToken = newAccessToken(family.key);

      const answer = await oauth.redeem(asStored(code), family, accessToken, LATER);

      const stored = await oauth.findTokenFamily(family.key);
      assert.equal(answer, 'redeemed');
      assert.equal((await oauth.findAuthorizationCode(code.key))?.redeemedAt, LATER);
      assert.deepEqual(
        { ...stored, refreshDigest: Buffer.from(stored?.refreshDigest ?? []) },
        {
          ...family,
          refreshDigest: Buffer.from(family.refreshDigest),
          previousDigest: undefined,
          rotatedAt: NOON,
          revokedAt: undefined,
          pausedAt: undefined,
          accountStatus: 'active',
        },
      );
      assert.equal((await oauth.findAccessToken(accessToken.key))?.user.id, family.userId);
    });

    test('a redeemed code keeps no text that the application chose, nor the member’s browser', async (t) => {
      const fixture = await openFixture(open, t);
      const { oauth, alice } = fixture;
      const more = { codeChallenge: 'challenge', nonce: 'n-0S6' };
      const code = newCode(alice, 'notebook', more);
      await oauth.approve(asMember(alice), undefined, code.scopes, code);
      const family = newFamily(alice, 'notebook');

      await oauth.redeem(asStored(code), family, newAccessToken(family.key), LATER);

      assert.deepEqual(await oauth.findAuthorizationCode(code.key), {
        ...asStored(code),
        redirectUri: '',
        codeChallenge: undefined,
        nonce: undefined,
        program: undefined,
        network: undefined,
        redeemedAt: LATER,
      });
    });

    test('a code presented a second time ends every sign-in of that user for that application', async (t) => {
      const fixture = await openFixture(open, t);
      const { oauth, alice, bob } = fixture;
      const earlier = await signIn(fixture, alice, 'notebook');
      const { code, family, accessToken } = await signIn(fixture, alice, 'notebook');
      const elsewhere = await signIn(fixture, alice, 'pocket');
      const another = await signIn(fixture, bob, 'notebook');
      const waiting = await approve(fixture, alice, 'notebook');
      const waitingElsewhere = await approve(fixture, alice, 'pocket');
      const waitingOfBob = await approve(fixture, bob, 'notebook');
      const second = newFamily(alice, 'notebook');

      const answer = await oauth.redeem(asStored(code), second, newAccessToken(second.key), LATER);

      assert.equal(answer, 'refused');
      assert.equal((await oauth.findAuthorizationCode(waiting.key))?.voidedAt, LATER);
      assert.equal((await oauth.findAuthorizationCode(waitingElsewhere.key))?.voidedAt, undefined);
      assert.equal((await oauth.findAuthorizationCode(waitingOfBob.key))?.voidedAt, undefined);
      assert.equal(await oauth.findTokenFamily(second.key), undefined);
      assert.equal((await oauth.findTokenFamily(family.key))?.revokedAt, LATER);
      assert.equal((await oauth.findTokenFamily(earlier.family.key))?.revokedAt, LATER);
      assert.equal((await oauth.findAccessToken(accessToken.key))?.familyRevokedAt, LATER);
      assert.equal((await oauth.findTokenFamily(elsewhere.family.key))?.revokedAt, undefined);
      assert.equal((await oauth.findTokenFamily(another.family.key))?.revokedAt, undefined);
    });

    test('a voided code is refused, and later sign-ins go on', async (t) => {
      const fixture = await openFixture(open, t);
      const { oauth, alice } = fixture;
      const voided = await approve(fixture, alice, 'notebook');
      await oauth.withdrawGrant(asMember(alice), alice, 'notebook');
      const { family } = await signIn(fixture, alice, 'notebook');
      const second = newFamily(alice, 'notebook');

      const answer = await oauth.redeem(asStored(voided), second, newAccessToken(second.key), LATER);

      assert.equal(answer, 'changed');
      assert.equal(await oauth.findTokenFamily(second.key), undefined);
      assert.equal((await oauth.findTokenFamily(family.key))?.revokedAt, undefined);
    });

    test('of 32 redemptions of one code at once exactly one succeeds, and the others revoke its tokens, 200 times over', async (t) => {
      const fixture = await openFixture(open, t);
      const { oauth, alice } = fixture;

      for (let round = 0; round < 200; round += 1) {
        const code = await approve(fixture, alice, 'notebook');
        const families = Array.from({ length: 32 }, () => newFamily(alice, 'notebook'));
        const answers = await Promise.all(
          families.map((family) => oauth.redeem(asStored(code), family, newAccessToken(family.key), LATER)),
        );

        const stored = await Promise.all(families.map(({ key }) => oauth.findTokenFamily(key)));
        assert.deepEqual(
          stored.map((family) => family?.revokedAt),
          answers.map((answer) => (answer === 'redeemed' ? LATER : undefined)),
        );
        assert.equal(answers.filter((answer) => answer === 'redeemed').length, 1);
      }
    });

    test('replays of many codes of one member at once all finish, and leave no valid sign-in', async (t) => {
      const fixture = await openFixture(open, t);
      const { oauth, alice } = fixture;
      const signIns = [];
      for (let count = 0; count < 16; count += 1) signIns.push(await signIn(fixture, alice, 'notebook'));

      const answers = await Promise.all(
        signIns.map(({ code }) => {
          const family = newFamily(alice, 'notebook');
          return oauth.redeem(asStored(code), family, newAccessToken(family.key), LATER);
        }),
      );

      const stored = await Promise.all(signIns.map(({ family }) => oauth.findTokenFamily(family.key)));
      assert.deepEqual(answers, Array(16).fill('refused'));
      assert.deepEqual(
        stored.map((family) => family?.revokedAt),
        Array(16).fill(LATER),
      );
    });

    test('a replay at the same time as the redemption of a fresh code leaves no live sign-in from it', async (t) => {
      const fixture = await openFixture(open, t);
      const { oauth, alice } = fixture;

      for (let round = 0; round < 50; round += 1) {
        const { family: earlier } = await signIn(fixture, alice, 'notebook');
        const fresh = await approve(fixture, alice, 'notebook');
        const family = newFamily(alice, 'notebook');
        const redeemFresh = () => oauth.redeem(asStored(fresh), family, newAccessToken(family.key), NOON);
        const replay = () =>
          oauth.revokeAfterReplay({ code: asStored(fresh), address: undefined, at: LATER });
        const acts = round % 2 === 0 ? [redeemFresh, replay] : [replay, redeemFresh];

        await Promise.all(acts.map((act) => act()));

        const stored = await oauth.findTokenFamily(family.key);
        const { redeemedAt, voidedAt } = (await oauth.findAuthorizationCode(fresh.key)) ?? {};
        assert.equal((await oauth.findTokenFamily(earlier.key))?.revokedAt, LATER);
        assert.equal(stored === undefined ? voidedAt : stored.revokedAt, LATER);
        assert.equal(redeemedAt === undefined, stored === undefined);
      }
    });

    test('8 codes of one member can all be redeemed at once', async (t) => {
      const fixture = await openFixture(open, t);
      const { oauth, alice } = fixture;
      const codesOfAlice = await atOnce(8, () => approve(fixture, alice, 'notebook'));

      const answers = await Promise.all(
        codesOfAlice.map((code) => {
          const family = newFamily(alice, 'notebook');
          return oauth.redeem(asStored(code), family, newAccessToken(family.key), LATER);
        }),
      );

      assert.deepEqual(answers, Array(8).fill('redeemed'));
    });
  },
};

// One of the keys of that moment. Its last character decides whether older codes and sign-ins are looked for.
function keyEndingWith(end: string, now = NOON): string {
  return timeOrderedKey(now).slice(0, -1) + end;
}
