// TLS connections with a bound on what the other side sends.

import assert from 'node:assert/strict';
import { lookup } from 'node:dns';
import { type AddressInfo, createServer as createRawServer } from 'node:net';
import { type TestContext, test } from 'node:test';
import { createServer, type TLSSocket } from 'node:tls';
import { connectBounded } from '../../src/lib/bounded-tls.ts';
import { certificate, withoutOpenssl } from '../support/certificates.ts';

const skip = withoutOpenssl;

/** A server that sends so many bytes to each client. */
async function openServer(t: TestContext, bytes: number): Promise<number> {
  const server = createServer(certificate(), (socket) => {
    socket.on('error', () => {}).end(Buffer.alloc(bytes));
  });
  server.listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  t.after(() => server.close());
  return (server.address() as AddressInfo).port;
}

/** Read until the connection is closed. */
function read(port: number, mostBytes: number) {
  return new Promise<{ length: number; isCut: boolean }>((resolve) => {
    let length = 0;
    let isCut = false;
    const onExcess = () => {
      isCut = true;
    };
    const socket: TLSSocket = connectBounded({ host: 'localhost', port, lookup, mostBytes, onExcess });
    socket.on('error', () => {});
    socket.on('data', (chunk) => {
      length += chunk.length;
    });
    socket.once('close', () => resolve({ length, isCut }));
  });
}

test('what the other side sends is read up to the bound, its certificate included', { skip }, async (t) => {
  const port = await openServer(t, 100_000);

  assert.deepEqual(await read(port, 120_000), { length: 100_000, isCut: false });
});

test('with more than that, the connection is cut', { skip }, async (t) => {
  const port = await openServer(t, 1_000_000);

  const { length, isCut } = await read(port, 120_000);

  assert.ok(isCut && length < 120_000, `${length} bytes`);
});

test('a handshake of more than 16 kB is cut', async (t) => {
  // Two records of the greatest length.
  const record = Buffer.concat([Buffer.from([22, 3, 3, 0x3f, 0xff]), Buffer.alloc(0x3fff)]);
  const server = createRawServer((socket) => {
    socket.on('error', () => {}).write(Buffer.concat([record, record]));
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  t.after(() => server.close());

  const { isCut } = await read((server.address() as AddressInfo).port, 120_000);

  assert.ok(isCut);
});

test('a refused connection is an error', async () => {
  const socket = connectBounded({
    host: 'localhost',
    port: 1,
    lookup,
    mostBytes: 1000,
    onExcess: assert.fail,
  });
  const error = await new Promise<NodeJS.ErrnoException>((resolve) => socket.once('error', resolve));

  assert.equal(error.code, 'ECONNREFUSED');
});
