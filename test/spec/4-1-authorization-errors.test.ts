// Spec §4.1 with contract §3: requests that are refused on a page, or with an error for the application.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { byServer } from '../../src/audit/doer.ts';
import { deactivateClient } from '../../src/oauth/client-status.ts';
import { Browser } from '../support/browser.ts';
import { browserOf, notebook } from '../support/people.ts';
import { authorizationRequest, pkce } from '../support/relying-party.ts';
import {
  app,
  assertErrorPage,
  authorize,
  client,
  mainOf,
  openFixture,
  phone,
  redirectTarget,
} from './authorization-fixture.ts';

before(openFixture);
after(() => app.close());

describe('When `redirect_uri` does not match the registered value, the service shows an error and does not redirect back.', () => {
  const cases: Record<string, string> = {
    'another host': 'https://evil.example/callback',
    'a slash at the end': 'https://notebook.example.com/callback/',
    'another scheme': 'http://notebook.example.com/callback',
    'a port': 'https://notebook.example.com:443/callback',
    'a query': 'https://notebook.example.com/callback?x=1',
    'a fragment': 'https://notebook.example.com/callback#x',
    'user information': 'https://notebook.example.com@evil.example/callback',
    'a script': 'javascript:alert(1)',
    'a NUL': 'https://notebook.example.com/callback\0',
    nothing: '',
  };
  for (const [name, redirectUri] of Object.entries(cases)) {
    for (const wrong of [{}, { response_type: 'token' }, { scope: 'nonsense' }, { state: '' }]) {
      test(`${name}, with ${JSON.stringify(wrong)}`, async () => {
        const request = authorizationRequest(client, { ...wrong, redirect_uri: redirectUri });

        const signedIn = await authorize(request);
        const signedOut = await authorize(request, new Browser(app.url));

        await assertErrorPage(signedIn, redirectUri);
        await assertErrorPage(signedOut, redirectUri);
      });
    }
  }

  test('given twice, in both orders', async () => {
    const good = client.redirectUri;
    for (const pair of [
      [good, 'https://evil.example/'],
      ['https://evil.example/', good],
      [good, good],
    ]) {
      const request = authorizationRequest(client, { redirect_uri: '' });
      for (const uri of pair) request.append('redirect_uri', uri);

      await assertErrorPage(await authorize(request), 'evil.example');
    }
  });
});

test('An unknown, missing, repeated or deactivated application gets the error page, whatever its redirect_uri.', async () => {
  const gone = await notebook(app.portico);
  await deactivateClient(byServer(app.portico.clock), app.portico.oauth, gone.id);
  const repeated = authorizationRequest(client);
  repeated.append('client_id', client.id);

  await assertErrorPage(
    await authorize(authorizationRequest(client, { client_id: 'app_unknown' })),
    client.redirectUri,
  );
  await assertErrorPage(await authorize(authorizationRequest(client, { client_id: '' })), client.redirectUri);
  await assertErrorPage(
    await authorize(authorizationRequest(client, { client_id: 'a\0b' })),
    client.redirectUri,
  );
  await assertErrorPage(await authorize(authorizationRequest(gone)), gone.redirectUri);
  await assertErrorPage(await authorize(repeated), client.redirectUri);
});

test("Only to the application's signed-in owner, the error page shows the address received and those registered.", async () => {
  const request = authorizationRequest(client, { redirect_uri: 'https://notebook.example.com/callbakc' });

  const forOwner = await (await authorize(request, await browserOf(app, 'mallory'))).text();
  const forMember = mainOf(await (await authorize(request)).text());

  assert.match(forOwner, /callbakc/);
  assert.match(forOwner, /https:\/\/notebook\.example\.com\/callback</);
  assert.doesNotMatch(forMember, /notebook\.example\.com/);
});

