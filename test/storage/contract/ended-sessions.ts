// A session that has ended gives no more codes, however close its end and the code are to each other.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { timeOrderedKey } from '../../../src/lib/secrets.ts';
import { asMember, COMMAND_LINE } from '../doers.ts';
import { atOnce, type Fixture, type Open, openFixture } from '../fixture.ts';
import { inForce, NOON, newCode, newSession, SESSION_START } from '../records.ts';

/** Let the member allow the application in this session. Returns the code, or undefined if it was refused. */
async function allow({ oauth, alice }: Fixture, sessionKey: string, authenticatedAt = NOON) {
  const code = newCode(alice, 'notebook', { authenticatedAt });
  const by = { ...asMember(alice), sessionKey };
  const grant = await oauth.findGrant(alice, 'notebook', NOON);
  const isAdded =
    grant === undefined
      ? await oauth.approve(by, undefined, code.scopes, code)
      : await oauth.approveAgain(by, inForce(...code.scopes), code);
  return isAdded ? code : undefined;
}

async function openSession({ identity, alice }: Fixture, authenticatedAt = NOON): Promise<string> {
  const session = newSession(alice, { authenticatedAt });
  await identity.addSession(session, SESSION_START);
  return session.key;
}

const ENDS = {
  'the sign-ins end': ({ identity, alice }: Fixture) => identity.endSignIns(COMMAND_LINE, alice),
  'the member signs out': ({ identity, alice }: Fixture, key: string) =>
    identity.endSession(newSession(alice, { key }), {
      event: 'signed_out',
      at: NOON,
      userId: alice,
      address: '192.0.2.7',
    }),
  'the member ends the session': ({ identity, alice }: Fixture, key: string) =>
    identity.endOwnSession(asMember(alice), { key, signedInAt: NOON }),
};

export const endedSessions = {
  title: 'ended sessions',
  registerTests(open: Open): void {
    test('a code needs the session in which it was asked for, the first time and again', async (t) => {
      const fixture = await openFixture(open, t);
      const { oauth, identity, alice } = fixture;
      const [first, second] = [await openSession(fixture), await openSession(fixture)];

      assert.equal(await oauth.isSessionOpen(first), true);
      assert.notEqual(await allow(fixture, first), undefined);
      assert.notEqual(await allow(fixture, second), undefined);
      await identity.endSignIns(COMMAND_LINE, alice);

      assert.equal(await oauth.isSessionOpen(first), false);
      assert.equal(await allow(fixture, first), undefined);
      await oauth.withdrawGrant(asMember(alice), alice, 'notebook');
      assert.equal(await allow(fixture, first), undefined);
      assert.equal((await oauth.findGrant(alice, 'notebook', NOON))?.withdrawnAt, NOON);
    });

    for (const [end, carryOut] of Object.entries(ENDS)) {
      test(`a code that is asked for while ${end} can’t be redeemed, 50 times over`, async (t) => {
        const fixture = await openFixture(open, t);
        await allow(fixture, await openSession(fixture));

        for (let round = 0; round < 50; round += 1) {
          const key = await openSession(fixture);
          const [one, other] = await atOnce(2, async (index) =>
            index === round % 2 ? allow(fixture, key) : void (await carryOut(fixture, key)),
          );

          const code = one ?? other;
          const stored = code && (await fixture.oauth.findAuthorizationCode(code.key));
          assert.ok(stored === undefined || stored.voidedAt !== undefined);
        }
      });
    }

    test('the codes of a replaced session stay for the same member only', async (t) => {
      const fixture = await openFixture(open, t);
      const { identity, oauth, alice, bob } = fixture;
      const replace = async (userId: number, authenticatedAt: number) => {
        const key = await openSession(fixture, authenticatedAt);
        const code = await allow(fixture, key, authenticatedAt);
        const next = newSession(userId);
        await identity.addSession(next, SESSION_START);
        const facts = { at: NOON, userId: alice, address: undefined, detail: 'replaced' } as const;
        await identity.endSession({ key, authenticatedAt }, { event: 'session_ended', ...facts }, next.key);
        return (await oauth.findAuthorizationCode(code?.key ?? ''))?.voidedAt;
      };

      assert.deepEqual([await replace(alice, NOON + 1), await replace(bob, NOON + 2)], [undefined, NOON]);
    });

    test('the session beyond the newest 100 ends with its codes', async (t) => {
      const fixture = await openFixture(open, t);
      const { identity, oauth, alice } = fixture;
      const signIn = async (at: number) => {
        const session = newSession(alice, { key: timeOrderedKey(at), authenticatedAt: at });
        await identity.addSession(session, SESSION_START);
        return session.key;
      };
      const oldest = await allow(fixture, await signIn(NOON), NOON);
      const next = await allow(fixture, await signIn(NOON + 1), NOON + 1);
      const voided = async (key = '') => (await oauth.findAuthorizationCode(key))?.voidedAt;

      for (let n = 2; n < 100; n += 1) await signIn(NOON + n);
      assert.equal(await voided(oldest?.key), undefined);
      await signIn(NOON + 100);

      assert.deepEqual([await voided(oldest?.key), await voided(next?.key)], [NOON + 100, undefined]);
    });

    for (const end of ['the member signs out', 'the member ends the session'] as const) {
      test(`when ${end}, only the codes of that session are void`, async (t) => {
        const fixture = await openFixture(open, t);
        const session = await openSession(fixture);
        const ended = await allow(fixture, session);
        const other = await allow(fixture, await openSession(fixture, NOON + 1), NOON + 1);

        await ENDS[end](fixture, session);

        const voided = async (key = '') => (await fixture.oauth.findAuthorizationCode(key))?.voidedAt;
        assert.deepEqual([await voided(ended?.key), await voided(other?.key)], [NOON, undefined]);
      });
    }
  },
};
