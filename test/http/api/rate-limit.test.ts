// Spec §8 and §7.2: 60 requests per minute per token.

import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { byServer } from '../../../src/audit/doer.ts';
import { type App, openApp } from '../../support/app.ts';
import { notebook, type Person, person } from '../../support/people.ts';
import { atOnce, signInWith } from '../../support/relying-party.ts';
import { ask, askWith, objectOf, tokenOf } from './callers.ts';

let app: App;
let alice: Person;
let token: string;

beforeEach(async () => {
  app = await openApp();
  alice = await person(app.portico, 'alice');
  token = await tokenOf(app, alice);
});
afterEach(() => app.close());

async function statuses(times: number, path = '/'): Promise<Record<number, number>> {
  const answers = await atOnce(app, times, () => ask(app, path, token));
  return Object.fromEntries(
    [...new Set(answers.map(({ status }) => status))].map((status) => [
      status,
      answers.filter((answer) => answer.status === status).length,
    ]),
  );
}

function budgetOf(answer: Response): (string | null)[] {
  return [answer.headers.get('ratelimit-policy'), answer.headers.get('ratelimit')];
}

test('Rate limit exceeded: 429 with header Retry-After: 60', async () => {
  for (let request = 1; request <= 60; request += 1) assert.equal((await ask(app, '/me', token)).status, 200);

  const answer = await ask(app, '/me', token);

  assert.equal(answer.headers.get('retry-after'), '60');
  assert.equal(answer.headers.get('content-type'), 'application/problem+json');
  assert.equal(answer.headers.get('access-control-allow-origin'), '*');
  assert.equal(answer.headers.get('www-authenticate'), null);
  assert.deepEqual(await objectOf(answer, 429), {
    type: `${app.url}/docs/errors/rate_limited`,
    title: 'Too many requests',
    status: 429,
    detail: 'A token may make 60 requests a minute. Wait 60 seconds.',
  });
});

test('Of 200 parallel requests exactly 60 succeed', async () => {
  assert.deepEqual(await statuses(200), { 200: 60, 429: 140 });
});

test('Of 61 parallel requests exactly one is refused', async () => {
  assert.deepEqual(await statuses(61, '/me/posts'), { 200: 60, 429: 1 });
});

test('All endpoints share the same 60 requests, and errors count too', async () => {
  const profileOnly = await tokenOf(app, alice, ['profile:read']);
  for (const [path, status] of Object.entries({
    '/': 200,
    '/me': 200,
    '/me/posts': 403,
    '/me/posts?page=x': 403,
  })) {
    for (let request = 1; request <= 15; request += 1) {
      assert.equal((await ask(app, path, profileOnly)).status, status);
    }
  }

  const refused = await Promise.all(['/', '/me', '/me/posts'].map((path) => ask(app, path, profileOnly)));

  assert.deepEqual(
    refused.map(({ status }) => status),
    [429, 429, 429],
  );
});

test('HEAD, 304 and 400 count as requests', async () => {
  const etag = (await ask(app, '/me', token)).headers.get('etag') ?? '';
  const head = await ask(app, '/me', token, {}, 'HEAD');
  const unchanged = await ask(app, '/me', token, { 'If-None-Match': etag });
  const wrong = await ask(app, '/me/posts?size=x', token);

  const last = await ask(app, '/', token);

  assert.deepEqual([head.status, unchanged.status, wrong.status], [200, 304, 400]);
  assert.equal(last.headers.get('ratelimit'), '"default";r=55;t=60');
});

test('Another token is unaffected, even one of the same user', async () => {
  const other = await tokenOf(app, alice);
  const { access_token } = await signInWith(app, await notebook(app.portico), 'alice');
  await statuses(70);

  const answers = await Promise.all([token, other, access_token].map((text) => ask(app, '/me', text)));

  assert.deepEqual(
    answers.map(({ status }) => status),
    [429, 200, 200],
  );
});

test('An access token has the same limit as a personal token', async () => {
  const { access_token } = await signInWith(app, await notebook(app.portico), 'alice');
  token = access_token;

  assert.deepEqual(await statuses(100), { 200: 60, 429: 40 });
});

