// Spec §4.2, §5.2, §7.1 with contract §4: the form and the responses of POST /api/oauth/token.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { json } from '../support/json.ts';
import { askToken, postForm } from '../support/relying-party.ts';
import { app, assertError, client, exchange, openFixture, post, TOKEN } from './token-fixture.ts';

before(openFixture);
after(() => app.close());

test('Success: 200 with the token response of section 2.1.', async () => {
  const answer = await askToken(app, client, await exchange());

  assert.equal(answer.status, 200);
  assert.match(answer.headers.get('content-type') ?? '', /^application\/json/);
  assert.equal(answer.headers.get('cache-control'), 'no-store');
  assert.equal(answer.headers.get('pragma'), 'no-cache');
  const tokens = await json(answer);
  assert.deepEqual(Object.keys(tokens), [
    'access_token',
    'token_type',
    'expires_in',
    'refresh_token',
    'scope',
  ]);
  assert.match(tokens.access_token, /^svco_[A-Za-z0-9]{60}$/);
  assert.equal(tokens.token_type, 'Bearer');
  assert.equal(tokens.expires_in, 3600);
  assert.match(tokens.refresh_token, /^svcr_[A-Za-z0-9]{60}$/);
  assert.equal(tokens.scope, 'profile:read posts:read');
});

test('All token-endpoint requests use `Content-Type: application/x-www-form-urlencoded`.', async () => {
  const fields = { ...(await exchange()), client_id: client.id, client_secret: client.secret };
  const form = new URLSearchParams(fields).toString();
  const multipart = new FormData();
  for (const [name, value] of Object.entries(fields)) multipart.append(name, value);

  await assertError(
    await post(JSON.stringify(fields), { 'Content-Type': 'application/json' }),
    400,
    'invalid_request',
  );
  await assertError(await post(form, { 'Content-Type': 'text/plain' }), 400, 'invalid_request');
  await assertError(
    await fetch(app.url + TOKEN, { method: 'POST', body: multipart }),
    400,
    'invalid_request',
  );
  await assertError(await fetch(app.url + TOKEN, { method: 'POST' }), 400, 'invalid_request');
  const right = await post(form, { 'Content-Type': 'Application/X-WWW-Form-URLencoded; Charset=UTF-8' });
  assert.equal(right.status, 200);
});

test('Only POST is allowed, and parameters in the URL are ignored.', async () => {
  const fields = { ...(await exchange()), client_id: client.id, client_secret: client.secret };

  const answer = await fetch(`${app.url}${TOKEN}?${new URLSearchParams(fields)}`);
  const inUrl = await fetch(`${app.url}${TOKEN}?${new URLSearchParams(fields)}`, {
    method: 'POST',
    body: new URLSearchParams(),
  });

  assert.equal(answer.status, 405);
  assert.equal(answer.headers.get('allow'), 'POST');
  await assertError(inUrl, 400, 'invalid_request');
  assert.equal((await postForm(app, TOKEN, fields)).status, 200);
});

describe('The `grant_type` values supported are only `authorization_code` and `refresh_token`.', () => {
  for (const grantType of [
    'password',
    'client_credentials',
    'implicit',
    'urn:ietf:params:oauth:grant-type:device_code',
    'AUTHORIZATION_CODE',
    'authorization_code ',
    'junk',
  ]) {
    test(`${grantType}: unsupported_grant_type`, async () => {
      const answer = await askToken(app, client, { ...(await exchange()), grant_type: grantType });

      await assertError(answer, 400, 'unsupported_grant_type');
    });
  }
});

describe('invalid_request: grant_type, client_id, code or another required field missing.', () => {
  for (const name of ['grant_type', 'client_id', 'code', 'redirect_uri']) {
    for (const how of ['missing', 'empty']) {
      test(`${name} ${how}`, async () => {
        const fields: Record<string, string> = {
          ...(await exchange()),
          client_id: client.id,
          client_secret: client.secret,
        };
        if (how === 'empty') fields[name] = '';
        else delete fields[name];

        await assertError(await postForm(app, TOKEN, fields), 400, 'invalid_request');
      });
    }
  }

  test('refresh_token missing', async () => {
    await assertError(await askToken(app, client, { grant_type: 'refresh_token' }), 400, 'invalid_request');
  });

  for (const name of [
    'grant_type',
    'client_id',
    'client_secret',
    'code',
    'redirect_uri',
    'code_verifier',
    'unheard_of',
  ]) {
    test(`${name} given twice`, async () => {
      const form = new URLSearchParams({
        ...(await exchange()),
        client_id: client.id,
        client_secret: client.secret,
        unheard_of: 'x',
      });
      form.append(name, form.get(name) ?? '');

      await assertError(await post(form), 400, 'invalid_request');
    });
  }
});

test('Strange bodies get a clean 400 or 413.', async () => {
  const many = new URLSearchParams();
  for (let index = 0; index < 10_000; index += 1) many.append(`p${index}`, 'x');
  for (const body of [
    'a[b]=c',
    'code[]=x&grant_type[]=y',
    'grant_type=%zz',
    '__proto__=x&constructor=y',
    '&&&===',
    many.toString(),
  ]) {
    const answer = await post(body, { 'Content-Type': 'application/x-www-form-urlencoded' });

    assert.equal(answer.status, 413 === answer.status ? 413 : 400, body.slice(0, 40));
  }
  const huge = await post(`code=${'x'.repeat(1024 * 1024)}`, {
    'Content-Type': 'application/x-www-form-urlencoded',
  });
  assert.equal(huge.status, 413);
  const nul = await askToken(app, client, { grant_type: 'refresh_token', refresh_token: 'a\0b' });
  await assertError(nul, 400, 'invalid_request');
});

test('Any origin may call the token endpoint from a browser, without cookies.', async () => {
  const preflight = await fetch(app.url + TOKEN, {
    method: 'OPTIONS',
    headers: { Origin: 'https://spa.example', 'Access-Control-Request-Method': 'POST' },
  });
  const answer = await askToken(app, client, {});

  assert.equal(preflight.status, 204);
  for (const { headers } of [preflight, answer]) {
    assert.equal(headers.get('access-control-allow-origin'), '*');
    assert.equal(headers.get('access-control-allow-credentials'), null);
    assert.equal(headers.get('set-cookie'), null);
  }
});
