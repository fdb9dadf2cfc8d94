// oauth4webapi, in its OAuth mode and with all its checks, as a public application with PKCE.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import * as oauth from 'oauth4webapi';
import { type App, openApp } from '../support/app.ts';
import { json } from '../support/json.ts';
import { person, pocket, publish, type RegisteredClient } from '../support/people.ts';
import { answerConsent, browserOf } from '../support/relying-party.ts';

let app: App;
let phone: RegisteredClient;

before(async () => {
  app = await openApp();
  const alice = await person(app.portico, 'alice');
  await publish(app.portico, alice, 'On walking');
  phone = await pocket(app.portico);
});
after(() => app.close());

// The one weakening: http, on this machine.
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
  const landed = await answerConsent(await browserOf(app, 'alice'), request);

  const parameters = oauth.validateAuthResponse(server, client, landed, state);
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
