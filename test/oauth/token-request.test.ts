// The token request of an authenticated client (RFC 6749 §3.2, spec §4.2 and §7.1).

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Form } from '../../src/oauth/form.ts';
import { answerTokenRequest, checkTokenForm, hasIssuedGrant } from '../../src/oauth/token-request.ts';
import {
  allow,
  assertRefused,
  formOf,
  NOTEBOOK_CALLBACK,
  openProvider,
  type Provider,
  VERIFIER,
} from './provider.ts';

let provider: Provider;
before(async () => {
  provider = await openProvider();
});
after(() => provider.close());

describe('checkTokenForm', () => {
  test('grant_type missing or empty: invalid_request', async () => {
    await assertRefused(() => checkTokenForm(formOf({})), 'invalid_request', /grant_type is missing/);
    await assertRefused(
      () => checkTokenForm(formOf({ grant_type: '' })),
      'invalid_request',
      /grant_type is missing/,
    );
  });

  for (const name of [
    'grant_type',
    'code',
    'redirect_uri',
    'code_verifier',
    'client_id',
    'client_secret',
    'refresh_token',
    'scope',
    'other',
  ]) {
    test(`${name} given twice: invalid_request`, async () => {
      const form = new Form([
        ['grant_type', 'authorization_code'],
        [name, 'a'],
        [name, ''],
      ]);

      await assertRefused(
        () => checkTokenForm(form),
        'invalid_request',
        new RegExp(`^The parameter ${name} is given more`),
      );
    });
  }
});

describe('answerTokenRequest', () => {
  for (const grantType of [
    'password',
    'client_credentials',
    'implicit',
    'urn:ietf:params:oauth:grant-type:device_code',
    'urn:ietf:params:oauth:grant-type:token-exchange',
    'urn:ietf:params:oauth:grant-type:jwt-bearer',
    'AUTHORIZATION_CODE',
    'authorization_code ',
    'constructor',
    '__proto__',
  ]) {
    test(`grant_type ${JSON.stringify(grantType)}: unsupported_grant_type`, async () => {
      await assertRefused(
        answerTokenRequest(provider.server, provider.notebook, formOf({ grant_type: grantType })),
        'unsupported_grant_type',
        /authorization_code, refresh_token/,
      );
    });
  }

  test('the response to a code and to a refresh token has the fields of spec §2.1', async () => {
    const code = await allow(provider, provider.notebook, provider.alice);
    const redeemed = await answerTokenRequest(
      provider.server,
      provider.notebook,
      formOf({
        grant_type: 'authorization_code',
        code,
        redirect_uri: NOTEBOOK_CALLBACK,
        code_verifier: VERIFIER,
      }),
    );
    const refreshed = await answerTokenRequest(
      provider.server,
      provider.notebook,
      formOf({ grant_type: 'refresh_token', refresh_token: redeemed.refresh_token, scope: 'posts:read' }),
    );

    for (const [response, scope] of [
      [redeemed, 'profile:read posts:read'],
      [refreshed, 'posts:read'],
    ] as const) {
      const { access_token, refresh_token, ...rest } = response;
      assert.match(access_token, /^svco_/);
      assert.match(refresh_token ?? '', /^svcr_/);
      assert.deepEqual(rest, { token_type: 'Bearer', expires_in: 3600, scope });
    }
  });
});

test('A grant is known as issued to its own client only, and asking changes nothing', async () => {
  const { server, notebook, pocket, alice } = provider;
  const code = await allow(provider, notebook, alice);
  const form = formOf({ grant_type: 'authorization_code', code });

  assert.equal(await hasIssuedGrant(server, notebook, form), true);
  assert.equal(await hasIssuedGrant(server, notebook, form), true);
  assert.equal(await hasIssuedGrant(server, pocket, form), false);
  assert.equal(await hasIssuedGrant(server, notebook, formOf({ grant_type: 'password' })), false);
  assert.equal(await hasIssuedGrant(server, notebook, formOf({})), false);
});
