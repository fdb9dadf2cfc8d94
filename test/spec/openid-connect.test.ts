// OpenID Connect Core with contract §3 and §6: how an application asks about the sign-in, what the id_token says, who
// userinfo speaks of. Discovery is in metadata.test.ts.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { decodeJwt, generateKeyPair, importJWK, type JWTPayload, SignJWT, UnsecuredJWT } from 'jose';
import { DAY, HOUR, MINUTE, SECOND } from '../../src/lib/clock.ts';
import { createPersonalToken } from '../../src/oauth/personal-token.ts';
import {
  JWKS_CACHE_TIME,
  RETIRED_KEY_PUBLISHED,
  rotateSigningKey,
  tendSigningKeys,
} from '../../src/oauth/signing-key.ts';
import { type App, openApp } from '../support/app.ts';
import { Browser, formIn } from '../support/browser.ts';
import { json } from '../support/json.ts';
import { idTokenOf, NONCE, openIdRequest, openIdTokens, verified } from '../support/openid.ts';
import {
  notebook,
  PASSWORD,
  type Person,
  person,
  pocket,
  type RegisteredClient,
  setStatus,
} from '../support/people.ts';
import {
  answerConsent,
  askToken,
  browserOf,
  callApi,
  postForm,
  signInWith,
} from '../support/relying-party.ts';

let app: App;
let alice: Person;
let mallory: Person;
/** Alice has signed in with it. */
let browser: Browser;
/** Alice has allowed it to sign her in. */
let client: RegisteredClient;

before(async () => {
  app = await openApp();
  alice = await person(app.portico, 'alice', 'I read.');
  mallory = await person(app.portico, 'mallory');
  client = await notebook(app.portico);
  browser = await browserOf(app, 'alice');
  await answerConsent(browser, openIdRequest(client));
});
after(() => app.close());

function authorize(more: Record<string, string>, by = browser, of = client): Promise<Response> {
  return by.open(`/oauth/authorize?${openIdRequest(of, more)}`);
}

/** Where the browser is sent, relative to this site or not. */
function landing(answer: Response): URL {
  assert.equal(answer.status, 303);
  return new URL(answer.headers.get('location') ?? '', app.url);
}

function errorOf(answer: Response): string | null {
  const landed = landing(answer);
  assert.equal(landed.origin + landed.pathname, client.redirectUri);
  assert.equal(landed.searchParams.get('iss'), app.url);
  assert.equal(landed.searchParams.get('state'), 'af0ifjsldkj');
  return landed.searchParams.get('error');
}

function assertCode(answer: Response): void {
  assert.ok(landing(answer).searchParams.get('code'), answer.headers.get('location') ?? '');
}

/** Expects the login page, and fills it in. Answers with where it leads. */
async function signInWhereAsked(answer: Response, by: Browser, username: string): Promise<string> {
  const login = landing(answer);
  assert.equal(login.pathname, '/login');
  const page = await (await by.open(login.pathname + login.search)).text();
  const signedIn = await by.submit(page, '/login', { username, password: PASSWORD });
  return landing(signedIn).pathname + landing(signedIn).search;
}

async function personalToken({ id }: Person): Promise<string> {
  const made = await createPersonalToken(app.portico.oauth, {
    userId: id,
    name: 'laptop',
    scopes: ['profile:read', 'posts:read'],
    days: 7,
  });
  assert.ok('text' in made);
  return made.text;
}

function seconds(moment: number): number {
  return Math.floor(moment / SECOND);
}

