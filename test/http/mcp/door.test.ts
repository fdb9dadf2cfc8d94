// What the endpoint for assistants answers, and what it shares with the resource API: tokens, scopes, limit and diary.

import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { CALLS } from '../../../src/http/mcp/message.ts';
import { HOUR } from '../../../src/lib/clock.ts';
import { type App, openApp } from '../../support/app.ts';
import { json } from '../../support/json.ts';
import { notebook, type Person, person, publish, setStatus } from '../../support/people.ts';
import { addSignIn } from '../../support/seeding.ts';
import { ask, tokenOf } from '../api/callers.ts';

let app: App;
let alice: Person;
let token: string;

beforeEach(async () => {
  app = await openApp({ RATE_LIMIT_PER_MINUTE: '4' });
  alice = await person(app.portico, 'alice');
  await publish(app.portico, alice, 'First words');
  token = await tokenOf(app, alice);
});
afterEach(() => app.close());

const LIST = { jsonrpc: '2.0', id: 1, method: 'tools/list' };

function callOf(name: string, args: object = {}): object {
  return { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } };
}

/** An initialization in which so many values have the wrong type. */
function initializationWith(wrong: number): string {
  const icons = [{ src: 'https://assistant.example/icon.png', sizes: Array(wrong).fill(1) }];
  const clientInfo = { name: 'assistant', version: '1', icons };
  const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo };
  return JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params });
}

function send(message: unknown, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(`${app.url}/mcp`, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
      Authorization: `Bearer ${token}`,
      ...headers,
    },
    body: typeof message === 'string' ? message : JSON.stringify(message),
  });
}

/** Return the result of a call. Clients of 2025 are answered with an event. */
async function resultOf(answer: Response) {
  const text = await answer.text();
  assert.equal(answer.status, 200, text);
  const { result } = JSON.parse(/^data: (.+)$/m.exec(text)?.[1] ?? text);
  return result;
}

test('A call without a token, or with a revoked one, is told where to get one', async () => {
  const metadata = `${app.url}/.well-known/oauth-protected-resource/mcp`;
  const challenge = `Bearer realm="${app.url}", resource_metadata="${metadata}"`;

  const without = await send(LIST, { Authorization: '' });
  const wrong = await send(LIST, { Authorization: 'Bearer nothing' });
  await setStatus(app.portico.identity, alice.id, 'suspended');
  const suspended = await send(LIST);

  for (const answer of [without, wrong, suspended]) assert.equal(answer.status, 401);
  assert.equal(without.headers.get('www-authenticate'), challenge);
  assert.ok(wrong.headers.get('www-authenticate')?.startsWith(`${challenge}, error="invalid_token"`));
  assert.equal((await json(suspended)).detail, 'The token was revoked.');
});

test('A token without the scope of a tool is refused with the name of the scope, and can still read the other', async () => {
  token = await tokenOf(app, alice, ['profile:read']);

  const refused = await send(callOf('list_posts'));

  assert.equal(refused.status, 403);
  const challenge = refused.headers.get('www-authenticate') ?? '';
  assert.match(challenge, /error="insufficient_scope".*, scope="posts:read"$/);
  assert.match(challenge, /resource_metadata="[^"]+\/mcp"/);
  assert.equal((await resultOf(await send(callOf('get_profile')))).structuredContent.username, 'alice');
});

test('Every tool requires a scope', async () => {
  const { tools } = await resultOf(await send(LIST));

  assert.deepEqual(
    tools.map(({ name }: { name: string }) => name),
    Object.keys(CALLS),
  );
});

test('Calls and requests of the API count together against one limit, and a batch can’t get around it', async () => {
  const batch = await send([callOf('get_profile'), callOf('get_profile')]);
  await ask(app, '/me', token);
  await send(callOf('get_profile'));
  const last = await send(LIST);
  const beyond = await send(LIST);

  assert.equal(batch.status, 400);
  assert.equal(last.headers.get('ratelimit'), '"default";r=0;t=60');
  assert.equal(beyond.status, 429);
  assert.equal(beyond.headers.get('retry-after'), '60');
  assert.equal((await ask(app, '/me', token)).status, 429);
});

test('The access diary has each call, with the number of posts and the refused ones', async () => {
  const posts = await tokenOf(app, alice, ['posts:read']);
  await resultOf(await send(callOf('list_posts')));
  await resultOf(await send(callOf('get_profile')));
  await resultOf(await send(LIST));
  await send(callOf('get_profile'), { Authorization: `Bearer ${posts}` });
  await send([LIST]);
  await app.portico.mergeDiary();

  const until = app.clock.now + HOUR;
  const lines = await app.portico.oauth.reads.diaryLines({ userId: alice.id, from: 0, until, limit: 9 });
  assert.deepEqual(lines.map((line) => `${line.reading} ${line.status} ${line.posts}`).sort(), [
    'posts 200 1',
    'profile 200 0',
    'profile 403 0',
    'service 200 0',
    'service 400 0',
  ]);
});

