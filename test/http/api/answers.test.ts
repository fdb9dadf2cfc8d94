// Contract §7: what all responses of the resource API have in common.

import assert from 'node:assert/strict';
import { createConnection } from 'node:net';
import { after, before, test } from 'node:test';
import { byMember } from '../../../src/audit/doer.ts';
import { type App, openApp } from '../../support/app.ts';
import { type Person, person, publish } from '../../support/people.ts';
import { ask, askWith, objectOf, tokenOf } from './callers.ts';

let app: App;
let alice: Person;
let token: string;

before(async () => {
  app = await openApp({ RATE_LIMIT_PER_MINUTE: '1000' });
  alice = await person(app.portico, 'alice', '爱丽丝');
  token = await tokenOf(app, alice);
});
after(() => app.close());

const ADDRESSES = ['', '/', '/me', '/me/posts', '/openapi.json'];

function headersOf(answer: Response, ...names: string[]): (string | null)[] {
  return names.map((name) => answer.headers.get(name));
}

async function everyKind(): Promise<[kind: string, status: number, answer: Response][]> {
  const profileOnly = await tokenOf(app, alice, ['profile:read']);
  const etag = (await ask(app, '/me', token)).headers.get('etag') ?? '';
  return [
    ['service info', 200, await ask(app, '/', token)],
    ['profile', 200, await ask(app, '/me', token)],
    ['posts', 200, await ask(app, '/me/posts', token)],
    ['document', 200, await askWith(app, '/openapi.json', {})],
    ['unchanged', 304, await ask(app, '/me', token, { 'If-None-Match': etag })],
    ['wrong parameter', 400, await ask(app, '/me/posts?page=x', token)],
    ['no token', 401, await askWith(app, '/me', {})],
    ['wrong token', 401, await ask(app, '/me', 'x')],
    ['no scope', 403, await ask(app, '/me/posts', profileOnly)],
    ['unknown address', 404, await ask(app, '/nothing', token)],
    ['other method', 405, await ask(app, '/me', token, {}, 'POST')],
    ['preflight', 204, await askWith(app, '/me', { Origin: 'https://a.example' }, 'OPTIONS')],
  ];
}

test('Every response can be read by any origin, is not cached by others, and can’t be taken for another type', async () => {
  for (const [kind, status, answer] of await everyKind()) {
    assert.equal(answer.status, status, kind);
    assert.deepEqual(
      headersOf(answer, 'access-control-allow-origin', 'cache-control', 'vary'),
      ['*', 'private, no-cache', 'Authorization'],
      kind,
    );
    assert.deepEqual(
      headersOf(answer, 'x-content-type-options', 'content-security-policy'),
      ['nosniff', "default-src 'none'; frame-ancestors 'none'"],
      kind,
    );
    assert.deepEqual(
      headersOf(answer, 'access-control-expose-headers', 'access-control-allow-credentials'),
      ['*', null],
      kind,
    );
    assert.deepEqual(answer.headers.getSetCookie(), [], kind);
  }
});

test('Success is 200 with JSON, and every error is a problem document', async () => {
  for (const [kind, status, answer] of await everyKind()) {
    if (status === 204 || status === 304) {
      assert.equal(await answer.text(), '', kind);
      continue;
    }
    const type = status === 200 ? 'application/json' : 'application/problem+json';
    assert.equal(answer.headers.get('content-type'), type, kind);
    const body = await objectOf(answer, status);
    if (status === 200) continue;
    assert.deepEqual(Object.keys(body), ['type', 'title', 'status', 'detail'], kind);
    assert.equal(body.status, status, kind);
    assert.ok(String(body.type).startsWith(`${app.url}/docs/errors/`), kind);
  }
});

for (const path of ADDRESSES) {
  test(`HEAD works like GET, without a body, at ${path || 'the base'}`, async () => {
    const get = await ask(app, path, token);
    const head = await ask(app, path, token, {}, 'HEAD');

    assert.equal(head.status, 200);
    assert.equal(await head.text(), '');
    const names = ['content-type', 'etag', 'cache-control', 'vary', 'access-control-allow-origin'];
    assert.deepEqual(headersOf(head, ...names), headersOf(get, ...names));
    assert.equal(head.headers.get('content-length'), `${(await get.arrayBuffer()).byteLength}`);
  });

  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'PROPFIND']) {
    test(`Any other method is answered with 405 and Allow: ${method} at ${path || 'the base'}`, async () => {
      const answer = await askWith(app, path, {}, method);

      assert.equal(answer.headers.get('allow'), 'GET, HEAD, OPTIONS');
      assert.deepEqual(await objectOf(answer, 405), {
        type: `${app.url}/docs/errors/method_not_allowed`,
        title: 'This address does not accept the method',
        status: 405,
        detail: `This API only reads data: ${method} is not allowed.`,
      });
    });
  }
}

test('An error for HEAD has no body either', async () => {
  const answer = await askWith(app, '/me', {}, 'HEAD');

  assert.equal(answer.status, 401);
  assert.equal(
    answer.headers.get('www-authenticate'),
    `Bearer realm="${app.url}", resource_metadata="${app.url}/.well-known/oauth-protected-resource/api/open/v1"`,
  );
  assert.equal(await answer.text(), '');
});

test('No header or parameter can replace the method', async () => {
  const override = { 'X-HTTP-Method-Override': 'GET' };

  const answer = await ask(app, '/me?_method=GET', token, override, 'POST');

  assert.equal(answer.status, 405);
});

