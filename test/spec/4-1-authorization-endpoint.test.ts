// Spec §4.1 with contract §3 and the standards behind them: GET and POST /oauth/authorize.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Browser } from '../support/browser.ts';
import { json } from '../support/json.ts';
import { notebook, PASSWORD } from '../support/people.ts';
import { answerConsent, askToken, authorizationRequest, pkce } from '../support/relying-party.ts';
import { app, authorize, browser, client, openFixture, redirectTarget } from './authorization-fixture.ts';

before(openFixture);
after(() => app.close());

test('On success the user is redirected to `redirect_uri` with the authorization code and the original `state`.', async () => {
  const callback = await answerConsent(browser, authorizationRequest(client, { state: 'xyz 123' }));

  assert.equal(callback.origin + callback.pathname, client.redirectUri);
  assert.match(callback.searchParams.get('code') ?? '', /^svcc_[A-Za-z0-9]{60}$/);
  assert.equal(callback.searchParams.get('state'), 'xyz 123');
  assert.equal(callback.searchParams.get('iss'), app.url);
  assert.deepEqual([...callback.searchParams.keys()].sort(), ['code', 'iss', 'state']);
  assert.equal(callback.hash, '');
});

test('The state is returned unchanged, whatever characters it has.', async () => {
  const states = [
    'a',
    Array.from({ length: 95 }, (_, index) => String.fromCharCode(32 + index)).join(''),
    'état 状态 🏛',
    'a\r\nSet-Cookie: x=1',
    '</script><script>alert(1)</script>',
    'x'.repeat(2048),
  ];
  for (const state of states) {
    const callback = await answerConsent(browser, authorizationRequest(client, { state }));

    assert.equal(callback.searchParams.get('state'), state);
  }
});

test('A callback keeps its own query, and the response is added to it.', async () => {
  const own = await notebook(app.portico, {
    redirectUris: ['https://notebook.example.com/cb?tenant=a%20b&x='],
  });

  const callback = await answerConsent(browser, authorizationRequest(own));

  assert.ok(callback.href.startsWith('https://notebook.example.com/cb?tenant=a%20b&x=&code='));
});

test('The missing parameter is named in the description.', async () => {
  const callback = redirectTarget(await authorize(authorizationRequest(client, { state: '' })));

  assert.equal(callback.searchParams.get('error_description'), 'The parameter state is missing.');
});

test('An application may be registered to send no state.', async () => {
  const old = await notebook(app.portico, { acceptsMissingStateAndNonce: true });

  const callback = await answerConsent(browser, authorizationRequest(old, { state: '' }));

  assert.deepEqual([...callback.searchParams.keys()].sort(), ['code', 'iss']);
});

test('Unknown parameters are ignored, empty ones count as missing, unknown scopes are ignored next to a known one.', async () => {
  const request = authorizationRequest(client, { scope: 'email  profile:read wallet', colour: 'blue' });
  request.append('code_challenge', '');

  const callback = await answerConsent(browser, request);

  const tokens = await json(
    await askToken(app, client, {
      grant_type: 'authorization_code',
      code: callback.searchParams.get('code') ?? '',
      redirect_uri: client.redirectUri,
    }),
  );
  assert.equal(tokens.scope, 'profile:read');
});

test('A scope that the application is not registered for is not granted.', async () => {
  const narrow = await notebook(app.portico, { scopes: ['profile:read'] });

  const callback = await answerConsent(browser, authorizationRequest(narrow));
  const none = redirectTarget(await authorize(authorizationRequest(narrow, { scope: 'posts:read' })));

  const tokens = await json(
    await askToken(app, narrow, {
      grant_type: 'authorization_code',
      code: callback.searchParams.get('code') ?? '',
      redirect_uri: narrow.redirectUri,
    }),
  );
  assert.equal(tokens.scope, 'profile:read');
  assert.equal(none.searchParams.get('error'), 'invalid_scope');
});

test('An authorization request by POST works like one by GET; a body that is not a form is refused.', async () => {
  const answer = await browser.post('/oauth/authorize', authorizationRequest(client, { scope: 'nonsense' }));
  const json = await browser.open('/oauth/authorize', {
    method: 'POST',
    body: '{}',
    headers: { 'Content-Type': 'application/json' },
  });

  assert.equal(redirectTarget(answer).searchParams.get('error'), 'invalid_scope');
  assert.equal(json.status, 415);
});

