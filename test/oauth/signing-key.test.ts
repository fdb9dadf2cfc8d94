// The turn of the signing keys: next, active, retired, gone (contract §6).

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { beforeEach, describe, type TestContext, test } from 'node:test';
import { DAY, MINUTE, type Timestamp } from '../../src/lib/clock.ts';
import type { AuthorizationServer } from '../../src/oauth/authorization-server.ts';
import {
  activeKey,
  prepareSigningKeys,
  publishedKeys,
  rotateSigningKey,
  type SigningAlgorithm,
  type SigningKey,
  SigningKeysMissing,
  tendSigningKeys,
} from '../../src/oauth/signing-key.ts';
import { openSqlite } from '../../src/storage/engine/sqlite.ts';
import { oauthStore } from '../../src/storage/oauth/oauth-store.ts';
import { temporaryFolder } from '../support/databases.ts';
import { ISSUER, NEW_YEAR } from './provider.ts';

let now: Timestamp;

beforeEach(() => {
  now = NEW_YEAR;
});

/** A server with a connection of its own, as each process has one. */
async function serverOn(t: TestContext, path: string): Promise<AuthorizationServer> {
  const database = openSqlite(path);
  t.after(() => database.close());
  await database.migrate();
  return { store: oauthStore(database), clock: () => now, brand: 'svc', issuer: ISSUER };
}

/** A server whose first keys were made at New Year. */
async function preparedServer(t: TestContext): Promise<AuthorizationServer> {
  const server = await serverOn(t, ':memory:');
  await prepareSigningKeys(server);
  return server;
}

async function keyOf(
  server: AuthorizationServer,
  alg: SigningAlgorithm,
  state: SigningKey['state'],
): Promise<SigningKey> {
  const keys = await server.store.signingKeys();
  const [key, ...more] = keys.filter((one) => one.alg === alg && one.state === state);
  assert.ok(key && more.length === 0, `not one key that is ${alg} and ${state}`);
  return key;
}

async function publishedKids(server: AuthorizationServer): Promise<(string | undefined)[]> {
  return (await publishedKeys(server)).keys.map(({ kid }) => kid);
}

describe('The first keys', () => {
  test('are an active and a next one for each algorithm', async (t) => {
    const server = await preparedServer(t);

    const keys = await server.store.signingKeys();

    assert.deepEqual(keys.map(({ alg, state }) => `${alg} ${state}`).sort(), [
      'ES256 active',
      'ES256 next',
      'RS256 active',
      'RS256 next',
    ]);
    assert.equal(new Set(keys.map(({ kid }) => kid)).size, 4);
  });

  test('stay when the service starts again', async (t) => {
    const server = await preparedServer(t);
    const before = await publishedKids(server);

    await prepareSigningKeys(server);

    assert.deepEqual(await publishedKids(server), before);
  });

  test('are made once by servers that start on one database at once, 10 times over', async (t) => {
    const folder = await temporaryFolder(t);

    for (let round = 0; round < 10; round += 1) {
      const path = join(folder, `${round}.db`);
      const servers = await Promise.all([serverOn(t, path), serverOn(t, path), serverOn(t, path)]);
      await Promise.all(servers.map((server) => prepareSigningKeys(server)));

      const kids = await Promise.all(servers.map((server) => activeKey(server, 'RS256')));
      assert.equal(new Set(kids.map(({ kid }) => kid)).size, 1);
      for (const server of servers) assert.equal((await server.store.signingKeys()).length, 4);
    }
  });

  test('that another server adds while this one looks are not taken for missing', async (t) => {
    const path = join(await temporaryFolder(t), 'portico.db');
    const [one, other] = [await serverOn(t, path), await serverOn(t, path)];
    // Between any two looks of this server at the database the other one gets ready.
    const meanwhile =
      <A extends unknown[], R>(look: (...args: A) => Promise<R>) =>
      async (...args: A): Promise<R> => {
        const seen = await look(...args);
        await prepareSigningKeys(other);
        return seen;
      };
    const { signingKeys, hadSigningKeys } = one.store;
    const store = {
      ...one.store,
      signingKeys: meanwhile(signingKeys),
      hadSigningKeys: meanwhile(hadSigningKeys),
    };

    await prepareSigningKeys({ ...one, store });

    assert.equal((await activeKey(one, 'RS256')).kid, (await activeKey(other, 'RS256')).kid);
  });

  test('are not made anew over a database that has lost its keys: it is said, and nothing is made', async (t) => {
    const database = openSqlite(':memory:');
    t.after(() => database.close());
    await database.migrate();
    const server = { store: oauthStore(database), clock: () => now, brand: 'svc', issuer: ISSUER };
    await prepareSigningKeys(server);

    await loseKeys(server);

    await assert.rejects(prepareSigningKeys(server), SigningKeysMissing);
    await assert.rejects(activeKey(server, 'RS256'), SigningKeysMissing);
    await assert.rejects(rotateSigningKey(server, 'RS256'), SigningKeysMissing);
    assert.deepEqual(await server.store.signingKeys(), []);
  });

  test('that are lost but for retired ones are missing, too', async (t) => {
    const server = await preparedServer(t);
    const [key] = await server.store.signingKeys();
    assert.ok(key);
    const leftover: SigningKey = { ...key, state: 'retired', retiredAt: NEW_YEAR };
    const store = { ...server.store, signingKeys: async () => [leftover], hadSigningKeys: async () => false };

    await assert.rejects(prepareSigningKeys({ ...server, store }), SigningKeysMissing);
  });

  // Every key is retired in turn, and then removed: the store has no other way to lose one.
  async function loseKeys({ store }: AuthorizationServer): Promise<void> {
    for (const key of await store.signingKeys()) {
      if (key.state !== 'active') continue;
      const next = (await store.signingKeys()).find(({ alg, state }) => alg === key.alg && state === 'next');
      const following = { ...key, kid: `${key.kid}-retired`, state: 'retired', retiredAt: now } as const;
      await store.rotateSigningKey(key.kid, next?.kid ?? '', following, now);
      const last = { ...following, kid: `${key.kid}-last` };
      await store.rotateSigningKey(next?.kid ?? '', '', last, now);
    }
    await store.deleteSigningKeysRetiredBefore(now + 1);
  }
});