describe('prompt=none shows no page:', () => {
  test('without a session the answer is login_required, at once', async () => {
    assert.equal(errorOf(await authorize({ prompt: 'none' }, new Browser(app.url))), 'login_required');
  });

  test('without consent the answer is consent_required', async () => {
    const unknown = await notebook(app.portico);

    assert.equal(errorOf(await authorize({ prompt: 'none' }, browser, unknown)), 'consent_required');
  });

  test('with a scope that is not yet allowed the answer is consent_required', async () => {
    assert.equal(
      errorOf(await authorize({ prompt: 'none', scope: 'openid posts:read' })),
      'consent_required',
    );
  });

  test('with a sign-in older than max_age the answer is login_required', async () => {
    app.clock.advance(11 * SECOND);

    assert.equal(errorOf(await authorize({ prompt: 'none', max_age: '10' })), 'login_required');
    assert.equal(errorOf(await authorize({ prompt: 'none', max_age: '0' })), 'login_required');
  });

  test('with session and consent the answer is a code', async () => {
    assertCode(await authorize({ prompt: 'none' }));
  });

  test('a faulty request is answered at once, too', async () => {
    const stranger = new Browser(app.url);

    assert.equal(errorOf(await authorize({ prompt: 'none', scope: 'wallet' }, stranger)), 'invalid_scope');
  });

  test('an application whose callback anyone on the device could have gets consent_required each time', async () => {
    const onDevice = await pocket(app.portico, { redirectUris: ['http://127.0.0.1:7777/cb'] });
    await openIdTokens(app, onDevice, browser);
    const more = { code_challenge: 'a'.repeat(43), code_challenge_method: 'S256', prompt: 'none' };

    const landed = landing(await authorize(more, browser, onDevice));

    assert.equal(landed.searchParams.get('error'), 'consent_required');
  });

  for (const prompt of ['none login', 'consent none', 'none select_account']) {
    test(`it can not be combined with another: prompt="${prompt}" is invalid_request`, async () => {
      assert.equal(errorOf(await authorize({ prompt })), 'invalid_request');
    });
  }
});

describe('prompt=login asks for a sign-in in spite of a session:', () => {
  test('the address to come back to leads to signing in again, until that has happened', async () => {
    const own = await browserOf(app, 'alice');
    app.clock.advance(MINUTE);
    const toLogin = landing(await authorize({ prompt: 'login' }, own));
    const back = toLogin.searchParams.get('return_to') ?? '';

    app.clock.advance(MINUTE);
    const again = await own.open(back);
    const signedIn = await signInWhereAsked(again, own, 'alice');

    assert.equal(toLogin.searchParams.get('again'), '1');
    assertCode(await own.open(signedIn));
  });

  test('the id_token has the new auth_time', async () => {
    const own = await browserOf(app, 'alice');
    app.clock.advance(HOUR);
    const signedInAt = seconds(app.clock.now);
    const back = await signInWhereAsked(await authorize({ prompt: 'login' }, own), own, 'alice');

    const landed = landing(await own.open(back));
    const answer = await askToken(app, client, {
      grant_type: 'authorization_code',
      code: landed.searchParams.get('code') ?? '',
      redirect_uri: client.redirectUri,
    });

    assert.equal(decodeJwt((await json(answer)).id_token).auth_time, signedInAt);
  });

  test('the next request asks for the next sign-in', async () => {
    const own = await browserOf(app, 'alice');
    app.clock.advance(MINUTE);
    await signInWhereAsked(await authorize({ prompt: 'login' }, own), own, 'alice');
    app.clock.advance(MINUTE);

    assert.equal(landing(await authorize({ prompt: 'login' }, own)).pathname, '/login');
  });

  test('a moment in the future in the address spares nothing', async () => {
    const own = await browserOf(app, 'alice');

    const answer = await authorize({ prompt: 'login', asked_at: String(app.clock.now + DAY) }, own);

    assert.equal(landing(answer).pathname, '/login');
  });

  test('the page says why, and offers no way round', async () => {
    app.clock.advance(MINUTE);
    const login = landing(await authorize({ prompt: 'login' }));

    const page = await (await browser.open(login.pathname + login.search)).text();

    assert.match(page, /asks you to prove that it is you/);
    assert.doesNotMatch(page, /go on as you are/);
  });
});

describe('Other prompts:', () => {
  test('prompt=consent asks although everything is allowed already, and allowing gives a code', async () => {
    const asked = await authorize({ prompt: 'consent' });
    const page = await asked.text();

    const answered = await browser.submit(page, '/oauth/consent', { decision: 'allow' });

    assert.equal(asked.status, 200);
    assert.match(page, /You already allow/);
    assertCode(answered);
  });

  test('prompt=select_account leads to the login page, from which one goes on as one is or as another', async () => {
    const login = landing(await authorize({ prompt: 'select_account' }));
    const page = await (await browser.open(login.pathname + login.search)).text();
    const [, goOn = ''] = /<a href="([^"]*)">go on as you are/.exec(page) ?? [];

    assert.equal(login.pathname, '/login');
    assert.match(page, /signed in as alice/);
    assertCode(await browser.open(goOn.replaceAll('&amp;', '&')));
  });

  for (const prompt of ['create', 'LOGIN', 'login nothing']) {
    test(`an unknown one is invalid_request: prompt="${prompt}"`, async () => {
      assert.equal(errorOf(await authorize({ prompt })), 'invalid_request');
    });
  }
});

