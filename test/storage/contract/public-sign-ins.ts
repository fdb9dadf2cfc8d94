// Sign-ins at public applications, which a stranger could begin in a member's session: who ends the session in distrust
// ends them too.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAY, type Timestamp } from '../../../src/lib/clock.ts';
import { digestOf } from '../../../src/lib/secrets.ts';
import { asMember, COMMAND_LINE, SERVER } from '../doers.ts';
import { atOnce, type Fixture, type Open, openFixture, openSession } from '../fixture.ts';
import {
  asStored,
  inForce,
  NOON,
  newAccessToken,
  newCode,
  newFamily,
  newMailToken,
  newSession,
  SESSION_START,
} from '../records.ts';
import { addEmail } from './mail-links.ts';

const LATER = NOON + 9;

/** Get a code for a member who signed in here at this time. */
async function allow({ oauth }: Fixture, userId: number, clientId: string, authenticatedAt: Timestamp) {
  const code = newCode(userId, clientId, { authenticatedAt });
  const grant = await oauth.findGrant(userId, clientId, NOON);
  assert.ok(await oauth.approve(asMember(userId), grant, code.scopes, code));
  return code;
}

/** Sign in to an application. Returns the key of the sign-in. */
async function signIn(fixture: Fixture, userId: number, clientId: string, authenticatedAt: Timestamp) {
  const code = await allow(fixture, userId, clientId, authenticatedAt);
  const family = newFamily(userId, clientId, { authenticatedAt });
  await fixture.oauth.redeem(asStored(code), family, newAccessToken(family.key), NOON);
  return family.key;
}

/** Three sign-ins of alice's: of the browser that she uses, of another one, and of one that has signed out. */
async function openSignIns(fixture: Fixture) {
  const { identity, alice, bob } = fixture;
  const [own, other] = [NOON + 1, NOON + 2].map((at) => newSession(alice, { authenticatedAt: at }));
  assert.ok(own !== undefined && other !== undefined);
  for (const session of [own, other]) await identity.addSession(session, SESSION_START);
  const keys = {
    own: await signIn(fixture, alice, 'pocket', own.authenticatedAt),
    other: await signIn(fixture, alice, 'pocket', other.authenticatedAt),
    gone: await signIn(fixture, alice, 'pocket', NOON + 3),
  };
  const kept = [
    await signIn(fixture, alice, 'notebook', other.authenticatedAt),
    await signIn(fixture, bob, 'pocket', other.authenticatedAt),
  ];
  return { own, other, keys, kept };
}

type Sessions = Awaited<ReturnType<typeof openSignIns>>;

/** Add the factor that is not the first one. */
const addApp = async (fixture: Fixture, openKey?: string) => {
  const { identity, alice } = fixture;
  const sessionKey = openKey ?? (await openSession(fixture, alice));
  await identity.startApp(asMember(alice), 'SECRET');
  const change = { sessionKey, recoveryCodes: [digestOf('code')] };
  assert.ok(
    await identity.confirmApp(asMember(alice, LATER), { pending: 'SECRET', secret: 'SECRET' }, 1, change),
  );
};

const addPasskey = async (fixture: Fixture, openKey?: string) => {
  const { identity, alice } = fixture;
  const sessionKey = openKey ?? (await openSession(fixture, alice));
  const passkey = {
    credentialId: 'a',
    publicKey: new Uint8Array([1]),
    counter: 0,
    transports: '',
    name: 'Key',
  };
  assert.ok(await identity.addPasskey(asMember(alice, LATER), passkey, 2, { sessionKey, recoveryCodes: [] }));
};

async function newPassword(fixture: Fixture) {
  const from = (await fixture.identity.findPasswordHash(fixture.alice)) ?? '';
  return { from, to: 'new hash', language: 'en' };
}

