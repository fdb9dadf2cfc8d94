// One address that takes more than its share: its connections are cut, and others are served meanwhile.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, type TestContext, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { Hono } from 'hono';
import { type Answer, type BareRequest, emptyAnswer } from '../../src/http/answer.ts';
import type { HttpHandlers } from '../../src/http/app.ts';
import type { PageEnv } from '../../src/http/pages/visitor.ts';
import { listen } from '../../src/http/server.ts';
import { untilTrue } from '../support/program.ts';

const FLOOD = '127.0.0.2';
const OTHER = '127.0.0.1';
const CHUNKED = 'Transfer-Encoding: chunked\r\n';
const LARGE = 'x'.repeat(30_000_000);
const skip = process.platform !== 'linux' && 'needs a second address of this machine';

/**
 * A server that answers /large with 30 MB, /later the same a moment later, and anything else with nothing, /costly
 * after 10 ms of work.
 */
async function open(t: TestContext, trustedProxies: string[] = [], more: Partial<HttpHandlers> = {}) {
  const large: Answer = { status: 200, headers: [], body: LARGE, encoding: 'latin1' };
  const api = ({ url }: BareRequest) => {
    if (url === '/later') return pause(10, large);
    if (url === '/costly') for (const end = performance.now() + 10; performance.now() < end; );
    return url === '/large' ? large : emptyAnswer(204, []);
  };
  const server = await listen({ api, rest: new Hono<PageEnv>(), trustedProxies, ...more }, '0.0.0.0', 0);
  const sockets: Socket[] = [];
  t.after(async () => {
    for (const socket of sockets) socket.destroy();
    await server.close(true);
  });
  return (localAddress: string): Socket => {
    const socket = connect({ port: server.port, host: '127.0.0.1', localAddress }).on('error', () => {});
    sockets.push(socket);
    return socket;
  };
}

function get(path: string, more = ''): string {
  return `GET ${path} HTTP/1.1\r\nHost: localhost\r\n${more}\r\n`;
}

async function isServed(socket: Socket): Promise<boolean> {
  socket.write(get('/', 'Connection: close\r\n'));
  return text(socket).then(
    (answer) => answer.startsWith('HTTP/1.1 204 '),
    () => false,
  );
}

/** How many of these are closed, as far as is known so far. */
function countClosed(sockets: readonly Socket[]): () => number {
  let closed = 0;
  for (const socket of sockets) socket.resume().once('close', () => (closed += 1));
  return () => closed;
}