describe('A rotation', () => {
  test('lets the next key sign, retires the active one and makes a new next one, in one step', async (t) => {
    const server = await preparedServer(t);
    const [active, next] = [await keyOf(server, 'RS256', 'active'), await keyOf(server, 'RS256', 'next')];
    now += 5 * MINUTE;

    assert.equal(await rotateSigningKey(server, 'RS256'), 'rotated');

    const following = await keyOf(server, 'RS256', 'next');
    assert.equal((await keyOf(server, 'RS256', 'active')).kid, next.kid);
    assert.equal((await keyOf(server, 'RS256', 'retired')).kid, active.kid);
    assert.equal((await activeKey(server, 'RS256')).kid, next.kid);
    assert.equal((await keyOf(server, 'RS256', 'active')).activatedAt, now);
    assert.equal((await keyOf(server, 'RS256', 'retired')).retiredAt, now);
    assert.equal(following.createdAt, now);
    assert.ok(![active.kid, next.kid].includes(following.kid));
  });

  test('leaves all three published', async (t) => {
    const server = await preparedServer(t);
    const before = await publishedKids(server);
    now += 5 * MINUTE;

    await rotateSigningKey(server, 'RS256');
    const after = await publishedKids(server);

    for (const kid of before) assert.ok(after.includes(kid));
    assert.equal(after.length, 5);
  });

  test('is too soon while clients may not have seen the next key, and changes nothing', async (t) => {
    const server = await preparedServer(t);
    const before = await server.store.signingKeys();
    now += 5 * MINUTE - 1;

    assert.equal(await rotateSigningKey(server, 'RS256'), 'too_soon');

    assert.deepEqual(await server.store.signingKeys(), before);
  });

  test('is too soon again right after one', async (t) => {
    const server = await preparedServer(t);
    now += 5 * MINUTE;
    await rotateSigningKey(server, 'RS256');
    now += 5 * MINUTE - 1;

    const soon = await rotateSigningKey(server, 'RS256');
    now += 1;
    const then = await rotateSigningKey(server, 'RS256');

    assert.deepEqual([soon, then], ['too_soon', 'rotated']);
  });

  test('happens once when several servers rotate at once', async (t) => {
    const path = join(await temporaryFolder(t), 'portico.db');
    const servers = await Promise.all([serverOn(t, path), serverOn(t, path)]);
    for (const server of servers) await prepareSigningKeys(server);
    now += 5 * MINUTE;

    const answers = await Promise.all(
      [...servers, ...servers].map((server) => rotateSigningKey(server, 'ES256')),
    );

    assert.deepEqual(answers.sort(), [
      'rotated',
      'rotated_by_another',
      'rotated_by_another',
      'rotated_by_another',
    ]);
    assert.equal((await publishedKeys(servers[0] ?? assert.fail())).keys.length, 5);
  });

  test('is obeyed by another server at its next signature', async (t) => {
    const path = join(await temporaryFolder(t), 'portico.db');
    const [one, other] = [await serverOn(t, path), await serverOn(t, path)];
    await prepareSigningKeys(one);
    const before = await activeKey(other, 'RS256');
    now += 5 * MINUTE;

    await rotateSigningKey(one, 'RS256');
    const after = await activeKey(other, 'RS256');

    assert.notEqual(after.kid, before.kid);
    assert.equal(after.kid, (await activeKey(one, 'RS256')).kid);
  });

  test('of one algorithm leaves the other alone', async (t) => {
    const server = await preparedServer(t);
    const before = [await keyOf(server, 'RS256', 'active'), await keyOf(server, 'RS256', 'next')];
    now += 5 * MINUTE;

    await rotateSigningKey(server, 'ES256');

    assert.deepEqual([await keyOf(server, 'RS256', 'active'), await keyOf(server, 'RS256', 'next')], before);
  });
});