describe('max_age:', () => {
  test('a sign-in that is older must be made anew; one that is as old need not', async () => {
    const own = await browserOf(app, 'alice');

    app.clock.advance(60 * SECOND);
    const asOld = await authorize({ max_age: '60' }, own);
    app.clock.advance(1 * SECOND);
    const older = await authorize({ max_age: '60' }, own);
    const back = await signInWhereAsked(older, own, 'alice');

    assertCode(asOld);
    assertCode(await own.open(back));
  });

  test('max_age=0 is as prompt=login', async () => {
    const own = await browserOf(app, 'alice');
    app.clock.advance(1 * SECOND);

    const back = await signInWhereAsked(await authorize({ max_age: '0' }, own), own, 'alice');

    assertCode(await own.open(back));
    assert.equal(landing(await authorize({ max_age: '0' }, own)).pathname, '/login');
  });

  test('auth_time is in the id_token', async () => {
    const own = await browserOf(app, 'alice');
    const signedInAt = seconds(app.clock.now);
    app.clock.advance(30 * SECOND);

    const { payload } = await verified(app, await idTokenOf(app, client, own, { max_age: '60' }), client);

    assert.equal(payload.auth_time, signedInAt);
  });

  for (const wrong of ['-1', '1.5', 'abc', '1e3', '0x10', ' 60', '99999999999']) {
    test(`what is no number of seconds is invalid_request: "${wrong}"`, async () => {
      assert.equal(errorOf(await authorize({ max_age: wrong })), 'invalid_request');
    });
  }
});

