// Security events: each is written with its act, exactly once, also for calls at once.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SecurityEvent } from '../../../src/audit/security-event.ts';
import { DAY, MINUTE, SECOND } from '../../../src/lib/clock.ts';
import { digestOf } from '../../../src/lib/secrets.ts';
import { asMember, asOperator, COMMAND_LINE, SERVER } from '../doers.ts';
import { approved, atOnce, type House, type Open, openHouse, signedIn } from '../house.ts';
import {
  asRead,
  NOON,
  newAccessToken,
  newFamily,
  newPersonalToken,
  newSession,
  newUser,
  SESSION_START,
} from '../records.ts';

const LATER = NOON + MINUTE;
const ADDRESS = '192.0.2.7';

async function eventsOf({ audit }: House): Promise<SecurityEvent[]> {
  return (await audit.securityEvents({ limit: 100 })).reverse();
}

/** The names, oldest first, each with its detail. */
async function namesOf(house: House): Promise<string[]> {
  const events = await eventsOf(house);
  return events.map(({ event, detail }) => (detail === undefined ? event : `${event} ${detail}`));
}

export const securityEvents = {
  title: 'security events',
  promises(open: Open): void {
    test('each act of an account leaves its event, and an act that did not happen leaves none', async (t) => {
      const house = await openHouse(open, t);
      const { identity, alice } = house;
      const by = { ...asMember(alice), address: ADDRESS };
      const [session, other] = [newSession(alice), newSession(alice)];
      const hash = (await identity.findPasswordHash(alice)) ?? '';
      const signedOut = { event: 'signed_out', at: LATER, userId: alice, address: ADDRESS } as const;

      await identity.addSession(session, SESSION_START);
      await identity.addSession(other, SESSION_START);
      await identity.addSession(newSession(alice), SESSION_START, 'another hash');
      await identity.endSession(session.key, signedOut);
      await identity.endSession(session.key, signedOut);
      await identity.changePassword(by, { from: hash, to: 'second', language: 'en' });
      await identity.changePassword(by, { from: hash, to: 'third', language: 'en' });
      await identity.setStatus(COMMAND_LINE, alice, 'suspended');
      await identity.setStatus(COMMAND_LINE, alice, 'active');
      await identity.closeAccount(by, alice);
      await identity.closeAccount(by, alice);

      assert.deepEqual(await namesOf(house), [
        'signed_in password',
        'signed_in password',
        'signed_out',
        'session_ended password_changed',
        'password_changed',
        'account_status_changed suspended',
        'account_status_changed active',
        'account_status_changed closed',
      ]);
      const events = await eventsOf(house);
      assert.ok(events.every(({ userId }) => userId === alice));
      const { id, ...first } = events[0] ?? {};
      assert.deepEqual(first, {
        at: NOON,
        event: 'signed_in',
        userId: alice,
        clientId: undefined,
        address: ADDRESS,
        by: undefined,
        detail: 'password',
        subject: undefined,
      });
      assert.deepEqual(
        [events[5]?.by, events[7]?.by, events[7]?.address],
        ['command-line', 'member', ADDRESS],
      );
    });

    test('a reset password and a confirmed address leave their events only if they happened', async (t) => {
      const house = await openHouse(open, t);
      const { identity, alice } = house;
      const token = (key: string, purpose: 'reset' | 'confirm', email: string) => ({
        key,
        purpose,
        digest: digestOf(key),
        userId: alice,
        email,
        expiresAt: NOON + DAY,
      });
      const email = { userId: alice, email: 'a@x.example', emailKey: 'a@x.example' };
      await identity.addMailToken(token('confirm', 'confirm', 'a@x.example'));
      await identity.confirmEmail('confirm', email, 'en', NOON);
      await identity.confirmEmail('confirm', email, 'en', NOON);
      await identity.addSession(newSession(alice), SESSION_START);
      await identity.addMailToken(token('reset', 'reset', 'a@x.example'));
      await identity.addMailToken(token('stale', 'reset', 'old@x.example'));

      const stale = { key: 'stale', userId: alice, email: 'old@x.example' };
      assert.equal(await identity.resetPassword(stale, 'new', 'en', NOON, ADDRESS), false);
      const reset = { key: 'reset', userId: alice, email: 'a@x.example' };
      assert.equal(await identity.resetPassword(reset, 'new', 'en', NOON, ADDRESS), true);

      assert.deepEqual(await namesOf(house), [
        'email_changed confirmed',
        'signed_in password',
        'session_ended password_reset',
        'password_reset',
      ]);
    });

    test('each session ends once, also if its member signs out while the account is suspended', async (t) => {
      const house = await openHouse(open, t);
      const { identity, alice } = house;
      const sessions = Array.from({ length: 12 }, () => newSession(alice));
      await Promise.all(sessions.map((session) => identity.addSession(session, SESSION_START)));

      await Promise.all([
        ...sessions
          .slice(0, 6)
          .map(({ key }) =>
            identity.endSession(key, { event: 'signed_out', at: LATER, userId: alice, address: ADDRESS }),
          ),
        identity.setStatus(SERVER, alice, 'suspended'),
        ...sessions
          .slice(3, 9)
          .map(({ key }) =>
            identity.endSession(key, { event: 'signed_out', at: LATER, userId: alice, address: ADDRESS }),
          ),
      ]);

      const names = await namesOf(house);
      const ends = names.filter((name) => name === 'signed_out' || name.startsWith('session_ended'));
      assert.equal(ends.length, sessions.length);
    });

    test('consent, tokens, secrets and keys leave their events, with who acted', async (t) => {
      const house = await openHouse(open, t);
      const { oauth, alice, bob } = house;
      const by = { ...asMember(alice), address: ADDRESS };
      await signedIn(house, alice, 'notebook');
      await oauth.withdrawGrant(by, alice, 'notebook');
      await oauth.withdrawGrant(by, alice, 'notebook');
      const token = await oauth.addPersonalToken(by, newPersonalToken(alice), 1);
      await oauth.addPersonalToken(by, newPersonalToken(alice), 1);
      await oauth.revokePersonalToken(asMember(bob), token ?? 0);
      await oauth.revokePersonalToken(by, token ?? 0);
      await oauth.replaceClientSecret(COMMAND_LINE, 'notebook', digestOf('new'));
      await oauth.replaceClientSecret(COMMAND_LINE, 'pocket', digestOf('new'));

      const events = await eventsOf(house);
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

    test('exchanges, refreshes and revocations by applications leave no event', async (t) => {
      const house = await openHouse(open, t);
      const { oauth, alice } = house;
      const { family, accessToken } = await signedIn(house, alice, 'notebook');
      const before = await eventsOf(house);

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

      assert.deepEqual(await eventsOf(house), before);
    });

    test('a code that is used again is recorded once a minute, also if nothing is left to revoke', async (t) => {
      const house = await openHouse(open, t);
      const { oauth, alice } = house;
      const { code } = await signedIn(house, alice, 'notebook');
      const replay = (at: number) => oauth.revokeFamilies({ code, address: ADDRESS, at });

      await replay(LATER);
      await replay(LATER + 30 * SECOND);
      await replay(LATER + MINUTE);

      const replays = (await eventsOf(house)).filter(({ event }) => event === 'code_replayed');
      assert.deepEqual(
        replays.map(({ at, userId, clientId, address, subject }) => [at, userId, clientId, address, subject]),
        [
          [LATER, alice, 'notebook', ADDRESS, code.key],
          [LATER + MINUTE, alice, 'notebook', ADDRESS, code.key],
        ],
      );
    });

    test('of redemptions at once the losers are a replay; a voided code is none', async (t) => {
      const house = await openHouse(open, t);
      const { oauth, alice } = house;
      const redeem = async (code: Parameters<typeof asRead>[0]) => {
        const family = newFamily(alice, code.clientId);
        return oauth.redeem(asRead(code), family, newAccessToken(family.key), NOON, ADDRESS);
      };
      const code = await approved(house, alice, 'notebook');
      const outcomes = [await redeem(code), await redeem(code), await redeem(code)];
      const voided = await approved(house, alice, 'pocket');
      await oauth.withdrawGrant(asMember(alice), alice, 'pocket');
      await redeem(voided);

      assert.deepEqual(outcomes, ['redeemed', 'refused', 'refused']);
      const replays = (await eventsOf(house)).filter(({ event }) => event === 'code_replayed');
      assert.deepEqual(
        replays.map(({ subject }) => subject),
        [code.key],
      );
    });

    test('a stolen refresh token is recorded once for its sign-in, also in calls at once', async (t) => {
      const house = await openHouse(open, t);
      const { oauth, alice } = house;
      const [first, second] = [
        await signedIn(house, alice, 'notebook'),
        await signedIn(house, alice, 'pocket'),
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

      await atOnce(6, () => oauth.revokeStolenFamily(first.family.key, LATER, ADDRESS));
      await atOnce(6, () => oauth.rotate(stale, newAccessToken(second.family.key)));

      const reuses = (await eventsOf(house)).filter(({ event }) => event === 'refresh_token_reused');
      assert.deepEqual(
        reuses.map(({ clientId, address, subject }) => [clientId, address, subject]),
        [
          ['notebook', ADDRESS, first.family.key],
          ['pocket', ADDRESS, second.family.key],
        ],
      );
    });

    test('a token that was found in public leaves a report of its kind', async (t) => {
      const house = await openHouse(open, t);
      const { identity, oauth, alice } = house;
      const olivia = await identity.addUser(SERVER, newUser('olivia', { isOperator: true }));
      assert.ok(typeof olivia === 'number');
      const by = asOperator(olivia);
      const { family, accessToken } = await signedIn(house, alice, 'notebook');
      const personal = await oauth.addPersonalToken(asMember(alice), newPersonalToken(alice), 50);
      const before = (await eventsOf(house)).length;

      for (let times = 0; times < 2; times += 1) {
        await oauth.revokeAccessTokenBy(by, accessToken.key);
        await oauth.revokeFamilyBy(by, family.key);
        await oauth.revokeReportedPersonalToken(by, personal ?? 0);
      }

      const events = (await eventsOf(house)).slice(before);
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

    test('an event within a limit is recorded once in its window, also in calls at once', async (t) => {
      const house = await openHouse(open, t);
      const { identity, alice } = house;
      const limit = { subject: 'locked', most: 1, now: NOON, closesAt: LATER };
      const lock = { event: 'sign_in_locked', userId: alice, address: ADDRESS, detail: 'account' } as const;

      const first = await atOnce(8, () => identity.recordEventWithin(limit, { ...lock, at: NOON }));
      const later = { ...limit, now: LATER, closesAt: LATER + MINUTE };
      const next = await identity.recordEventWithin(later, { ...lock, at: LATER });

      assert.deepEqual([first.filter(Boolean).length, next], [1, true]);
      assert.deepEqual(await namesOf(house), ['sign_in_locked account', 'sign_in_locked account']);
    });

    test('events are read from any place on, of one member or one kind alone', async (t) => {
      const house = await openHouse(open, t);
      const { identity, audit, alice, bob } = house;
      for (let minute = 0; minute < 3; minute += 1) {
        for (const userId of [alice, bob]) {
          const at = NOON + minute * MINUTE;
          await identity.recordEvent({ event: 'password_changed', at, userId, address: ADDRESS });
          await identity.recordEvent({ event: 'signed_out', at, userId, address: ADDRESS });
        }
      }

      const first = await audit.securityEvents({ limit: 5 });
      const rest = await audit.securityEvents({ limit: 50, before: first.at(-1)?.id });
      const ofAlice = await audit.securityEvents({ limit: 50, userId: alice });
      const named = await audit.securityEvents({ limit: 50, event: 'signed_out' });
      const both = await audit.securityEvents({ limit: 2, userId: bob, event: 'signed_out' });

      assert.deepEqual(
        [first.length, rest.length, ofAlice.length, named.length, both.length],
        [5, 7, 6, 6, 2],
      );
      assert.ok(ofAlice.every(({ userId }) => userId === alice));
      assert.ok(named.every(({ event }) => event === 'signed_out'));
      assert.deepEqual(
        both.map(({ at, userId }) => [at, userId]),
        [
          [NOON + 2 * MINUTE, bob],
          [NOON + MINUTE, bob],
        ],
      );
    });
  },
};
