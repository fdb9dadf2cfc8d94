import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import { startRoundRobin } from './round-robin.ts';

/** Start a server that returns what it received, and sets two cookies. */
async function machine(t: TestContext, name: string): Promise<string> {
  const server = createServer(async (request, answer) => {
    const { method, url, headers } = request;
    answer.writeHead(201, ['Set-Cookie', 'a=1', 'Set-Cookie', 'b=2']);
    const parts = [name, method, url, await text(request), headers['x-forwarded-for']];
    answer.end(parts.join(' '));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test('Requests go to the machines in turn, complete and with the caller’s address', async (t) => {
  const proxy = await startRoundRobin();
  t.after(() => proxy.close());
  proxy.passTo([await machine(t, 'first'), await machine(t, 'second')]);

  const answers = [];
  for (const body of ['one', 'two', 'three']) {
    const headers = { 'X-Forwarded-For': '192.0.2.1' };
    answers.push(await fetch(`${proxy.url}/here?x=1`, { method: 'POST', body, headers }));
  }

  assert.deepEqual(await Promise.all(answers.map((answer) => answer.text())), [
    'first POST /here?x=1 one 192.0.2.1, 127.0.0.1',
    'second POST /here?x=1 two 192.0.2.1, 127.0.0.1',
    'first POST /here?x=1 three 192.0.2.1, 127.0.0.1',
  ]);
  assert.equal(answers[0]?.status, 201);
  assert.deepEqual(answers[0]?.headers.getSetCookie(), ['a=1', 'b=2']);
});

test('If a machine can’t be reached the caller gets 502', async (t) => {
  const proxy = await startRoundRobin();
  t.after(() => proxy.close());

  const nowhere = await fetch(proxy.url);
  proxy.passTo(['http://127.0.0.1:1']);
  const away = await fetch(proxy.url, { method: 'POST', body: 'one' });

  assert.deepEqual([nowhere.status, away.status], [502, 502]);
});