describe('id_token_hint:', () => {
  test('of the member who is signed in gives a code, also long after it expired', async () => {
    const own = await browserOf(app, 'alice');
    const hint = await idTokenOf(app, client, own);
    app.clock.advance(2 * DAY);

    assertCode(await authorize({ prompt: 'none', id_token_hint: hint }, own));
  });

  test('of another member with prompt=none is login_required', async () => {
    const hint = await idTokenOf(app, client, await browserOf(app, 'mallory'));

    assert.equal(errorOf(await authorize({ prompt: 'none', id_token_hint: hint })), 'login_required');
  });

  test('of another member leads to the login page; only signing in as that member gives a code', async () => {
    const hint = await idTokenOf(app, client, await browserOf(app, 'mallory'));
    const own = await browserOf(app, 'alice');
    app.clock.advance(MINUTE);
    const asked = await authorize({ id_token_hint: hint }, own);
    const back = landing(asked).searchParams.get('return_to') ?? '';

    await signInWhereAsked(asked, own, 'alice');
    const asAlice = await own.open(back);
    await own.signIn('mallory', PASSWORD);
    const asMallory = await own.open(back);

    assert.equal(errorOf(asAlice), 'login_required');
    assertCode(asMallory);
  });

  test('is no login: without a session it leads to the login page', async () => {
    const hint = await idTokenOf(app, client, browser);
    const stranger = new Browser(app.url);

    assert.equal(landing(await authorize({ id_token_hint: hint }, stranger)).pathname, '/login');
    assert.equal(
      errorOf(await authorize({ prompt: 'none', id_token_hint: hint }, stranger)),
      'login_required',
    );
  });

  const ALICE = (): JWTPayload => ({
    iss: app.url,
    sub: String(alice.id),
    aud: client.id,
    auth_time: seconds(app.clock.now),
    at_hash: 'x',
  });
  type Forgery = () => Promise<string>;
  const FORGERIES: Record<string, Forgery> = {
    'is no JWT': async () => 'alice',
    'is three dots': async () => '...',
    'is not signed (alg none)': async () => new UnsecuredJWT(ALICE()).encode(),
    'is signed with another key under the kid of ours': async () => {
      const { kid } = await ourKey();
      const { privateKey } = await generateKeyPair('RS256');
      return new SignJWT(ALICE()).setProtectedHeader({ alg: 'RS256', kid }).sign(privateKey);
    },
    'brings its own key in its header': async () => {
      const { kid } = await ourKey();
      const { privateKey, publicKey } = await generateKeyPair('RS256', { extractable: true });
      const jwk = { ...(await crypto.subtle.exportKey('jwk', publicKey)) } as { kty: 'RSA' };
      return new SignJWT(ALICE()).setProtectedHeader({ alg: 'RS256', kid, jwk }).sign(privateKey);
    },
    'is signed with our public key as a shared secret (HS256)': async () => {
      const { kid, publicJwk } = await ourKey();
      const secret = new TextEncoder().encode(JSON.stringify(publicJwk));
      return new SignJWT(ALICE()).setProtectedHeader({ alg: 'HS256', kid }).sign(secret);
    },
    'names no key': () => ours({}, ALICE(), { kid: undefined }),
    'is of another issuer': () => ours({ iss: 'https://evil.example' }),
    'is a JWT of ours that is no id_token': () => ours({ at_hash: undefined, auth_time: undefined }),
    'has another sub than a member’s number': () => ours({ sub: 'alice' }),
    'was changed after it was signed': async () => {
      const [header, , signature] = (await ours()).split('.');
      const payload = Buffer.from(JSON.stringify({ ...ALICE(), aud: 'app_other' })).toString('base64url');
      return `${header}.${payload}.${signature}`;
    },
  };
  for (const [name, forge] of Object.entries(FORGERIES)) {
    test(`one that ${name} says nothing about anybody`, async () => {
      const hint = await forge();

      assert.equal(errorOf(await authorize({ prompt: 'none', id_token_hint: hint })), 'login_required');
      assertCode(await authorize({ id_token_hint: hint }));
    });
  }

  test('one made like the forgeries, but rightly, is believed', async () => {
    assertCode(await authorize({ prompt: 'none', id_token_hint: await ours() }));
  });

  async function ourKey() {
    const key = await app.portico.oauth.reads.activeSigningKey('RS256');
    assert.ok(key);
    return key;
  }

  // Signed with our very key, which nobody but us has.
  async function ours(
    changes: JWTPayload = {},
    payload: JWTPayload = ALICE(),
    header: { kid?: string | undefined } = {},
  ): Promise<string> {
    const { kid, privateJwk } = await ourKey();
    const claims = Object.fromEntries(
      Object.entries({ ...payload, ...changes }).filter(([, value]) => value !== undefined),
    );
    return new SignJWT(claims)
      .setProtectedHeader({ alg: 'RS256', kid, ...header } as { alg: string })
      .sign(await importJWK(privateJwk, 'RS256'));
  }
});

describe('Hints for the pages:', () => {
  test('login_hint fills in the name, as text', async () => {
    const login = landing(await authorize({ login_hint: 'al"><ice' }, new Browser(app.url)));

    const page = await (await browser.open(login.pathname + login.search)).text();

    assert.equal(new Map(formIn(page, '/login')).get('username'), 'al"><ice');
    assert.doesNotMatch(page, /<ice/);
  });

  const LOCALES: [string, string][] = [
    ['zh-Hans', 'zh-Hans'],
    ['zh-CN en', 'zh-Hans'],
    ['en zh', 'en'],
    ['fr-CA zh', 'zh-Hans'],
    ['fr', 'en'],
    ['', 'en'],
  ];
  for (const [asked, spoken] of LOCALES) {
    test(`ui_locales="${asked}": the login, consent and answer pages are in ${spoken}`, async () => {
      const unknown = await notebook(app.portico);
      const more = { ui_locales: asked, response_mode: 'form_post' };
      const own = new Browser(app.url);

      const login = landing(await authorize(more, own, unknown));
      const loginPage = await own.open(login.pathname + login.search);
      const text = await loginPage.text();
      const wrong = await own.submit(text, '/login', { username: 'alice', password: 'a guess' });
      const signedIn = await own.submit(text, '/login', { username: 'alice', password: PASSWORD });
      const consent = await own.open(signedIn.headers.get('location') ?? '');
      const answer = await own.submit(await consent.text(), '/oauth/consent', { decision: 'allow' });
      const signup = await own.open(login.pathname.replace('login', 'signup') + login.search);

      const languages = [loginPage, wrong, consent, answer, signup].map((page) =>
        page.headers.get('content-language'),
      );
      assert.deepEqual(languages, Array(5).fill(spoken));
    });
  }

  test('a language that the visitor chose here goes before ui_locales', async () => {
    const own = new Browser(app.url);
    own.setCookie('language', 'en');
    const login = landing(await authorize({ ui_locales: 'zh' }, own));

    const page = await own.open(login.pathname + login.search);

    assert.equal(page.headers.get('content-language'), 'en');
  });

  for (const more of [
    { display: 'popup' },
    { display: 'nonsense' },
    { acr_values: '3' },
    { claims_locales: 'fr' },
  ]) {
    test(`what there is no choice of is ignored: ${JSON.stringify(more)}`, async () => {
      assertCode(await authorize({ ...more }));
    });
  }
});

