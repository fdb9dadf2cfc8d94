// The faults of the sandbox, ordered by a developer and met by an application: one with the client library, and where
// the bare answer matters, one with openid-client.

import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import * as oidc from 'openid-client';
import { memoryStore, PorticoApplication } from '../../../packages/client/src/index.ts';
import { HOUR, MINUTE, SECOND } from '../../../src/lib/clock.ts';
import { because } from '../../packages/client/relying-application.ts';
import { type Developer, openSandbox, startSet } from '../../support/sandbox.ts';

const REDIRECT_URI = 'http://127.0.0.1:4000/callback';

const app = await openSandbox();
after(() => app.close());

/** The developer's application, which notes how long it waits. */
function applicationOf({ set }: Developer) {
  const waits: number[] = [];
  const grants: string[] = [];
  const application = new PorticoApplication({
    issuer: app.url,
    clientId: set.clientId,
    clientSecret: set.clientSecret,
    redirectUri: REDIRECT_URI,
    now: app.clock.read,
    wait: async (ms) => void waits.push(ms),
    fetch(url, init) {
      if (init.body instanceof URLSearchParams) grants.push(init.body.get('grant_type') ?? '');
      return fetch(url, init);
    },
  });
  return { application, waits, grants };
}

async function signIn(developer: Developer, application: PorticoApplication) {
  const { url, attempt } = await application.beginSignIn();
  return application.finishSignIn(await developer.allow(url), attempt, memoryStore());
}

async function signedIn() {
  const developer = await startSet(app);
  const parts = applicationOf(developer);
  return { developer, ...parts, member: await signIn(developer, parts.application) };
}

describe('A developer sees their application', () => {
  test('refresh after ten seconds, once for all calls at that moment', async () => {
    const { developer, member, grants } = await signedIn();
    assert.match(await developer.browser.read('/sandbox'), /Access tokens expire after 10 seconds/);
    app.clock.advance(11 * SECOND);

    await Promise.all(Array.from({ length: 10 }, () => member.me()));
    assert.deepEqual(grants, ['authorization_code', 'refresh_token']);

    assert.match(await developer.order('long_tokens'), /Access tokens expire after an hour/);
    app.clock.advance(11 * SECOND);
    await member.me();
    app.clock.advance(3500 * SECOND);
    await member.me();
    assert.deepEqual(grants, ['authorization_code', 'refresh_token', 'refresh_token']);
  });

  test('wait as long as a 429 says, and repeat the call', async () => {
    const { developer, member, waits } = await signedIn();
    assert.match(await developer.order('api_limited'), /Waiting for the next API call/);

    assert.match((await member.me()).username, /^alice-/);
    assert.deepEqual(waits, [60 * SECOND]);
    assert.equal(developer.waits('api'), false);
  });

  test('wait after a 503 of the API, and repeat the call', async () => {
    const { developer, member, waits } = await signedIn();
    await developer.order('api_unavailable');

    await member.me();
    assert.deepEqual(waits, [5 * SECOND]);
  });

  test('keep its refresh token after a 503 of the token endpoint', async () => {
    const { developer, member, waits } = await signedIn();
    await developer.order('tokens_unavailable');
    app.clock.advance(11 * SECOND);

    await member.me();
    assert.deepEqual(waits, [5 * SECOND]);
  });

  test('fetch the new key after the keys were replaced', async () => {
    const { developer, application, member } = await signedIn();
    const before = await member.claims();
    assert.match(await developer.order('key'), /The keys were replaced/);

    const claims = await (await signIn(developer, application)).claims();
    assert.equal(claims?.sub, before?.sub);
    const page = await developer.browser.read('/sandbox');
    const again = await developer.browser.submit(page, '/sandbox/faults', { fault: 'key' });
    assert.equal(again.status, 429);
    assert.equal(again.headers.get('retry-after'), '60');
  });

  test('begin again after an expired code', async () => {
    const developer = await startSet(app);
    const { application } = applicationOf(developer);
    await developer.order('code_expired');
    const { url, attempt } = await application.beginSignIn();
    const callback = await developer.allow(url);

    const expired = because('sign_in_failed', /expired.*Begin the sign-in again/);
    await assert.rejects(application.finishSignIn(callback, attempt, memoryStore()), expired);
    await assert.rejects(application.finishSignIn(callback, attempt, memoryStore()), expired);
    await signIn(developer, application);
  });

  test('ask for another sign-in after a refresh token was replayed, with every token dead', async () => {
    const { developer, application, member } = await signedIn();
    const token = await member.accessToken();
    await developer.order('refresh_replayed');
    app.clock.advance(9.5 * SECOND);
    await assert.rejects(member.me(), because('sign_in_again', /sign in again/));

    const call = await fetch(`${app.url}/api/open/v1/me`, { headers: { Authorization: `Bearer ${token}` } });
    assert.equal(call.status, 401);
    assert.match(await call.text(), /The token was revoked/);
    await (await signIn(developer, application)).me();
  });

  test('ask for another sign-in after consent was withdrawn', async () => {
    const { developer, member } = await signedIn();
    const [alice] = developer.set.members;
    assert.match(await developer.order('withdrawn', { member: String(alice?.id) }), /Consent was withdrawn/);

    await assert.rejects(member.me(), because('sign_in_again', /sign in again/));
  });

  test('ask for another sign-in while the member is suspended, and read again afterwards', async () => {
    const { developer, application, member } = await signedIn();
    const [alice] = developer.set.members;
    const page = await developer.order('suspended', { member: String(alice?.id) });
    assert.match(page, /suspended and signed out/);
    await assert.rejects(member.me(), because('sign_in_again', /sign in again/));

    await developer.order('reactivated', { member: String(alice?.id) });
    const set = await developer.browser.read('/sandbox');
    await developer.browser.submit(set, '/sandbox/sign-in', { member: String(alice?.id) });
    await (await signIn(developer, application)).me();
  });
});

