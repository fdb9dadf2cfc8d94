// Second factors: what is used once, and which sessions end.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CodeUse, FactorEffect } from '../../../src/identity/factor-store.ts';
import { digestOf } from '../../../src/lib/secrets.ts';
import { asMember, COMMAND_LINE, SERVER } from '../doers.ts';
import { atOnce, type Fixture, type Open, openFixture, openSession } from '../fixture.ts';
import { NOON, newSession, SESSION_START } from '../records.ts';

/** Give alice an app, in the session of this key. */
async function addApp(fixture: Fixture, openKey?: string): Promise<boolean> {
  const { identity, alice } = fixture;
  const sessionKey = openKey ?? (await openSession(fixture, alice));
  await identity.startApp(asMember(alice), 'SECRET');
  const change = { sessionKey, recoveryCodes: [digestOf('code 1'), digestOf('code 2')] };
  return identity.confirmApp(asMember(alice), { pending: 'SECRET', secret: 'SECRET' }, 100, change);
}

/** Register a device of alice's. The account has room for two. */
async function addPasskey(
  fixture: Fixture,
  credentialId: string,
  { counter = 0, sessionKey }: { counter?: number; sessionKey?: string } = {},
): Promise<boolean> {
  const { identity, alice } = fixture;
  const publicKey = new Uint8Array([1, 2, 3]);
  const passkey = { credentialId, publicKey, counter, transports: 'internal', name: 'Laptop' };
  const key = sessionKey ?? (await openSession(fixture, alice));
  const change = { sessionKey: key, recoveryCodes: [digestOf('code 1')] };
  return identity.addPasskey(asMember(alice), passkey, 2, change);
}

/** The use of a step of alice's app, or of a recovery code. */
async function useOf(
  { identity, alice }: Fixture,
  code: { step: number } | { digest: string },
): Promise<CodeUse> {
  const passwordHash = (await identity.findPasswordHash(alice)) ?? '';
  return 'step' in code
    ? { userId: alice, passwordHash, factor: 'app', ...code }
    : { userId: alice, passwordHash, factor: 'recovery_code', ...code };
}

function opening(userId: number): FactorEffect & { session: { key: string } } {
  return { session: newSession(userId), start: { method: 'app', address: undefined } };
}