describe('response_mode:', () => {
  test('query is the default', async () => {
    const [named, unnamed] = [await authorize({ response_mode: 'query' }), await authorize({})];

    for (const answer of [named, unnamed]) {
      assertCode(answer);
      assert.equal(landing(answer).hash, '');
    }
  });

  test('form_post answers with a form to the callback, in which nothing is missing', async () => {
    const answer = await authorize({ response_mode: 'form_post', state: 'a"b<c&d' });
    const page = await answer.text();
    const fields = new Map(formIn(page, client.redirectUri));

    assert.equal(answer.status, 200);
    assert.equal(answer.headers.get('location'), null);
    assert.equal(answer.headers.get('cache-control'), 'no-store');
    assert.match(
      answer.headers.get('content-security-policy') ?? '',
      /script-src 'self'; form-action 'self' https:;/,
    );
    assert.deepEqual([...fields.keys()], ['code', 'state', 'iss']);
    assert.match(fields.get('code') ?? '', /^svcc_/);
    assert.equal(fields.get('state'), 'a"b<c&d');
    assert.equal(fields.get('iss'), app.url);
    assert.match(page, /<button class="primary">Continue<\/button>/);
  });

  test('form_post carries refusals as well', async () => {
    const answer = await authorize({ response_mode: 'form_post', scope: 'wallet' });

    const fields = new Map(formIn(await answer.text(), client.redirectUri));

    assert.equal(fields.get('error'), 'invalid_scope');
    assert.equal(fields.get('iss'), app.url);
    assert.equal(fields.has('code'), false);
  });

  for (const mode of ['fragment', 'web_message', 'query.jwt', 'FORM_POST']) {
    test(`another is invalid_request, told in the query: ${mode}`, async () => {
      const answer = await authorize({ response_mode: mode });

      assert.equal(errorOf(answer), 'invalid_request');
      assert.equal(landing(answer).hash, '');
    });
  }
});

describe('An authorization request by POST', () => {
  test('is as one by GET', async () => {
    const answer = await browser.post('/oauth/authorize', openIdRequest(client, { prompt: 'none' }));

    assertCode(answer);
  });

  // The cookie is Lax: with a post from another site the browser keeps it back, with a GET it does not.
  test('from the page of an application, with which a browser sends no cookie, finds the session all the same', async () => {
    const withoutCookie = await new Browser(app.url).post(
      '/oauth/authorize',
      openIdRequest(client, { prompt: 'none' }),
    );

    const next = landing(withoutCookie);

    assert.equal(next.pathname, '/oauth/authorize');
    assertCode(await browser.open(next.pathname + next.search));
  });
});

