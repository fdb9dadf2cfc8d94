// What the security guidance (RFC 9700, RFC 6749 §10) asks for beyond the endpoints' own rules: no open redirector, no
// guessing, no reading by other sites, and nothing forgotten in a restart.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { MINUTE, SECOND } from '../../src/lib/clock.ts';
import { type App, openApp } from '../support/app.ts';
import { Browser } from '../support/browser.ts';
import { temporaryFolder } from '../support/databases.ts';
import { json } from '../support/json.ts';
import { NONCE, openIdRequest, verify } from '../support/openid.ts';
import { browserOf, notebook, PASSWORD, person, pocket, type RegisteredClient } from '../support/people.ts';
import {
  answerConsent,
  askToken,
  authorizationRequest,
  callApi,
  postForm,
} from '../support/relying-party.ts';

let app: App;
let client: RegisteredClient;

before(async () => {
  app = await openApp({ TRUST_PROXY: '127.0.0.1' });
  await person(app.portico, 'alice');
  client = await notebook(app.portico);
});
after(() => app.close());

const ELSEWHERE = [
  'https://evil.example/',
  '//evil.example/',
  '/\\evil.example/',
  '\\\\evil.example',
  '///evil.example',
  '/%09/evil.example',
  '/\t/evil.example',
  'javascript:alert(1)',
  '/%0d%0aLocation: https://evil.example',
  'evil.example',
  'https:evil.example',
];

