// Signing members in with the client library.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { memoryStore } from '../../../packages/client/src/index.ts';
import { byServer } from '../../../src/audit/doer.ts';
import { replaceCompromisedKeys } from '../../../src/oauth/signing-key.ts';
import { type App, openApp } from '../../support/app.ts';
import {
  notebook,
  type Person,
  person,
  pocket,
  publish,
  type RegisteredClient,
} from '../../support/people.ts';
import { applicationOf, attemptAs, because, signIn } from './relying-application.ts';

let app: App;
let alice: Person;
let server: RegisteredClient;

before(async () => {
  app = await openApp();
  alice = await person(app.portico, 'alice');
  await publish(app.portico, alice, 'On walking');
  server = await notebook(app.portico);
});
after(() => app.close());

for (const [kind, register] of [
  ['server', notebook],
  ['browser or native', pocket],
] as const) {
  test(`A ${kind} application signs a member in, knows who it is, reads, and signs the member out`, async () => {
    const store = memoryStore();
    const session = await signIn(app, applicationOf(app, await register(app.portico)), store);

    assert.equal((await session.claims())?.sub, String(alice.id));
    assert.deepEqual(await session.scopes(), ['openid', 'profile:read', 'posts:read']);
    assert.equal((await session.me()).username, 'alice');
    assert.deepEqual(
      (await Array.fromAsync(session.posts())).map(({ title }) => title),
      ['On walking'],
    );

    const token = await session.accessToken();
    await session.signOut();
    assert.equal(await store.load(), undefined);
    const answer = await fetch(`${app.url}/api/open/v1/me`, {
      headers: { Authorization: `Bearer ${token}` },
    });
    assert.equal(answer.status, 401);
    await assert.rejects(session.me(), because('sign_in_again', /no tokens/));
  });
}

test('A callback of another attempt, another server or a changed id_token signs nobody in', async () => {
  const application = applicationOf(app, server);
  const finish = async (callback: URL, attempt: Parameters<typeof application.finishSignIn>[1]) =>
    application.finishSignIn(callback, attempt, memoryStore());
  const { attempt: other } = await application.beginSignIn();

  const first = await attemptAs(app, application);
  await assert.rejects(finish(first.callback, other), because('sign_in_failed', /"state"/));
  const elsewhere = new URL(first.callback);
  elsewhere.searchParams.set('iss', 'https://mallory.example');
  await assert.rejects(finish(elsewhere, first.attempt), because('sign_in_failed', /"iss"/));
  const { nonce } = other;
  await assert.rejects(
    finish(first.callback, { ...first.attempt, nonce }),
    because('sign_in_failed', /"nonce"/),
  );

  const forged = applicationOf(app, server, { fetch: withForgedIdToken });
  const second = await attemptAs(app, forged);
  await assert.rejects(
    forged.finishSignIn(second.callback, second.attempt, memoryStore()),
    because('sign_in_failed', /signature/),
  );
});

test('A member who denies, a code used twice and a wrong secret are told apart, and each error says what to do', async () => {
  const registration = await notebook(app.portico);
  const application = applicationOf(app, registration);
  const denied = await attemptAs(app, application, 'alice', { decision: 'deny' });
  await assert.rejects(
    application.finishSignIn(denied.callback, denied.attempt, memoryStore()),
    because('denied', /did not allow .* See http.*access_denied/),
  );

  const { callback, attempt } = await attemptAs(app, application);
  const wrong = applicationOf(app, { ...registration, secret: 'svcs_wrong' });
  await assert.rejects(
    wrong.finishSignIn(callback, attempt, memoryStore()),
    because('wrong_settings', /Compare the clientId and the clientSecret/),
  );
  await application.finishSignIn(callback, attempt, memoryStore());
  await assert.rejects(
    application.finishSignIn(callback, attempt, memoryStore()),
    because('sign_in_failed', /Begin the sign-in again/),
  );
});

test('A sign-in works right after the signing key was replaced', async () => {
  const application = applicationOf(app, server);
  await signIn(app, application);
  await replaceCompromisedKeys(byServer(app.portico.clock), app.portico.oauth, 'RS256');

  assert.equal((await (await signIn(app, application)).me()).username, 'alice');
});

test('Settings that can’t work are refused, with what is expected', async () => {
  for (const issuer of ['community.example', 'http://community.example', 'https://community.example/']) {
    assert.throws(
      () => applicationOf({ ...app, url: issuer }, server),
      because('wrong_settings', /such as https:\/\/community\.example/),
    );
  }
  const nowhere = applicationOf({ ...app, url: 'http://127.0.0.1:1' }, server, { wait: async () => {} });
  await assert.rejects(nowhere.beginSignIn(), because('unavailable', /can't be reached.*Try again later/));
});

async function withForgedIdToken(url: string, init: RequestInit): Promise<Response> {
  const response = await fetch(url, init);
  if (!url.endsWith('/api/oauth/token')) return response;
  const answer = (await response.json()) as { id_token: string };
  const [header, payload, signature = ''] = answer.id_token.split('.');
  const forged = signature.replace(/^./, (first) => (first === 'A' ? 'B' : 'A'));
  return Response.json({ ...answer, id_token: `${header}.${payload}.${forged}` });
}
