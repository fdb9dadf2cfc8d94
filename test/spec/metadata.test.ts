// Discovery (OpenID Connect Discovery 1.0, RFC 8414, RFC 9728, contract §6). The metadata can't lie: whatever stands in
// the document is tried here, and a new word in it without a trial fails.

import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { decodeJwt } from 'jose';
import { SECOND } from '../../src/lib/clock.ts';
import { type App, openApp } from '../support/app.ts';
import { Browser, formIn } from '../support/browser.ts';
import { json } from '../support/json.ts';
import { idTokenOf, openIdRequest, openIdTokens, verified } from '../support/openid.ts';
import { notebook, person, pocket, type RegisteredClient } from '../support/people.ts';
import { answerConsent, browserOf, pkce } from '../support/relying-party.ts';

let app: App;
let alice: { id: number };
/** Alice has signed in with it. */
let browser: Browser;
/** Alice has allowed it everything. */
let client: RegisteredClient;
let phone: RegisteredClient;
// biome-ignore lint/suspicious/noExplicitAny: what is in it is what the test finds out
let metadata: Record<string, any>;

const EVERYTHING = 'openid profile:read posts:read';
const WELL_KNOWN = [
  '/.well-known/openid-configuration',
  '/.well-known/oauth-authorization-server',
  '/.well-known/jwks.json',
  '/.well-known/oauth-protected-resource',
  '/.well-known/oauth-protected-resource/api/open/v1',
];

before(async () => {
  app = await openApp();
  alice = await person(app.portico, 'alice');
  client = await notebook(app.portico, { postLogoutRedirectUris: ['https://notebook.example.com/bye'] });
  phone = await pocket(app.portico);
  browser = await browserOf(app, 'alice');
  await openIdTokens(app, client, browser, { scope: EVERYTHING });
  metadata = await json(await fetch(`${app.url}/.well-known/openid-configuration`));
});
after(() => app.close());

/** Opens the authorization endpoint that the metadata names. */
function authorize(more: Record<string, string> = {}, by = browser): Promise<Response> {
  const { pathname } = new URL(metadata.authorization_endpoint);
  return by.open(`${pathname}?${openIdRequest(client, more)}`);
}

function landing(answer: Response): URL {
  assert.equal(answer.status, 303);
  return new URL(answer.headers.get('location') ?? '', app.url);
}

function errorOf(answer: Response): string | null {
  return landing(answer).searchParams.get('error');
}

function assertCode(answer: Response): void {
  assert.ok(landing(answer).searchParams.get('code'), answer.headers.get('location') ?? '');
}

/** Posts to an endpoint as the application does that authenticates in this way. */
async function postAs(method: string, endpoint: string, fields: Record<string, string>): Promise<Response> {
  const basic = Buffer.from(`${client.id}:${client.secret}`).toString('base64');
  const ways: Record<string, [Record<string, string>, Record<string, string>]> = {
    client_secret_basic: [{ Authorization: `Basic ${basic}` }, {}],
    client_secret_post: [{}, { client_id: client.id, client_secret: client.secret }],
    none: [{}, { client_id: phone.id }],
  };
  const [headers, more] = ways[method] ?? assert.fail(`nobody knows how to authenticate with ${method}`);
  return fetch(endpoint, { method: 'POST', headers, body: new URLSearchParams({ ...fields, ...more }) });
}

/** A code for the application that authenticates in this way, and what else its exchange needs. */
async function exchangeFor(method: string): Promise<Record<string, string>> {
  const asking = method === 'none' ? phone : client;
  const { verifier, challenge } = pkce();
  const request = openIdRequest(asking, { code_challenge: challenge, code_challenge_method: 'S256' });
  const landed = await answerConsent(browser, request);
  return {
    grant_type: 'authorization_code',
    code: landed.searchParams.get('code') ?? '',
    redirect_uri: asking.redirectUri,
    code_verifier: verifier,
  };
}

async function userinfoOf(token: string): Promise<Response> {
  return fetch(metadata.userinfo_endpoint, { headers: { Authorization: `Bearer ${token}` } });
}

/** What each value of a prompt does to a member who has signed in a minute ago and allowed everything. */
const PROMPT_TRIALS: Record<string, () => Promise<void>> = {
  none: async () => {
    assertCode(await authorize({ prompt: 'none' }));
    assert.equal(errorOf(await authorize({ prompt: 'none' }, new Browser(app.url))), 'login_required');
  },
  login: async () => assert.equal(landing(await authorize({ prompt: 'login' })).pathname, '/login'),
  consent: async () => {
    const answer = await authorize({ prompt: 'consent' });
    assert.equal(answer.status, 200);
    assert.match(await answer.text(), /value="allow"/);
  },
  select_account: async () =>
    assert.equal(landing(await authorize({ prompt: 'select_account' })).pathname, '/login'),
};

