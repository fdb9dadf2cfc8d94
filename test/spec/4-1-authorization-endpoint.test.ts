// Spec §4.1 with contract §3 and the standards behind them: GET and POST /oauth/authorize.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type App, openApp } from '../support/app.ts';
import { Browser, formIn } from '../support/browser.ts';
import { json } from '../support/json.ts';
import { notebook, PASSWORD, type Person, person, pocket, type RegisteredClient } from '../support/people.ts';
import {
  answerConsent,
  askToken,
  authorizationRequest,
  browserOf,
  callApi,
  pkce,
} from '../support/relying-party.ts';

let app: App;
let alice: Person;
let mallory: Person;
let client: RegisteredClient;
let phone: RegisteredClient;
let browser: Browser;

before(async () => {
  app = await openApp();
  alice = await person(app.portico, 'alice');
  mallory = await person(app.portico, 'mallory');
  client = await notebook(app.portico, { ownerId: mallory.id });
  phone = await pocket(app.portico);
  browser = await browserOf(app, 'alice');
});
after(() => app.close());

function authorize(request: URLSearchParams | string, by = browser): Promise<Response> {
  return by.open(`/oauth/authorize?${request}`);
}

function landing(answer: Response): URL {
  assert.equal(answer.status, 303);
  return new URL(answer.headers.get('location') ?? '');
}

/** The page without its frame, whose language switch keeps the present address. */
function mainOf(page: string): string {
  return page.slice(page.indexOf('<main'), page.indexOf('</main>'));
}

async function assertErrorPage(answer: Response, given: string): Promise<void> {
  const page = await answer.text();
  assert.equal(answer.status, 400);
  assert.equal(answer.headers.get('location'), null);
  assert.match(answer.headers.get('content-type') ?? '', /^text\/html/);
  assert.doesNotMatch(page, /http-equiv="refresh"/i);
  const links = [...page.matchAll(/(?:href|action|src)="([^"]*)"/g)].map(([, link]) => link ?? '');
  assert.ok(given === '' || !links.some((link) => link.includes(given)), `a link to ${given}`);
  assert.match(page, /Error id/);
}

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
  await app.portico.oauth.writes.setClientStatus(gone.id, 'deactivated');
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

test("The error page shows the application's signed-in owner what came and what is registered, and nobody else.", async () => {
  const request = authorizationRequest(client, { redirect_uri: 'https://notebook.example.com/callbakc' });

  const forOwner = await (await authorize(request, await browserOf(app, 'mallory'))).text();
  const forMember = mainOf(await (await authorize(request)).text());

  assert.match(forOwner, /callbakc/);
  assert.match(forOwner, /https:\/\/notebook\.example\.com\/callback</);
  assert.doesNotMatch(forMember, /notebook\.example\.com/);
});

test('On success the user is redirected to `redirect_uri` with the authorization code and the original `state`.', async () => {
  const landed = await answerConsent(browser, authorizationRequest(client, { state: 'xyz 123' }));

  assert.equal(landed.origin + landed.pathname, client.redirectUri);
  assert.match(landed.searchParams.get('code') ?? '', /^svcc_[A-Za-z0-9]{60}$/);
  assert.equal(landed.searchParams.get('state'), 'xyz 123');
  assert.equal(landed.searchParams.get('iss'), app.url);
  assert.deepEqual([...landed.searchParams.keys()].sort(), ['code', 'iss', 'state']);
  assert.equal(landed.hash, '');
});

test('The state is returned unchanged, whatever it is made of.', async () => {
  const states = [
    'a',
    Array.from({ length: 95 }, (_, index) => String.fromCharCode(32 + index)).join(''),
    'état 状态 🏛',
    'a\r\nSet-Cookie: x=1',
    '</script><script>alert(1)</script>',
    'x'.repeat(2048),
  ];
  for (const state of states) {
    const landed = await answerConsent(browser, authorizationRequest(client, { state }));

    assert.equal(landed.searchParams.get('state'), state);
  }
});

