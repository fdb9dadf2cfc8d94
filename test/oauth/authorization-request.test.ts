// Reading an authorization request (RFC 6749 §4.1.1, contract §3): a good one, and one that can't be answered
// with a redirect.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { readAuthorizationRequest } from '../../src/oauth/authorization-request.ts';
import type { Client } from '../../src/oauth/client-store.ts';
import { Form } from '../../src/oauth/form.ts';
import { NOTEBOOK_CALLBACK, type Parameters, POCKET_CALLBACK, requestParameters } from './provider.ts';
import { deactivated, narrow, old, openFixture, provider, read } from './request-fixture.ts';

before(openFixture);
after(() => provider.close());

describe('a good request', () => {
  test('is read with all its parameters', async () => {
    const answer = await read(provider.notebook, {
      scope: 'openid profile:read',
      nonce: 'n-0S6_WzA2Mj',
    });

    assert(answer.outcome === 'request');
    assert.equal(answer.request.client.id, provider.notebook.id);
    assert.equal(answer.request.returnTo.redirectUri, 'https://notebook.example/oauth/callback');
    assert.equal(answer.request.returnTo.state, 'af0ifjsldkj');
    assert.deepEqual(answer.request.scopes, ['openid', 'profile:read']);
    assert.equal(answer.request.codeChallenge, 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM');
    assert.equal(answer.request.nonce, 'n-0S6_WzA2Mj');
  });

  test('without openid has no nonce, since it gets no id_token', async () => {
    const answer = await read(provider.notebook, { nonce: 'n'.repeat(2000) });

    assert(answer.outcome === 'request');
    assert.equal(answer.request.nonce, undefined);
  });

  const GOOD: [name: string, client: () => Client, changes: Parameters][] = [
    ['a public application with PKCE', () => provider.pocket, {}],
    [
      'a confidential application without PKCE',
      () => provider.notebook,
      { code_challenge: undefined, code_challenge_method: undefined },
    ],
    [
      'empty PKCE parameters of a confidential application',
      () => provider.notebook,
      { code_challenge: '', code_challenge_method: '' },
    ],
    ['an empty nonce', () => provider.notebook, { nonce: '' }],
    ['a nonce of 1,024 characters', () => provider.notebook, { scope: 'openid', nonce: 'n'.repeat(1024) }],
    ['an unknown parameter', () => provider.notebook, { utm_source: 'x', 'state[]': 'y' }],
    ['response_mode query', () => provider.notebook, { response_mode: 'query' }],
    [
      'an empty request parameter',
      () => provider.notebook,
      { request: '', request_uri: '', registration: '' },
    ],
    ['no state, from an application that may leave it out', () => old, { state: undefined }],
  ];

  for (const [name, client, changes] of GOOD) {
    test(name, async () => {
      assert.equal((await read(client(), changes)).outcome, 'request');
    });
  }

  test('unknown scopes are left out when a known one remains', async () => {
    const answer = await read(provider.notebook, { scope: 'email posts:read offline_access' });

    assert(answer.outcome === 'request');
    assert.deepEqual(answer.request.scopes, ['posts:read']);
  });

  test('scopes that the application is not registered for are left out', async () => {
    const answer = await read(narrow, { scope: 'posts:read profile:read' });

    assert(answer.outcome === 'request');
    assert.deepEqual(answer.request.scopes, ['profile:read']);
  });
});

describe('without a known application or its registered address there is nowhere to return to', () => {
  type Problem = 'client_missing' | 'client_unknown' | 'redirect_uri_missing' | 'redirect_uri_unregistered';
  const CASES: [name: string, changes: () => Parameters, reason: Problem][] = [
    ['client_id missing', () => ({ client_id: undefined }), 'client_missing'],
    ['client_id empty', () => ({ client_id: '' }), 'client_missing'],
    ['client_id with NUL', () => ({ client_id: `${provider.notebook.id}\0` }), 'client_missing'],
    ['client_id unknown', () => ({ client_id: 'app_unknown' }), 'client_unknown'],
    [
      'client_id in the other case',
      () => ({ client_id: provider.notebook.id.toUpperCase() }),
      'client_unknown',
    ],
    ['client_id with a space', () => ({ client_id: `${provider.notebook.id} ` }), 'client_unknown'],
    ['application deactivated', () => ({ client_id: deactivated.id }), 'client_unknown'],
    ['redirect_uri missing', () => ({ redirect_uri: undefined }), 'redirect_uri_missing'],
    ['redirect_uri empty', () => ({ redirect_uri: '' }), 'redirect_uri_missing'],
    [
      'redirect_uri of another application',
      () => ({ redirect_uri: POCKET_CALLBACK }),
      'redirect_uri_unregistered',
    ],
    [
      'redirect_uri that differs',
      () => ({ redirect_uri: `${NOTEBOOK_CALLBACK}/` }),
      'redirect_uri_unregistered',
    ],
    ['redirect_uri with NUL', () => ({ redirect_uri: `${NOTEBOOK_CALLBACK}\0` }), 'redirect_uri_missing'],
    [
      'redirect_uri[] for redirect_uri',
      () => ({ redirect_uri: undefined, 'redirect_uri[]': NOTEBOOK_CALLBACK }),
      'redirect_uri_missing',
    ],
  ];

  for (const [name, changes, reason] of CASES) {
    test(`${name}: ${reason}`, async () => {
      const answer = await read(provider.notebook, changes());

      assert(answer.outcome === 'no_redirect');
      assert.equal(answer.problem.reason, reason);
    });

    test(`${name}: comes before every other error`, async () => {
      const wrong = {
        response_type: 'token',
        scope: undefined,
        state: undefined,
        request: 'x',
        code_challenge_method: 'plain',
      };

      const answer = await read(provider.notebook, { ...wrong, ...changes() });

      assert(answer.outcome === 'no_redirect');
      assert.equal(answer.problem.reason, reason);
    });
  }

  test('an unknown application is reported before an unregistered redirect_uri', async () => {
    const answer = await read(provider.notebook, {
      client_id: 'app_unknown',
      redirect_uri: 'https://evil.example/',
    });

    assert(answer.outcome === 'no_redirect');
    assert.equal(answer.problem.reason, 'client_unknown');
    assert.equal(answer.problem.redirectUri, undefined);
  });

  test('the redirect_uri is returned with the application, for its owner', async () => {
    const answer = await read(provider.notebook, { redirect_uri: 'https://evil.example/' });

    assert(answer.outcome === 'no_redirect');
    assert.equal(answer.problem.client?.id, provider.notebook.id);
    assert.equal(answer.problem.redirectUri, 'https://evil.example/');
  });

  for (const name of ['client_id', 'redirect_uri'] as const) {
    const REPETITIONS: [how: string, first: (good: string) => string, last: (good: string) => string][] = [
      ['the same value', (good) => good, (good) => good],
      ['a bad one first', () => 'https://evil.example/', (good) => good],
      ['a bad one last', (good) => good, () => 'https://evil.example/'],
      ['an empty one first', () => '', (good) => good],
      ['an empty one last', (good) => good, () => ''],
      ['one with NUL first', (good) => `${good}\0`, (good) => good],
      ['one with NUL last', (good) => good, (good) => `${good}\0`],
    ];

    for (const [how, first, last] of REPETITIONS) {
      test(`${name} given twice: ${how}`, async () => {
        const { [name]: good = '', ...others } = requestParameters(provider.notebook);
        const form = new Form([[name, first(good)], ...Object.entries(others), [name, last(good)]]);

        const answer = await readAuthorizationRequest(provider.server, form);

        assert(answer.outcome === 'no_redirect');
        assert.equal(answer.problem.reason, `${name === 'client_id' ? 'client' : name}_missing`);
      });
    }
  }
});