/** What each act ends. */
const ACTS: Record<string, { ends: string[]; act(fixture: Fixture, sessions: Sessions): Promise<unknown> }> =
  {
    'signing another browser out': {
      ends: ['other'],
      act: ({ identity, alice }, { other: { key, authenticatedAt: signedInAt } }) =>
        identity.endOwnSession(asMember(alice, LATER), { key, signedInAt }),
    },
    'signing all other browsers out': {
      ends: ['gone', 'other'],
      act: ({ identity, alice }, { own }) => identity.endOtherSessions(asMember(alice, LATER), own.key),
    },
    'the first factor': { ends: ['gone', 'other'], act: (fixture, { own }) => addApp(fixture, own.key) },
    'a passkey as the first factor': {
      ends: ['gone', 'other'],
      act: (fixture, { own }) => addPasskey(fixture, own.key),
    },
    'a new password': {
      ends: ['gone', 'other', 'own'],
      act: async (fixture) =>
        fixture.identity.changePassword(asMember(fixture.alice, LATER), await newPassword(fixture)),
    },
    'a password reset': {
      ends: ['gone', 'other', 'own'],
      async act({ identity, alice }) {
        const token = newMailToken(alice, { purpose: 'reset', email: '' });
        await identity.addMailToken(token);
        assert.ok(await identity.resetPassword(token, 'new hash', 'en', LATER));
      },
    },
    '“This wasn’t me”': {
      ends: ['gone', 'other', 'own'],
      async act(fixture) {
        const { identity, alice } = fixture;
        await addEmail(fixture);
        const link = newMailToken(alice, { purpose: 'disown', disowned: { tokenId: 7 } });
        const reset = newMailToken(alice, { purpose: 'reset' });
        await identity.addMailToken(link);
        const disowning = {
          passwordHash: 'none',
          reset,
          factorsSince: NOON,
          at: LATER,
          address: '192.0.2.9',
        };
        assert.ok(await identity.disown(link, disowning));
      },
    },
    'signing out': {
      ends: [],
      act: ({ identity, alice }, { other }) =>
        identity.endSession(other, { event: 'signed_out', at: LATER, userId: alice, address: undefined }),
    },
    'a suspension': {
      ends: [],
      act: ({ identity, alice }) => identity.setStatus(SERVER, alice, 'suspended'),
    },
  };