test('A callback with a query of its own keeps it, and the answer is added to it.', async () => {
  const own = await notebook(app.portico, {
    redirectUris: ['https://notebook.example.com/cb?tenant=a%20b&x='],
  });

  const landed = await answerConsent(browser, authorizationRequest(own));

  assert.ok(landed.href.startsWith('https://notebook.example.com/cb?tenant=a%20b&x=&code='));
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
      const asking = of === 'pocket' ? phone : client;
      const request = authorizationRequest(asking, wrong);

      const signedOut = await authorize(request, new Browser(app.url));
      const signedIn = landing(await authorize(request));

      assert.equal(signedOut.status, 303);
      assert.match(signedOut.headers.get('location') ?? '', /^\/login\?/);
      assert.equal(signedIn.origin + signedIn.pathname, asking.redirectUri);
      assert.equal(signedIn.searchParams.get('error'), error);
      assert.match(signedIn.searchParams.get('error_description') ?? '', /^[\x20-\x21\x23-\x5B\x5D-\x7E]+$/);
      assert.equal(signedIn.searchParams.get('state'), 'state' in wrong ? null : 'af0ifjsldkj');
      assert.equal(signedIn.searchParams.get('iss'), app.url);
      assert.equal(signedIn.searchParams.get('code'), null);
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

        assert.equal(landing(await authorize(request)).searchParams.get('error'), 'invalid_request');
      });
    }
  }
});

test('The missing parameter is named in the description.', async () => {
  const landed = landing(await authorize(authorizationRequest(client, { state: '' })));

  assert.equal(landed.searchParams.get('error_description'), 'The parameter state is missing.');
});

test('An application may be registered to send no state.', async () => {
  const old = await notebook(app.portico, { acceptsMissingStateAndNonce: true });

  const landed = await answerConsent(browser, authorizationRequest(old, { state: '' }));

  assert.deepEqual([...landed.searchParams.keys()].sort(), ['code', 'iss']);
});

test('Unknown parameters are ignored, an empty one counts as absent, unknown scopes are ignored beside a known one.', async () => {
  const request = authorizationRequest(client, { scope: 'email  profile:read wallet', colour: 'blue' });
  request.append('code_challenge', '');

  const landed = await answerConsent(browser, request);

  const tokens = await json(
    await askToken(app, client, {
      grant_type: 'authorization_code',
      code: landed.searchParams.get('code') ?? '',
      redirect_uri: client.redirectUri,
    }),
  );
  assert.equal(tokens.scope, 'profile:read');
});

test('A scope that the application is not registered for is not granted.', async () => {
  const narrow = await notebook(app.portico, { scopes: ['profile:read'] });

  const landed = await answerConsent(browser, authorizationRequest(narrow));
  const none = landing(await authorize(authorizationRequest(narrow, { scope: 'posts:read' })));

  const tokens = await json(
    await askToken(app, narrow, {
      grant_type: 'authorization_code',
      code: landed.searchParams.get('code') ?? '',
      redirect_uri: narrow.redirectUri,
    }),
  );
  assert.equal(tokens.scope, 'profile:read');
  assert.equal(none.searchParams.get('error'), 'invalid_scope');
});

test('The member can untick a scope; the token response says what was granted, and the API holds to it.', async () => {
  const other = await notebook(app.portico);
  const landed = await answerConsent(browser, authorizationRequest(other), {
    decision: 'allow',
    scope: ['posts:read'],
  });

  const tokens = await json(
    await askToken(app, other, {
      grant_type: 'authorization_code',
      code: landed.searchParams.get('code') ?? '',
      redirect_uri: other.redirectUri,
    }),
  );

  assert.equal(tokens.scope, 'posts:read');
  assert.equal((await callApi(app, '/me', tokens.access_token)).status, 403);
});

test('Denying sends access_denied with state and iss; unticking everything is a denial.', async () => {
  const other = await notebook(app.portico);

  const denied = await answerConsent(browser, authorizationRequest(other), { decision: 'deny' });
  const unticked = await answerConsent(browser, authorizationRequest(other), {
    decision: 'allow',
    scope: [],
  });

  for (const landed of [denied, unticked]) {
    assert.equal(landed.searchParams.get('error'), 'access_denied');
    assert.equal(landed.searchParams.get('state'), 'af0ifjsldkj');
    assert.equal(landed.searchParams.get('iss'), app.url);
  }
});

