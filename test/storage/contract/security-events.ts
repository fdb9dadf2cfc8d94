// Security events: each is written with its act, exactly once, also for calls at once.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SecurityEvent } from '../../../src/audit/security-event.ts';
import { DAY, MINUTE } from '../../../src/lib/clock.ts';
import { digestOf } from '../../../src/lib/secrets.ts';
import { asMember, COMMAND_LINE, SERVER } from '../doers.ts';
import { atOnce, type Fixture, type Open, openFixture } from '../fixture.ts';
import { ADDRESS_NOTICE, NOON, newSession, SESSION_START } from '../records.ts';

const LATER = NOON + MINUTE;
const ADDRESS = '192.0.2.7';

/** The events, oldest first. */
export async function eventsOf({ audit }: Fixture): Promise<SecurityEvent[]> {
  return (await audit.securityEvents({ limit: 100 })).reverse();
}

/** The names, oldest first, each with its detail. */
async function namesOf(fixture: Fixture): Promise<string[]> {
  const events = await eventsOf(fixture);
  return events.map(({ event, detail }) => (detail === undefined ? event : `${event} ${detail}`));
}

export const securityEvents = {
  title: 'security events',
  registerTests(open: Open): void {
    test('each act of an account leaves its event, and an act that did not happen leaves none', async (t) => {
      const fixture = await openFixture(open, t);
      const { identity, alice } = fixture;
      const by = { ...asMember(alice), address: ADDRESS };
      const [session, other] = [newSession(alice), newSession(alice)];
      const hash = (await identity.findPasswordHash(alice)) ?? '';
      const signedOut = { event: 'signed_out', at: LATER, userId: alice, address: ADDRESS } as const;

      await identity.addSession(session, SESSION_START);
      await identity.addSession(other, SESSION_START);
      await identity.addSession(newSession(alice), SESSION_START, 'another hash');
      await identity.endSession(session, signedOut);
      await identity.endSession(session, signedOut);
      await identity.changePassword(by, { from: hash, to: 'second', language: 'en' });
      await identity.changePassword(by, { from: hash, to: 'third', language: 'en' });
      await identity.setStatus(COMMAND_LINE, alice, 'active');
      await identity.setStatus(COMMAND_LINE, alice, 'suspended');
      await identity.setStatus(COMMAND_LINE, alice, 'suspended');
      await identity.setStatus(COMMAND_LINE, alice, 'active');
      await identity.closeAccount(by, alice);
      await identity.closeAccount(by, alice);

      assert.deepEqual(await namesOf(fixture), [
        'signed_in password',
        'signed_in password',
        'signed_out',
        'session_ended password_changed',
        'password_changed',
        'account_status_changed suspended',
        'account_status_changed active',
        'account_status_changed closed',
      ]);
      const events = await eventsOf(fixture);
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
      const fixture = await openFixture(open, t);
      const { identity, alice } = fixture;
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
      await identity.confirmEmail(asMember(alice), 'confirm', email, ADDRESS_NOTICE);
      await identity.confirmEmail(asMember(alice), 'confirm', email, ADDRESS_NOTICE);
      await identity.addSession(newSession(alice), SESSION_START);
      await identity.addMailToken(token('reset', 'reset', 'a@x.example'));
      await identity.addMailToken(token('stale', 'reset', 'old@x.example'));

      const stale = { key: 'stale', userId: alice, email: 'old@x.example' };
      assert.equal(await identity.resetPassword(stale, 'new', 'en', NOON, ADDRESS), false);
      const reset = { key: 'reset', userId: alice, email: 'a@x.example' };
      assert.equal(await identity.resetPassword(reset, 'new', 'en', NOON, ADDRESS), true);

      assert.deepEqual(await namesOf(fixture), [
        'email_changed confirmed',
        'signed_in password',
        'session_ended password_reset',
        'password_reset',
      ]);
    });

    test('each session ends once, also if its member signs out while the account is suspended', async (t) => {
      const fixture = await openFixture(open, t);
      const { identity, alice } = fixture;
      const sessions = Array.from({ length: 12 }, () => newSession(alice));
      await Promise.all(sessions.map((session) => identity.addSession(session, SESSION_START)));

      await Promise.all([
        ...sessions
          .slice(0, 6)
          .map((session) =>
            identity.endSession(session, { event: 'signed_out', at: LATER, userId: alice, address: ADDRESS }),
          ),
        identity.setStatus(SERVER, alice, 'suspended'),
        ...sessions
          .slice(3, 9)
          .map((session) =>
            identity.endSession(session, { event: 'signed_out', at: LATER, userId: alice, address: ADDRESS }),
          ),
      ]);

      const names = await namesOf(fixture);
      const ends = names.filter((name) => name === 'signed_out' || name.startsWith('session_ended'));
      assert.equal(ends.length, sessions.length);
    });

    test('an event within a limit is recorded once in its window, also in calls at once', async (t) => {
      const fixture = await openFixture(open, t);
      const { identity, alice } = fixture;
      const limit = { subject: 'locked', most: 1, now: NOON, closesAt: LATER };
      const lock = { event: 'sign_in_locked', userId: alice, address: ADDRESS, detail: 'account' } as const;

      const first = await atOnce(8, () => identity.recordEventWithin(limit, { ...lock, at: NOON }));
      const later = { ...limit, now: LATER, closesAt: LATER + MINUTE };
      const next = await identity.recordEventWithin(later, { ...lock, at: LATER });

      assert.deepEqual([first.filter(Boolean).length, next], [1, true]);
      assert.deepEqual(await namesOf(fixture), ['sign_in_locked account', 'sign_in_locked account']);
    });

    test('events can be read from any position, for one member only or of one kind only', async (t) => {
      const fixture = await openFixture(open, t);
      const { identity, audit, alice, bob } = fixture;
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
