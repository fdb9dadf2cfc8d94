// oauth4webapi, with all its checks, as a public application with PKCE: with OAuth only, and with OpenID Connect.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import * as oauth from 'oauth4webapi';
import { type App, openApp } from '../support/app.ts';
import { json } from '../support/json.ts';
import { browserOf, type Person, person, pocket, publish, type RegisteredClient } from '../support/people.ts';
import { answerConsent } from '../support/relying-party.ts';

let app: App;
let alice: Person;
let phone: RegisteredClient;

before(async () => {
  app = await openApp();
  alice = await person(app.portico, 'alice');
  await publish(app.portico, alice, 'On walking');
  phone = await pocket(app.portico, { postLogoutRedirectUris: ['https://pocket.example.com/bye'] });
});
after(() => app.close());

// The only check that is turned off: https, because the service runs on this machine.
const insecure = { [oauth.allowInsecureRequests]: true };

test('A public application signs a member in, reads, refreshes and revokes.', async () => {
  const server: oauth.AuthorizationServer = {
    issuer: app.url,
    authorization_endpoint: `${app.url}/oauth/authorize`,
    token_endpoint: `${app.url}/api/oauth/token`,
    revocation_endpoint: `${app.url}/api/oauth/revoke`,
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
  };
  const client: oauth.Client = { client_id: phone.id };
  const verifier = oauth.generateRandomCodeVerifier();
  const state = oauth.generateRandomState();
  const request = new URLSearchParams({
    client_id: phone.id,
    redirect_uri: phone.redirectUri,
    response_type: 'code',
    scope: 'profile:read posts:read',
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    state,
  });
  const callback = await answerConsent(await browserOf(app, 'alice'), request);

  const parameters = oauth.validateAuthResponse(server, client, callback, state);
  const exchanged = await oauth.authorizationCodeGrantRequest(
    server,
    client,
    oauth.None(),
    parameters,
    phone.redirectUri,
    verifier,
    insecure,
  );
  const tokens = await oauth.processAuthorizationCodeResponse(server, client, exchanged);
  const read = (token: string, path: string) =>
    oauth.protectedResourceRequest(
      token,
      'GET',
      new URL(`${app.url}/api/open/v1${path}`),
      undefined,
      undefined,
      insecure,
    );
  assert.equal((await json(await read(tokens.access_token, '/me'))).username, 'alice');
  assert.equal((await json(await read(tokens.access_token, '/me/posts'))).items[0].title, 'On walking');

  const refreshed = await oauth.processRefreshTokenResponse(
    server,
    client,
    await oauth.refreshTokenGrantRequest(server, client, oauth.None(), tokens.refresh_token ?? '', insecure),
  );
  assert.notEqual(refreshed.refresh_token, tokens.refresh_token);

  await oauth.processRevocationResponse(
    await oauth.revocationRequest(server, client, oauth.None(), refreshed.refresh_token ?? '', insecure),
  );
  await assert.rejects(read(refreshed.access_token, '/me'), (error: Error) => {
    assert.ok(error instanceof oauth.WWWAuthenticateChallengeError);
    assert.equal(error.cause[0]?.parameters.error, 'invalid_token');
    return true;
  });
});

test('A public application uses discovery, verifies the id_token, and signs the member out of the community too.', async () => {
  const issuer = new URL(app.url);
  const server = await oauth.processDiscoveryResponse(issuer, await oauth.discoveryRequest(issuer, insecure));
  const client: oauth.Client = { client_id: phone.id };
  const verifier = oauth.generateRandomCodeVerifier();
  const [state, nonce] = [oauth.generateRandomState(), oauth.generateRandomNonce()];
  const request = new URLSearchParams({
    client_id: phone.id,
    redirect_uri: phone.redirectUri,
    response_type: 'code',
    scope: 'openid profile:read',
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    max_age: '600',
    state,
    nonce,
  });
  const browser = await browserOf(app, 'alice');
  const callback = await answerConsent(browser, request);

  const parameters = oauth.validateAuthResponse(server, client, callback, state);
  const exchanged = await oauth.authorizationCodeGrantRequest(
    server,
    client,
    oauth.None(),
    parameters,
    phone.redirectUri,
    verifier,
    insecure,
  );
  const tokens = await oauth.processAuthorizationCodeResponse(server, client, exchanged, {
    expectedNonce: nonce,
    maxAge: 600,
    requireIdToken: true,
  });
  await oauth.validateApplicationLevelSignature(server, exchanged, insecure);
  const claims = oauth.getValidatedIdTokenClaims(tokens);
  assert.equal(claims?.sub, String(alice.id));
  const me = await oauth.processUserInfoResponse(
    server,
    client,
    claims?.sub ?? '',
    await oauth.userInfoRequest(server, client, tokens.access_token, insecure),
  );
  assert.deepEqual(me, {
    sub: String(alice.id),
    preferred_username: 'alice',
    picture: `${app.url}/avatars/${alice.id}.svg`,
    profile: `${app.url}/u/alice`,
  });

  const response = await oauth.refreshTokenGrantRequest(
    server,
    client,
    oauth.None(),
    tokens.refresh_token ?? '',
    insecure,
  );
  const refreshed = await oauth.processRefreshTokenResponse(server, client, response);
  await oauth.validateApplicationLevelSignature(server, response, insecure);
  const claimsNow = oauth.getValidatedIdTokenClaims(refreshed);
  assert.deepEqual([claimsNow?.sub, claimsNow?.auth_time], [claims?.sub, claims?.auth_time]);
  await oauth.processRevocationResponse(
    await oauth.revocationRequest(server, client, oauth.None(), refreshed.refresh_token ?? '', insecure),
  );
  await assert.rejects(async () =>
    oauth.processUserInfoResponse(
      server,
      client,
      claims?.sub ?? '',
      await oauth.userInfoRequest(server, client, refreshed.access_token, insecure),
    ),
  );

  const logout = new URL(server.end_session_endpoint ?? '');
  logout.search = new URLSearchParams({
    id_token_hint: refreshed.id_token ?? '',
    post_logout_redirect_uri: 'https://pocket.example.com/bye',
    state: 'farewell',
  }).toString();
  const signOutPage = await browser.open(logout.pathname + logout.search);
  assert.equal(signOutPage.headers.get('location'), 'https://pocket.example.com/bye?state=farewell');
  assert.equal((await browser.open('/settings/profile')).status, 303);
});