const RESPONSE_MODE_TRIALS: Record<string, () => Promise<void>> = {
  query: async () => assertCode(await authorize({ response_mode: 'query' })),
  form_post: async () => {
    const page = await (await authorize({ response_mode: 'form_post' })).text();
    assert.ok(new Map(formIn(page, client.redirectUri)).get('code'));
  },
};

const GRANT_TYPE_TRIALS: Record<string, () => Promise<void>> = {
  authorization_code: async () => {
    const answer = await postAs('none', metadata.token_endpoint, await exchangeFor('none'));
    assert.equal(answer.status, 200);
  },
  refresh_token: async () => {
    const { refresh_token: token } = await openIdTokens(app, client, browser);
    const fields = { grant_type: 'refresh_token', refresh_token: token };
    assert.equal((await postAs('client_secret_post', metadata.token_endpoint, fields)).status, 200);
  },
};

async function isRefusedByName(parameter: string, value: string): Promise<void> {
  assert.equal(errorOf(await authorize({ [parameter]: value })), `${parameter}_not_supported`);
}

/** For each of the values the trial of that name. */
async function tryEach(values: string[], trials: Record<string, () => Promise<void>>): Promise<void> {
  assert.deepEqual([...values].sort(), Object.keys(trials).sort());
  for (const value of values) await trials[value]?.();
}

