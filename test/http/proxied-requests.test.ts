// Each request that a proxy passes on can take a connection of its own, so a caller has a bounded number under way.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { test } from 'node:test';
import { MOST_FROM_ADDRESS } from '../../src/http/connections.ts';
import { openApp } from '../support/app.ts';

const UNFINISHED = 'Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 500\r\n\r\na';

test('a caller behind a proxy who lets too many requests wait is refused, and nobody else', async (t) => {
  const app = await openApp({ TRUST_PROXY: '127.0.0.1' });
  const { port, host } = new URL(app.url);
  const sockets: Socket[] = [];
  t.after(async () => {
    for (const socket of sockets) socket.destroy();
    await app.close();
  });
  const send = async (caller: string, rest: string): Promise<Socket> => {
    const socket = connect(Number(port), '127.0.0.1').on('error', () => {});
    sockets.push(socket);
    await once(socket, 'connect');
    socket.write(`POST /api/oauth/token HTTP/1.1\r\nHost: ${host}\r\n${caller}${rest}`);
    return socket;
  };
  const from = (address: string) => `X-Forwarded-For: ${address}\r\n`;
  const statusOf = async (socket: Socket) => String(await once(socket, 'data')).slice(9, 12);
  const ask = async (caller: string) => statusOf(await send(caller, 'Content-Length: 0\r\n\r\n'));

  for (let count = 0; count < MOST_FROM_ADDRESS; count += 1) await send(from('192.0.2.1'), UNFINISHED);
  assert.equal(await ask(from('192.0.2.1')), '429');
  assert.equal(await ask(from('192.0.2.2')), '400');
  // The proxy itself, such as its question about the health.
  assert.equal(await ask(''), '400');

  sockets[0]?.destroy();
  await once(sockets[0] as Socket, 'close');
  let again = await ask(from('192.0.2.1'));
  for (const end = Date.now() + 5000; again === '429' && Date.now() < end; )
    again = await ask(from('192.0.2.1'));
  assert.equal(again, '400');
});