test('Consent is remembered: asked again only for scopes not yet granted.', async () => {
  const other = await notebook(app.portico);
  await answerConsent(browser, authorizationRequest(other, { scope: 'profile:read' }));

  const silent = await authorize(authorizationRequest(other, { scope: 'profile:read' }));
  const more = await authorize(authorizationRequest(other));

  assert.equal(silent.status, 303);
  assert.equal(more.status, 200);
  const page = await more.text();
  assert.deepEqual(
    formIn(page, '/oauth/consent')
      .filter(([name]) => name === 'scope')
      .map(([, value]) => value),
    ['posts:read'],
  );
  assert.match(page, /You already allow/);
});

for (const redirectUri of ['http://127.0.0.1:8421/cb', 'com.example.pocket:/cb']) {
  test(`A public application whose callback is ${redirectUri} always asks.`, async () => {
    const local = await pocket(app.portico, { redirectUris: [redirectUri] });
    const proof = { code_challenge: pkce().challenge, code_challenge_method: 'S256' };
    await answerConsent(browser, authorizationRequest(local, proof));

    const again = await authorize(authorizationRequest(local, proof));

    assert.equal(again.status, 200);
  });
}

test('An authorization request by POST works as by GET; another body is refused.', async () => {
  const answer = await browser.post('/oauth/authorize', authorizationRequest(client, { scope: 'nonsense' }));
  const json = await browser.open('/oauth/authorize', {
    method: 'POST',
    body: '{}',
    headers: { 'Content-Type': 'application/json' },
  });

  assert.equal(landing(answer).searchParams.get('error'), 'invalid_scope');
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
  const landed = await answerConsent(fresh, new URLSearchParams(back.slice(back.indexOf('?') + 1)));

  assert.equal(landed.searchParams.get('state'), 'a&b=c%20d+é');
  const exchanged = await askToken(app, client, {
    grant_type: 'authorization_code',
    code: landed.searchParams.get('code') ?? '',
    redirect_uri: client.redirectUri,
    code_verifier: verifier,
  });
  assert.equal(exchanged.status, 200);
});