test('Pages and sizes out of range count as the nearest in range; what is no number is refused', async () => {
  const { page, size } = (await resultOf(await send(callOf('list_posts', { page: -1, size: 99 }))))
    .structuredContent;
  const wrong = await resultOf(await send(callOf('list_posts', { page: 'first' })));

  assert.deepEqual([page, size], [0, 50]);
  assert.equal(wrong.isError, true);
  assert.match(wrong.content[0].text, /page/);
});

test('A failure of the database shows the assistant nothing of its cause', async () => {
  const { reads } = app.portico.community;
  Object.defineProperty(reads, 'publishedPostsOf', {
    value: () => Promise.reject(new Error('SELECT secret FROM posts')),
  });

  const result = await resultOf(await send(callOf('list_posts')));

  assert.equal(result.isError, true);
  assert.deepEqual(result.content, [{ type: 'text', text: 'The request failed. The error was logged.' }]);
});

describe('A body that is no message is refused, and a long one is not read to its end:', () => {
  for (const [what, body] of [
    ['not JSON', '{'],
    ['a number', '1'],
    ['null', 'null'],
    ['17 KiB', JSON.stringify({ ...LIST, params: { _meta: { text: 'x'.repeat(17 * 1024) } } })],
    ['200 values too many', initializationWith(400)],
  ] as const) {
    test(what, async () => {
      const answer = await send(body);

      assert.equal(answer.status, 400);
      assert.equal((await json(answer)).jsonrpc, '2.0');
    });
  }
});

test('The answer about a message of many wrong values is short', async () => {
  const answer = await send(initializationWith(190));

  const text = await answer.text();
  assert.match(text, /"error":\{"code":-32\d{3}/);
  assert.ok(text.length < 100_000, `${text.length} characters`);
});

test('The tokens of a member together send as many messages as four may, beside the share of an application', async () => {
  const statuses: number[] = [];
  for (let index = 0; index < 6; index += 1) {
    const headers = { Authorization: `Bearer ${await tokenOf(app, alice)}` };
    for (let message = 0; message < 4; message += 1) statuses.push((await send(LIST, headers)).status);
  }
  const { access } = await addSignIn(app.portico, await notebook(app.portico), alice.id);
  const ofApplication = await send(LIST, { Authorization: `Bearer ${access}` });
  const bob = await person(app.portico, 'bob');
  const ofOther = await send(LIST, { Authorization: `Bearer ${await tokenOf(app, bob)}` });

  assert.deepEqual(statuses, [...Array(20).fill(200), ...Array(4).fill(429)]);
  assert.equal(ofApplication.status, 200);
  assert.equal(ofOther.status, 200);
});

test('A tool whose name is no text is refused like an unknown one', async () => {
  const called = (name: string) =>
    `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":${name},"arguments":{}}}`;

  for (const name of ['{"toString":1}', '['.repeat(20_000) + ']'.repeat(20_000)]) {
    const answer = await send(called(name));
    assert.ok(answer.status < 500, `${answer.status} ${name.slice(0, 20)}`);
  }
});

describe('Pages may call if their origin is https, this machine, or the service; a rebound name is refused:', () => {
  for (const [origin, status] of [
    ['https://assistant.example', 200],
    ['http://localhost:6274', 200],
    ['vscode-webview://abc', 200],
    ['http://rebound.example:3000', 403],
    ['http://192.0.2.1', 403],
    ['null', 403],
  ] as const) {
    test(origin, async () => {
      assert.equal((await send(LIST, { Origin: origin })).status, status);
    });
  }
});

test('Pages of any origin that may call can read the answer, and send the headers of every version', async () => {
  const preflight = await fetch(`${app.url}/mcp`, {
    method: 'OPTIONS',
    headers: { Origin: 'https://a.example' },
  });
  const answer = await send(LIST, { Origin: 'https://a.example' });

  assert.equal(preflight.status, 204);
  assert.equal(preflight.headers.get('access-control-allow-headers'), 'Authorization, *');
  for (const { headers } of [preflight, answer]) {
    assert.equal(headers.get('access-control-allow-origin'), '*');
    assert.equal(headers.get('set-cookie'), null);
  }
  assert.equal(answer.headers.get('cache-control'), 'no-store');
});

test('There is no stream to open and no session to end: GET and DELETE are answered with 405', async () => {
  for (const method of ['GET', 'DELETE']) {
    const headers = { Authorization: `Bearer ${token}`, Accept: 'text/event-stream' };
    const answer = await fetch(`${app.url}/mcp`, { method, headers });
    assert.equal(answer.status, 405);
    assert.equal(answer.headers.get('allow'), 'POST, OPTIONS');
  }
});
