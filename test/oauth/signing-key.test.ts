// Signing keys: how the first ones are created, and that they are never replaced silently (contract §6).

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { beforeEach, describe, test } from 'node:test';
import { byServer } from '../../src/audit/doer.ts';
import type { AuthorizationServer } from '../../src/oauth/authorization-server.ts';
import { publishedKeys } from '../../src/oauth/jwks.ts';
import {
  activeKey,
  prepareSigningKeys,
  rotateSigningKey,
  SigningKeysMissing,
} from '../../src/oauth/signing-key.ts';
import type { SigningKey } from '../../src/oauth/signing-key-store.ts';
import { openSqlite } from '../../src/storage/engine/sqlite.ts';
import { oauthStore } from '../../src/storage/oauth/oauth-store.ts';
import { temporaryFolder } from '../support/databases.ts';
import { portsOf } from '../support/ports.ts';
import { ISSUER, NEW_YEAR } from './provider.ts';
import { preparedServer, publishedKids, serverOn, startAtNewYear, time } from './signing-key-fixture.ts';

beforeEach(startAtNewYear);

describe('The first keys', () => {
  test('are an active and a next one for each algorithm', async (t) => {
    const server = await preparedServer(t);

    const keys = await server.reads.signingKeys();

    assert.deepEqual(keys.map(({ alg, state }) => `${alg} ${state}`).sort(), [
      'ES256 active',
      'ES256 next',
      'RS256 active',
      'RS256 next',
    ]);
    assert.equal(new Set(keys.map(({ kid }) => kid)).size, 4);
  });

  test('stay when the server starts again', async (t) => {
    const server = await preparedServer(t);
    const before = await publishedKids(server);

    await prepareSigningKeys(server);

    assert.deepEqual(await publishedKids(server), before);
  });

  test('are created once by servers that start on one database at once, 10 times over', async (t) => {
    const folder = await temporaryFolder(t);

    for (let round = 0; round < 10; round += 1) {
      const path = join(folder, `${round}.db`);
      const servers = await Promise.all([serverOn(t, path), serverOn(t, path), serverOn(t, path)]);
      await Promise.all(servers.map((server) => prepareSigningKeys(server)));

      const kids = await Promise.all(servers.map((server) => activeKey(server, 'RS256')));
      assert.equal(new Set(kids.map(({ kid }) => kid)).size, 1);
      for (const server of servers) assert.equal((await server.reads.signingKeys()).length, 4);
    }
  });

  test('that another server adds while this one reads are not taken for missing', async (t) => {
    const path = join(await temporaryFolder(t), 'portico.db');
    const [one, other] = [await serverOn(t, path), await serverOn(t, path)];
    // The other server prepares its keys between any two reads of this one.
    const meanwhile =
      <A extends unknown[], R>(look: (...args: A) => Promise<R>) =>
      async (...args: A): Promise<R> => {
        const result = await look(...args);
        await prepareSigningKeys(other);
        return result;
      };
    const { signingKeys, hadSigningKeys } = one.reads;
    const reads = {
      ...one.reads,
      signingKeys: meanwhile(signingKeys),
      hadSigningKeys: meanwhile(hadSigningKeys),
    };

    await prepareSigningKeys({ ...one, reads });

    assert.equal((await activeKey(one, 'RS256')).kid, (await activeKey(other, 'RS256')).kid);
  });

  test('are not created in a database that has lost its keys: that is an error, and nothing is created', async (t) => {
    const database = openSqlite(':memory:');
    t.after(() => database.close());
    await database.migrate();
    const server = {
      ...portsOf(oauthStore(database)),
      clock: () => time.now,
      brand: 'svc',
      issuer: ISSUER,
      rsaKeyBits: 2048,
      documentPolicy: () => 'open' as const,
    };
    await prepareSigningKeys(server);

    await loseKeys(server);

    await assert.rejects(prepareSigningKeys(server), SigningKeysMissing);
    await assert.rejects(activeKey(server, 'RS256'), SigningKeysMissing);
    await assert.rejects(rotateSigningKey(byServer(server.clock), server, 'RS256'), SigningKeysMissing);
    assert.deepEqual(await server.reads.signingKeys(), []);
  });

  test('are missing too if only retired ones are left', async (t) => {
    const server = await preparedServer(t);
    const [key] = await server.reads.signingKeys();
    assert.ok(key);
    const leftover: SigningKey = { ...key, state: 'retired', retiredAt: NEW_YEAR };
    const reads = { ...server.reads, signingKeys: async () => [leftover], hadSigningKeys: async () => false };

    await assert.rejects(prepareSigningKeys({ ...server, reads }), SigningKeysMissing);
  });

  test('are missing too if one algorithm has none', async (t) => {
    const server = await preparedServer(t);
    const left = (await server.reads.signingKeys()).filter(({ alg }) => alg === 'RS256');
    const reads = { ...server.reads, signingKeys: async () => left };

    await assert.rejects(prepareSigningKeys({ ...server, reads }), SigningKeysMissing);
  });

  // Retires every key and then deletes it: storage has no other way to lose a key.
  async function loseKeys({ reads, writes, clock }: AuthorizationServer): Promise<void> {
    const by = byServer(clock);
    for (const key of await reads.signingKeys()) {
      if (key.state !== 'active') continue;
      const next = (await reads.signingKeys()).find(({ alg, state }) => alg === key.alg && state === 'next');
      const following = { ...key, kid: `${key.kid}-retired`, state: 'retired', retiredAt: time.now } as const;
      await writes.rotateSigningKey(by, { activeKid: key.kid, nextKid: next?.kid ?? '', following });
      const last = { ...following, kid: `${key.kid}-last` };
      await writes.rotateSigningKey(by, { activeKid: next?.kid ?? '', nextKid: '', following: last });
    }
    await writes.deleteSigningKeysRetiredBefore(time.now + 1);
  }
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