test('Other methods are refused with Allow, and HEAD has no effect.', async () => {
  const put = await browser.open('/oauth/authorize', { method: 'PUT' });
  const head = await browser.open(`/oauth/authorize?${authorizationRequest(client)}`, { method: 'HEAD' });

  assert.equal(put.status, 405);
  assert.equal(put.headers.get('allow'), 'GET, POST');
  assert.equal(head.status, 200);
  assert.equal(head.headers.get('location'), null);
});

test('The authorization request survives signing in with all its parameters intact.', async () => {
  const { verifier, challenge } = pkce();
  const request = authorizationRequest(client, {
    state: 'a&b=c%20d+é',
    code_challenge: challenge,
    code_challenge_method: 'S256',
  });
  const fresh = new Browser(app.url);

  const toLogin = await authorize(request, fresh);
  const loginPage = await (await fresh.open(toLogin.headers.get('location') ?? '')).text();
  const signedIn = await fresh.submit(loginPage, '/login', { username: 'alice', password: PASSWORD });
  const back = signedIn.headers.get('location') ?? '';
  const callback = await answerConsent(fresh, new URLSearchParams(back.slice(back.indexOf('?') + 1)));

  assert.equal(callback.searchParams.get('state'), 'a&b=c%20d+é');
  const exchanged = await askToken(app, client, {
    grant_type: 'authorization_code',
    code: callback.searchParams.get('code') ?? '',
    redirect_uri: client.redirectUri,
    code_verifier: verifier,
  });
  assert.equal(exchanged.status, 200);
});

test('Two requests of two applications at the same time do not mix.', async () => {
  const one = await notebook(app.portico);
  const two = await notebook(app.portico, { redirectUris: ['https://two.example.com/cb'] });
  const pageOne = await (await authorize(authorizationRequest(one))).text();
  const pageTwo = await (await authorize(authorizationRequest(two))).text();

  const answerOne = redirectTarget(await browser.submit(pageOne, '/oauth/consent', { decision: 'allow' }));
  const answerTwo = redirectTarget(await browser.submit(pageTwo, '/oauth/consent', { decision: 'allow' }));

  assert.equal(answerOne.origin, 'https://notebook.example.com');
  assert.equal(answerTwo.origin, 'https://two.example.com');
  const exchange = {
    grant_type: 'authorization_code',
    code: answerTwo.searchParams.get('code') ?? '',
    redirect_uri: one.redirectUri,
  };
  assert.equal((await askToken(app, one, exchange)).status, 400);
});

test('Pages and redirects of the flow are protected: no framing, no referrer, no caching, a strict policy, no CORS.', async () => {
  const fresh = await notebook(app.portico);
  const consent = await authorize(authorizationRequest(fresh));
  const login = await new Browser(app.url).open('/login');
  const error = await authorize(authorizationRequest(client, { redirect_uri: '' }));
  const redirected = await authorize(authorizationRequest(client, { scope: 'nonsense' }));

  for (const answer of [consent, login, error, redirected]) {
    assert.equal(answer.headers.get('x-frame-options'), 'DENY');
    assert.match(answer.headers.get('content-security-policy') ?? '', /frame-ancestors 'none'/);
    assert.match(answer.headers.get('content-security-policy') ?? '', /default-src 'none'/);
    assert.doesNotMatch(answer.headers.get('content-security-policy') ?? '', /unsafe|\*/);
    assert.equal(answer.headers.get('referrer-policy'), 'no-referrer');
    assert.equal(answer.headers.get('cache-control'), 'no-store');
    assert.equal(answer.headers.get('access-control-allow-origin'), null);
    assert.equal(answer.headers.get('x-content-type-options'), 'nosniff');
  }
  const page = await consent.text();
  assert.doesNotMatch(page, /(?:src|href)="https?:/);
  assert.doesNotMatch(page, /<script/);
});

test('A request that is far too long is refused without failing.', async () => {
  const long = await authorize(authorizationRequest(client, { state: 'x'.repeat(8_000) }));
  const longer = await authorize(authorizationRequest(client, { state: 'x'.repeat(64_000) }));

  assert.equal(long.status, 303);
  assert.ok([414, 431].includes(longer.status), String(longer.status));
});

for (const path of ['/oauth/authorize', '/oauth/logout']) {
  test(`So is a form of more than 16 kB for ${path}, which would be repeated in an address.`, async () => {
    const post = (length: number) =>
      new Browser(app.url).post(path, new URLSearchParams({ state: 'x'.repeat(length - 'state='.length) }));

    assert.notEqual((await post(15_000)).status, 413);
    assert.equal((await post(16 * 1024 + 1)).status, 413);
  });
}
