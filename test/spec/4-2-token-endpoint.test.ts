// Spec §4.2, §5.2, §7.1 with contract §4: POST /api/oauth/token.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { rotateClientSecret } from '../../src/oauth/client.ts';
import { type App, openApp } from '../support/app.ts';
import type { Browser } from '../support/browser.ts';
import { json } from '../support/json.ts';
import { notebook, person, pocket, type RegisteredClient } from '../support/people.ts';
import {
  answerConsent,
  askToken,
  atOnce,
  authorizationRequest,
  browserOf,
  callApi,
  pkce,
  postForm,
  signInWith,
} from '../support/relying-party.ts';

let app: App;
let client: RegisteredClient;
let phone: RegisteredClient;
let browser: Browser;

before(async () => {
  app = await openApp({ TOKEN_RATE_LIMIT_PER_MINUTE: '100000' });
  await person(app.portico, 'alice');
  client = await notebook(app.portico);
  phone = await pocket(app.portico);
  browser = await browserOf(app, 'alice');
});
after(() => app.close());

const TOKEN = '/api/oauth/token';

/** A right exchange: the fields of its form, with a code that was just issued. */
async function exchange(of = client, withPkce = true): Promise<Record<string, string>> {
  const { verifier, challenge } = pkce();
  const proof = { code_challenge: challenge, code_challenge_method: 'S256' };
  const landed = await answerConsent(browser, authorizationRequest(of, withPkce ? proof : {}));
  return {
    grant_type: 'authorization_code',
    code: landed.searchParams.get('code') ?? '',
    redirect_uri: of.redirectUri,
    ...(withPkce ? { code_verifier: verifier } : {}),
  };
}

async function assertError(answer: Response, status: number, error: string): Promise<void> {
  const body = await json(answer);
  assert.equal(`${answer.status} ${body.error}`, `${status} ${error}`, body.error_description);
  assert.match(answer.headers.get('content-type') ?? '', /^application\/json/);
  assert.equal(answer.headers.get('cache-control'), 'no-store');
  assert.equal(answer.headers.get('pragma'), 'no-cache');
  assert.match(body.error_description, /^[\x20-\x21\x23-\x5B\x5D-\x7E]+$/);
  assert.equal(body.error_uri, `${app.url}/docs/errors/${error}`);
}

function basic(id: string, secret: string): Record<string, string> {
  return {
    Authorization: `Basic ${Buffer.from(`${encodeURIComponent(id)}:${encodeURIComponent(secret)}`).toString('base64')}`,
  };
}

function post(body: URLSearchParams | string, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(app.url + TOKEN, { method: 'POST', body, headers });
}

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

test('Only POST is answered, and parameters in the URL are ignored.', async () => {
  const fields = { ...(await exchange()), client_id: client.id, client_secret: client.secret };

  const got = await fetch(`${app.url}${TOKEN}?${new URLSearchParams(fields)}`);
  const inUrl = await fetch(`${app.url}${TOKEN}?${new URLSearchParams(fields)}`, {
    method: 'POST',
    body: new URLSearchParams(),
  });

  assert.equal(got.status, 405);
  assert.equal(got.headers.get('allow'), 'POST');
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
      form.delete(name);
    });
  }
});

describe('invalid_client: Client authentication failed. One answer for all, and nothing is changed.', () => {
  async function assertRefused(credentials: Record<string, string>): Promise<void> {
    const fields = await exchange();
    const answer = await postForm(app, TOKEN, { ...fields, ...credentials });

    assert.equal(answer.headers.get('www-authenticate'), null);
    const body = await json(answer.clone());
    assert.equal(
      body.error_description,
      'The client_id is not known or not active, or the client_secret is missing or wrong.',
    );
    await assertError(answer, 401, 'invalid_client');
    assert.equal((await askToken(app, client, fields)).status, 200, 'the code is unharmed');
  }

  test('unknown application', () => assertRefused({ client_id: 'app_nobody', client_secret: client.secret }));
  test('wrong secret', () =>
    assertRefused({ client_id: client.id, client_secret: `${client.secret.slice(0, -1)}x` }));
  test('missing secret of a confidential application', () => assertRefused({ client_id: client.id }));
  test('empty secret of a confidential application', () =>
    assertRefused({ client_id: client.id, client_secret: '' }));
  test('secret of another application', async () => {
    const other = await notebook(app.portico);
    await assertRefused({ client_id: client.id, client_secret: other.secret });
  });
  test('secret sent for a public application', () =>
    assertRefused({ client_id: phone.id, client_secret: client.secret }));

  test('rotated secret', async () => {
    const rotated = await notebook(app.portico);
    const next = await rotateClientSecret(app.portico.oauth, rotated.id);
    const fields = await exchange(rotated);

    await assertError(await askToken(app, rotated, fields), 401, 'invalid_client');
    assert.equal((await askToken(app, { ...rotated, secret: next ?? '' }, fields)).status, 200);
  });

  test('application deactivated', async () => {
    const gone = await notebook(app.portico);
    const tokens = await signInWith(app, gone, 'alice');
    const fields = await exchange(gone);
    await app.portico.oauth.writes.setClientStatus(gone.id, 'deactivated');

    await assertError(await askToken(app, gone, fields), 401, 'invalid_client');
    await assertError(
      await askToken(app, gone, { grant_type: 'refresh_token', refresh_token: tokens.refresh_token }),
      401,
      'invalid_client',
    );
    assert.equal((await callApi(app, '/', tokens.access_token)).status, 401);
  });
});

