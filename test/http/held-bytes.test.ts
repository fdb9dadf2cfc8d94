// Large bodies that arrive slowly, and answers that are not read: how much of the memory they may take.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { after, describe, type TestContext, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { Hono } from 'hono';
import type { PageEnv } from '../../src/http/pages/visitor.ts';
import { bodyPairs } from '../../src/http/request-form.ts';
import { listen } from '../../src/http/server.ts';
import { startSession } from '../../src/identity/session.ts';
import { openApp } from '../support/app.ts';
import { person } from '../support/people.ts';
import { untilTrue } from '../support/program.ts';

const app = await openApp({ TRUST_PROXY: '127.0.0.1' });
after(() => app.close());
const { port } = new URL(app.url);
// Visitors may send small forms only.
const reader = await person(app.portico, 'reader');
const session = await startSession(app.portico.identity, reader.id, {
  method: 'password',
  address: undefined,
});
const MB = 1024 * 1024;
// The answer to a form that was read: its field is too long.
const READ = '413';

/** Begin a form of this size, and send all of it but the last bytes. */
async function begin(t: TestContext, caller: string, size = MB): Promise<Socket> {
  const socket = connect(Number(port), '127.0.0.1').on('error', () => {});
  t.after(() => socket.destroy());
  socket.write(
    `POST /language HTTP/1.1\r\nHost: localhost\r\nX-Forwarded-For: ${caller}\r\n` +
      `${size === MB ? `Cookie: portico_session=${session}\r\n` : ''}` +
      `Content-Type: application/x-www-form-urlencoded\r\nContent-Length: ${size}\r\n\r\n`,
  );
  socket.write(`a=${'b'.repeat(size - 4)}`);
  return socket;
}

async function statusOf(socket: Socket): Promise<string> {
  const [answer] = (await once(socket, 'data')) as [Buffer];
  return answer.toString().slice(9, 12);
}

/** Begin forms one after another, and say which were refused with which status. */
async function refusals(t: TestContext, callers: string[], size = MB): Promise<Map<number, string>> {
  const statuses = new Map<number, string>();
  for (const [index, caller] of callers.entries()) {
    const socket = await begin(t, caller, size);
    statusOf(socket).then(
      (status) => statuses.set(index, status),
      () => {},
    );
    await untilTrue(() => socket.writableLength === 0);
    await pause(20);
  }
  await pause(200);
  return statuses;
}

describe('Bodies that are not complete', () => {
  test('take at most 8 MB for a caller; more get 429 and a closed connection', async (t) => {
    const statuses = await refusals(t, Array<string>(10).fill('192.0.2.1'));

    assert.deepEqual(
      [...statuses],
      [
        [8, '429'],
        [9, '429'],
      ],
    );
    const refused = await begin(t, '192.0.2.1');
    assert.match(
      await text(refused),
      /^HTTP\/1.1 429 [\s\S]*retry-after: 5\r\n[\s\S]*connection: close\r\n/i,
    );
  });

  test('count after their connections were closed, until the work for them has ended', async (t) => {
    const { promise: work, resolve: endWork } = Promise.withResolvers<void>();
    let reads = 0;
    const rest = new Hono<PageEnv>().post('/', async (c) => {
      const form = await bodyPairs(c).catch(() => undefined);
      if (form === undefined) return c.text('refused', 429);
      reads += 1;
      await work;
      return c.text('done');
    });
    const server = await listen({ api: () => undefined, rest }, '127.0.0.1', 0);
    t.after(() => server.close(true));
    const form = `a=${'b'.repeat(900_000)}`;
    const send = () => {
      const socket = connect(server.port, '127.0.0.1').on('error', () => {});
      socket.write(
        'POST / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n' +
          `Content-Type: application/x-www-form-urlencoded\r\nContent-Length: ${form.length}\r\n\r\n${form}`,
      );
      return socket;
    };

    for (let count = 1; count <= 8; count += 1) {
      const socket = send();
      await untilTrue(() => reads === count);
      socket.destroy();
    }
    await pause(50);

    assert.equal(await statusOf(send()), '429');
    endWork();
    await pause(50);
    assert.equal(await statusOf(send()), '200');
  });

  test('take at most 32 MB for an IPv6 network of /48, and others are served', async (t) => {
    const callers = Array.from({ length: 34 }, (_, index) => `2001:db8:1:${index}::1`);

    const statuses = await refusals(t, callers);

    assert.deepEqual(
      [...statuses],
      [
        [32, '429'],
        [33, '429'],
      ],
    );
    const other = await begin(t, '192.0.2.2');
    other.write('cd');
    assert.equal(await statusOf(other), READ);
  });

  test('take at most 64 MB in all; then large ones get 503, and small ones are served', async (t) => {
    const callers = Array.from({ length: 66 }, (_, index) => `192.0.2.${10 + (index % 20)}`);

    const statuses = await refusals(t, callers);

    assert.deepEqual(
      [...statuses],
      [
        [64, '503'],
        [65, '503'],
      ],
    );
    const small = await begin(t, '192.0.2.200', 16_000);
    small.write('cd');
    assert.equal(await statusOf(small), '303');
  });

  test('no longer count after their answer, nor after their connection is closed', async (t) => {
    for (let times = 0; times < 3; times += 1) {
      const sockets = await Promise.all(Array.from({ length: 4 }, () => begin(t, '192.0.2.3')));
      for (const socket of sockets) socket.write('cd');
      assert.deepEqual(await Promise.all(sockets.map(statusOf)), Array(4).fill(READ));
      const broken = await Promise.all(Array.from({ length: 4 }, () => begin(t, '192.0.2.3')));
      await pause(100);
      for (const socket of broken) socket.destroy();
      await pause(50);
    }
  });
});