describe('With time', () => {
  test('a key signs for 90 days, then the next takes over by itself', async (t) => {
    const server = await preparedServer(t);
    const [active, next] = [await keyOf(server, 'RS256', 'active'), await keyOf(server, 'RS256', 'next')];

    now = NEW_YEAR + 90 * DAY - 1;
    await tendSigningKeys(server);
    const before = (await activeKey(server, 'RS256')).kid;
    now += 1;
    await tendSigningKeys(server);
    const after = (await activeKey(server, 'RS256')).kid;

    assert.equal(before, active.kid);
    assert.equal(after, next.kid);
    assert.equal((await keyOf(server, 'ES256', 'retired')).retiredAt, now);
  });

  test('the 90 days of a key begin when it begins to sign', async (t) => {
    const server = await preparedServer(t);
    now = NEW_YEAR + 80 * DAY;
    await rotateSigningKey(server, 'RS256');
    const { kid } = await activeKey(server, 'RS256');

    now = NEW_YEAR + 170 * DAY - 1;
    await tendSigningKeys(server);
    const before = (await activeKey(server, 'RS256')).kid;
    now += 1;
    await tendSigningKeys(server);

    assert.equal(before, kid);
    assert.notEqual((await activeKey(server, 'RS256')).kid, kid);
  });

  test('after a long sleep one rotation happens, not one for each 90 days', async (t) => {
    const server = await preparedServer(t);
    now = NEW_YEAR + 1000 * DAY;

    await tendSigningKeys(server);
    await tendSigningKeys(server);

    assert.equal((await server.store.signingKeys()).length, 6);
  });

  test('a retired key is published for 25 hours, in which the last id_token of it ends, and then forgotten', async (t) => {
    const server = await preparedServer(t);
    const { kid } = await activeKey(server, 'RS256');
    now += 5 * MINUTE;
    await rotateSigningKey(server, 'RS256');
    const retiredAt = now;

    now = retiredAt + 25 * 60 * MINUTE;
    await tendSigningKeys(server);
    const before = await publishedKids(server);
    now += 1;
    await tendSigningKeys(server);
    const after = await publishedKids(server);

    assert.ok(before.includes(kid));
    assert.ok(!after.includes(kid));
    assert.equal(after.length, 4);
  });
});

test('Nothing private is published.', async (t) => {
  const { keys } = await publishedKeys(await preparedServer(t));

  for (const key of keys) {
    const { kid, alg, use, kty, ...rest } = key;
    assert.equal(use, 'sig');
    assert.deepEqual(Object.keys(rest).sort(), kty === 'RSA' ? ['e', 'n'] : ['crv', 'x', 'y']);
    assert.equal(alg, kty === 'RSA' ? 'RS256' : 'ES256');
    assert.match(kid ?? '', /^[A-Za-z0-9_-]{43}$/);
  }
});