test('A fault can be cancelled before a request meets it', async () => {
  const { developer, member, waits } = await signedIn();
  await developer.order('api_limited');
  assert.match(await developer.order('cancel'), /No request is to fail/);

  await member.me();
  assert.deepEqual(waits, []);
});

test('openid-client gets the protocol’s own errors, and the inspector names each rule', async () => {
  const developer = await startSet(app);
  const { clientId, clientSecret } = developer.set;
  const insecure = { execute: [oidc.allowInsecureRequests] };
  const configuration = await oidc.discovery(new URL(app.url), clientId, clientSecret, undefined, insecure);
  const exchange = async () => {
    const [state, nonce, verifier] = [oidc.randomState(), oidc.randomNonce(), oidc.randomPKCECodeVerifier()];
    const url = oidc.buildAuthorizationUrl(configuration, {
      redirect_uri: REDIRECT_URI,
      scope: 'openid profile:read',
      code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      state,
      nonce,
    });
    const checks = { pkceCodeVerifier: verifier, expectedState: state, expectedNonce: nonce };
    return oidc.authorizationCodeGrant(configuration, await developer.allow(url.href), checks);
  };
  const refused = (error: string) => (failure: oidc.ResponseBodyError) => failure.error === error;
  await developer.order('code_expired');
  await assert.rejects(exchange(), refused('invalid_grant'));
  const tokens = await exchange();
  assert.equal(tokens.expires_in, 10);
  await developer.order('refresh_replayed');
  const refresh = oidc.refreshTokenGrant(configuration, tokens.refresh_token ?? '');
  await assert.rejects(refresh, refused('invalid_grant'));

  await app.portico.inspector.flush();
  const requests = await developer.browser.read(`/developers/apps/${clientId}/requests`);
  assert.match(requests, /The code is older than 5 minutes/);
  assert.match(requests, /The refresh token was used before, so the sign-in has ended/);
});

test('The applications of a set ask the token endpoint 300 times a minute together', async () => {
  app.clock.advance(10 * MINUTE);
  const { set } = await startSet(app);
  const ask = async () => {
    const answer = await fetch(`${app.url}/api/oauth/token`, {
      method: 'POST',
      headers: { Authorization: `Basic ${btoa(`${set.clientId}:${set.clientSecret}`)}` },
      body: new URLSearchParams({ grant_type: 'refresh_token', refresh_token: 'none' }),
    });
    return answer.status;
  };

  for (let count = 0; count < 300; count += 1) assert.equal(await ask(), 400);

  assert.equal(await ask(), 429);
});

test('The buttons of a set are pressed 60 times a minute at most, and those that change members 60 times an hour', async () => {
  // The other tests have started as many sets as one network may.
  app.clock.advance(10 * MINUTE);
  const { browser, set } = await startSet(app);
  const page = await browser.read('/sandbox');
  const member = String(set.members[1]?.id);
  const press = async (facts: object) => (await browser.submit(page, '/sandbox/faults', { ...facts })).status;
  const suspend = () => press({ fault: 'suspended', member });
  const cancel = () => press({ fault: 'cancel' });

  for (let count = 0; count < 60; count += 1) assert.equal(await suspend(), 303);

  assert.equal(await cancel(), 429);
  app.clock.advance(MINUTE);
  assert.deepEqual([await cancel(), await suspend()], [303, 429]);
  app.clock.advance(HOUR);
  assert.equal(await suspend(), 303);
});
