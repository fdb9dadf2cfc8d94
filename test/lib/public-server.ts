// Servers on loopback for requests that reach public addresses only, and names that lead to them.

import assert from 'node:assert/strict';
import { createServer, type RequestListener } from 'node:http';
import {
  type AddressInfo,
  createServer as createRawServer,
  type LookupFunction,
  type Socket,
} from 'node:net';
import type { TestContext } from 'node:test';
import {
  type FetchError,
  type FetchFailure,
  fetchPublic,
  type PublicRequest,
} from '../../src/lib/public-fetch.ts';
import type { FetchPublic } from '../../src/lib/public-fetcher.ts';

export const LOOPBACK = '127.0.0.1';

/** The name leads to an address of the list, each time to the next one. */
export function namesLeadTo(...addresses: string[]): LookupFunction {
  let asked = 0;
  return (_, __, callback) => {
    const address = addresses[Math.min(asked, addresses.length - 1)] ?? '';
    asked += 1;
    callback(null, [{ address, family: address.includes(':') ? 6 : 4 }]);
  };
}

// Only a name leads to the test's server, so addresses in URLs are judged as they are outside of tests.
export function toLoopback({ network, ...request }: PublicRequest = {}): PublicRequest {
  const isPublic = (address: string) => address === LOOPBACK;
  return { ports: 'any', ...request, network: { lookup: namesLeadTo(LOOPBACK), isPublic, ...network } };
}

/** Makes requests as the server does, but with these changes. */
export function fetchWith(changes: PublicRequest): FetchPublic {
  return (address, request) => fetchPublic(address, { ...request, ...changes });
}

export async function openServer(t: TestContext, answer: RequestListener): Promise<string> {
  const server = createServer(answer).listen(0, LOOPBACK);
  await new Promise((resolve) => server.once('listening', resolve));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://pictures.example:${(server.address() as AddressInfo).port}`;
}

export async function openRawServer(t: TestContext, answer: (socket: Socket) => void): Promise<string> {
  const sockets: Socket[] = [];
  const server = createRawServer((socket) => {
    sockets.push(socket.on('error', () => {}));
    socket.once('data', () => answer(socket));
  }).listen(0, LOOPBACK);
  await new Promise((resolve) => server.once('listening', resolve));
  t.after(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return `http://pictures.example:${(server.address() as AddressInfo).port}`;
}

export function refusal(address: string, request: PublicRequest, reason: FetchFailure, message: RegExp) {
  return assert.rejects(fetchPublic(address, request), (error: FetchError) => {
    assert.equal(error.name, 'FetchError');
    assert.equal(error.reason, reason, error.message);
    assert.match(error.message, message);
    return true;
  });
}
