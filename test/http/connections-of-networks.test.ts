// What an IPv6 network of /48 may do as a whole: one person can have it.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { connectionsOf } from '../../src/http/connections.ts';
import { untilTrue } from '../support/program.ts';

const REQUEST = 'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n';

test('An IPv6 network of /48 is shut out with the fourth of its addresses that is', async (t) => {
  const server = createServer((incoming, answer) => {
    const connection = connections.of(incoming);
    if (connection !== undefined) connections.note(connection, connection.caller, answer, () => {});
  });
  let opened = 0;
  const address = () => `2001:db8:${opened < 5 ? 1 : 2}:${opened++}::/64`;
  const connections = connectionsOf(server, () => ({ address: address(), isProxy: false }));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const closed: number[] = [];
  const sockets: Socket[] = [];
  t.after(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const open = async (number: number): Promise<Socket> => {
    const socket = connect(port, '127.0.0.1').on('error', () => {});
    sockets.push(socket);
    socket.resume().once('close', () => closed.push(number));
    await untilTrue(() => opened === number);
    return socket;
  };

  for (const number of [1, 2, 3]) {
    (await open(number)).write(REQUEST.repeat(1000));
    await untilTrue(() => closed.length === number);
  }
  const idle = await open(4);
  await pause(20);
  assert.equal(idle.destroyed, false);
  (await open(5)).write(REQUEST.repeat(1000));
  await untilTrue(() => closed.length === 5);
  await open(6);
  await pause(20);

  assert.deepEqual(closed.toSorted(), [1, 2, 3, 4, 5]);
});

test('An IPv6 network of /48 gets 1,024 connections', async (t) => {
  const server = createServer((_, answer) => answer.writeHead(204).end());
  let opened = 0;
  // 128 from each /64.
  const address = () => `2001:db8:1:${(opened++ >> 7).toString(16)}::/64`;
  connectionsOf(server, () => ({ address: address(), isProxy: false }));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const sockets: Socket[] = [];
  t.after(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  let closed = 0;

  // In groups, because the system drops connections when more than 511 wait to be accepted.
  for (let group = 0; group < 21; group += 1) {
    const some = Array.from({ length: 50 }, () =>
      connect(port, '127.0.0.1')
        .on('error', () => {})
        .resume(),
    );
    for (const socket of some) socket.once('close', () => (closed += 1));
    sockets.push(...some);
    await Promise.all(some.map((socket) => once(socket, 'connect')));
  }
  await untilTrue(() => opened === 1050);
  await untilTrue(() => closed === 26);

  for (const socket of sockets) socket.destroy();
  await untilTrue(() => closed === 1050);
  opened = 0;
  const last = connect(port, '127.0.0.1');
  sockets.push(last);
  last.write(REQUEST.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n'));
  assert.match(await text(last), /^HTTP\/1\.1 204 /);
});