/** One trial for each name in the document. */
const TRIALS: Record<string, () => Promise<void>> = {
  async issuer() {
    assert.equal(metadata.issuer, app.url);
    const { payload } = await verified(app, await idTokenOf(app, client, browser), client);
    assert.equal(payload.iss, metadata.issuer);
    assert.equal(landing(await authorize()).searchParams.get('iss'), metadata.issuer);
  },
  async authorization_endpoint() {
    assert.ok(metadata.authorization_endpoint.startsWith(`${app.url}/`));
    assertCode(await authorize());
  },
  async token_endpoint() {
    const fields = await exchangeFor('client_secret_post');
    const answer = await postAs('client_secret_post', metadata.token_endpoint, fields);
    assert.match((await json(answer)).access_token, /^svco_/);
  },
  async revocation_endpoint() {
    const { access_token: token } = await openIdTokens(app, client, browser);
    await postAs('client_secret_post', metadata.revocation_endpoint, { token });
    assert.equal((await userinfoOf(token)).status, 401);
  },
  async userinfo_endpoint() {
    const { access_token: token } = await openIdTokens(app, client, browser);
    assert.equal((await json(await userinfoOf(token))).sub, String(alice.id));
  },
  async end_session_endpoint() {
    const own = await browserOf(app, 'alice');
    const { pathname } = new URL(metadata.end_session_endpoint);
    const request = new URLSearchParams({
      id_token_hint: await idTokenOf(app, client, own),
      post_logout_redirect_uri: 'https://notebook.example.com/bye',
      state: 'x',
    });
    const answer = await own.open(`${pathname}?${request}`);
    assert.equal(landing(answer).href, 'https://notebook.example.com/bye?state=x');
    assert.equal(landing(await authorize({}, own)).pathname, '/login');
  },
  async jwks_uri() {
    await verified(app, await idTokenOf(app, client, browser), client);
  },
  async scopes_supported() {
    assert.deepEqual(metadata.scopes_supported, ['openid', 'profile:read', 'posts:read']);
    for (const scope of metadata.scopes_supported) {
      assert.equal((await openIdTokens(app, client, browser, { scope })).scope, scope);
    }
  },
  async response_types_supported() {
    assert.deepEqual(metadata.response_types_supported, ['code']);
    assertCode(await authorize({ response_type: 'code' }));
    for (const other of ['token', 'id_token', 'code id_token', 'none']) {
      assert.equal(errorOf(await authorize({ response_type: other })), 'unsupported_response_type');
    }
  },
  async response_modes_supported() {
    await tryEach(metadata.response_modes_supported, RESPONSE_MODE_TRIALS);
    assert.equal(errorOf(await authorize({ response_mode: 'fragment' })), 'invalid_request');
  },
  async grant_types_supported() {
    await tryEach(metadata.grant_types_supported, GRANT_TYPE_TRIALS);
    const others = [
      'password',
      'client_credentials',
      'implicit',
      'urn:ietf:params:oauth:grant-type:device_code',
    ];
    for (const other of others) {
      const answer = await postAs('client_secret_post', metadata.token_endpoint, { grant_type: other });
      assert.equal((await json(answer)).error, 'unsupported_grant_type');
    }
  },
  async token_endpoint_auth_methods_supported() {
    assert.equal(metadata.token_endpoint_auth_methods_supported.length, 3);
    for (const method of metadata.token_endpoint_auth_methods_supported) {
      const answer = await postAs(method, metadata.token_endpoint, await exchangeFor(method));
      assert.equal(answer.status, 200, method);
    }
  },
  async revocation_endpoint_auth_methods_supported() {
    assert.equal(metadata.revocation_endpoint_auth_methods_supported.length, 3);
    for (const method of metadata.revocation_endpoint_auth_methods_supported) {
      const issued = await postAs(method, metadata.token_endpoint, await exchangeFor(method));
      const { access_token: token } = await json(issued);
      const answer = await postAs(method, metadata.revocation_endpoint, { token });
      assert.equal(answer.status, 200, method);
      assert.equal((await userinfoOf(token)).status, 401, method);
    }
  },
  async subject_types_supported() {
    assert.deepEqual(metadata.subject_types_supported, ['public']);
    const other = await notebook(app.portico);
    const [here, there] = [await idTokenOf(app, client, browser), await idTokenOf(app, other, browser)];
    assert.equal(decodeJwt(here).sub, decodeJwt(there).sub);
  },
  async id_token_signing_alg_values_supported() {
    assert.deepEqual(metadata.id_token_signing_alg_values_supported, ['RS256', 'ES256']);
    for (const alg of metadata.id_token_signing_alg_values_supported as ('RS256' | 'ES256')[]) {
      const asking = await notebook(app.portico, { idTokenAlg: alg });
      const { protectedHeader } = await verified(app, await idTokenOf(app, asking, browser), asking);
      assert.equal(protectedHeader.alg, alg);
    }
  },
  async claim_types_supported() {
    assert.deepEqual(metadata.claim_types_supported, ['normal']);
    const { access_token: token } = await openIdTokens(app, client, browser, { scope: EVERYTHING });
    const claims = await json(await userinfoOf(token));
    assert.ok(!('_claim_names' in claims) && !('_claim_sources' in claims));
  },
  async claims_supported() {
    const tokens = await openIdTokens(app, client, browser, { scope: EVERYTHING });
    const userinfo = await json(await userinfoOf(tokens.access_token));
    const found = Object.keys({ ...decodeJwt(tokens.id_token ?? ''), ...userinfo });
    assert.deepEqual([...metadata.claims_supported].sort(), found.sort());
  },
  async code_challenge_methods_supported() {
    assert.deepEqual(metadata.code_challenge_methods_supported, ['S256']);
    const { challenge } = pkce();
    assertCode(await authorize({ code_challenge: challenge, code_challenge_method: 'S256' }));
    const plain = await authorize({ code_challenge: challenge, code_challenge_method: 'plain' });
    assert.equal(errorOf(plain), 'invalid_request');
  },
  async prompt_values_supported() {
    app.clock.advance(60 * SECOND);
    await tryEach(metadata.prompt_values_supported, PROMPT_TRIALS);
    assert.equal(errorOf(await authorize({ prompt: 'create' })), 'invalid_request');
  },
  async display_values_supported() {
    assert.deepEqual(metadata.display_values_supported, ['page']);
    const answer = await authorize({ display: 'page', prompt: 'consent' });
    assert.match(await answer.text(), /^<!doctype html>/);
  },
  async ui_locales_supported() {
    assert.deepEqual(metadata.ui_locales_supported, ['en', 'zh-Hans']);
    for (const locale of metadata.ui_locales_supported) {
      const answer = await authorize({ ui_locales: locale, prompt: 'consent' });
      assert.equal(answer.headers.get('content-language'), locale);
      assert.match(await answer.text(), locale === 'en' ? />Allow</ : />允许</);
    }
  },
  async claims_parameter_supported() {
    assert.equal(metadata.claims_parameter_supported, false);
    const claims = JSON.stringify({ id_token: { email: { essential: true } }, userinfo: { email: null } });
    const tokens = await openIdTokens(app, client, browser, { claims });
    assert.equal('email' in decodeJwt(tokens.id_token ?? ''), false);
    assert.deepEqual(await json(await userinfoOf(tokens.access_token)), { sub: String(alice.id) });
  },
  async request_parameter_supported() {
    assert.equal(metadata.request_parameter_supported, false);
    await isRefusedByName('request', 'eyJhbGciOiJub25lIn0.e30.');
  },
  async request_uri_parameter_supported() {
    assert.equal(metadata.request_uri_parameter_supported, false);
    await isRefusedByName('request_uri', 'https://notebook.example.com/request.jwt');
  },
  async require_request_uri_registration() {
    // There is nothing to register for: no request_uri is taken.
    assert.equal(metadata.require_request_uri_registration, false);
    await isRefusedByName('request_uri', 'urn:ietf:params:oauth:request_uri:x');
  },
  async authorization_response_iss_parameter_supported() {
    assert.equal(metadata.authorization_response_iss_parameter_supported, true);
    const [code, refusal] = [await authorize(), await authorize({ scope: 'wallet' })];
    assert.equal(landing(code).searchParams.get('iss'), metadata.issuer);
    assert.equal(landing(refusal).searchParams.get('iss'), metadata.issuer);
  },
  async service_documentation() {
    const answer = await fetch(metadata.service_documentation);
    assert.equal(answer.status, 200);
    assert.match(answer.headers.get('content-type') ?? '', /^text\/html/);
  },
};