describe('No form leads to another site, whatever return_to says:', () => {
  for (const returnTo of ELSEWHERE) {
    test(JSON.stringify(returnTo), async () => {
      const browser = new Browser(app.url);
      const query = new URLSearchParams({ return_to: returnTo });
      const page = await (await browser.open(`/login?${query}`)).text();

      const language = await browser.submit(page, '/language', { language: 'zh', return_to: returnTo });
      const fields = { username: 'alice', password: PASSWORD };
      const asGiven = await browser.submit(page, '/login', fields);
      const next = await (await browser.open('/login')).text();
      const changed = await browser.submit(next, '/login', { ...fields, return_to: returnTo });

      for (const answer of [language, asGiven, changed]) {
        const location = answer.headers.get('location') ?? '';
        assert.equal(answer.status, 303);
        assert.equal(new URL(location, app.url).origin, app.url);
        assert.match(location, /^\/(?![/\\])/);
      }
      assert.doesNotMatch(page, /(?:href|action)="(?:https?:)?[/\\]{2}/);
    });
  }
});

describe('Guessing a secret', () => {
  const guess = (from: string, of: RegisteredClient, secret: string) =>
    fetch(`${app.url}/api/oauth/token`, {
      method: 'POST',
      headers: { 'X-Forwarded-For': from },
      body: new URLSearchParams({
        grant_type: 'refresh_token',
        refresh_token: 'x',
        client_id: of.id,
        client_secret: secret,
      }),
    });

  test('is possible 20 times a minute for one application from one address, then 429 with Retry-After', async () => {
    const own = await notebook(app.portico);

    for (let attempt = 1; attempt <= 20; attempt += 1) {
      assert.equal((await guess('192.0.2.1', own, `guess ${attempt}`)).status, 401);
    }
    const wrong = await guess('192.0.2.1', own, 'guess 21');
    const right = await guess('192.0.2.1', own, own.secret);
    const elsewhere = await guess('192.0.2.2', own, own.secret);
    const other = await guess('192.0.2.1', client, client.secret);
    app.clock.advance(MINUTE);
    const later = await guess('192.0.2.1', own, own.secret);

    assert.equal(wrong.status, 429);
    assert.equal(wrong.headers.get('retry-after'), '60');
    assert.equal(wrong.headers.get('access-control-allow-origin'), '*');
    assert.equal((await json(wrong)).error, 'temporarily_unavailable');
    // The genuine application gets in from everywhere: invalid_grant is an answer to it.
    assert.deepEqual([right.status, elsewhere.status, other.status, later.status], [400, 400, 400, 400]);
  });
});

describe('The authorization endpoint is for browsers only:', () => {
  for (const origin of ['https://evil.example', 'null', 'https://notebook.example.com']) {
    test(`no page of ${origin} may read from it, not even an error`, async () => {
      const answers = [
        await fetch(`${app.url}/oauth/authorize?${authorizationRequest(client)}`, {
          headers: { Origin: origin },
          redirect: 'manual',
        }),
        await fetch(`${app.url}/oauth/authorize`, { headers: { Origin: origin } }),
        await fetch(`${app.url}/oauth/authorize`, {
          method: 'OPTIONS',
          headers: { Origin: origin, 'Access-Control-Request-Method': 'GET' },
        }),
      ];

      assert.deepEqual(
        answers.map(({ status }) => status),
        [303, 400, 405],
      );
      for (const { headers } of answers) assert.equal(headers.get('access-control-allow-origin'), null);
    });
  }

  test('a response with a code is not cached, and sends no referrer', async () => {
    const browser = await browserOf(app, 'alice');
    await answerConsent(browser, authorizationRequest(client));

    const answer = await browser.open(`/oauth/authorize?${authorizationRequest(client)}`);

    assert.match(answer.headers.get('location') ?? '', /[?&]code=/);
    assert.equal(answer.status, 303);
    assert.equal(answer.headers.get('cache-control'), 'no-store');
    assert.equal(answer.headers.get('referrer-policy'), 'no-referrer');
  });
});

test('The authorization request survives signing up, with its nonce.', async () => {
  const browser = new Browser(app.url);
  const toLogin = await browser.open(`/oauth/authorize?${openIdRequest(client, { state: 'a&b=c%20d+é' })}`);
  const login = toLogin.headers.get('location') ?? '';
  const page = await (await browser.open(login.replace('/login', '/signup'))).text();

  const joined = await browser.submit(page, '/signup', { username: 'newcomer', password: PASSWORD });
  const back = joined.headers.get('location') ?? '';
  const callback = await answerConsent(browser, new URLSearchParams(back.slice(back.indexOf('?') + 1)));
  const answer = await askToken(app, client, {
    grant_type: 'authorization_code',
    code: callback.searchParams.get('code') ?? '',
    redirect_uri: client.redirectUri,
  });
  const { payload } = await verify(app, (await json(answer)).id_token, client);

  assert.equal(callback.searchParams.get('state'), 'a&b=c%20d+é');
  assert.equal(payload.nonce, NONCE);
  assert.equal(payload.auth_time, Math.floor(app.clock.now / SECOND));
});

test('An error of the token endpoint repeats nothing from the request.', async () => {
  const sent = {
    grant_type: 'authorization_code',
    client_id: 'app_0123456789',
    client_secret: 'svcs_a-secret-that-is-no-secret',
    code: 'svcc_a-code-that-is-no-code',
    code_verifier: 'a-verifier-of-at-least-forty-three-characters',
    redirect_uri: 'https://notebook.example.com/"<script>',
  };
  const answers = [
    await postForm(app, '/api/oauth/token', sent),
    await askToken(app, client, { ...sent, client_id: client.id, client_secret: client.secret }),
    await postForm(app, '/api/oauth/token', { ...sent, grant_type: '"<script>' }),
    await postForm(app, '/api/oauth/revoke', { ...sent, token: 'svco_a-token-that-is-no-token' }),
  ];

  for (const answer of answers) {
    const body = await json(answer);
    assert.ok([400, 401].includes(answer.status), String(answer.status));
    assert.equal(answer.headers.get('cache-control'), 'no-store');
    assert.deepEqual(Object.keys(body), ['error', 'error_description', 'error_uri']);
    assert.match(body.error_description, /^[\x20-\x21\x23-\x5B\x5D-\x7E]+$/);
    assert.doesNotMatch(
      JSON.stringify(body),
      /a-(?:secret|code|verifier|token)|<script|0123456789| at .*\.ts/,
    );
  }
});

test('Reuse of a code is recognised after a restart of the service.', async (t) => {
  const file = `file:${join(await temporaryFolder(t), 'portico.db')}`;
  const first = await openApp({ DATABASE_URL: file });
  await person(first.portico, 'alice');
  const own = await pocket(first.portico);
  const parameters = { code_challenge: CHALLENGE, code_challenge_method: 'S256' };
  const callback = await answerConsent(
    await browserOf(first, 'alice'),
    authorizationRequest(own, parameters),
  );
  const exchange = {
    grant_type: 'authorization_code',
    code: callback.searchParams.get('code') ?? '',
    redirect_uri: own.redirectUri,
    code_verifier: VERIFIER,
  };
  const tokens = await json(await askToken(first, own, exchange));
  await first.close();

  const second = await openApp({ DATABASE_URL: file });
  t.after(() => second.close());
  const before = await callApi(second, '/me', tokens.access_token);
  const replayed = await askToken(second, own, exchange);
  const after = await callApi(second, '/me', tokens.access_token);

  assert.equal(before.status, 200);
  assert.equal((await json(replayed)).error, 'invalid_grant');
  assert.equal(after.status, 401);
});

// The example of RFC 7636 appendix B.
const VERIFIER = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk';
const CHALLENGE = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';
