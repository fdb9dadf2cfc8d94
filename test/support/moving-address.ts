// An address that moves from one server to another, as a virtual address or a proxy in front of them does.

import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import type { TestScope } from './databases.ts';

export interface MovingAddress {
  url: string;
  /** Pass new connections to this server. The existing ones are cut, or with `isSilent` get no answer any more. */
  moveTo(url: string, options?: { isSilent?: boolean }): void;
  /** Cut all connections and accept no more, until `moveTo` is called. */
  cut(): void;
}

interface Connection {
  client: Socket;
  upstream: Socket;
  isSilent: boolean;
}

/** Listen at an address of its own, and pass what arrives to a server. */
export async function openMovingAddress(scope: TestScope, target: string): Promise<MovingAddress> {
  const connections = new Set<Connection>();
  let port: number | undefined = Number(new URL(target).port);

  function pass(client: Socket): void {
    if (port === undefined) return void client.destroy();
    const upstream = connect(port, '127.0.0.1');
    const connection: Connection = { client, upstream, isSilent: false };
    connections.add(connection);
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      from.on('error', () => {});
      from.on('data', (data) => {
        if (!connection.isSilent) to.write(data);
      });
      from.on('close', () => {
        if (connection.isSilent && from === upstream) return;
        connections.delete(connection);
        to.destroy();
      });
    }
  }

  function cutAll(): void {
    for (const { client, upstream } of connections) {
      client.destroy();
      upstream.destroy();
    }
  }

  const server = createServer(pass);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  scope.after(() => {
    cutAll();
    server.close();
  });
  const address = new URL(target);
  address.port = String((server.address() as AddressInfo).port);
  return {
    url: address.href,
    moveTo(url, { isSilent = false } = {}) {
      port = Number(new URL(url).port);
      if (!isSilent) return cutAll();
      for (const connection of connections) connection.isSilent = true;
    },
    cut() {
      port = undefined;
      cutAll();
    },
  };
}
