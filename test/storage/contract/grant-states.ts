// Consents that are narrowed, paused, resumed, or come to their end.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAY, HOUR, MINUTE } from '../../../src/lib/clock.ts';
import { asMember, COMMAND_LINE } from '../doers.ts';
import { approve, atOnce, auditActs, type Fixture, type Open, openFixture, signIn } from '../fixture.ts';
import { asStored, inForce, NOON, newAccessToken, newCode, newFamily } from '../records.ts';
import { eventsOf } from './security-events.ts';

const LATER = NOON + MINUTE;
const BOTH = ['profile:read', 'posts:read'] as const;

/** Let alice allow notebook these scopes until the end. Returns the code. */
async function approveUntil({ oauth, alice }: Fixture, grantEndsAt: number, at = NOON) {
  const code = newCode(alice, 'notebook', { duration: '1_day', grantEndsAt });
  const grant = await oauth.findGrant(alice, 'notebook', at);
  const before = grant?.withdrawnAt === undefined ? grant : undefined;
  assert.ok(await oauth.approve(asMember(alice, at), before, code.scopes, code));
  return code;
}

export const grantStates = {
  title: 'states of a consent',
  registerTests(open: Open): void {
    test('narrowing takes a scope from the consent, its codes, its sign-ins and their access tokens', async (t) => {
      const fixture = await openFixture(open, t);
      const { oauth, alice, bob } = fixture;
      const { family, accessToken } = await signIn(fixture, alice, 'notebook');
      const narrower = newAccessToken(family.key, { scopes: ['posts:read'] });
      await oauth.rotate(rotationOf(family), narrower);
      const code = await approve(fixture, alice, 'notebook');
      const elsewhere = await signIn(fixture, alice, 'pocket');
      const another = await signIn(fixture, bob, 'notebook');
      const by = asMember(alice, LATER);

      const answers = [
        await oauth.narrowGrant(by, alice, 'notebook', BOTH, ['profile:read']),
        await oauth.narrowGrant(by, alice, 'notebook', BOTH, ['posts:read']),
      ];

      assert.deepEqual(answers, [true, false]);
      assert.deepEqual((await oauth.findGrant(alice, 'notebook', LATER))?.scopes, ['profile:read']);
      assert.deepEqual((await oauth.findAuthorizationCode(code.key))?.scopes, ['profile:read']);
      assert.deepEqual((await oauth.findTokenFamily(family.key))?.scopes, ['profile:read']);
      assert.deepEqual((await oauth.findAccessToken(accessToken.key))?.scopes, ['profile:read']);
      assert.deepEqual((await oauth.findAccessToken(narrower.key))?.scopes, []);
      for (const { family: other } of [elsewhere, another]) {
        assert.deepEqual((await oauth.findTokenFamily(other.key))?.scopes, BOTH);
      }
    });

    test('codes and sign-ins that have no scope left end', async (t) => {
      const fixture = await openFixture(open, t);
      const { oauth, alice } = fixture;
      const codes = [1, 2].map(() => newCode(alice, 'notebook', { scopes: ['posts:read'] }));
      const [first, second] = codes;
      assert.ok(first !== undefined && second !== undefined);
      await oauth.approve(asMember(alice), undefined, BOTH, first);
      await oauth.approve(asMember(alice), inForce(...BOTH), BOTH, second);
      const family = newFamily(alice, 'notebook', { scopes: ['posts:read'] });
      await oauth.redeem(asStored(first), family, newAccessToken(family.key), NOON);

      await oauth.narrowGrant(asMember(alice, LATER), alice, 'notebook', BOTH, ['profile:read']);

      assert.equal((await oauth.findAuthorizationCode(second.key))?.voidedAt, LATER);
      assert.deepEqual((await oauth.findAuthorizationCode(second.key))?.scopes, []);
      assert.equal((await oauth.findTokenFamily(family.key))?.revokedAt, LATER);
    });

    test('an approval with fewer scopes narrows what was issued before', async (t) => {
      const fixture = await openFixture(open, t);
      const { oauth, alice } = fixture;
      const { family } = await signIn(fixture, alice, 'notebook');
      const code = newCode(alice, 'notebook', { scopes: ['posts:read'] });

      await oauth.approve(asMember(alice, LATER), inForce(...BOTH), ['posts:read'], code);

      assert.deepEqual((await oauth.findTokenFamily(family.key))?.scopes, ['posts:read']);
      assert.deepEqual((await oauth.findAuthorizationCode(code.key))?.scopes, ['posts:read']);
    });

    test('pausing suspends codes and sign-ins of that consent only, and resuming restores them', async (t) => {
      const fixture = await openFixture(open, t);
      const { oauth, alice, bob } = fixture;
      const { family, accessToken } = await signIn(fixture, alice, 'notebook');
      const code = await approve(fixture, alice, 'notebook');
      const elsewhere = await signIn(fixture, alice, 'pocket');
      const another = await signIn(fixture, bob, 'notebook');
      const by = asMember(alice, LATER);
      const pausedAt = async () => [
        (await oauth.findGrant(alice, 'notebook', LATER))?.pausedAt,
        (await oauth.connectedClients(alice, LATER)).find(({ client }) => client.id === 'notebook')?.grant
          .pausedAt,
        (await oauth.findAuthorizationCode(code.key))?.pausedAt,
        (await oauth.findTokenFamily(family.key))?.pausedAt,
        (await oauth.findAccessToken(accessToken.key))?.familyPausedAt,
      ];

      const answers = [
        await oauth.resumeGrant(by, alice, 'notebook'),
        await oauth.pauseGrant(by, alice, 'notebook'),
        await oauth.pauseGrant(by, alice, 'notebook'),
      ];
      const whilePaused = await pausedAt();
      const redemption = newFamily(alice, 'notebook');
      const again = newCode(alice, 'notebook');
      const whilePausedAnswers = [
        await oauth.redeem(asStored(code), redemption, newAccessToken(redemption.key), LATER),
        await oauth.approveAgain(by, inForce(...BOTH), again),
      ];
      const others = [elsewhere, another].map(({ accessToken: { key } }) => oauth.findAccessToken(key));
      answers.push(await oauth.resumeGrant(by, alice, 'notebook'));

      assert.deepEqual(answers, [false, true, false, true]);
      assert.deepEqual(whilePaused, Array(5).fill(LATER));
      assert.deepEqual(whilePausedAnswers, ['changed', false]);
      for (const token of await Promise.all(others)) assert.equal(token?.familyPausedAt, undefined);
      assert.deepEqual(await pausedAt(), Array(5).fill(undefined));
      const { key } = redemption;
      assert.equal(await oauth.redeem(asStored(code), redemption, newAccessToken(key), LATER), 'redeemed');
    });

    test('a paused consent can be narrowed, withdrawn, and allowed again, which resumes it', async (t) => {
      const fixture = await openFixture(open, t);
      const { oauth, alice } = fixture;
      const { family } = await signIn(fixture, alice, 'notebook');
      const by = asMember(alice, LATER);
      await oauth.pauseGrant(by, alice, 'notebook');
      const paused = { ...inForce(...BOTH), pausedAt: LATER };

      const stale = await oauth.approve(by, inForce(...BOTH), BOTH, newCode(alice, 'notebook'));
      const narrowed = await oauth.narrowGrant(by, alice, 'notebook', BOTH, ['posts:read']);
      const resumed = await oauth.approve(
        by,
        { ...paused, scopes: ['posts:read'] },
        BOTH,
        newCode(alice, 'notebook'),
      );
      const afterResuming = await oauth.findTokenFamily(family.key);
      await oauth.pauseGrant(by, alice, 'notebook');
      const withdrawn = await oauth.withdrawGrant(by, alice, 'notebook');

      assert.deepEqual([stale, narrowed, resumed, withdrawn], [false, true, true, true]);
      // A scope that is allowed again is for new sign-ins.
      assert.deepEqual([afterResuming?.pausedAt, afterResuming?.scopes], [undefined, ['posts:read']]);
      assert.equal((await oauth.findTokenFamily(family.key))?.revokedAt, LATER);
    });

    test('a consent counts as withdrawn from its end on', async (t) => {
      const fixture = await openFixture(open, t);
      const { oauth, alice } = fixture;
      const end = NOON + DAY;
      await approveUntil(fixture, end);

      const before = await oauth.findGrant(alice, 'notebook', end - 1);
      const after = await oauth.findGrant(alice, 'notebook', end);

      assert.deepEqual([before?.duration, before?.endsAt, before?.withdrawnAt], ['1_day', end, undefined]);
      assert.equal(after?.withdrawnAt, end);
      for (const [at, count] of [
        [end - 1, 1],
        [end, 0],
      ] as const) {
        assert.equal(await oauth.countGrants('notebook', at), count);
        assert.equal((await oauth.connectedClients(alice, at)).length, count);
      }
      const by = asMember(alice, end);
      const answers = [
        await oauth.narrowGrant(by, alice, 'notebook', BOTH, ['posts:read']),
        await oauth.pauseGrant(by, alice, 'notebook'),
        await oauth.withdrawGrant(by, alice, 'notebook'),
        await oauth.approve(by, before, BOTH, newCode(alice, 'notebook')),
        await oauth.approve(by, undefined, ['posts:read'], newCode(alice, 'notebook')),
      ];
      assert.deepEqual(answers, [false, false, false, false, true]);
      const renewed = await oauth.findGrant(alice, 'notebook', end);
      assert.deepEqual(
        [renewed?.grantedAt, renewed?.endsAt, renewed?.withdrawnAt],
        [end, undefined, undefined],
      );
    });

    test('a shorter choice also shortens codes and sign-ins from before; a longer one changes none', async (t) => {
      const fixture = await openFixture(open, t);
      const { oauth, alice, bob } = fixture;
      const { family, accessToken } = await signIn(fixture, alice, 'notebook');
      const waiting = await approve(fixture, alice, 'notebook');
      const another = await signIn(fixture, bob, 'notebook');
      const ends = async () => {
        const stored = await oauth.findTokenFamily(family.key);
        return [
          (await oauth.findAuthorizationCode(waiting.key))?.grantEndsAt,
          stored?.expiresAt,
          stored?.refreshExpiresAt,
          (await oauth.findAccessToken(accessToken.key))?.expiresAt,
        ];
      };
      const end = NOON + HOUR / 2;

      await approveUntil(fixture, end, LATER);
      const shortened = await ends();
      const stale = newFamily(alice, 'notebook');
      const answer = await oauth.redeem(asStored(waiting), stale, newAccessToken(stale.key), LATER);
      await approveUntil(fixture, NOON + DAY, LATER);

      assert.deepEqual(shortened, [end, end, end, end]);
      assert.equal(answer, 'changed');
      assert.deepEqual(await ends(), [end, end, end, end]);
      assert.equal((await oauth.findTokenFamily(another.family.key))?.expiresAt, another.family.expiresAt);
    });

    test('a code redeemed while the consent is narrowed, paused or shortened never keeps what it lost, 50 times over', async (t) => {
      const fixture = await openFixture(open, t);
      const { oauth, alice } = fixture;
      const by = asMember(alice, LATER);

      for (let round = 0; round < 50; round += 1) {
        const code = await approve(fixture, alice, 'notebook');
        const family = newFamily(alice, 'notebook');
        const change = [
          () => oauth.narrowGrant(by, alice, 'notebook', BOTH, ['profile:read']),
          () => oauth.pauseGrant(by, alice, 'notebook'),
          () => approveUntil(fixture, NOON + DAY, LATER),
        ][round % 3];
        await atOnce(2, async (index) =>
          index === Math.floor(round / 3) % 2
            ? change?.()
            : oauth.redeem(asStored(code), family, newAccessToken(family.key), LATER),
        );

        const stored = await oauth.findTokenFamily(family.key);
        if (stored !== undefined) {
          const { scopes, pausedAt, expiresAt } = stored;
          const kept = [scopes.length, pausedAt, expiresAt][round % 3];
          assert.equal(kept, [1, LATER, NOON + DAY][round % 3]);
        }
        await oauth.withdrawGrant(by, alice, 'notebook');
      }
    });

    test('each change leaves its event; operators’ and the command line’s are in the audit log', async (t) => {
      const fixture = await openFixture(open, t);
      const { oauth, alice } = fixture;
      const by = { ...asMember(alice, LATER), address: '192.0.2.7' };
      await oauth.approve(by, undefined, BOTH, newCode(alice, 'notebook'));
      await oauth.approve(by, inForce(...BOTH), BOTH, newCode(alice, 'notebook'));
      await oauth.narrowGrant(by, alice, 'notebook', BOTH, ['posts:read']);
      await oauth.narrowGrant(by, alice, 'notebook', BOTH, ['posts:read']);
      await oauth.pauseGrant(by, alice, 'notebook');
      await oauth.resumeGrant(by, alice, 'notebook');
      await oauth.pauseGrant(COMMAND_LINE, alice, 'notebook');
      const paused = { ...inForce('posts:read'), pausedAt: NOON };
      await oauth.approve(by, paused, ['profile:read'], newCode(alice, 'notebook'));
      await oauth.narrowGrant(COMMAND_LINE, alice, 'notebook', ['profile:read'], []);
      await oauth.pauseGrant(COMMAND_LINE, alice, 'notebook');
      await oauth.resumeGrant(COMMAND_LINE, alice, 'notebook');

      const events = await eventsOf(fixture);
      assert.deepEqual(
        events.map(({ event, by: doer, detail, address }) => [event, doer, detail, address]),
        [
          ['consent_granted', undefined, 'profile:read posts:read', '192.0.2.7'],
          ['consent_narrowed', 'member', 'posts:read', '192.0.2.7'],
          ['consent_paused', 'member', undefined, '192.0.2.7'],
          ['consent_resumed', 'member', undefined, '192.0.2.7'],
          ['consent_paused', 'command-line', undefined, undefined],
          ['consent_resumed', 'member', undefined, '192.0.2.7'],
          ['consent_narrowed', 'member', 'profile:read', '192.0.2.7'],
          ['consent_granted', undefined, 'profile:read', '192.0.2.7'],
          ['consent_narrowed', 'command-line', '', undefined],
          ['consent_paused', 'command-line', undefined, undefined],
          ['consent_resumed', 'command-line', undefined, undefined],
        ],
      );
      assert.deepEqual(await auditActs(fixture), [
        `undefined consent.resume user:${alice}`,
        `undefined consent.pause user:${alice}`,
        `undefined consent.narrow user:${alice}`,
        `undefined consent.pause user:${alice}`,
      ]);
    });
  },
};

function rotationOf({ key, refreshDigest }: { key: string; refreshDigest: string }) {
  return {
    familyKey: key,
    presentedDigest: refreshDigest,
    nextDigest: `${refreshDigest.slice(1)}A`,
    refreshExpiresAt: NOON + 30 * DAY,
    at: NOON,
    raceSince: undefined,
  };
}