describe('A flood from one address', { skip }, () => {
  test('gets 256 connections, and others are served; closed ones make room', async (t) => {
    const connectFrom = await open(t);
    const sockets = Array.from({ length: 300 }, () => connectFrom(FLOOD));
    const closed = countClosed(sockets);

    await untilTrue(() => closed() === 44);

    assert.ok(await isServed(connectFrom(OTHER)));
    assert.equal(closed(), 44);
    for (const socket of sockets) socket.destroy();
    await pause(200);
    assert.ok(await isServed(connectFrom(FLOOD)));
  });

  test('of connections with costly requests keeps no new connection outside', async (t) => {
    const connectFrom = await open(t);
    const sockets = Array.from({ length: 200 }, () => connectFrom(FLOOD));
    for (const socket of sockets) socket.write(get('/costly'));
    await once(sockets[0] as Socket, 'data');

    assert.ok(await isServed(connectFrom(OTHER)));

    const answered = sockets.filter(({ bytesRead }) => bytesRead > 0).length;
    assert.ok(answered < 50, `${answered} were answered first`);
  });

  test('of requests that are reset begins 64, until their work has ended', async (t) => {
    const ends: (() => void)[] = [];
    const rest = new Hono<PageEnv>();
    rest.get('/slow', async (c) => {
      await new Promise<void>((resolve) => ends.push(resolve));
      return c.body(null, 204);
    });
    const api = ({ url }: BareRequest) => (url === '/slow' ? undefined : emptyAnswer(204, []));
    const connectFrom = await open(t, [], { api, rest, waitingPerConnection: () => 0 });
    const flood = async () => {
      const sockets = Array.from({ length: 100 }, () => connectFrom(FLOOD));
      for (const socket of sockets) socket.write(get('/slow'));
      await Promise.all(sockets.map((socket) => once(socket, 'connect')));
      return sockets;
    };

    const first = await flood();
    await untilTrue(() => ends.length === 64);
    for (const socket of first) socket.resetAndDestroy();
    const second = await flood();
    assert.ok(await isServed(connectFrom(OTHER)));
    await pause(50);
    assert.equal(ends.length, 64);

    for (const end of ends) end();
    await untilTrue(() => ends.length === 128);
    for (const socket of second) socket.resetAndDestroy();
    for (const end of ends) end();
    assert.ok(await isServed(connectFrom(FLOOD)));
    assert.equal(ends.length, 128);
  });

  test('of connections that are reset before they are accepted begins no request', async (t) => {
    let requests = 0;
    const watch = () => {
      requests += 1;
    };
    const connectFrom = await open(t, [], { watch });
    const other = connectFrom(OTHER);
    await once(other, 'connect');

    // Meanwhile this process accepts none.
    const request = JSON.stringify(get('/'));
    const script = `const socket = require('node:net').connect(${other.remotePort}, '127.0.0.1', () =>
      socket.write(${request}, () => socket.resetAndDestroy()));`;
    execFileSync(process.execPath, ['-e', script]);

    assert.ok(await isServed(other));
    assert.equal(requests, 1);
  });

  test('is no flood if it comes from a proxy that the operator named', async (t) => {
    const connectFrom = await open(t, [FLOOD]);
    const sockets = Array.from({ length: 300 }, () => connectFrom(FLOOD));
    const closed = countClosed(sockets);
    await Promise.all(sockets.map((socket) => once(socket, 'connect')));

    assert.ok(await isServed(connectFrom(FLOOD)));
    assert.equal(closed(), 0);
  });

  test('of headers is refused: at most 100 of them, in at most 16 kB', async (t) => {
    const connectFrom = await open(t);
    const answers: string[] = [];
    for (const headers of ['a: b\r\n'.repeat(98), 'a: b\r\n'.repeat(100), `a: ${'b'.repeat(17_000)}\r\n`]) {
      const socket = connectFrom(FLOOD);
      socket.write(get('/', `Connection: close\r\n${headers}`));
      answers.push((await text(socket)).split('\r\n')[0] ?? '');
    }

    assert.deepEqual(answers, [
      'HTTP/1.1 204 No Content',
      'HTTP/1.1 431 Request Header Fields Too Large',
      'HTTP/1.1 431 Request Header Fields Too Large',
    ]);
  });

  test('that sends nothing, or its headers slowly, or nothing more, is cut in 20 seconds', async (t) => {
    const connectFrom = await open(t);
    const [silent, slow, idle] = [connectFrom(FLOOD), connectFrom(FLOOD), connectFrom(FLOOD)];
    const closed = countClosed([silent, slow, idle]);
    slow.write('GET / HTTP/1.1\r\n');
    const drip = setInterval(() => slow.write('a: b\r\n'), 500);
    t.after(() => clearInterval(drip));
    idle.write(get('/'));

    await untilTrue(() => closed() === 3);

    assert.ok(await isServed(connectFrom(OTHER)));
  });

  test('of pipelined requests ends its own connection, and others of its address are served', async (t) => {
    const connectFrom = await open(t);
    const [flood, other] = [connectFrom(FLOOD), connectFrom(FLOOD)];
    const closed = countClosed([flood]);
    await once(other, 'connect');

    flood.write(get('/').repeat(100));
    await untilTrue(() => closed() === 1);

    assert.ok(await isServed(other));
    assert.ok(await isServed(connectFrom(FLOOD)));
  });

  for (const [about, connections, requests] of [
    ['pipelined requests on ten connections', 10, get('/').repeat(34)],
    ['a thousand pipelined requests', 1, get('/').repeat(1000)],
    ['a thousand unknown expectations in one packet', 1, get('/', 'Expect: a\r\n').repeat(1000)],
    ['a body that nobody reads, in small chunks', 1, get('/', CHUNKED) + '1\r\na\r\n'.repeat(2000)],
    [
      'such a body of an unknown expectation',
      1,
      get('/', `Expect: a\r\n${CHUNKED}`) + '1\r\na\r\n'.repeat(2000),
    ],
  ] as const) {
    test(`of ${about} ends all connections of its address`, async (t) => {
      const connectFrom = await open(t);
      const sockets = Array.from({ length: 50 }, () => connectFrom(FLOOD));
      const closed = countClosed(sockets);
      await Promise.all(sockets.map((socket) => once(socket, 'connect')));

      for (const socket of sockets.slice(0, connections)) socket.write(requests);
      await untilTrue(() => closed() === 50);

      assert.equal(await isServed(connectFrom(FLOOD)), false);
      assert.ok(await isServed(connectFrom(OTHER)));
    });
  }

  test('of a hundred refused requests ends all connections of its address; ten are no flood', async (t) => {
    const connectFrom = await open(t);
    const idle = connectFrom(FLOOD);
    const closed = countClosed([idle]);
    await once(idle, 'connect');
    const refuse = async () => {
      const socket = connectFrom(FLOOD);
      socket.write(get('/', 'a: b\r\n'.repeat(100)));
      return text(socket).catch(() => '');
    };

    await Promise.all(Array.from({ length: 10 }, refuse));
    assert.ok(await isServed(connectFrom(FLOOD)));
    await Promise.all(Array.from({ length: 90 }, refuse));

    await untilTrue(() => closed() === 1);
    assert.equal(await isServed(connectFrom(FLOOD)), false);
    assert.ok(await isServed(connectFrom(OTHER)));
  });

  test('of pipelined requests through a proxy ends its own connection only', async (t) => {
    const connectFrom = await open(t, [FLOOD]);
    const [flood, other] = [connectFrom(FLOOD), connectFrom(FLOOD)];
    const closed = countClosed([flood]);
    await once(other, 'connect');

    flood.write(get('/').repeat(1000));
    await untilTrue(() => closed() === 1);

    assert.ok(await isServed(other));
  });

  for (const [about, requests] of [
    ['', get('/large')],
    [', nor does a request behind it help', get('/later') + get('/')],
  ] as const) {
    test(`that does not read its answers is cut at the seventh check${about}`, async (t) => {
      t.mock.timers.enable({ apis: ['setInterval'] });
      const connectFrom = await open(t);
      const socket = connectFrom(FLOOD);
      let isClosed = false;
      socket.once('close', () => {
        isClosed = true;
      });
      socket.write(requests);
      await once(socket, 'readable');

      for (let check = 0; check < 6; check += 1) t.mock.timers.tick(5_000);
      await pause(100);
      assert.equal(isClosed, false);
      t.mock.timers.tick(5_000);
      t.mock.timers.reset();
      let length = 0;
      socket.on('data', (data) => {
        length += data.length;
      });
      await untilTrue(() => isClosed);

      assert.ok(length < LARGE.length, 'the whole answer arrived');
      assert.ok(await isServed(connectFrom(OTHER)));
    });
  }
});