for (const path of ['/nothing', '/me/', '/me/posts/1', '/ME', '//', '/me%2Fposts', '/openapi.yaml']) {
  for (const method of ['GET', 'POST']) {
    test(`An unknown path is answered with 404, with or without a token: ${method} ${path}`, async () => {
      const known = await ask(app, path, token, {}, method);
      const unknown = await askWith(app, path, {}, method);

      assert.equal(unknown.status, 404);
      assert.deepEqual(await objectOf(known, 404), {
        type: `${app.url}/docs/errors/not_found`,
        title: 'There is nothing at this address',
        status: 404,
        detail: 'GET /api/open/v1 lists the endpoints.',
      });
    });
  }
}

for (const path of [
  '/api',
  '/api/',
  '/api/me',
  '/api/v1/me',
  '/api/open/v2/me',
  '/api/oauth/tokens',
  '/api/oauth/token/',
]) {
  test(`An address beside the API is answered with 404 that a page of another origin can read: ${path}`, async () => {
    const preflight = await fetch(app.url + path, { method: 'OPTIONS' });
    const answer = await fetch(app.url + path, { headers: { Authorization: `Bearer ${token}` } });

    assert.deepEqual([preflight.status, answer.status], [204, 404]);
    for (const { headers } of [preflight, answer]) {
      assert.equal(headers.get('access-control-allow-origin'), '*');
    }
    assert.match(preflight.headers.get('access-control-allow-headers') ?? '', /Authorization/);
    assert.equal(answer.headers.get('content-type'), 'application/problem+json');
  });
}

test('OPTIONS answers the preflight of CORS without a token', async () => {
  const preflight = {
    Origin: 'https://a.example',
    'Access-Control-Request-Method': 'GET',
    'Access-Control-Request-Headers': 'authorization',
  };

  const answers = await Promise.all(
    [...ADDRESSES, '/nothing'].map((path) => askWith(app, path, preflight, 'OPTIONS')),
  );

  for (const answer of answers) {
    assert.equal(answer.status, 204);
    assert.deepEqual(
      headersOf(
        answer,
        'access-control-allow-origin',
        'access-control-allow-methods',
        'access-control-allow-headers',
      ),
      ['*', 'GET, HEAD', 'Authorization, If-None-Match'],
    );
    assert.equal(answer.headers.get('allow'), 'GET, HEAD, OPTIONS');
  }
});

test('The ETag is strong and follows the content', async () => {
  const first = (await ask(app, '/me', token)).headers.get('etag') ?? '';
  const again = (await ask(app, '/me', token)).headers.get('etag');
  await app.portico.identity.writes.setBio(byMember(alice, app.portico.clock), 'New words.');
  const changed = await ask(app, '/me', token, { 'If-None-Match': first });

  assert.match(first, /^"[\w-]{22}"$/);
  assert.equal(again, first);
  assert.equal((await objectOf(changed)).bio, 'New words.');
  assert.notEqual(changed.headers.get('etag'), first);
});

test('A new post changes the ETag of the list', async () => {
  const before = (await ask(app, '/me/posts', token)).headers.get('etag') ?? '';
  await publish(app.portico, alice, 'News');

  const after = await ask(app, '/me/posts', token, { 'If-None-Match': before });

  assert.equal(after.status, 200);
});

const matches: [name: string, value: (etag: string) => string, status: number][] = [
  ['the tag', (etag) => etag, 304],
  ['the weak tag', (etag) => `W/${etag}`, 304],
  ['the tag in a list', (etag) => `"a", ${etag}, "b"`, 304],
  ['the tag in a list without spaces', (etag) => `"a",W/${etag}`, 304],
  ['*', () => '*', 304],
  ['another tag', () => '"a"', 200],
  ['the tag without quotation marks', (etag) => etag.slice(1, -1), 200],
  ['a part of the tag', (etag) => `${etag.slice(0, 10)}"`, 200],
  ['no value', () => '', 200],
];
for (const [name, value, status] of matches) {
  test(`If-None-Match with ${name} is answered with ${status}`, async () => {
    const etag = (await ask(app, '/me', token)).headers.get('etag') ?? '';

    const answers = [
      await ask(app, '/me', token, { 'If-None-Match': value(etag) }),
      await ask(app, '/me', token, { 'If-None-Match': value(etag) }, 'HEAD'),
    ];

    for (const answer of answers) {
      assert.equal(answer.status, status);
      assert.equal(answer.headers.get('etag'), etag);
      assert.equal(answer.headers.get('content-type'), status === 304 ? null : 'application/json');
    }
  });
}

test('A match does not replace a token', async () => {
  const answer = await askWith(app, '/me', { 'If-None-Match': '*' });

  assert.equal(answer.status, 401);
});

test('Every absolute address comes from the settings, never from the Host header', async () => {
  const answer = await new Promise<string>((resolve, reject) => {
    const { port, hostname } = new URL(app.url);
    let text = '';
    const socket = createConnection(Number(port), hostname, () =>
      socket.write(
        'GET /api/open/v1/me HTTP/1.1\r\nHost: evil.example\r\nX-Forwarded-Host: evil.example\r\n' +
          `Authorization: Bearer ${token}\r\nConnection: close\r\n\r\n`,
      ),
    );
    socket.on('data', (data) => {
      text += data;
    });
    socket.on('end', () => resolve(text));
    socket.on('error', reject);
  });

  assert.match(answer, /^HTTP\/1\.1 200 /);
  assert.ok(answer.includes(`"profileUrl":"${app.url}/u/alice"`));
  assert.ok(!answer.includes('evil.example'));
});
