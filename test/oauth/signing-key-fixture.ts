// Servers on one database and their signing keys, at a time that tests set.

import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import type { AuthorizationServer } from '../../src/oauth/authorization-server.ts';
import { publishedKeys } from '../../src/oauth/jwks.ts';
import type { SigningAlgorithm } from '../../src/oauth/signing-algorithm.ts';
import { prepareSigningKeys } from '../../src/oauth/signing-key.ts';
import type { SigningKey } from '../../src/oauth/signing-key-store.ts';
import { openSqlite } from '../../src/storage/engine/sqlite.ts';
import { oauthStore } from '../../src/storage/oauth/oauth-store.ts';
import { portsOf } from '../support/ports.ts';
import { ISSUER, NEW_YEAR } from './provider.ts';

/** The present time of every server here. */
export const time = { now: NEW_YEAR };

export function startAtNewYear(): void {
  time.now = NEW_YEAR;
}

/** A server with its own connection, like each process has. */
export async function serverOn(t: TestContext, path: string): Promise<AuthorizationServer> {
  const database = openSqlite(path);
  t.after(() => database.close());
  await database.migrate();
  return {
    ...portsOf(oauthStore(database)),
    clock: () => time.now,
    brand: 'svc',
    issuer: ISSUER,
    rsaKeyBits: 2048,
    documentPolicy: () => 'open',
  };
}

/** A server that has created its first keys at New Year. */
export async function preparedServer(t: TestContext): Promise<AuthorizationServer> {
  const server = await serverOn(t, ':memory:');
  await prepareSigningKeys(server);
  return server;
}

export async function keyOf(
  server: AuthorizationServer,
  alg: SigningAlgorithm,
  state: SigningKey['state'],
): Promise<SigningKey> {
  const keys = await server.reads.signingKeys();
  const [key, ...more] = keys.filter((one) => one.alg === alg && one.state === state);
  assert.ok(key && more.length === 0, `expected exactly one key that is ${alg} and ${state}`);
  return key;
}

export async function publishedKids(server: AuthorizationServer): Promise<(string | undefined)[]> {
  return (await publishedKeys(server)).keys.map(({ kid }) => kid);
}
