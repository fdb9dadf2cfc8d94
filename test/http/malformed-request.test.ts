// Requests that are not HTTP as the standard has it: each refusal has the security headers and ends the connection, and
// none is taken for the answer to an earlier request.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { after, describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { Hono } from 'hono';
import { emptyAnswer } from '../../src/http/answer.ts';
import type { PageEnv } from '../../src/http/pages/visitor.ts';
import { listen } from '../../src/http/server.ts';
import { openApp } from '../support/app.ts';

const app = await openApp();
after(() => app.close());
const { port, host } = new URL(app.url);

/** Sends bytes, and returns all that comes back until the server closes. */
function exchange(bytes: string, atPort = Number(port)): Promise<string> {
  const socket = connect(atPort, '127.0.0.1');
  socket.write(bytes, 'latin1');
  return text(socket);
}

describe('A refusal has the security headers, and the connection ends:', () => {
  for (const [what, bytes, status] of [
    ['no HTTP at all', 'hello\r\n\r\n', 400],
    ['a header without a name', `GET / HTTP/1.1\r\nHost: ${host}\r\n: x\r\n\r\n`, 400],
    [
      'two lengths',
      `POST /login HTTP/1.1\r\nHost: ${host}\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab`,
      400,
    ],
    ['headers of 20 kB', `GET / HTTP/1.1\r\nHost: ${host}\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`, 431],
    ['no host', 'GET / HTTP/1.1\r\n\r\n', 400],
    ['no host, of the API', 'GET /api/open/v1/me HTTP/1.1\r\n\r\n', 400],
    ['an invalid host', 'GET / HTTP/1.1\r\nHost: a b\r\nConnection: close\r\n\r\n', 400],
    ['two hosts', `GET / HTTP/1.1\r\nHost: ${host}\r\nHost: a.example\r\nConnection: close\r\n\r\n`, 400],
    ['a tunnel', `CONNECT /login HTTP/1.1\r\nHost: ${host}\r\n\r\n`, 405],
    [
      'an expectation',
      `POST /login HTTP/1.1\r\nHost: ${host}\r\nExpect: 200-ok\r\nContent-Length: 1\r\n\r\n`,
      417,
    ],
  ] as const) {
    test(what, async () => {
      const answer = await exchange(bytes);

      assert.match(answer, new RegExp(`^HTTP/1\\.1 ${status} `));
      assert.match(answer, /\r\nX-Content-Type-Options: nosniff\r\n/i);
      assert.match(answer, /\r\nContent-Security-Policy: default-src 'none'; frame-ancestors 'none'\r\n/i);
      assert.match(answer, /\r\nX-Frame-Options: DENY\r\n/i);
      assert.match(answer, /\r\nConnection: close\r\n/i);
      assert.equal(answer.split('HTTP/1.1 ').length, 2);
    });
  }
});

test('A refusal is not taken for the answer to the request before it.', async (t) => {
  const api = async () => {
    await pause(50);
    return emptyAnswer(204, []);
  };
  const server = await listen({ api, rest: new Hono<PageEnv>() }, '127.0.0.1', 0);
  t.after(() => server.close());

  const received = await exchange('GET / HTTP/1.1\r\nHost: localhost\r\n\r\nnonsense\r\n\r\n', server.port);

  assert.equal(received, '');
});

test('HTTP/1.0 needs no host.', async () => {
  const answer = await exchange('GET /healthz HTTP/1.0\r\n\r\n');

  assert.doesNotMatch(answer, /^HTTP\/1\.1 5/);
});

test('A refused tunnel ends, although its other side stays open.', async (t) => {
  const server = await listen({ api: () => undefined, rest: new Hono<PageEnv>() }, '127.0.0.1', 0);
  const socket = connect({ port: server.port, host: '127.0.0.1', allowHalfOpen: true });
  t.after(() => socket.destroy());
  socket.write('CONNECT localhost:1 HTTP/1.1\r\nHost: localhost\r\n\r\n');
  assert.match(String((await once(socket, 'data'))[0]), /^HTTP\/1\.1 405 /);

  const outcome = await Promise.race([
    server.close().then(() => 'closed'),
    pause(5_000, 'open', { ref: false }),
  ]);

  assert.equal(outcome, 'closed');
});
