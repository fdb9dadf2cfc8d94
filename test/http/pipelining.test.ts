// A request that was sent without waiting for the answer to the one before it is read along with that one, and what
// was looked up for that one may be over by then.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { test } from 'node:test';
import { Hono } from 'hono';
import type { PageEnv } from '../../src/http/pages/visitor.ts';
import { listen } from '../../src/http/server.ts';

const REQUEST = 'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n';

test('A request that came along with the one before it is told, before it is answered; others are not', async (t) => {
  const told: string[] = [];
  const door = new Hono<PageEnv>();
  door.get('/', (c) => {
    told.push('answered');
    return c.text('.');
  });
  const server = await listen({ api: () => undefined, rest: door }, '127.0.0.1', 0, () => told.push('told'));
  t.after(() => server.close());
  const socket = connect(server.port, '127.0.0.1');
  t.after(() => socket.destroy());

  for (let waited = 0; waited < 2; waited += 1) {
    socket.write(REQUEST);
    await once(socket, 'data');
  }
  const oneByOne = told.splice(0);
  socket.write(REQUEST + REQUEST);
  while (told.length < 3) await once(socket, 'data');

  assert.deepEqual(oneByOne, ['answered', 'answered']);
  assert.deepEqual(told, ['answered', 'told', 'answered']);
});
