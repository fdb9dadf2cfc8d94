// Browsers' sign-ins, and the count of attempts.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MINUTE } from '../../../src/lib/clock.ts';
import { timeOrderedKey } from '../../../src/lib/secrets.ts';
import { asMember, SERVER } from '../doers.ts';
import { atOnce, inGroups, type Open, openFixture } from '../fixture.ts';
import { NOON, newSession, SESSION_START } from '../records.ts';

const CLOSES = NOON + 15 * MINUTE;

export const sessionsAndAttempts = {
  title: 'sessions and attempts',
  registerTests(open: Open): void {
    test('a session is found with its member', async (t) => {
      const { identity, alice } = await openFixture(open, t);
      const session = newSession(alice);

      await identity.addSession(session, SESSION_START);
      const stored = await identity.findSession(session.key);

      const expected = { ...session, digest: undefined, provenAt: NOON, lastNetwork: '192.0.2.0/24' };
      assert.deepEqual({ ...stored?.session, digest: undefined }, expected);
      assert.equal(stored?.session.digest, session.digest);
      assert.deepEqual(stored?.user, await identity.findUser(alice));
      assert.equal(await identity.findSession('no such key'), undefined);
    });

    test('a member has at most 100 sessions: a new one ends the oldest', async (t) => {
      const { identity, alice, bob } = await openFixture(open, t);
      const sessions = Array.from({ length: 101 }, (_, index) =>
        newSession(alice, { key: timeOrderedKey(NOON + index) }),
      );
      const others = newSession(bob, { key: timeOrderedKey(NOON - 1) });

      for (const session of [others, ...sessions]) await identity.addSession(session, SESSION_START);

      const found = await Promise.all(sessions.map(async ({ key }) => identity.findSession(key)));
      assert.equal(found[0], undefined);
      assert.equal(found.slice(1).every(Boolean), true);
      assert.ok(await identity.findSession(others.key));
    });

    test('a sign-in deletes the oldest events of the member’s sessions beyond the newest 20,000', async (t) => {
      const { identity, audit, alice, bob } = await openFixture(open, t);
      const event = { event: 'signed_out', at: NOON, address: '203.0.113.9' } as const;
      await identity.recordEvent({
        event: 'password_changed',
        at: NOON,
        userId: alice,
        address: '203.0.113.9',
      });
      await identity.recordEvent({ ...event, userId: bob });
      await inGroups(20_005, () => identity.recordEvent({ ...event, userId: alice }));

      await identity.addSession(newSession(alice), SESSION_START);

      const events = await audit.securityEvents({ userId: alice, limit: 30_000 });
      // The event of this sign-in is written after the others are deleted.
      assert.equal(events.length, 1 + 20_000 + 1);
      assert.deepEqual([events[0]?.event, events.at(-1)?.event], ['signed_in', 'password_changed']);
      assert.equal((await audit.securityEvents({ userId: bob, limit: 10 })).length, 1);
    });

    test('no session is added if the password has changed meanwhile', async (t) => {
      const { identity, alice } = await openFixture(open, t);
      const hash = (await identity.findPasswordHash(alice)) ?? '';
      const [before, late] = [newSession(alice), newSession(alice)];

      const first = await identity.addSession(before, SESSION_START, hash);
      const replacement = { from: hash, to: 'another hash', language: 'en' };
      await identity.changePassword(asMember(alice), replacement);
      const second = await identity.addSession(late, SESSION_START, hash);

      assert.deepEqual([first, second], [true, false]);
      assert.equal(await identity.findSession(late.key), undefined);
    });

    test('no session is added for an account that is not active', async (t) => {
      const { identity, alice } = await openFixture(open, t);
      await identity.setStatus(SERVER, alice, 'suspended');
      const session = newSession(alice);

      await identity.addSession(session, SESSION_START);
      await identity.setStatus(SERVER, alice, 'active');

      assert.equal(await identity.findSession(session.key), undefined);
    });

    test('sessions that begin while the account is suspended do not outlive the suspension', async (t) => {
      const { identity, alice } = await openFixture(open, t);
      const sessions = Array.from({ length: 40 }, () => newSession(alice));

      await Promise.all([
        ...sessions.slice(0, 20).map((session) => identity.addSession(session, SESSION_START)),
        identity.setStatus(SERVER, alice, 'suspended'),
        ...sessions.slice(20).map((session) => identity.addSession(session, SESSION_START)),
      ]);
      const stored = await Promise.all(sessions.map(({ key }) => identity.findSession(key)));

      assert.equal(stored.filter((session) => session !== undefined).length, 0);
    });

    test('the time of the last visit is stored, and never moved back', async (t) => {
      const { identity, alice } = await openFixture(open, t);
      const session = newSession(alice);
      await identity.addSession(session, SESSION_START);

      await identity.touchSession(session.key, NOON + 2 * MINUTE);
      await identity.touchSession(session.key, NOON + 1 * MINUTE);

      assert.equal((await identity.findSession(session.key))?.session.lastSeenAt, NOON + 2 * MINUTE);
    });

    test('an ended session is not found; ending it again changes nothing', async (t) => {
      const { identity, alice } = await openFixture(open, t);
      const [session, other] = [newSession(alice), newSession(alice)];
      await identity.addSession(session, SESSION_START);
      await identity.addSession(other, SESSION_START);

      const signedOut = { event: 'signed_out', at: NOON, userId: alice, address: undefined } as const;
      await identity.endSession(session, signedOut);
      await identity.endSession(session, signedOut);

      assert.equal(await identity.findSession(session.key), undefined);
      assert.notEqual(await identity.findSession(other.key), undefined);
    });

    test('attempts are counted up to the limit, for each subject', async (t) => {
      const { identity } = await openFixture(open, t);

      const answers = [];
      for (let attempt = 0; attempt < 4; attempt += 1) {
        answers.push(await identity.countAttempt('alice from here', 3, NOON, CLOSES));
      }
      const elsewhere = await identity.countAttempt('alice from there', 3, NOON, CLOSES);

      assert.deepEqual(answers, [true, true, true, false]);
      assert.equal(elsewhere, true);
    });

    test('a window opens with its first attempt, and the next one can open when it has closed', async (t) => {
      const { identity } = await openFixture(open, t);
      await identity.countAttempt('alice', 2, NOON, CLOSES);
      await identity.countAttempt('alice', 2, NOON + 14 * MINUTE, NOON + 29 * MINUTE);

      const closesAt = (await identity.findAttempts('alice'))?.closesAt;
      const lastMoment = await identity.countAttempt('alice', 2, CLOSES - 1, CLOSES + 15 * MINUTE);
      const next = await identity.countAttempt('alice', 2, CLOSES, CLOSES + 15 * MINUTE);

      assert.equal(closesAt, CLOSES);
      assert.deepEqual([lastMoment, next], [false, true]);
      assert.equal((await identity.findAttempts('alice'))?.closesAt, CLOSES + 15 * MINUTE);
      assert.equal(await identity.countAttempt('alice', 2, CLOSES, CLOSES + 15 * MINUTE), true);
      assert.equal(await identity.countAttempt('alice', 2, CLOSES, CLOSES + 15 * MINUTE), false);
    });

    test('an attempt that is taken back leaves room for one more', async (t) => {
      const { identity } = await openFixture(open, t);
      await identity.countAttempt('alice', 1, NOON, CLOSES);

      const before = await identity.countAttempt('alice', 1, NOON, CLOSES);
      await identity.takeAttemptBack('alice');
      await identity.takeAttemptBack('alice');
      await identity.takeAttemptBack('nobody');

      assert.equal(before, false);
      assert.equal(await identity.countAttempt('alice', 1, NOON, CLOSES), true);
      assert.equal(await identity.countAttempt('alice', 1, NOON, CLOSES), false);
    });

    test('with a limit of 10, exactly 10 of 200 attempts at once are allowed', async (t) => {
      const { identity } = await openFixture(open, t);

      const answers = await atOnce(200, () => identity.countAttempt('alice', 10, NOON, CLOSES));

      assert.equal(answers.filter((counted) => counted).length, 10);
    });

    test('after the window, exactly 10 of 200 attempts at once are allowed again', async (t) => {
      const { identity } = await openFixture(open, t);
      await atOnce(10, () => identity.countAttempt('alice', 10, NOON, CLOSES));

      const answers = await atOnce(200, () =>
        identity.countAttempt('alice', 10, CLOSES, CLOSES + 15 * MINUTE),
      );

      assert.equal(answers.filter((counted) => counted).length, 10);
    });
  },
};
