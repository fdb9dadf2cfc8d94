// Modules of the OpenID Connect Core tests that fit this service, but are in no plan for it.

import assert from 'node:assert/strict';
import { decodeProtectedHeader } from 'jose';
import { byServer } from '../../src/audit/doer.ts';
import { InvalidRegistration } from '../../src/oauth/client.ts';
import { rotateSigningKey } from '../../src/oauth/signing-key.ts';
import { assertErrorPage, assertKeys, assertSignature } from './assertions.ts';
import { completeFlow } from './flow.ts';
import type { ModuleRun, SuiteClient } from './module-run.ts';

export async function redirectUriQueryOk(run: ModuleRun): Promise<void> {
  const client = await clientWith(run, '?foo=bar');

  // Every arrival is checked for the callback's own query.
  const { landing } = await completeFlow(run, {}, { client });

  assert.equal(landing.arrival?.url.searchParams.get('foo'), 'bar');
}

/** Refuses a query that differs from the registered one, or one where none is registered. */
export function refusesQuery(registered: string, requested: string): (run: ModuleRun) => Promise<void> {
  return async (run) => {
    const client = await clientWith(run, registered);
    const redirectUri =
      client.redirectUri.slice(0, client.redirectUri.length - registered.length) + requested;

    const landing = await run.visit(run.request({ redirect_uri: redirectUri }, client));

    assertErrorPage(landing, redirectUri);
  };
}

export async function redirectUriRegisteredWithFragment(run: ModuleRun): Promise<void> {
  const registering = run.register({ redirectUris: [`${run.callbacks.url}/test/a/callback#fragment`] });

  await assert.rejects(registering, InvalidRegistration);
}

export async function redirectUriMissing(run: ModuleRun): Promise<void> {
  assert.equal(run.client.redirectUris.length, 2);

  const landing = await run.visit(run.request({ redirect_uri: '' }));

  assertErrorPage(landing, run.client.redirectUri);
}

export async function serverRotateKeys(run: ModuleRun): Promise<void> {
  const before = await run.keys();
  const first = await completeFlow(run);
  // Clients may cache the keys for this long, so a key is published for at least this long before it signs.
  run.wait(600);

  assert.equal(
    await rotateSigningKey(byServer(run.app.portico.clock), run.app.portico.oauth, 'RS256'),
    'rotated',
  );

  const after = await run.keys();
  await assertKeys(after);
  const kids = after.keys.map(({ kid }) => kid);
  assert.ok(
    before.keys.every(({ kid }) => kids.includes(kid)),
    'An old key is missing.',
  );
  assert.equal(after.keys.length, before.keys.length + 1, 'There is no new key.');
  const second = await completeFlow(run);
  const [oldKid, newKid] = [first, second].map(({ tokens }) => decodeProtectedHeader(tokens.id_token).kid);
  assert.notEqual(newKid, oldKid);
  assert.ok(
    before.keys.some(({ kid }) => kid === newKid),
    'The new id_token is signed with a key that was not published before.',
  );
  await assertSignature(run, first.tokens.id_token);
}

async function clientWith(run: ModuleRun, query: string): Promise<SuiteClient> {
  const redirectUri = `${run.callbacks.url}/test/a/three/callback${query}`;
  const credentials = await run.register({ redirectUris: [redirectUri] });
  return { ...credentials, redirectUri, redirectUris: [redirectUri], postLogoutRedirectUri: '' };
}
