// A trial for each field of the discovery document: the server does what the field says.

import assert from 'node:assert/strict';
import { decodeJwt, type JWTPayload } from 'jose';
import { byServer } from '../../src/audit/doer.ts';
import { endSignIns } from '../../src/identity/session.ts';
import { SECOND } from '../../src/lib/clock.ts';
import { openDelivery } from '../../src/oauth/event-delivery.ts';
import { setEventEndpoint } from '../../src/oauth/event-endpoint.ts';
import { Browser, formIn } from '../support/browser.ts';
import { json } from '../support/json.ts';
import { idTokenOf, openIdTokens, verify } from '../support/openid.ts';
import { browserOf, notebook, person } from '../support/people.ts';
import { pkce } from '../support/relying-party.ts';
import {
  alice,
  app,
  assertCode,
  authorize,
  browser,
  client,
  EVERYTHING,
  errorOf,
  exchangeFor,
  metadata,
  postAs,
  redirectTarget,
  userinfoOf,
} from './discovery-fixture.ts';

/** What each prompt does to a member who signed in a minute ago and has allowed everything. */
const PROMPT_TRIALS: Record<string, () => Promise<void>> = {
  none: async () => {
    assertCode(await authorize({ prompt: 'none' }));
    assert.equal(errorOf(await authorize({ prompt: 'none' }, new Browser(app.url))), 'login_required');
  },
  login: async () => assert.equal(redirectTarget(await authorize({ prompt: 'login' })).pathname, '/login'),
  consent: async () => {
    const answer = await authorize({ prompt: 'consent' });
    assert.equal(answer.status, 200);
    assert.match(await answer.text(), /value="allow"/);
  },
  select_account: async () =>
    assert.equal(redirectTarget(await authorize({ prompt: 'select_account' })).pathname, '/login'),
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

/** Run the trial named after each of these values. */
async function tryEach(values: string[], trials: Record<string, () => Promise<void>>): Promise<void> {
  assert.deepEqual([...values].sort(), Object.keys(trials).sort());
  for (const value of values) await trials[value]?.();
}

/** One trial for each name in the document. */
export const TRIALS: Record<string, () => Promise<void>> = {
  async issuer() {
    assert.equal(metadata.issuer, app.url);
    const { payload } = await verify(app, await idTokenOf(app, client, browser), client);
    assert.equal(payload.iss, metadata.issuer);
    assert.equal(redirectTarget(await authorize()).searchParams.get('iss'), metadata.issuer);
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
    assert.equal(redirectTarget(answer).href, 'https://notebook.example.com/bye?state=x');
    assert.equal(redirectTarget(await authorize({}, own)).pathname, '/login');
  },
  async jwks_uri() {
    await verify(app, await idTokenOf(app, client, browser), client);
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
      const application = await notebook(app.portico, { idTokenAlg: alg });
      const { protectedHeader } = await verify(app, await idTokenOf(app, application, browser), application);
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
    const claims = Object.keys({ ...decodeJwt(tokens.id_token ?? ''), ...userinfo });
    assert.deepEqual([...metadata.claims_supported].sort(), claims.sort());
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
  async backchannel_logout_supported() {
    assert.equal(metadata.backchannel_logout_supported, true);
    assert.ok('sub' in (await logoutToken()));
  },
  async backchannel_logout_session_supported() {
    assert.equal(metadata.backchannel_logout_session_supported, false);
    assert.equal('sid' in (await logoutToken()), false);
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
    // request_uri isn't supported, so none can be registered.
    assert.equal(metadata.require_request_uri_registration, false);
    await isRefusedByName('request_uri', 'urn:ietf:params:oauth:request_uri:x');
  },
  async authorization_response_iss_parameter_supported() {
    assert.equal(metadata.authorization_response_iss_parameter_supported, true);
    const [code, refusal] = [await authorize(), await authorize({ scope: 'wallet' })];
    assert.equal(redirectTarget(code).searchParams.get('iss'), metadata.issuer);
    assert.equal(redirectTarget(refusal).searchParams.get('iss'), metadata.issuer);
  },
  async client_id_metadata_document_supported() {
    assert.equal(metadata.client_id_metadata_document_supported, true);
    const answer = await authorize({ client_id: 'https://192.0.2.7/client.json' });
    assert.match(await answer.text(), /The host of the client_id must be a domain name/);
  },
  async service_documentation() {
    const answer = await fetch(metadata.service_documentation);
    assert.equal(answer.status, 200);
    assert.match(answer.headers.get('content-type') ?? '', /^text\/html/);
  },
};

/** Let the member sign in to another application and be signed out. Returns what its logout token says. */
async function logoutToken(): Promise<JWTPayload> {
  const { oauth, identity } = app.portico;
  const bob = await person(app.portico, `bob${app.clock.now}`);
  const other = await notebook(app.portico, { name: 'Other' });
  const url = 'https://other.example/signed-out';
  await setEventEndpoint(byServer(app.clock.read), oauth, other.id, 'logout', url);
  await openIdTokens(app, other, await browserOf(app, bob.username));
  await endSignIns(byServer(app.clock.read), identity, bob.id);
  const bodies: string[] = [];
  const send = async ({ body }: { body: string }) => bodies.push(body) && 200;
  const delivery = openDelivery(oauth, send, assert.ifError);
  await delivery.begin();
  await delivery.idle();
  app.clock.advance(1);
  return decodeJwt(new URLSearchParams(bodies[0]).get('logout_token') ?? '');
}
