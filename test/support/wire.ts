// A listener in front of a PostgreSQL server, which counts round trips and cuts connections.

import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import type { TestScope } from './databases.ts';

export interface Wire {
  /** The database, through the listener. */
  url: string;
  /** Counts the round trips of what `act` does. */
  tripsOf(act: () => Promise<unknown>): Promise<number>;
  /**
   * Passes on so many more messages to the server, and then cuts the connections. A message is a part of a statement:
   * its text, its values, its execution.
   */
  cutAfter(messages: number): void;
  /** Passes on everything again. Returns whether a connection was cut. */
  mend(): boolean;
}

export async function openWire(scope: TestScope, url: string): Promise<Wire> {
  const { hostname, port } = new URL(url);
  const sockets = new Set<Socket>();
  let trips = 0;
  let isAnswered = true;
  let messagesLeft = Number.POSITIVE_INFINITY;

  const server = createServer((client) => {
    const upstream = connect(Number(port), hostname);
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => {
        sockets.delete(socket);
        client.destroy();
        upstream.end();
      });
    }
    let received: Buffer = Buffer.alloc(0);
    // The first message, alone, has no letter before its length.
    let letters = 0;
    client.on('data', (data: Buffer) => {
      if (isAnswered) trips += 1;
      isAnswered = false;
      received = Buffer.concat([received, data]);
      for (;;) {
        if (received.length < letters + 4) return;
        const length = letters + received.readInt32BE(letters);
        if (received.length < length || messagesLeft === 0) return;
        upstream.write(received.subarray(0, length));
        received = received.subarray(length);
        letters = 1;
        messagesLeft -= 1;
        if (messagesLeft === 0) client.destroy();
      }
    });
    upstream.on('data', (data) => {
      isAnswered = true;
      client.write(data);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  scope.after(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const address = new URL(url);
  address.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: address.href,
    async tripsOf(act) {
      trips = 0;
      isAnswered = true;
      await act();
      return trips;
    },
    cutAfter(messages) {
      messagesLeft = messages;
    },
    mend() {
      const isCut = messagesLeft === 0;
      messagesLeft = Number.POSITIVE_INFINITY;
      return isCut;
    },
  };
}