export const secondFactors = {
  title: 'second factors',
  registerTests(open: Open): void {
    test('an app is a factor once it is confirmed, with the secret that was shown last', async (t) => {
      const fixture = await openFixture(open, t);
      const { identity, alice } = fixture;
      const by = asMember(alice);
      const change = { sessionKey: await openSession(fixture, alice), recoveryCodes: [] };

      await identity.startApp(by, 'FIRST');
      await identity.startApp(by, 'SECOND');
      const before = await identity.findUser(alice);
      const outdated = await identity.confirmApp(by, { pending: 'FIRST', secret: 'FIRST' }, 1, change);
      const confirmed = await identity.confirmApp(by, { pending: 'SECOND', secret: 'SECOND' }, 1, change);
      const again = await identity.confirmApp(by, { pending: 'SECOND', secret: 'SECOND' }, 2, change);

      assert.deepEqual([before?.hasFactor, outdated, confirmed, again], [false, false, true, false]);
      assert.equal((await identity.findUser(alice))?.hasFactor, true);
      assert.equal(await identity.startApp(by, 'THIRD'), false);
      assert.deepEqual(await identity.findApp(alice), { secret: 'SECOND', confirmedAt: NOON });
    });

    test('a session that has ended adds no factor', async (t) => {
      const fixture = await openFixture(open, t);
      const { identity, alice, bob } = fixture;
      const [ended, foreign] = [await openSession(fixture, alice), await openSession(fixture, bob)];
      await identity.endOwnSession(asMember(alice), { key: ended, signedInAt: NOON });

      const added = [
        await addPasskey(fixture, 'one', { sessionKey: ended }),
        await addPasskey(fixture, 'two', { sessionKey: foreign }),
        await addApp(fixture, ended),
        await addApp(fixture, foreign),
      ];

      assert.deepEqual(added, [false, false, false, false]);
      assert.deepEqual(await identity.factorsOf(alice), {
        appSince: undefined,
        passkeys: 0,
        recoveryCodes: 0,
      });
      assert.equal((await identity.findUser(alice))?.hasFactor, false);
      assert.equal(await addApp(fixture), true);
    });

    test('of a passkey and a new password that ends its session, the passkey is the first, or not added', async (t) => {
      const fixture = await openFixture(open, t);
      const { identity, alice } = fixture;
      for (let round = 0; round < 20; round += 1) {
        const sessionKey = await openSession(fixture, alice);
        const added = await atOnce(2, (index) =>
          index === round % 2
            ? addPasskey(fixture, `device ${round}`, { sessionKey })
            : identity.endSignIns(COMMAND_LINE, alice),
        );

        const passkeys = await identity.passkeysOf(alice);
        assert.equal(passkeys.length, added[round % 2] === true ? 1 : 0);
        assert.equal(await identity.findSession(sessionKey), undefined);
        const again = await openSession(fixture, alice);
        for (const { id } of passkeys) await identity.removePasskey(asMember(alice), id, again);
      }
    });

    test('the first factor ends the other sessions, and a password alone opens no new one', async (t) => {
      const fixture = await openFixture(open, t);
      const { identity, alice, bob } = fixture;
      const [own, other, late, bobs] = [
        newSession(alice),
        newSession(alice),
        newSession(alice),
        newSession(bob),
      ];
      for (const session of [own, other, bobs]) await identity.addSession(session, SESSION_START);
      const hash = await identity.findPasswordHash(alice);

      await addApp(fixture, own.key);
      const isOpen = await identity.addSession(late, SESSION_START, hash);

      const found = await Promise.all([own, other, late, bobs].map(({ key }) => identity.findSession(key)));
      assert.equal(isOpen, false);
      assert.deepEqual(found.map(Boolean), [true, false, false, true]);
    });

    test('of parallel sign-ins with one code one opens a session, and older steps open none', async (t) => {
      const fixture = await openFixture(open, t);
      const { identity, alice } = fixture;
      await addApp(fixture);
      for (const code of [{ step: 101 }, { digest: digestOf('code 1') }]) {
        const use = await useOf(fixture, code);
        const results = await Promise.all(
          Array.from({ length: 8 }, () => identity.useCode(use, opening(alice))),
        );
        assert.equal(results.filter(Boolean).length, 1);
      }
      const replayed = opening(alice);
      assert.equal(await identity.useCode(await useOf(fixture, { step: 100 }), replayed), false);
      assert.equal(await identity.findSession(replayed.session.key), undefined);
      assert.equal((await identity.factorsOf(alice)).recoveryCodes, 1);
    });

    test('a code opens nothing for another password, nor for an account that is not active', async (t) => {
      const fixture = await openFixture(open, t);
      const { identity, alice } = fixture;
      await addApp(fixture);
      const use = await useOf(fixture, { step: 101 });

      const stale = await identity.useCode({ ...use, passwordHash: 'another' }, opening(alice));
      await identity.setStatus(SERVER, alice, 'suspended');
      const suspended = await identity.useCode(use, opening(alice));
      await identity.setStatus(SERVER, alice, 'active');
      const active = await identity.useCode(use, opening(alice));

      assert.deepEqual([stale, suspended, active], [false, false, true]);
    });

    test('a proof counts for its session', async (t) => {
      const fixture = await openFixture(open, t);
      const { identity, alice } = fixture;
      const [own, other] = [newSession(alice), newSession(alice)];
      for (const session of [own, other]) await identity.addSession(session, SESSION_START);

      await identity.proveSession(own.key, NOON + 5);
      const provenAt = async (key: string) => (await identity.findSession(key))?.session.provenAt;

      assert.deepEqual([await provenAt(own.key), await provenAt(other.key)], [NOON + 5, NOON]);
      await addApp(fixture, own.key);
      const effect = { sessionKey: own.key, at: NOON + 9, address: undefined };
      await identity.useCode(await useOf(fixture, { step: 101 }), effect);
      assert.equal(await provenAt(own.key), NOON + 9);
    });

    test('a passkey is used with a higher counter than before, once of parallel uses', async (t) => {
      const fixture = await openFixture(open, t);
      const { identity, alice } = fixture;
      await addPasskey(fixture, 'device', { counter: 5 });
      const id = (await identity.findPasskey('device'))?.passkey.id ?? 0;
      const use = (counter: number) =>
        identity.usePasskey({ id, userId: alice, counter, at: NOON + 1 }, opening(alice));

      const back = [await use(4), await use(5)];
      const parallel = await Promise.all(Array.from({ length: 8 }, () => use(6)));

      assert.deepEqual(back, [false, false]);
      assert.equal(parallel.filter(Boolean).length, 1);
      const { passkey, user } = (await identity.findPasskey('device')) ?? {};
      assert.deepEqual([passkey?.counter, passkey?.lastUsedAt, user?.hasFactor], [6, NOON + 1, true]);
      assert.deepEqual([...(passkey?.publicKey ?? [])], [1, 2, 3]);
    });

    test('a passkey of a device that does not count is used again and again', async (t) => {
      const fixture = await openFixture(open, t);
      const { identity, alice } = fixture;
      await addPasskey(fixture, 'device');
      const id = (await identity.findPasskey('device'))?.passkey.id ?? 0;
      const use = () => identity.usePasskey({ id, userId: alice, counter: 0, at: NOON }, opening(alice));

      const results = [await use(), await use()];
      await identity.setStatus(SERVER, alice, 'suspended');

      assert.deepEqual([...results, await use()], [true, true, false]);
    });

    test('a device is registered once, and an account has at most so many', async (t) => {
      const fixture = await openFixture(open, t);
      const { identity, alice, bob } = fixture;

      const results = [await addPasskey(fixture, 'one'), await addPasskey(fixture, 'one')];
      const foreign = await addPasskey({ ...fixture, alice: bob }, 'one');
      results.push(await addPasskey(fixture, 'two'), await addPasskey(fixture, 'three'));

      assert.deepEqual([...results, foreign], [true, false, true, false, false]);
      const names = (await identity.passkeysOf(alice)).map(({ credentialId }) => credentialId);
      assert.deepEqual(names, ['one', 'two']);
      for (const { id } of await identity.passkeysOf(alice))
        await identity.removePasskey(asMember(alice), id, await openSession(fixture, alice));
      const key = await openSession(fixture, alice);
      await atOnce(8, async (index) => addPasskey(fixture, `at once ${index}`, { sessionKey: key }));
      assert.equal((await identity.passkeysOf(alice)).length, 2);
    });

    test('only its member renames and removes a passkey, and with the last factor the codes go', async (t) => {
      const fixture = await openFixture(open, t);
      const { identity, alice, bob } = fixture;
      await addPasskey(fixture, 'device');
      const id = (await identity.findPasskey('device'))?.passkey.id ?? 0;
      const [own, other] = [opening(alice), opening(alice)];
      for (const [index, effect] of [own, other].entries()) {
        await identity.usePasskey({ id, userId: alice, counter: index + 1, at: NOON }, effect);
      }

      const foreign = [
        await identity.renamePasskey(asMember(bob), id, 'mine'),
        await identity.removePasskey(asMember(bob), id, own.session.key),
      ];
      const renamed = await identity.renamePasskey(asMember(alice), id, 'Phone');
      const name = (await identity.passkeysOf(alice))[0]?.name;
      const removed = await identity.removePasskey(asMember(alice), id, own.session.key);

      assert.deepEqual([...foreign, renamed, name, removed], [false, false, true, 'Phone', true]);
      assert.equal((await identity.findUser(alice))?.hasFactor, false);
      assert.equal((await identity.factorsOf(alice)).recoveryCodes, 0);
      assert.ok(await identity.findSession(own.session.key));
      assert.equal(await identity.findSession(other.session.key), undefined);
    });

    test('without the app the account has no factor and no recovery codes', async (t) => {
      const fixture = await openFixture(open, t);
      const { identity, alice } = fixture;
      await addApp(fixture);
      const [own, other] = [opening(alice), opening(alice)];
      await identity.useCode(await useOf(fixture, { step: 101 }), own);
      await identity.useCode(await useOf(fixture, { step: 102 }), other);

      const removals = [
        await identity.removeApp(asMember(alice), own.session.key),
        await identity.removeApp(asMember(alice), own.session.key),
      ];

      assert.deepEqual(removals, [true, false]);
      assert.equal((await identity.findUser(alice))?.hasFactor, false);
      assert.deepEqual(await identity.factorsOf(alice), {
        appSince: undefined,
        passkeys: 0,
        recoveryCodes: 0,
      });
      assert.ok(await identity.findSession(own.session.key));
      assert.equal(await identity.findSession(other.session.key), undefined);
      assert.equal(await identity.replaceRecoveryCodes(asMember(alice), own.session.key, ['x']), false);
    });

    test('a session that has ended removes no factor, and makes no recovery codes', async (t) => {
      const fixture = await openFixture(open, t);
      const { identity, alice } = fixture;
      await addApp(fixture);
      await addPasskey(fixture, 'device');
      const [{ id } = { id: 0 }] = await identity.passkeysOf(alice);
      const before = await identity.factorsOf(alice);
      const ended = await openSession(fixture, alice);
      await identity.endSignIns(COMMAND_LINE, alice);

      const outcomes = [
        await identity.removePasskey(asMember(alice), id, ended),
        await identity.removeApp(asMember(alice), ended),
        await identity.replaceRecoveryCodes(asMember(alice), ended, ['x']),
      ];

      assert.deepEqual(outcomes, [false, false, false]);
      assert.deepEqual(await identity.factorsOf(alice), before);
    });
  },
};