describe('HTTP Basic authenticates as well', () => {
  test('with client_id in the body or without', async () => {
    for (const more of [{}, { client_id: client.id }]) {
      const answer = await post(
        new URLSearchParams({ ...(await exchange()), ...more }),
        basic(client.id, client.secret),
      );

      assert.equal(answer.status, 200);
    }
  });

  test('and only a failure of it is answered with a challenge', async () => {
    const answer = await post(new URLSearchParams(await exchange()), basic(client.id, 'wrong'));

    assert.match(answer.headers.get('www-authenticate') ?? '', /^Basic realm="/);
    await assertError(answer, 401, 'invalid_client');
  });

  for (const [name, header] of Object.entries({
    'no colon': `Basic ${Buffer.from('nocolon').toString('base64')}`,
    'not Base64': 'Basic !!!',
    'bad UTF-8': `Basic ${Buffer.from([0xff, 0x3a, 0xfe]).toString('base64')}`,
    'a bad escape': `Basic ${Buffer.from('%zz:x').toString('base64')}`,
    'another scheme': 'Bearer abc',
  })) {
    test(`malformed (${name}): invalid_client`, async () => {
      await assertError(
        await post(new URLSearchParams(await exchange()), { Authorization: header }),
        401,
        'invalid_client',
      );
    });
  }

  test('both at once, two different ids, two headers or a client assertion: invalid_request', async () => {
    const fields = await exchange();
    const right = basic(client.id, client.secret);

    await assertError(
      await post(new URLSearchParams({ ...fields, client_secret: client.secret }), right),
      400,
      'invalid_request',
    );
    await assertError(
      await post(new URLSearchParams({ ...fields, client_id: phone.id }), right),
      400,
      'invalid_request',
    );
    await assertError(
      await post(new URLSearchParams(fields), {
        Authorization: `${right.Authorization}, ${right.Authorization}`,
      }),
      400,
      'invalid_request',
    );
    await assertError(
      await post(new URLSearchParams({ ...fields, client_assertion: 'x' }), right),
      400,
      'invalid_request',
    );
  });
});

describe('invalid_grant: the code', () => {
  test('unknown, cut short, extended, in another case, or not a code at all', async () => {
    const fields = await exchange();
    const tokens = await signInWith(app, client, 'alice');
    const code = fields.code ?? '';
    const flipped = code.replace(/[a-z]/, (letter) => letter.toUpperCase());
    for (const wrong of [
      'x',
      code.slice(0, -1),
      `${code}a`,
      code.slice(1),
      flipped.slice(0, 5) === code.slice(0, 5) ? flipped : `${code}b`,
      tokens.access_token,
      tokens.refresh_token,
      '\uFFFD',
      "' OR 1=1 --",
    ]) {
      await assertError(await askToken(app, client, { ...fields, code: wrong }), 400, 'invalid_grant');
    }
    assert.equal((await askToken(app, client, fields)).status, 200);
    assert.equal((await callApi(app, '/', tokens.access_token)).status, 200);
  });

  test('of another application: refused, and nothing else happens', async () => {
    const fields = await exchange();
    const other = await notebook(app.portico);

    await assertError(await askToken(app, other, fields), 400, 'invalid_grant');
    await assertError(await askToken(app, phone, fields), 400, 'invalid_grant');
    const tokens = await json(await askToken(app, client, fields));
    await assertError(await askToken(app, other, fields), 400, 'invalid_grant');
    assert.equal((await callApi(app, '/', tokens.access_token)).status, 200);
  });

  test('redirect_uri differs from the authorization request, although it is registered', async () => {
    const two = await notebook(app.portico, {
      redirectUris: ['https://a.example/cb', 'https://b.example/cb'],
    });
    const fields = await exchange(two);

    await assertError(
      await askToken(app, two, { ...fields, redirect_uri: 'https://b.example/cb' }),
      400,
      'invalid_grant',
    );
    assert.equal((await askToken(app, two, fields)).status, 200);
  });

  test('code_verifier mismatch, or missing although a challenge was used', async () => {
    const fields = await exchange();
    const { code_verifier: verifier = '', ...withoutVerifier } = fields;
    const { challenge } = pkce();
    for (const wrong of [
      pkce().verifier,
      challenge,
      verifier.slice(0, 42),
      verifier.padEnd(129, 'a'),
      `${verifier.slice(0, -1)}!`,
    ]) {
      await assertError(
        await askToken(app, client, { ...fields, code_verifier: wrong }),
        400,
        'invalid_grant',
      );
    }
    await assertError(await askToken(app, client, withoutVerifier), 400, 'invalid_grant');
    assert.equal((await askToken(app, client, fields)).status, 200);
  });

  test('code_verifier sent although no challenge was used: invalid_request', async () => {
    const fields = await exchange(client, false);

    await assertError(
      await askToken(app, client, { ...fields, code_verifier: pkce().verifier }),
      400,
      'invalid_request',
    );
    assert.equal((await askToken(app, client, fields)).status, 200);
  });

  test('consent withdrawn between authorization and exchange', async () => {
    const own = await notebook(app.portico);
    const fields = await exchange(own);
    const user = await app.portico.identity.reads.findUserByName('alice');
    await app.portico.oauth.writes.withdrawGrant(user?.id ?? 0, own.id, app.clock.now);

    await assertError(await askToken(app, own, fields), 400, 'invalid_grant');
  });
});

test('A client that is public must use PKCE', async () => {
  const fields = await exchange(phone);

  const tokens = await askToken(app, phone, fields);

  assert.equal(tokens.status, 200);
});

describe('Refresh', () => {
  test('the scope may narrow the access token and never widens; the next refresh has the whole scope again', async () => {
    const tokens = await signInWith(app, client, 'alice');
    const narrowed = await json(
      await askToken(app, client, {
        grant_type: 'refresh_token',
        refresh_token: tokens.refresh_token,
        scope: 'profile:read wallet',
      }),
    );

    assert.equal(narrowed.scope, 'profile:read');
    assert.equal((await callApi(app, '/me/posts', narrowed.access_token)).status, 403);
    const whole = await json(
      await askToken(app, client, { grant_type: 'refresh_token', refresh_token: narrowed.refresh_token }),
    );
    assert.equal(whole.scope, 'profile:read posts:read');
  });

  test('a wider or unknown scope is invalid_scope and consumes nothing', async () => {
    const tokens = await signInWith(app, client, 'alice', 'profile:read');
    const refresh = { grant_type: 'refresh_token', refresh_token: tokens.refresh_token };

    await assertError(
      await askToken(app, client, { ...refresh, scope: 'profile:read posts:read' }),
      400,
      'invalid_scope',
    );
    await assertError(await askToken(app, client, { ...refresh, scope: 'wallet' }), 400, 'invalid_scope');
    assert.equal((await askToken(app, client, refresh)).status, 200);
  });

  test('by another application, without the secret, or with something that is no refresh token: refused and unharmed', async () => {
    const tokens = await signInWith(app, client, 'alice');
    const other = await notebook(app.portico);
    const refresh = { grant_type: 'refresh_token', refresh_token: tokens.refresh_token };

    await assertError(await askToken(app, other, refresh), 400, 'invalid_grant');
    await assertError(await askToken(app, { ...client, secret: '' }, refresh), 401, 'invalid_client');
    await assertError(
      await askToken(app, client, { ...refresh, refresh_token: tokens.access_token }),
      400,
      'invalid_grant',
    );
    await assertError(
      await askToken(app, client, { ...refresh, refresh_token: tokens.refresh_token.slice(0, -1) }),
      400,
      'invalid_grant',
    );
    assert.equal((await askToken(app, client, refresh)).status, 200);
  });

  test('32 at the same moment: one succeeds, the others get invalid_grant, and the sign-in of a confidential application lives', async () => {
    const tokens = await signInWith(app, client, 'alice');
    const refresh = { grant_type: 'refresh_token', refresh_token: tokens.refresh_token };

    const answers = await atOnce(app, 32, () => askToken(app, client, refresh));

    const winners = answers.filter(({ status }) => status === 200);
    assert.equal(winners.length, 1);
    assert.ok(answers.every(({ status }) => status === 200 || status === 400));
    const next = await json(winners[0]);
    assert.equal(
      (await askToken(app, client, { grant_type: 'refresh_token', refresh_token: next.refresh_token }))
        .status,
      200,
    );
  });

  test('the lifetime of a refresh token is 30 days from its issue', async () => {
    const tokens = await signInWith(app, client, 'alice');
    app.clock.advance(30 * 24 * 3600 * 1000 - 1000);
    const inTime = await askToken(app, client, {
      grant_type: 'refresh_token',
      refresh_token: tokens.refresh_token,
    });
    const next = await json(inTime);
    app.clock.advance(30 * 24 * 3600 * 1000);

    assert.equal(inTime.status, 200);
    await assertError(
      await askToken(app, client, { grant_type: 'refresh_token', refresh_token: next.refresh_token }),
      400,
      'invalid_grant',
    );
    browser = await browserOf(app, 'alice');
  });
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
