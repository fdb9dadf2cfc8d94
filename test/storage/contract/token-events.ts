// Security events of consent, codes, tokens and applications' secrets.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAY, HOUR, MINUTE, SECOND } from '../../../src/lib/clock.ts';
import { digestOf } from '../../../src/lib/secrets.ts';
import { asMember, asOperator, COMMAND_LINE, SERVER } from '../doers.ts';
import { approve, atOnce, auditActs, type Fixture, type Open, openFixture, signIn } from '../fixture.ts';
import { asStored, NOON, newAccessToken, newFamily, newPersonalToken, newUser } from '../records.ts';
import { eventsOf } from './security-events.ts';

const LATER = NOON + MINUTE;
const ADDRESS = '192.0.2.7';

export const tokenEvents = {
  title: 'security events of tokens',
  registerTests(open: Open): void {
    test('consent, tokens, secrets and keys leave their events, with who acted', async (t) => {
      const fixture = await openFixture(open, t);
      const { oauth, alice, bob } = fixture;
      const by = { ...asMember(alice), address: ADDRESS };
      await signIn(fixture, alice, 'notebook');
      await oauth.withdrawGrant(by, alice, 'notebook');
      await oauth.withdrawGrant(by, alice, 'notebook');
      const token = await oauth.addPersonalToken(by, newPersonalToken(alice), 1);
      await oauth.addPersonalToken(by, newPersonalToken(alice), 1);
      await oauth.revokePersonalToken(asMember(bob), token ?? 0);
      await oauth.revokePersonalToken(by, token ?? 0);
      await oauth.replaceClientSecret(
        COMMAND_LINE,
        'notebook',
        { digest: digestOf('new'), ending: 'wxyz' },
        undefined,
      );
      await oauth.replaceClientSecret(
        COMMAND_LINE,
        'pocket',
        { digest: digestOf('new'), ending: 'wxyz' },
        undefined,
      );

      const events = await eventsOf(fixture);
      assert.deepEqual(
        events.map(({ event, userId, clientId, by, subject }) => [event, userId, clientId, by, subject]),
        [
          ['consent_granted', alice, 'notebook', undefined, undefined],
          ['consent_withdrawn', alice, 'notebook', 'member', undefined],
          ['api_token_created', alice, undefined, 'member', String(token)],
          ['api_token_revoked', alice, undefined, 'member', String(token)],
          // The member is the owner of the application.
          ['client_secret_rotated', bob, 'notebook', 'command-line', undefined],
        ],
      );
      assert.deepEqual(
        events.map(({ address }) => address),
        [undefined, ADDRESS, ADDRESS, ADDRESS, undefined],
      );
    });

    test('of calls at once with one key, one creates a token, with one event and one entry', async (t) => {
      const fixture = await openFixture(open, t);
      const { oauth, alice } = fixture;
      const { key } = newPersonalToken(alice);

      const ids = await atOnce(8, (index) =>
        oauth.addPersonalToken(
          COMMAND_LINE,
          newPersonalToken(alice, { key, digest: digestOf(`${index}`) }),
          9,
        ),
      );

      assert.equal(ids.filter((id) => id !== undefined).length, 1);
      const events = await eventsOf(fixture);
      assert.deepEqual(
        events.map(({ event }) => event),
        ['api_token_created'],
      );
      assert.equal((await auditActs(fixture)).length, 1);
    });

    test('exchanges, refreshes and revocations by applications leave no event', async (t) => {
      const fixture = await openFixture(open, t);
      const { oauth, alice } = fixture;
      const { family, accessToken } = await signIn(fixture, alice, 'notebook');
      const before = await eventsOf(fixture);

      const rotation = {
        familyKey: family.key,
        presentedDigest: family.refreshDigest,
        nextDigest: digestOf('next'),
        refreshExpiresAt: NOON + DAY,
        at: NOON,
        raceSince: undefined,
      };
      assert.equal(await oauth.rotate(rotation, newAccessToken(family.key)), 'rotated');
      await oauth.revokeAccessToken(accessToken.key, NOON);
      await oauth.revokeFamily(family.key, NOON);

      assert.deepEqual(await eventsOf(fixture), before);
    });

    test('a code that is used again is recorded once a minute, also if nothing is left to revoke', async (t) => {
      const fixture = await openFixture(open, t);
      const { oauth, alice } = fixture;
      const { code } = await signIn(fixture, alice, 'notebook');
      const replay = (at: number) => oauth.revokeAfterReplay({ code, address: ADDRESS, at });

      await replay(LATER);
      await replay(LATER + 30 * SECOND);
      await replay(LATER + MINUTE);

      const replays = (await eventsOf(fixture)).filter(({ event }) => event === 'code_replayed');
      assert.deepEqual(
        replays.map(({ at, userId, clientId, address, subject }) => [at, userId, clientId, address, subject]),
        [
          [LATER, alice, 'notebook', ADDRESS, code.key],
          [LATER + MINUTE, alice, 'notebook', ADDRESS, code.key],
        ],
      );
    });

    test('of redemptions at once the losers are a replay; a voided code is none', async (t) => {
      const fixture = await openFixture(open, t);
      const { oauth, alice } = fixture;
      const redeem = async (code: Parameters<typeof asStored>[0]) => {
        const family = newFamily(alice, code.clientId);
        return oauth.redeem(asStored(code), family, newAccessToken(family.key), NOON, ADDRESS);
      };
      const code = await approve(fixture, alice, 'notebook');
      const outcomes = [await redeem(code), await redeem(code), await redeem(code)];
      const voided = await approve(fixture, alice, 'pocket');
      await oauth.withdrawGrant(asMember(alice), alice, 'pocket');
      await redeem(voided);

      assert.deepEqual(outcomes, ['redeemed', 'refused', 'refused']);
      const replays = (await eventsOf(fixture)).filter(({ event }) => event === 'code_replayed');
      assert.deepEqual(
        replays.map(({ subject }) => subject),
        [code.key],
      );
    });

    test('a stolen refresh token is recorded once for its sign-in, also in calls at once', async (t) => {
      const fixture = await openFixture(open, t);
      const { oauth, alice } = fixture;
      const [first, second] = [
        await signIn(fixture, alice, 'notebook'),
        await signIn(fixture, alice, 'pocket'),
      ];
      const stale = {
        familyKey: second.family.key,
        presentedDigest: digestOf('an old one'),
        nextDigest: digestOf('next'),
        refreshExpiresAt: NOON + DAY,
        at: LATER,
        raceSince: undefined,
        address: ADDRESS,
      };

      await atOnce(6, () =>
        oauth.revokeStolenFamily(first.family.key, { at: LATER, address: ADDRESS, owner: first.family }),
      );
      await atOnce(6, () => oauth.rotate(stale, newAccessToken(second.family.key)));

      const reuses = (await eventsOf(fixture)).filter(({ event }) => event === 'refresh_token_reused');
      assert.deepEqual(
        reuses.map(({ clientId, address, subject }) => [clientId, address, subject]),
        [
          ['notebook', ADDRESS, first.family.key],
          ['pocket', ADDRESS, second.family.key],
        ],
      );
    });

    test('60 replays and 60 stolen refresh tokens of a member are recorded in an hour, and all are revoked', async (t) => {
      const fixture = await openFixture(open, t);
      const { oauth, audit, alice } = fixture;
      const { code, family } = await signIn(fixture, alice, 'pocket');
      await addThefts(fixture, 'pocket');
      const [newest] = await audit.securityEvents({ limit: 1 });
      const added = async () =>
        (await audit.securityEvents({ limit: 10 })).filter(({ id }) => id > (newest?.id ?? 0));
      const [late, later] = [LATER + HOUR - 1, LATER + HOUR];

      await oauth.revokeAfterReplay({ code, address: ADDRESS, at: late });
      await oauth.revokeStolenFamily(family.key, { at: late, address: ADDRESS, owner: family });
      const within = await added();
      await oauth.revokeAfterReplay({ code, address: ADDRESS, at: later });

      assert.deepEqual(within, []);
      assert.equal((await oauth.findTokenFamily(family.key))?.revokedAt, late);
      assert.deepEqual(
        (await added()).map(({ event, at }) => [event, at]),
        [['code_replayed', later]],
      );
    });

    test('the first replay and the first stolen token of an application are recorded, whatever others did', async (t) => {
      const fixture = await openFixture(open, t);
      const { oauth, alice } = fixture;
      const [first, second] = [
        await signIn(fixture, alice, 'notebook'),
        await signIn(fixture, alice, 'notebook'),
      ];
      await addThefts(fixture, 'pocket');
      const late = LATER + HOUR - 1;

      for (const { family } of [first, second]) {
        await oauth.revokeStolenFamily(family.key, { at: late, address: ADDRESS, owner: family });
      }
      for (const { code } of [first, second]) {
        await oauth.revokeAfterReplay({ code, address: ADDRESS, at: late });
      }

      const thefts = (await eventsOf(fixture)).filter(
        ({ at, clientId }) => at === late && clientId === 'notebook',
      );
      assert.deepEqual(
        thefts.map(({ event, subject }) => [event, subject]),
        [
          ['refresh_token_reused', first.family.key],
          ['code_replayed', first.code.key],
        ],
      );
    });

    test('a token that was found in public leaves a report of its kind', async (t) => {
      const fixture = await openFixture(open, t);
      const { identity, oauth, alice } = fixture;
      const olivia = await identity.addUser(SERVER, newUser('olivia', { isOperator: true }));
      assert.ok(typeof olivia === 'number');
      const by = asOperator(olivia);
      const { family, accessToken } = await signIn(fixture, alice, 'notebook');
      const personal = await oauth.addPersonalToken(asMember(alice), newPersonalToken(alice), 50);
      const before = (await eventsOf(fixture)).length;

      for (let times = 0; times < 2; times += 1) {
        await oauth.revokeAccessTokenBy(by, accessToken.key);
        await oauth.revokeFamilyBy(by, family.key);
        await oauth.revokeReportedPersonalToken(by, personal ?? 0);
      }

      const events = (await eventsOf(fixture)).slice(before);
      assert.deepEqual(
        events.map(({ event, userId, clientId, by, detail, subject }) =>
          [event, userId, clientId, by, detail, subject].join(' '),
        ),
        [
          `token_reported ${alice} notebook operator access ${accessToken.key}`,
          `token_reported ${alice} notebook operator refresh ${family.key}`,
          `api_token_revoked ${alice}  operator  ${personal}`,
          `token_reported ${alice}  operator personal ${personal}`,
        ],
      );
    });
  },
};

/** Record as many replays and stolen refresh tokens of the member as are recorded in an hour. */
async function addThefts({ identity, alice }: Fixture, clientId: string): Promise<void> {
  for (const event of ['code_replayed', 'refresh_token_reused'] as const) {
    await atOnce(60, (index) =>
      identity.recordEvent({
        event,
        at: LATER,
        userId: alice,
        clientId,
        address: ADDRESS,
        subject: `${index}`,
      }),
    );
  }
}