test('The window is 60 seconds from its first request', async () => {
  const first = await ask(app, '/', token);
  app.clock.advance(59_000);
  const rest = await statuses(60);
  const refused = await ask(app, '/', token);
  app.clock.advance(999);
  const stillRefused = await ask(app, '/', token);
  app.clock.advance(1);
  const next = await ask(app, '/', token);

  assert.equal(first.headers.get('ratelimit'), '"default";r=59;t=60');
  assert.deepEqual(rest, { 200: 59, 429: 1 });
  assert.equal(refused.headers.get('ratelimit'), '"default";r=0;t=1');
  assert.equal(stillRefused.status, 429);
  assert.equal(stillRefused.headers.get('retry-after'), '60');
  assert.equal(next.status, 200);
  assert.equal(next.headers.get('ratelimit'), '"default";r=59;t=60');
});

test('A refused request does not make the wait longer', async () => {
  await statuses(60);
  app.clock.advance(30_000);
  await statuses(30);
  app.clock.advance(30_000);

  assert.deepEqual(await statuses(60), { 200: 60 });
});

test('Every response to a token has RateLimit-Policy and RateLimit', async () => {
  const profileOnly = await tokenOf(app, alice, ['profile:read']);
  const etag = (await ask(app, '/me', profileOnly)).headers.get('etag') ?? '';

  const answers = [
    await ask(app, '/me', profileOnly, {}, 'HEAD'),
    await ask(app, '/me', profileOnly, { 'If-None-Match': etag }),
    await ask(app, '/me/posts', profileOnly),
    await ask(app, '/me/posts?page=x', token),
  ];

  assert.deepEqual(answers.map(budgetOf), [
    ['"default";q=60;w=60', '"default";r=58;t=60'],
    ['"default";q=60;w=60', '"default";r=57;t=60'],
    ['"default";q=60;w=60', '"default";r=56;t=60'],
    ['"default";q=60;w=60', '"default";r=59;t=60'],
  ]);
});

test('A response without a valid token has RateLimit-Policy but no RateLimit', async () => {
  const answers = [
    await askWith(app, '/me', {}),
    await ask(app, '/me', 'x'),
    await askWith(app, '/nothing', {}),
  ];

  assert.deepEqual(answers.map(budgetOf), Array(3).fill(['"default";q=60;w=60', null]));
});

test('A token is checked before the request is counted, and the request is counted before the scope is checked', async () => {
  const profileOnly = await tokenOf(app, alice, ['profile:read']);
  token = profileOnly;
  await statuses(60);

  const overTheLimit = await ask(app, '/me/posts?page=x', token);
  await app.portico.identity.writes.setStatus(byServer(app.portico.clock), alice.id, 'suspended');
  const unusable = await ask(app, '/me/posts?page=x', token);

  assert.deepEqual([overTheLimit.status, unusable.status], [429, 401]);
});

test('OPTIONS, unknown addresses, other methods and the document are not counted', async () => {
  await ask(app, '/me', token, {}, 'OPTIONS');
  await ask(app, '/nothing', token);
  await ask(app, '/me', token, {}, 'DELETE');
  await ask(app, '/openapi.json', token);

  const answer = await ask(app, '/me', token);

  assert.equal(answer.headers.get('ratelimit'), '"default";r=59;t=60');
});

test('The limit comes from the settings', async (t) => {
  const strict = await openApp({ RATE_LIMIT_PER_MINUTE: '2' });
  t.after(() => strict.close());
  const own = await tokenOf(strict, await person(strict.portico, 'bob'));

  const answers = [await ask(strict, '/', own), await ask(strict, '/', own), await ask(strict, '/', own)];

  assert.deepEqual(
    answers.map((answer) => [answer.status, ...budgetOf(answer)]),
    [
      [200, '"default";q=2;w=60', '"default";r=1;t=60'],
      [200, '"default";q=2;w=60', '"default";r=0;t=60'],
      [429, '"default";q=2;w=60', '"default";r=0;t=60'],
    ],
  );
});
