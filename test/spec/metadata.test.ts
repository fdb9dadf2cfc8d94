// Discovery (OpenID Connect Discovery 1.0, RFC 8414, RFC 9728, contract §6). Each field of the document has a trial
// (metadata-trials.ts), and a new field without one fails.

import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { json } from '../support/json.ts';
import { openIdTokens } from '../support/openid.ts';
import { app, browser, client, EVERYTHING, metadata, openFixture, WELL_KNOWN } from './discovery-fixture.ts';
import { TRIALS } from './metadata-trials.ts';

before(openFixture);
after(() => app.close());

describe('What the discovery document says is true:', () => {
  for (const [name, trial] of Object.entries(TRIALS)) test(name, trial);

  test('and it says nothing that is not tested here', () => {
    assert.deepEqual(Object.keys(metadata).sort(), Object.keys(TRIALS).sort());
  });

  test('and it has no empty list and no empty value', () => {
    for (const [name, value] of Object.entries(metadata)) {
      assert.ok(value !== null && value !== '', name);
      if (Array.isArray(value)) assert.ok(value.length > 0, name);
    }
  });
});

test('Both well-known addresses return the same document.', async () => {
  const [oidc, oauth] = await Promise.all(
    WELL_KNOWN.slice(0, 2).map((path) => fetch(app.url + path).then((answer) => answer.text())),
  );

  assert.equal(oidc, oauth);
});

test('The resource API is described at its own well-known address (RFC 9728), with its two scopes.', async () => {
  const answers = await Promise.all(WELL_KNOWN.slice(3, 5).map((path) => fetch(app.url + path).then(json)));

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

test('The endpoint for assistants is described beside it, with the same scopes and the same server.', async () => {
  const api = await json(await fetch(`${app.url}/.well-known/oauth-protected-resource`));
  const mcp = await json(await fetch(`${app.url}/.well-known/oauth-protected-resource/mcp`));

  assert.deepEqual(mcp, { ...api, resource: `${app.url}/mcp` });
});

describe('Each document is JSON for any origin, can be cached for five minutes and sets no cookie:', () => {
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

describe('No document depends on the Host header, or on what an unnamed proxy forwards:', () => {
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

/** Send header lines as they are. `fetch` doesn't let callers set Host. */
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