test('request, request_uri and registration are refused by name, and nothing is fetched.', async () => {
  let fetched = 0;
  const listener = createServer((_, answer) => {
    fetched += 1;
    answer.end('{}');
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => listener.once('listening', resolve));
  const trap = `http://127.0.0.1:${(listener.address() as AddressInfo).port}/request`;

  const errors = [
    errorOf(await authorize({ request: 'eyJhbGciOiJub25lIn0.e30.' })),
    errorOf(await authorize({ request_uri: trap })),
    errorOf(await authorize({ registration: JSON.stringify({ jwks_uri: trap, logo_uri: trap }) })),
    errorOf(await authorize({ id_token_hint: `eyJ.${trap}`, prompt: 'none' })),
  ];
  listener.close();

  assert.deepEqual(errors, [
    'request_not_supported',
    'request_uri_not_supported',
    'registration_not_supported',
    'login_required',
  ]);
  assert.equal(fetched, 0);
});

describe('The id_token', () => {
  test('is in the token response if openid was granted, and only then', async () => {
    const withOpenId = await openIdTokens(app, client, browser, { scope: 'openid profile:read' });
    const without = await openIdTokens(app, client, browser, { scope: 'profile:read' });

    assert.ok(withOpenId.id_token);
    assert.equal('id_token' in without, false);
  });

  test('says who signed in, when and for whom, and nothing else', async () => {
    const own = await browserOf(app, 'alice');
    const signedInAt = seconds(app.clock.now);
    app.clock.advance(MINUTE);

    const tokens = await openIdTokens(app, client, own, { scope: 'openid profile:read' });
    const { payload, protectedHeader } = await verified(app, tokens.id_token, client);

    const hash = createHash('sha256').update(tokens.access_token).digest();
    assert.deepEqual(payload, {
      iss: app.url,
      sub: String(alice.id),
      aud: client.id,
      iat: signedInAt + 60,
      exp: signedInAt + 60 + 3600,
      auth_time: signedInAt,
      nonce: NONCE,
      at_hash: hash.subarray(0, 16).toString('base64url'),
    });
    assert.equal(protectedHeader.alg, 'RS256');
    assert.equal(protectedHeader.typ, 'JWT');
  });

  test('has no nonce where an application that may go without sent none', async () => {
    const old = await notebook(app.portico, { acceptsMissingStateAndNonce: true });

    const { payload } = await verified(app, await idTokenOf(app, old, browser, { nonce: '' }), old);

    assert.equal('nonce' in payload, false);
  });

  test('is signed with RS256 and at least 2048 bits, or with ES256 for an application that asks for it', async () => {
    const modern = await notebook(app.portico, { idTokenAlg: 'ES256' });
    const usual = await verified(app, await idTokenOf(app, client, browser), client);
    const chosen = await verified(app, await idTokenOf(app, modern, browser), modern);
    const { keys } = await json(await fetch(`${app.url}/.well-known/jwks.json`));
    const moduli = keys.filter(({ kty }: { kty: string }) => kty === 'RSA').map(({ n }: { n: string }) => n);

    assert.equal(usual.protectedHeader.alg, 'RS256');
    assert.equal(chosen.protectedHeader.alg, 'ES256');
    for (const modulus of moduli) assert.ok(Buffer.from(modulus, 'base64url').length >= 256);
  });

  test('speaks of a member by a number that nobody is given again, also when the account is closed', async () => {
    const carol = await person(app.portico, 'carol');
    await setStatus(app.portico.identity, carol.id, 'closed');

    const dave = await person(app.portico, 'dave');

    await assert.rejects(person(app.portico, 'carol'));
    assert.ok(dave.id > carol.id);
  });

  test('is no access token', async () => {
    const idToken = await idTokenOf(app, client, browser);
    const userinfo = await fetch(`${app.url}/api/oauth/userinfo`, {
      headers: { Authorization: `Bearer ${idToken}` },
    });

    assert.equal((await callApi(app, '/', idToken)).status, 401);
    assert.equal(userinfo.status, 401);
  });

  test('after a refresh speaks of the same member and sign-in, is new, and has no nonce', async () => {
    const first = await openIdTokens(app, client, browser, { scope: 'openid profile:read' });
    const before = await verified(app, first.id_token, client);
    app.clock.advance(30 * MINUTE);

    const answer = await askToken(app, client, {
      grant_type: 'refresh_token',
      refresh_token: first.refresh_token,
    });
    const second = await json(answer);
    const { payload } = await verified(app, second.id_token, client);

    const { nonce: _, ...expected } = before.payload;
    assert.deepEqual(payload, {
      ...expected,
      iat: (before.payload.iat ?? 0) + 1800,
      exp: (before.payload.exp ?? 0) + 1800,
      at_hash: createHash('sha256')
        .update(second.access_token)
        .digest()
        .subarray(0, 16)
        .toString('base64url'),
    });
  });

  test('is left out of a refresh that asks for less than openid', async () => {
    const first = await openIdTokens(app, client, browser, { scope: 'openid profile:read' });

    const answer = await askToken(app, client, {
      grant_type: 'refresh_token',
      refresh_token: first.refresh_token,
      scope: 'profile:read',
    });

    assert.equal('id_token' in (await json(answer)), false);
  });
});

describe('The published keys', () => {
  test('have only public parts, each with its use, its algorithm and a name of its own', async () => {
    const answer = await fetch(`${app.url}/.well-known/jwks.json`);
    const { keys, ...rest } = await json(answer);

    const shapes = keys.map((key: object) => Object.keys(key).sort().join());
    assert.deepEqual(rest, {});
    assert.equal(answer.headers.get('cache-control'), 'public, max-age=300');
    assert.deepEqual([...new Set(shapes)].sort(), ['alg,crv,kid,kty,use,x,y', 'alg,e,kid,kty,n,use']);
    assert.ok(keys.every(({ use }: { use: string }) => use === 'sig'));
    assert.equal(new Set(keys.map(({ kid }: { kid: string }) => kid)).size, 4);
  });

  test('verify what was signed before a rotation, as long as it can live, and what is signed after it', async (t) => {
    const own = await openApp();
    t.after(() => own.close());
    await person(own.portico, 'alice');
    const registered = await notebook(own.portico);
    const before = await idTokenOf(own, registered, await browserOf(own, 'alice'));
    own.clock.advance(JWKS_CACHE_TIME);

    await rotateSigningKey(own.portico.oauth, 'RS256');
    const after = await idTokenOf(own, registered, await browserOf(own, 'alice'));
    const [first, second] = [await verified(own, before, registered), await verified(own, after, registered)];
    own.clock.advance(HOUR - JWKS_CACHE_TIME - SECOND);
    await tendSigningKeys(own.portico.oauth);
    const nearItsEnd = await verified(own, before, registered);

    assert.notEqual(first.protectedHeader.kid, second.protectedHeader.kid);
    assert.equal(nearItsEnd.protectedHeader.kid, first.protectedHeader.kid);
  });

  test('held the key that signs now already before it signed', async (t) => {
    const own = await openApp();
    t.after(() => own.close());
    await person(own.portico, 'alice');
    const registered = await notebook(own.portico);
    const { keys } = await json(await fetch(`${own.url}/.well-known/jwks.json`));
    own.clock.advance(JWKS_CACHE_TIME);

    await rotateSigningKey(own.portico.oauth, 'RS256');
    const { protectedHeader } = await verified(
      own,
      await idTokenOf(own, registered, await browserOf(own, 'alice')),
      registered,
    );

    assert.ok(keys.some(({ kid }: { kid: string }) => kid === protectedHeader.kid));
  });

  test('do not verify what a key signed that was retired and removed', async (t) => {
    const own = await openApp();
    t.after(() => own.close());
    await person(own.portico, 'alice');
    const registered = await notebook(own.portico);
    const idToken = await idTokenOf(own, registered, await browserOf(own, 'alice'));
    own.clock.advance(JWKS_CACHE_TIME);
    await rotateSigningKey(own.portico.oauth, 'RS256');
    own.clock.advance(RETIRED_KEY_PUBLISHED + SECOND);

    await tendSigningKeys(own.portico.oauth);

    await assert.rejects(verified(own, idToken, registered), { code: 'ERR_JWKS_NO_MATCHING_KEY' });
    const hinted = await (await browserOf(own, 'alice')).open(
      `/oauth/authorize?${openIdRequest(registered, { prompt: 'none', id_token_hint: idToken })}`,
    );
    assert.match(hinted.headers.get('location') ?? '', /error=login_required/);
  });
});

describe('Userinfo', () => {
  const userinfo = (init: RequestInit = {}, query = '') =>
    fetch(`${app.url}/api/oauth/userinfo${query}`, init);
  const bearer = (token: string) => ({ headers: { Authorization: `Bearer ${token}` } });

  test('answers GET and POST with the sub of the id_token', async () => {
    const tokens = await openIdTokens(app, client, browser);
    const token = tokens.access_token;

    const answers = [
      await userinfo(bearer(token)),
      await userinfo({ ...bearer(token), method: 'POST' }),
      await postForm(app, '/api/oauth/userinfo', { access_token: token }),
    ];

    for (const answer of answers) {
      assert.equal(answer.status, 200);
      assert.match(answer.headers.get('content-type') ?? '', /^application\/json/);
      assert.equal(answer.headers.get('cache-control'), 'no-store');
      assert.deepEqual(await answer.json(), { sub: decodeJwt(tokens.id_token ?? '').sub });
    }
  });

  test('adds the claims of profile:read with that scope only, never an e-mail address, and nothing empty', async () => {
    const { access_token: token } = await openIdTokens(app, client, browser, {
      scope: 'openid profile:read posts:read',
    });

    assert.deepEqual(await json(await userinfo(bearer(token))), {
      sub: String(alice.id),
      preferred_username: 'alice',
      picture: `${app.url}/avatars/${alice.id}.svg`,
      profile: `${app.url}/u/alice`,
    });
  });

  test('demands the scope openid: 403 with insufficient_scope, also for a personal token', async () => {
    const { access_token: token } = await signInWith(app, client, 'alice', 'profile:read');
    const personal = await personalToken(mallory);

    for (const text of [token, personal]) {
      const answer = await userinfo(bearer(text));
      assert.equal(answer.status, 403);
      assert.match(
        answer.headers.get('www-authenticate') ?? '',
        /^Bearer realm="[^"]*", error="insufficient_scope", error_description="[^"]*", scope="openid"$/,
      );
    }
  });

  test('answers nobody: 401 with a challenge, which names an error only if a token was sent', async () => {
    const [none, wrong] = [await userinfo(), await userinfo(bearer('svco_nothing'))];

    assert.deepEqual([none.status, wrong.status], [401, 401]);
    assert.equal(none.headers.get('www-authenticate'), `Bearer realm="${app.url}"`);
    assert.match(wrong.headers.get('www-authenticate') ?? '', /error="invalid_token"/);
  });

  test('takes a token from the header or the form, never from the address, and not from both', async () => {
    const { access_token: token } = await openIdTokens(app, client, browser);
    const form = new URLSearchParams({ access_token: token });

    const inAddress = await userinfo({}, `?access_token=${token}`);
    const inBoth = await userinfo({ ...bearer(token), method: 'POST', body: form });
    const twice = await userinfo({ method: 'POST', body: `${form}&${form}`, headers: FORM });

    assert.equal(inAddress.status, 401);
    assert.equal(inBoth.status, 400);
    assert.equal(twice.status, 400);
    assert.equal((await json(inBoth)).error, 'invalid_request');
  });

  test('a form that is too large is invalid_request', async () => {
    const answer = await userinfo({
      method: 'POST',
      headers: FORM,
      body: `access_token=${'x'.repeat(20_000)}`,
    });

    assert.equal(answer.status, 413);
    assert.equal((await json(answer)).error, 'invalid_request');
  });

  test('ends with the token and with the account', async () => {
    const erin = await person(app.portico, 'erin');
    const { access_token: token } = await openIdTokens(app, client, await browserOf(app, 'erin'));

    await app.portico.identity.writes.setStatus(erin.id, 'suspended');
    const suspended = await userinfo(bearer(token));
    await app.portico.identity.writes.setStatus(erin.id, 'active');
    app.clock.advance(HOUR);
    const expired = await userinfo(bearer(token));

    assert.deepEqual([suspended.status, expired.status], [401, 401]);
  });

  test('may be called by any origin, and takes no other method', async () => {
    const preflight = await userinfo({ method: 'OPTIONS' });
    const refused = await userinfo();
    const put = await userinfo({ method: 'PUT' });

    for (const answer of [preflight, refused, put]) {
      assert.equal(answer.headers.get('access-control-allow-origin'), '*');
      assert.equal(answer.headers.get('set-cookie'), null);
    }
    assert.equal(preflight.status, 204);
    assert.match(preflight.headers.get('access-control-allow-headers') ?? '', /Authorization/);
    assert.equal(put.status, 405);
    assert.equal(put.headers.get('allow'), 'GET, POST');
  });
});

const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' };