describe('The consent form', () => {
  test('cannot be answered from another browser, by another member or without its token.', async () => {
    const fresh = await notebook(app.portico);
    const page = await (await authorize(authorizationRequest(fresh))).text();
    const fields = Object.fromEntries(formIn(page, '/oauth/consent'));
    const asMallory = await browserOf(app, 'mallory');

    const foreign = await asMallory.post(
      '/oauth/consent',
      new URLSearchParams({ ...fields, decision: 'allow' }),
    );
    const signedOut = await new Browser(app.url).post(
      '/oauth/consent',
      new URLSearchParams({ ...fields, decision: 'allow' }),
    );
    const tokenless = await browser.submit(page, '/oauth/consent', { decision: 'allow', form_token: '' });

    assert.equal(foreign.status, 403);
    assert.equal(signedOut.status, 403);
    assert.equal(tokenless.status, 403);
    assert.equal(await app.portico.oauth.reads.findGrant(alice.id, fresh.id), undefined);
    assert.equal(await app.portico.oauth.reads.findGrant(mallory.id, fresh.id), undefined);
  });

  test('is bound to the very request: a changed one is refused, and can be opened again.', async () => {
    const fresh = await notebook(app.portico);
    const page = await (await authorize(authorizationRequest(fresh, { scope: 'profile:read' }))).text();
    const other = authorizationRequest(client, { scope: 'profile:read posts:read' }).toString();

    const answer = await browser.submit(page, '/oauth/consent', { decision: 'allow', request: other });

    assert.equal(answer.status, 403);
    assert.equal(answer.headers.get('location'), null);
    assert.match(await answer.text(), /href="\/oauth\/authorize\?/);
  });

  test('cannot be sent by a GET, and a cross-site post is refused.', async () => {
    const fresh = await notebook(app.portico);
    const page = await (await authorize(authorizationRequest(fresh))).text();
    const fields = new URLSearchParams([...formIn(page, '/oauth/consent'), ['decision', 'allow']]);

    const got = await browser.open(`/oauth/consent?${fields}`);
    const crossSite = await browser.open('/oauth/consent', {
      method: 'POST',
      body: fields,
      headers: { 'Sec-Fetch-Site': 'cross-site' },
    });

    assert.equal(got.status, 404);
    assert.equal(crossSite.status, 403);
  });

  test('pressed twice gives two working answers and no failure.', async () => {
    const fresh = await notebook(app.portico);
    const page = await (await authorize(authorizationRequest(fresh))).text();

    const answers = await Promise.all(
      [1, 2].map(() => browser.submit(page, '/oauth/consent', { decision: 'allow' })),
    );

    assert.deepEqual(
      answers.map(({ status }) => status),
      [303, 303],
    );
  });

  test('shows who asks, where the member is sent, what is read and what is not, and what would be received.', async () => {
    const fresh = await notebook(app.portico, { name: '<b>Notes</b> & "more"', ownerId: mallory.id });
    app.clock.advance(21 * 24 * 3600 * 1000);
    const again = await browserOf(app, 'alice');

    const page = await (await authorize(authorizationRequest(fresh), again)).text();

    assert.match(page, /Let &lt;b&gt;Notes&lt;\/b&gt; &amp; &quot;more&quot; read from your account\?/);
    assert.match(page, /@mallory<\/a> · registered 21 days ago · no member uses it yet/);
    assert.match(page, /<p class="host">notebook\.example\.com<\/p>/);
    assert.match(page, /Nickname, avatar, bio, membership status, level and experience points\./);
    assert.match(page, /see your e-mail, account status, devices or wallet/);
    assert.match(page, /&quot;username&quot;: &quot;alice&quot;/);
    assert.match(page, /as <strong>alice<\/strong>/);
    browser = again;
  });

  test('speaks Chinese to who prefers it.', async () => {
    const fresh = await notebook(app.portico);
    const zh = new Browser(app.url, 'zh-CN,zh;q=0.9,en;q=0.5');
    await zh.signIn('alice', PASSWORD);

    const page = await (await authorize(authorizationRequest(fresh), zh)).text();

    assert.match(page, /<html lang="zh-Hans">/);
    assert.match(page, /允许 Notebook 读取您的账号信息？/);
  });

  test('shows a host in other letters in both of its forms.', async () => {
    const fresh = await notebook(app.portico, { redirectUris: ['https://xn--80ak6aa92e.com/cb'] });

    const page = await (await authorize(authorizationRequest(fresh))).text();

    assert.match(page, /xn--80ak6aa92e\.com/);
    assert.match(page, /аррӏе\.com/);
  });
});

test('Two requests of two applications at the same time do not mix.', async () => {
  const one = await notebook(app.portico);
  const two = await notebook(app.portico, { redirectUris: ['https://two.example.com/cb'] });
  const pageOne = await (await authorize(authorizationRequest(one))).text();
  const pageTwo = await (await authorize(authorizationRequest(two))).text();

  const answerOne = landing(await browser.submit(pageOne, '/oauth/consent', { decision: 'allow' }));
  const answerTwo = landing(await browser.submit(pageTwo, '/oauth/consent', { decision: 'allow' }));

  assert.equal(answerOne.origin, 'https://notebook.example.com');
  assert.equal(answerTwo.origin, 'https://two.example.com');
  const exchange = {
    grant_type: 'authorization_code',
    code: answerTwo.searchParams.get('code') ?? '',
    redirect_uri: one.redirectUri,
  };
  assert.equal((await askToken(app, one, exchange)).status, 400);
});

test('Pages and redirects of the flow keep to themselves: no framing, no referrer, no copy, a strict policy, no CORS.', async () => {
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
