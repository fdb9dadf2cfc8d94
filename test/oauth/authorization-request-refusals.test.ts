// Reading an authorization request (RFC 6749 §4.1.1, contract §3): the errors that the application receives.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { readAuthorizationRequest } from '../../src/oauth/authorization-request.ts';
import type { Client } from '../../src/oauth/client-store.ts';
import type { OAuthErrorCode } from '../../src/oauth/errors.ts';
import { Form } from '../../src/oauth/form.ts';
import { CHALLENGE, ISSUER, type Parameters, requestParameters } from './provider.ts';
import { narrow, old, openFixture, provider, read, readWithMore } from './request-fixture.ts';

before(openFixture);
after(() => provider.close());

type Refusal = [name: string, client: () => Client, changes: Parameters, code: OAuthErrorCode, words: RegExp];

const REFUSALS: Refusal[] = [
  [
    'response_type missing',
    () => provider.notebook,
    { response_type: undefined },
    'invalid_request',
    /response_type/,
  ],
  ['response_type empty', () => provider.notebook, { response_type: '' }, 'invalid_request', /response_type/],
  ...['token', 'id_token', 'code token', 'code id_token', 'none', 'CODE', 'code ', ' code', 'foo'].map(
    (value): Refusal => [
      `response_type ${JSON.stringify(value)}`,
      () => provider.notebook,
      { response_type: value },
      'unsupported_response_type',
      /response_type/,
    ],
  ),
  ...['fragment', 'web_message', 'jwt', 'QUERY'].map(
    (value): Refusal => [
      `response_mode ${value}`,
      () => provider.notebook,
      { response_mode: value },
      'invalid_request',
      /response_mode/,
    ],
  ),
  [
    'request',
    () => provider.notebook,
    { request: 'eyJhbGciOiJub25lIn0..' },
    'request_not_supported',
    /request/,
  ],
  [
    'request_uri',
    () => provider.notebook,
    { request_uri: 'https://evil.example/r' },
    'request_uri_not_supported',
    /request_uri/,
  ],
  [
    'registration',
    () => provider.notebook,
    { registration: '{}' },
    'registration_not_supported',
    /registration/,
  ],
  [
    'state missing',
    () => provider.notebook,
    { state: undefined },
    'invalid_request',
    /parameter state is missing/,
  ],
  ['state empty', () => provider.notebook, { state: '' }, 'invalid_request', /parameter state is missing/],
  ['state with NUL', () => provider.notebook, { state: 'a\0b' }, 'invalid_request', /NUL/],
  ['nonce with NUL', () => provider.notebook, { nonce: '\0' }, 'invalid_request', /NUL/],
  [
    'nonce of 1,025 characters',
    () => provider.notebook,
    { scope: 'openid', nonce: 'n'.repeat(1025) },
    'invalid_request',
    /nonce has more than 1024 characters/,
  ],
  [
    'nonce of 1,025 characters of an application that may leave it out',
    () => old,
    { scope: 'openid', nonce: 'n'.repeat(1025) },
    'invalid_request',
    /nonce has more than 1024 characters/,
  ],
  ['scope missing', () => provider.notebook, { scope: undefined }, 'invalid_scope', /scope is missing/],
  ['scope empty', () => provider.notebook, { scope: '' }, 'invalid_scope', /scope is missing/],
  ['scope of spaces', () => provider.notebook, { scope: '  ' }, 'invalid_scope', /known/],
  ['only unknown scopes', () => provider.notebook, { scope: 'email wallet:read' }, 'invalid_scope', /known/],
  [
    'scope with a quotation mark',
    () => provider.notebook,
    { scope: 'profile:read "' },
    'invalid_scope',
    /character/,
  ],
  [
    'scope with a backslash',
    () => provider.notebook,
    { scope: 'profile:read \\' },
    'invalid_scope',
    /character/,
  ],
  [
    'scope outside ASCII',
    () => provider.notebook,
    { scope: 'profile:read \u00e9' },
    'invalid_scope',
    /character/,
  ],
  [
    'scope with a tab',
    () => provider.notebook,
    { scope: 'profile:read\tposts:read' },
    'invalid_scope',
    /character/,
  ],
  [
    'only scopes the application is not registered for',
    () => narrow,
    { scope: 'posts:read' },
    'invalid_scope',
    /is registered for/,
  ],
  [
    'public application without code_challenge',
    () => provider.pocket,
    { code_challenge: undefined, code_challenge_method: undefined },
    'invalid_request',
    /PKCE/,
  ],
  [
    'public application with empty PKCE parameters',
    () => provider.pocket,
    { code_challenge: '', code_challenge_method: '' },
    'invalid_request',
    /PKCE/,
  ],
  [
    'code_challenge_method without code_challenge',
    () => provider.notebook,
    { code_challenge: undefined },
    'invalid_request',
    /without code_challenge/,
  ],
  ...[undefined, '', 'plain', 's256', 'S512', 'S256 '].map(
    (value): Refusal => [
      `code_challenge_method ${value === undefined ? 'missing' : JSON.stringify(value)}`,
      () => provider.notebook,
      { code_challenge_method: value },
      'invalid_request',
      /transform algorithm/,
    ],
  ),
  ...[
    CHALLENGE.slice(1),
    `${CHALLENGE}A`,
    `${CHALLENGE}=`,
    `${CHALLENGE.slice(1)}+`,
    `${CHALLENGE.slice(1)}.`,
    `${CHALLENGE.slice(1)}~`,
  ].map(
    (value): Refusal => [
      `code_challenge ${value}`,
      () => provider.notebook,
      { code_challenge: value },
      'invalid_request',
      /43 base64url/,
    ],
  ),
];

