// Answers that are not read: how much of the memory they may take, and what they take from others.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, type TestContext, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { Hono } from 'hono';
import type { Answer, BareRequest } from '../../src/http/answer.ts';
import type { PageEnv } from '../../src/http/pages/visitor.ts';
import { bodyPairs } from '../../src/http/request-form.ts';
import { listen } from '../../src/http/server.ts';
import { untilTrue } from '../support/program.ts';

// Larger than what the system takes of an answer that nobody reads.
const LARGE = 6_000_000;

/** A client that reads nothing until it is told to. */
interface Reader {
  socket: Socket;
  size: number;
  isClosed: boolean;
}

/** A server behind a proxy. It answers /N with N bytes, and a form at /form with the number of its fields. */
async function open(t: TestContext) {
  const api = ({ method, url = '' }: BareRequest): Answer | undefined => {
    const body = 'x'.repeat(Number(url.slice(1)) || 0);
    return method === 'GET' ? { status: 200, headers: [], body, encoding: 'latin1' } : undefined;
  };
  const rest = new Hono<PageEnv>();
  rest.post('/form', async (c) => c.text(`${(await bodyPairs(c)).length} fields`));
  const { port, close } = await listen({ api, rest, trustedProxies: ['127.0.0.1'] }, '127.0.0.1', 0);
  const sockets: Socket[] = [];
  t.after(async () => {
    for (const socket of sockets) socket.destroy();
    await close(true);
  });

  function send(request: string, caller: string): Socket {
    const socket = connect(port, '127.0.0.1').on('error', () => {});
    sockets.push(socket);
    const [line, ...rest] = request.split('\r\n');
    socket.write([line, 'Host: localhost', `X-Forwarded-For: ${caller}`, ...rest].join('\r\n'));
    return socket;
  }

  /** Ask for so many bytes, without reading more than their beginning. */
  async function ask(caller: string, size = LARGE): Promise<Reader> {
    const socket = send(`GET /${size} HTTP/1.1\r\nConnection: close\r\n\r\n`, caller);
    const reader = { socket, size, isClosed: false };
    socket.once('close', () => {
      reader.isClosed = true;
    });
    await once(socket, 'readable');
    return reader;
  }

  function post(caller: string, body: string): Promise<string> {
    const head = `Content-Type: application/x-www-form-urlencoded\r\nContent-Length: ${body.length}`;
    return text(send(`POST /form HTTP/1.1\r\nConnection: close\r\n${head}\r\n\r\n${body}`, caller));
  }

  return { ask, post };
}

/** Read everything that still arrives. Says which of the readers missed a part. */
async function missed(readers: readonly Reader[]): Promise<number[]> {
  await pause(100);
  const lengths = readers.map(() => 0);
  for (const [index, { socket }] of readers.entries()) {
    socket.on('data', (data: Buffer) => (lengths[index] = (lengths[index] ?? 0) + data.length));
  }
  await untilTrue(() => readers.every(({ isClosed }) => isClosed));
  return [...lengths.keys()].filter((index) => (lengths[index] ?? 0) < (readers[index]?.size ?? 0));
}

describe('Answers that are not read', () => {
  test('take at most 8 MB for a caller; the largest is cut', async (t) => {
    const { ask } = await open(t);

    const readers: Reader[] = [];

    for (const size of [LARGE, LARGE + 1, LARGE - 1]) readers.push(await ask('192.0.2.1', size));
    readers.push(await ask('192.0.2.2'));

    assert.deepEqual(await missed(readers), [0, 1]);
  });

  test('of one caller may be larger if there is only one', async (t) => {
    const { ask } = await open(t);

    const { socket } = await ask('192.0.2.1', 20_000_000);

    assert.ok((await text(socket)).length > 20_000_000);
  });

  test('take at most 32 MB for an IPv6 network of /48', async (t) => {
    const { ask } = await open(t);
    const readers: Reader[] = [];

    for (let network = 0; network < 7; network += 1) readers.push(await ask(`2001:db8:1:${network}::1`));

    assert.deepEqual(await missed(readers), [0, 1]);
  });

  test('take at most 64 MB in all; then the caller or network with the most loses its largest', async (t) => {
    const { ask } = await open(t);
    const readers = [await ask('192.0.2.1')];

    for (let network = 0; network < 5; network += 1) readers.push(await ask(`2001:db8:1:${network}::1`));
    for (let address = 2; address < 8; address += 1) readers.push(await ask(`192.0.2.${address}`));

    assert.deepEqual(await missed(readers), [1]);
  });

  test('of strangers keep nobody from sending a large form', async (t) => {
    const { ask, post } = await open(t);
    for (let address = 1; address < 15; address += 1) await ask(`192.0.2.${address}`);

    const answer = await post('198.51.100.1', `a=${'b'.repeat(500_000)}`);

    assert.match(answer, /^HTTP\/1.1 200 [\s\S]*1 fields$/);
  });

  test('are cut when their client has received nothing for ten seconds', async (t) => {
    // The clock of sockets runs twenty times as fast.
    const { setTimeout: set } = Socket.prototype;
    t.mock.method(Socket.prototype, 'setTimeout', function (this: Socket, ms: number) {
      return set.call(this, ms / 20);
    });
    const { ask } = await open(t);
    const [still, slow] = [await ask('192.0.2.1'), await ask('192.0.2.2', 30_000_000)];
    let length = 0;
    let rest = 0;

    for await (const data of slow.socket) {
      length += data.length;
      rest += data.length;
      if (rest < 2_000_000) continue;
      rest = 0;
      await pause(100);
    }

    assert.ok(length > slow.size);
    assert.deepEqual(await missed([still]), [0]);
  });
});
