// The service in production (RFC 9700 §2.6, §4.13): behind a proxy, over https, and with a log without secrets.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { compose } from '../../src/compose.ts';
import { readConfig } from '../../src/config.ts';
import { listen } from '../../src/http/server.ts';
import { openLog } from '../../src/lib/log.ts';
import { type App, openApp, TestClock } from '../support/app.ts';
import { Browser } from '../support/browser.ts';
import { json } from '../support/json.ts';
import { idTokenOf, openIdTokens } from '../support/openid.ts';
import { browserOf, notebook, PASSWORD, person, pocket } from '../support/people.ts';
import { askToken, callApi, pkce, postForm, revoke } from '../support/relying-party.ts';
import { addPersonalToken } from '../support/seeding.ts';
import { freePort } from '../support/services.ts';

describe('Over https', () => {
  let app: App;

  // A proxy terminates https, so the tests use http and the service's own address.
  before(async () => {
    const open = await openApp({ BASE_URL: 'https://community.example' });
    app = { ...open, url: `http://127.0.0.1:${open.portico.config.port}` };
    await person(app.portico, 'alice');
  });
  after(() => app.close());

  for (const path of [
    '/',
    '/login',
    '/nowhere',
    '/healthz',
    '/oauth/authorize',
    '/api/open/v1',
    '/api/oauth/token',
    '/api/oauth/userinfo',
    '/.well-known/openid-configuration',
    '/icon.svg',
  ]) {
    test(`browsers are told to stay with https: ${path}`, async () => {
      const answer = await fetch(app.url + path);

      assert.equal(answer.headers.get('strict-transport-security'), 'max-age=63072000; includeSubDomains');
    });
  }

  test('cookies are for https only, hidden from scripts and from other hosts, also behind a proxy', async () => {
    const browser = new Browser(app.url);
    const login = await browser.open('/login');
    const signedIn = await browser.signIn('alice', PASSWORD);
    const cookies = [...login.headers.getSetCookie(), ...signedIn.headers.getSetCookie()];

    assert.deepEqual([...new Set(cookies.map((cookie) => cookie.split('=')[0]))].sort(), [
      '__Host-known',
      '__Host-session',
      '__Host-visitor',
    ]);
    for (const cookie of cookies) {
      assert.match(cookie, /; Path=\//);
      assert.match(cookie, /; HttpOnly/);
      assert.match(cookie, /; Secure/);
      assert.match(cookie, /; SameSite=Lax/);
      assert.doesNotMatch(cookie, /Domain/i);
    }
  });

  test('every address and every issuer has the public origin', async () => {
    const client = await notebook(app.portico);
    const browser = await browserOf(app, 'alice');
    const idToken = await idTokenOf(app, client, browser);
    const claims = JSON.parse(Buffer.from(idToken.split('.')[1] ?? '', 'base64url').toString());
    const metadata = await json(await fetch(`${app.url}/.well-known/openid-configuration`));

    assert.equal(claims.iss, 'https://community.example');
    assert.equal(metadata.issuer, 'https://community.example');
    assert.equal(metadata.token_endpoint, 'https://community.example/api/oauth/token');
  });
});

test('Without https, which is only allowed on this machine, no browser is told to use it.', async (t) => {
  const app = await openApp();
  t.after(() => app.close());

  const answer = await fetch(`${app.url}/login`);

  assert.equal(answer.headers.get('strict-transport-security'), null);
});

describe('Forwarded addresses are trusted', () => {
  /**
   * Send 21 wrong secrets, each forwarded for another address, and return the last status. It is 429 only if they count
   * as coming from one address.
   */
  async function lastOfManyGuesses(app: App): Promise<number> {
    const client = await notebook(app.portico);
    const body = new URLSearchParams({
      grant_type: 'refresh_token',
      client_id: client.id,
      client_secret: 'a guess',
    });
    let status = 0;
    for (let guess = 1; guess <= 21; guess += 1) {
      const headers = { 'X-Forwarded-For': `192.0.2.${guess}`, Forwarded: `for=192.0.2.${guess}` };
      const answer = await fetch(`${app.url}/api/oauth/token`, { method: 'POST', headers, body });
      status = answer.status;
    }
    return status;
  }

  test('from no proxy, unless the operator named some', async (t) => {
    const app = await openApp();
    t.after(() => app.close());

    assert.equal(await lastOfManyGuesses(app), 429);
  });

  test('not from a proxy that is not named', async (t) => {
    const app = await openApp({ TRUST_PROXY: '10.0.0.0/8, 2001:db8::1' });
    t.after(() => app.close());

    assert.equal(await lastOfManyGuesses(app), 429);
  });

  test('from a named proxy', async (t) => {
    const app = await openApp({ TRUST_PROXY: '127.0.0.0/8' });
    t.after(() => app.close());

    assert.equal(await lastOfManyGuesses(app), 401);
  });
});

test('The id of an application is chosen by the service, can’t be guessed and is never a member’s id.', async (t) => {
  const app = await openApp();
  t.after(() => app.close());
  const alice = await person(app.portico, 'alice');

  const ids = await Promise.all([notebook(app.portico), notebook(app.portico), pocket(app.portico)]);

  assert.equal(new Set(ids.map(({ id }) => id)).size, 3);
  for (const { id } of ids) {
    assert.match(id, /^app_[A-Za-z0-9]{22}$/);
    assert.doesNotMatch(String(alice.id), /^app_/);
  }
});

describe('The most detailed log', () => {
  test('never contains a code, state, token, secret, password, cookie, verifier or key', async () => {
    const { app, log } = await openWithLog();
    const secrets = new Set([PASSWORD, 'a wrong guess', 'af0ifjsldkj', 'n-0S6_WzA2Mj']);
    const keep = (...some: (string | undefined)[]) => {
      for (const secret of some) secrets.add(secret ?? assert.fail('A secret was not there.'));
    };
    const alice = await person(app.portico, 'alice');
    const client = await notebook(app.portico);
    keep(client.secret, Buffer.from(`${client.id}:${client.secret}`).toString('base64'));
    for (const { privateJwk } of await app.portico.oauth.reads.signingKeys()) keep(privateJwk.d);

    await new Browser(app.url).signIn('alice', 'a wrong guess');
    const browser = await browserOf(app, 'alice');
    keep(browser.cookie('portico_session'), browser.cookie('portico_visitor'));
    const first = await openIdTokens(app, client, browser, { scope: 'openid profile:read posts:read' });
    const refreshed = await json(
      await askToken(app, client, { grant_type: 'refresh_token', refresh_token: first.refresh_token }),
    );
    const personal = await addPersonalToken(app.portico, alice.id);
    const { verifier } = pkce();
    keep(first.access_token, first.refresh_token, first.id_token, personal.text, verifier);
    keep(refreshed.access_token, refreshed.refresh_token);

    const code = await codeOf(client.id, browser);
    keep(code);
    const exchange = { grant_type: 'authorization_code', redirect_uri: client.redirectUri, code };
    await askToken(app, client, { ...exchange, code_verifier: verifier });
    await askToken(app, client, exchange);
    await askToken(app, client, exchange);
    await postForm(
      app,
      `/api/oauth/token?${new URLSearchParams({ ...exchange, client_secret: client.secret })}`,
      {},
    );
    await callApi(app, `/me?access_token=${personal.text}`, personal.text);
    await callApi(app, `/nowhere?access_token=${personal.text}`, first.access_token);
    await revoke(app, client, refreshed.refresh_token);
    await browser.open(`/oauth/authorize?client_id=nobody&state=af0ifjsldkj`);
    await app.portico.database.close();
    await callApi(app, '/me', personal.text);
    await askToken(app, client, exchange);
    await browser.open(`/oauth/authorize?client_id=${client.id}&state=af0ifjsldkj`);
    await app.close();

    const lines = log.join('');
    assert.ok(log.length >= 20, `only ${log.length} lines were logged`);
    assert.match(lines, /"path":"\/oauth\/authorize"/);
    assert.match(lines, /request failed/);
    for (const secret of secrets) assert.ok(!lines.includes(secret), `the log has ${secret}`);
  });

  test('contains the path of each request, never its query', async () => {
    const { app, log } = await openWithLog();

    await fetch(`${app.url}/login?code=svcc_example&state=af0ifjsldkj`);
    await app.close();

    const line = JSON.parse(log.find((one) => one.includes('/login')) ?? '{}');
    assert.equal(line.path, '/login');
    assert.deepEqual(Object.keys(line).sort(), [
      'from',
      'level',
      'method',
      'ms',
      'msg',
      'path',
      'status',
      'time',
    ]);
  });

  async function codeOf(clientId: string, browser: Browser): Promise<string> {
    const request = new URLSearchParams({
      response_type: 'code',
      client_id: clientId,
      redirect_uri: 'https://notebook.example.com/callback',
      scope: 'profile:read',
      state: 'af0ifjsldkj',
    });
    const answer = await browser.open(`/oauth/authorize?${request}`);
    return new URL(answer.headers.get('location') ?? '').searchParams.get('code') ?? '';
  }

  async function openWithLog(): Promise<{ app: App; log: string[] }> {
    const log: string[] = [];
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    const config = readConfig({
      HOST: '127.0.0.1',
      PORT: `${port}`,
      BASE_URL: url,
      DATABASE_URL: 'file::memory:',
    });
    const clock = new TestClock();
    const destination = { write: (line: string) => void log.push(line) };
    const portico = await compose(config, clock.read, openLog('trace', destination));
    await portico.prepare();
    const server = await listen(portico.app(), config.host, port);
    const close = async () => {
      await server.close();
      await portico.close();
    };
    return { app: { url, portico, clock, close }, log };
  }
});