describe('every other refusal is returned to the application, with its code', () => {
  for (const [name, client, changes, code, words] of REFUSALS) {
    test(`${name}: ${code}`, async () => {
      const answer = await read(client(), changes);

      assert(answer.outcome === 'refused');
      assert.equal(answer.error.code, code);
      assert.match(answer.error.description, words);
      assert.match(answer.error.description, /^[\x20-\x21\x23-\x5B\x5D-\x7E]+$/);
      const location = new URL(answer.returnTo.withAnswer(answer.error));
      assert.equal(location.origin + location.pathname, client().redirectUris[0]);
      assert.equal(location.searchParams.get('error'), code);
      assert.equal(location.searchParams.get('iss'), ISSUER);
      assert.equal(location.searchParams.has('code'), false);
      assert.equal(location.hash, '');
      if (!('state' in changes)) assert.equal(location.searchParams.get('state'), 'af0ifjsldkj');
    });
  }

  const REPEATABLE = [
    'response_type',
    'scope',
    'code_challenge',
    'code_challenge_method',
    'nonce',
    'response_mode',
    'prompt',
    'max_age',
    'request',
    'utm',
  ];
  for (const name of REPEATABLE) {
    for (const [how, first, last] of [
      ['the same value', 'a', 'a'],
      ['an empty one', 'a', ''],
      ['two empty ones', '', ''],
    ] as const) {
      test(`${name} given twice, ${how}: invalid_request`, async () => {
        const { [name]: _, ...others } = requestParameters(provider.notebook);
        const form = new Form([[name, first], ...Object.entries(others), [name, last]]);

        const answer = await readAuthorizationRequest(provider.server, form);

        assert(answer.outcome === 'refused');
        assert.equal(answer.error.code, 'invalid_request');
        assert.equal(answer.error.description, `The parameter ${name} is given more than once.`);
        assert.equal(answer.returnTo.state, 'af0ifjsldkj');
      });
    }
  }

  test('state given twice: invalid_request, and neither is given back', async () => {
    const answer = await readWithMore(provider.notebook, ['state', 'another']);

    assert(answer.outcome === 'refused');
    assert.equal(answer.error.code, 'invalid_request');
    assert.equal(new URL(answer.returnTo.withAnswer(answer.error)).searchParams.has('state'), false);
  });
});