describe('What the discovery document says is true:', () => {
  for (const [name, trial] of Object.entries(TRIALS)) test(name, trial);

  test('and it says nothing that is not tried here', () => {
    assert.deepEqual(Object.keys(metadata).sort(), Object.keys(TRIALS).sort());
  });

  test('and it has no empty list, and no value that is none', () => {
    for (const [name, value] of Object.entries(metadata)) {
      assert.ok(value !== null && value !== '', name);
      if (Array.isArray(value)) assert.ok(value.length > 0, name);
    }
  });
});

test('Both well-known addresses hold the same document.', async () => {
  const [oidc, oauth] = await Promise.all(
    WELL_KNOWN.slice(0, 2).map((path) => fetch(app.url + path).then((answer) => answer.text())),
  );

  assert.equal(oidc, oauth);
});

test('The resource API is described at its own well-known address (RFC 9728), with its two scopes.', async () => {
  const answers = await Promise.all(WELL_KNOWN.slice(3).map((path) => fetch(app.url + path).then(json)));

  for (const answer of answers) {
    assert.deepEqual(answer, {
      resource: `${app.url}/api/open/v1`,
      authorization_servers: [app.url],
      scopes_supported: ['profile:read', 'posts:read'],
      bearer_methods_supported: ['header'],
      resource_documentation: `${app.url}/docs`,
    });
  }
  const { access_token: token } = await openIdTokens(app, client, browser, { scope: EVERYTHING });
  const headers = { Authorization: `Bearer ${token}` };
  assert.equal((await fetch(answers[0].resource, { headers })).status, 200);
  assert.equal((await fetch(answers[0].resource_documentation)).status, 200);
});

describe('Each document is JSON for everyone, may be kept for five minutes and sets no cookie:', () => {
  for (const path of WELL_KNOWN) {
    test(path, async () => {
      const get = await fetch(app.url + path, {
        headers: { Origin: 'https://app.example', Cookie: 'language=zh' },
      });
      const head = await fetch(app.url + path, { method: 'HEAD' });
      const preflight = await fetch(app.url + path, { method: 'OPTIONS' });
      const post = await fetch(app.url + path, { method: 'POST' });

      for (const answer of [get, head]) {
        assert.equal(answer.status, 200);
        assert.match(answer.headers.get('content-type') ?? '', /^application\/json/);
        assert.equal(answer.headers.get('access-control-allow-origin'), '*');
        assert.equal(answer.headers.get('cache-control'), 'public, max-age=300');
        assert.equal(answer.headers.get('vary'), null);
      }
      assert.equal(preflight.status, 204);
      assert.equal(preflight.headers.get('access-control-allow-origin'), '*');
      assert.equal(preflight.headers.get('access-control-allow-headers'), '*');
      assert.equal(post.status, 405);
      assert.equal(post.headers.get('allow'), 'GET, HEAD, OPTIONS');
      for (const answer of [get, head, preflight, post]) assert.equal(answer.headers.get('set-cookie'), null);
    });
  }
});

describe('No document believes the Host of the request, nor what a proxy that nobody named forwards:', () => {
  for (const path of WELL_KNOWN) {
    test(path, async () => {
      const usual = await (await fetch(app.url + path)).text();

      const poisoned = await rawGet(path, [
        'Host: evil.example',
        'X-Forwarded-Host: evil.example',
        'X-Forwarded-Proto: https',
        'X-Forwarded-For: 192.0.2.1',
        'Forwarded: host=evil.example;proto=https',
        'X-Original-URL: https://evil.example/',
      ]);

      assert.match(poisoned, /^HTTP\/1\.1 200 /);
      assert.ok(poisoned.endsWith(usual), poisoned);
      assert.ok(!poisoned.includes('evil.example'));
    });
  }
});

/** Sends header lines exactly as given: `fetch` lets nobody set Host. */
function rawGet(path: string, lines: string[]): Promise<string> {
  const { port, hostname } = new URL(app.url);
  return new Promise((resolve, reject) => {
    let text = '';
    const socket = connect(Number(port), hostname, () => {
      socket.write([`GET ${path} HTTP/1.1`, ...lines, 'Connection: close', '', ''].join('\r\n'));
    });
    socket.setEncoding('utf8');
    socket.on('data', (data) => {
      text += data;
    });
    socket.on('end', () => resolve(text));
    socket.on('error', reject);
  });
}