describe('Every other error is redirected with error, state and iss, once the member has signed in:', () => {
  const challenge = pkce().challenge;
  const cases: [string, Record<string, string>, string, ('notebook' | 'pocket')?][] = [
    ['response_type missing', { response_type: '' }, 'invalid_request'],
    ['response_type token', { response_type: 'token' }, 'unsupported_response_type'],
    ['response_type id_token', { response_type: 'id_token' }, 'unsupported_response_type'],
    ['response_type code token', { response_type: 'code token' }, 'unsupported_response_type'],
    ['response_type none', { response_type: 'none' }, 'unsupported_response_type'],
    ['response_type CODE', { response_type: 'CODE' }, 'unsupported_response_type'],
    ['state missing', { state: '' }, 'invalid_request'],
    ['scope missing', { scope: '' }, 'invalid_scope'],
    ['scope unknown', { scope: 'email wallet' }, 'invalid_scope'],
    ['scope with a quotation mark', { scope: 'profile:read "' }, 'invalid_scope'],
    ['scope beyond ASCII', { scope: 'profile:read é' }, 'invalid_scope'],
    ['request object', { request: 'eyJ' }, 'request_not_supported'],
    ['request_uri', { request_uri: 'https://evil.example/r' }, 'request_uri_not_supported'],
    ['registration', { registration: '{}' }, 'registration_not_supported'],
    ['response_mode fragment', { response_mode: 'fragment' }, 'invalid_request'],
    ['response_mode web_message', { response_mode: 'web_message' }, 'invalid_request'],
    ['challenge without method', { code_challenge: challenge }, 'invalid_request'],
    ['method plain', { code_challenge: challenge, code_challenge_method: 'plain' }, 'invalid_request'],
    ['method s256', { code_challenge: challenge, code_challenge_method: 's256' }, 'invalid_request'],
    ['method S512', { code_challenge: challenge, code_challenge_method: 'S512' }, 'invalid_request'],
    ['method without challenge', { code_challenge_method: 'S256' }, 'invalid_request'],
    [
      'challenge too short',
      { code_challenge: challenge.slice(1), code_challenge_method: 'S256' },
      'invalid_request',
    ],
    [
      'challenge too long',
      { code_challenge: `${challenge}a`, code_challenge_method: 'S256' },
      'invalid_request',
    ],
    [
      'challenge in base64',
      { code_challenge: `${challenge.slice(1)}+`, code_challenge_method: 'S256' },
      'invalid_request',
    ],
    ['public without challenge', {}, 'invalid_request', 'pocket'],
  ];
  for (const [name, wrong, error, of] of cases) {
    test(`${name}: ${error}`, async () => {
      const application = of === 'pocket' ? phone : client;
      const request = authorizationRequest(application, wrong);

      const signedOut = await authorize(request, new Browser(app.url));
      const signedIn = redirectTarget(await authorize(request));

      assert.equal(signedOut.status, 303);
      assert.match(signedOut.headers.get('location') ?? '', /^\/login\?/);
      assert.equal(signedIn.origin + signedIn.pathname, application.redirectUri);
      assert.equal(signedIn.searchParams.get('error'), error);
      assert.match(signedIn.searchParams.get('error_description') ?? '', /^[\x20-\x21\x23-\x5B\x5D-\x7E]+$/);
      assert.equal(signedIn.searchParams.get('state'), 'state' in wrong ? null : 'af0ifjsldkj');
      assert.equal(signedIn.searchParams.get('iss'), app.url);
      assert.equal(signedIn.searchParams.get('code'), null);
    });
  }

  const explained: [scope: string, description: string][] = [
    [
      'email user:read',
      'None of the scopes asked for is known: email user:read. Known are openid, profile:read, posts:read.',
    ],
    [
      'x'.repeat(200),
      `None of the scopes asked for is known: ${'x'.repeat(100)}.... Known are openid, profile:read, posts:read.`,
    ],
    ['posts:read', 'The application is registered for profile:read, not for posts:read.'],
  ];
  for (const [scope, description] of explained) {
    test(`the description names the scopes asked for and those to ask for: ${scope.slice(0, 20)}`, async () => {
      const reader = await notebook(app.portico, { scopes: ['profile:read'] });

      const answer = redirectTarget(await authorize(authorizationRequest(reader, { scope })));

      assert.equal(answer.searchParams.get('error_description'), description);
    });
  }

  for (const name of [
    'response_type',
    'scope',
    'state',
    'code_challenge',
    'code_challenge_method',
    'nonce',
    'prompt',
  ]) {
    for (const second of ['other', '']) {
      test(`${name} given twice, the second ${second === '' ? 'empty' : 'different'}: invalid_request`, async () => {
        const { challenge: one } = pkce();
        const request = authorizationRequest(client, {
          code_challenge: one,
          code_challenge_method: 'S256',
          nonce: 'n',
          prompt: 'consent',
        });
        request.append(name, second);

        assert.equal(redirectTarget(await authorize(request)).searchParams.get('error'), 'invalid_request');
      });
    }
  }
});