export const publicSignIns = {
  title: 'sign-ins at public applications',
  registerTests(open: Open): void {
    for (const [name, { ends, act }] of Object.entries(ACTS)) {
      test(`${name} ends, of the sign-ins at public applications: ${ends.join(', ') || 'none'}`, async (t) => {
        const fixture = await openFixture(open, t);
        const sessions = await openSignIns(fixture);

        await act(fixture, sessions);

        const hasEnded = async (key: string) =>
          (await fixture.oauth.findTokenFamily(key))?.revokedAt === LATER;
        const ended = [];
        for (const [which, key] of Object.entries(sessions.keys)) if (await hasEnded(key)) ended.push(which);
        assert.deepEqual(ended.toSorted(), ends);
        for (const key of sessions.kept) assert.equal(await hasEnded(key), false);
      });
    }

    test('removing a factor ends the sign-ins of other sessions, adding a further one ends none', async (t) => {
      const fixture = await openFixture(open, t);
      await addPasskey(fixture);
      const { own, keys } = await openSignIns(fixture);
      const ends = async () => {
        const all = Object.values(keys).map(
          async (key) => (await fixture.oauth.findTokenFamily(key))?.revokedAt,
        );
        return Promise.all(all);
      };

      await addApp(fixture, own.key);
      assert.deepEqual(await ends(), [undefined, undefined, undefined]);
      await fixture.identity.removeApp(asMember(fixture.alice, LATER), own.key);
      assert.deepEqual(await ends(), [undefined, LATER, LATER]);
    });

    test('an operator’s removal of the factors ends them all once it takes effect', async (t) => {
      const fixture = await openFixture(open, t);
      const { identity, alice } = fixture;
      await addApp(fixture);
      const { keys } = await openSignIns(fixture);
      const reset = { dueAt: LATER, mayBeOperator: true, addressUnchangedSince: 0 };
      assert.ok(await identity.addFactorReset(COMMAND_LINE, alice, reset));

      await identity.applyFactorReset({ kind: 'server', at: LATER }, alice);

      for (const key of Object.values(keys))
        assert.equal((await fixture.oauth.findTokenFamily(key))?.revokedAt, LATER);
    });

    test('a code that is redeemed while its session is ended gives no lasting sign-in, 50 times over', async (t) => {
      const fixture = await openFixture(open, t);
      const { identity, oauth, alice } = fixture;

      for (let round = 0; round < 50; round += 1) {
        const authenticatedAt = NOON + round;
        const session = newSession(alice, { authenticatedAt });
        await identity.addSession(session, SESSION_START);
        const code = await allow(fixture, alice, 'pocket', authenticatedAt);
        const family = newFamily(alice, 'pocket', { authenticatedAt });
        await atOnce(2, async (index) =>
          index === round % 2
            ? oauth.redeem(asStored(code), family, newAccessToken(family.key), NOON)
            : identity.endOwnSession(asMember(alice), { key: session.key, signedInAt: authenticatedAt }),
        );

        const stored = await oauth.findTokenFamily(family.key);
        assert.ok(stored === undefined || stored.revokedAt !== undefined);
      }
    });

    test('a sign-in without a page is a security event if it is noted, with network and program', async (t) => {
      const { oauth, audit, alice } = await openFixture(open, t);
      const first = newCode(alice, 'pocket');
      await oauth.approve(asMember(alice), undefined, first.scopes, first);
      const by = { ...asMember(alice, LATER), address: '192.0.2.7' };
      const again = async (isNoted: boolean) =>
        oauth.approveAgain(by, inForce(...first.scopes), newCode(alice, 'pocket'), { isNoted });

      assert.deepEqual([await again(false), await again(true)], [true, true]);
      await oauth.pauseGrant(asMember(alice), alice, 'pocket');
      assert.equal(await again(true), false);

      const events = await audit.securityEvents({ limit: 50, event: 'application_signed_in' });
      assert.deepEqual(
        events.map(({ id: _, ...event }) => event),
        [
          {
            at: LATER,
            event: 'application_signed_in',
            userId: alice,
            clientId: 'pocket',
            address: '192.0.2.7',
            by: undefined,
            detail: undefined,
            subject: 'Firefox on Linux',
          },
        ],
      );
    });

    test('an answer without a new consent is a security event if it is noted', async (t) => {
      const { oauth, audit, alice } = await openFixture(open, t);
      const [first, by] = [newCode(alice, 'pocket'), asMember(alice, LATER)];
      const before = inForce(...first.scopes);
      const approve = (state: typeof before | undefined, isNoted: boolean) =>
        oauth.approve(by, state, first.scopes, newCode(alice, 'pocket'), { isNoted });

      assert.equal(await approve(undefined, true), true);
      assert.equal(await approve(before, false), true);
      assert.equal(await approve(before, true), true);

      const events = await audit.securityEvents({ userId: alice, limit: 50 });
      assert.deepEqual(
        events.map(({ event }) => event).filter((event) => /^(consent|application)_/.test(event)),
        ['application_signed_in', 'consent_granted'],
      );
    });

    test('a live sign-in at a public application from another session is found', async (t) => {
      const fixture = await openFixture(open, t);
      const { identity, alice, bob } = fixture;
      const session = newSession(alice, { authenticatedAt: LATER });
      await identity.addSession(session, SESSION_START);
      const isFound = (userId = alice, at = LATER) => identity.hasSignInsElsewhere(userId, session.key, at);

      await signIn(fixture, alice, 'notebook', NOON);
      await signIn(fixture, alice, 'pocket', LATER);
      assert.equal(await isFound(), false);
      // Of a thousand and more, not all are looked at.
      for (let count = 0; count < 999; count += 1) await signIn(fixture, bob, 'notebook', LATER);
      const beforeOthers = await isFound(bob);
      await signIn(fixture, bob, 'notebook', LATER);
      assert.deepEqual([beforeOthers, await isFound(bob)], [false, true]);
      await signIn(fixture, alice, 'pocket', NOON);
      assert.deepEqual([await isFound(), await isFound(alice, NOON + 999 * DAY)], [true, false]);
      await identity.endOtherSessions(asMember(alice, LATER), session.key);
      assert.equal(await isFound(), false);
    });
  },
};
