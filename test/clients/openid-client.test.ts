// openid-client with discovery and all its checks, as a confidential application that signs members in.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import * as client from 'openid-client';
import { type App, openApp } from '../support/app.ts';
import { browserOf, notebook, type Person, person } from '../support/people.ts';
import { answerConsent } from '../support/relying-party.ts';

let app: App;
let alice: Person;

before(async () => {
  app = await openApp();
  alice = await person(app.portico, 'alice');
});
after(() => app.close());

// The only check that is turned off: https, because the service runs on this machine.
const insecure = { execute: [client.allowInsecureRequests] };

for (const alg of ['RS256', 'ES256'] as const) {
  describe(`With id_tokens signed with ${alg}`, () => {
    test('discovery, sign-in, id_token verification, userinfo, refresh, revocation and signing out work', async () => {
      const registration = await notebook(app.portico, {
        idTokenAlg: alg,
        postLogoutRedirectUris: ['https://notebook.example.com/bye'],
      });
      const configuration = await client.discovery(
        new URL(app.url),
        registration.id,
        { client_secret: registration.secret, id_token_signed_response_alg: alg },
        client.ClientSecretBasic(registration.secret),
        insecure,
      );
      // The library verifies the signature even though the token came from the token endpoint.
      client.enableNonRepudiationChecks(configuration);
      const verifier = client.randomPKCECodeVerifier();
      const [state, nonce] = [client.randomState(), client.randomNonce()];
      const request = client.buildAuthorizationUrl(configuration, {
        redirect_uri: registration.redirectUri,
        scope: 'openid profile:read',
        code_challenge: await client.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        max_age: '600',
        state,
        nonce,
      });

      const browser = await browserOf(app, 'alice');
      const callback = await answerConsent(browser, request.searchParams);
      const tokens = await client.authorizationCodeGrant(configuration, callback, {
        pkceCodeVerifier: verifier,
        expectedState: state,
        expectedNonce: nonce,
        maxAge: 600,
        idTokenExpected: true,
      });

      const claims = tokens.claims();
      assert.equal(claims?.sub, String(alice.id));
      assert.equal(claims?.aud, registration.id);
      assert.equal(claims?.iss, app.url);
      assert.equal((claims?.exp ?? 0) - (claims?.iat ?? 0), 3600);
      const me = await client.fetchUserInfo(configuration, tokens.access_token, claims?.sub ?? '');
      assert.equal(me.preferred_username, 'alice');
      assert.equal(me.email, undefined);
      const refreshed = await client.refreshTokenGrant(configuration, tokens.refresh_token ?? '');
      assert.equal(refreshed.claims()?.sub, claims?.sub);
      assert.equal(refreshed.claims()?.auth_time, claims?.auth_time);
      assert.equal(refreshed.claims()?.nonce, undefined);
      await client.tokenRevocation(configuration, refreshed.refresh_token ?? '');
      await assert.rejects(client.fetchUserInfo(configuration, refreshed.access_token, claims?.sub ?? ''));

      const logout = client.buildEndSessionUrl(configuration, {
        id_token_hint: refreshed.id_token ?? '',
        post_logout_redirect_uri: 'https://notebook.example.com/bye',
        state: 'farewell',
      });
      const signOutPage = await browser.open(logout.pathname + logout.search);
      assert.equal(signOutPage.headers.get('location'), 'https://notebook.example.com/bye?state=farewell');
      assert.equal((await browser.open('/settings/profile')).status, 303);
    });
  });
}
