// Modules of the OpenID Connect Core tests that no plan for this kind of service holds, but that fit it.

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

  // That foo is still bar is asserted of every arrival.
  const { landing } = await completeFlow(run, {}, { client });

  assert.equal(landing.arrival?.url.searchParams.get('foo'), 'bar');
}

/** Another query than the registered one, or one where none is registered. */
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
  // Clients may keep the keys that long, so a key is published at least that long before it signs.
  run.wait(600);

  assert.equal(
    await rotateSigningKey(run.app.portico.oauth, byServer(run.app.portico.clock), 'RS256'),
    'rotated',
  );

  const after = await run.keys();
  await assertKeys(after);
  const kids = after.keys.map(({ kid }) => kid);
  assert.ok(
    before.keys.every(({ kid }) => kids.includes(kid)),
    'An old key is gone.',
  );
  assert.equal(after.keys.length, before.keys.length + 1, 'There is no new key.');
  const second = await completeFlow(run);
  const [oldKid, newKid] = [first, second].map(({ tokens }) => decodeProtectedHeader(tokens.id_token).kid);
  assert.notEqual(newKid, oldKid);
  assert.ok(
    before.keys.some(({ kid }) => kid === newKid),
    'It signs with a key that nobody could know.',
  );
  await assertSignature(run, first.tokens.id_token);
}

async function clientWith(run: ModuleRun, query: string): Promise<SuiteClient> {
  const redirectUri = `${run.callbacks.url}/test/a/three/callback${query}`;
  const registered = await run.register({ redirectUris: [redirectUri] });
  return { ...registered, redirectUri, redirectUris: [redirectUri], postLogoutRedirectUri: '' };
}
