// Bounds on everything that another server sends.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { fetchPublic } from '../../src/lib/public-fetch.ts';
import { openRawServer, openServer, refusal, toLoopback } from './public-server.ts';

const CHANGE_OF_PROTOCOL =
  'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n';

describe('an answer is given up', () => {
  test('if its body is longer than allowed', async (t) => {
    const url = await openServer(t, (_, response) => {
      const more = () => response.write(Buffer.alloc(16_384)) && setImmediate(more);
      response.on('drain', more);
      more();
    });

    await refusal(url, toLoopback({ mostBytes: 100_000 }), 'too_large', /sends more than 100000 bytes/);
  });

  test('if it announces a longer body than allowed', async (t) => {
    const url = await openServer(t, (_, response) => {
      response.writeHead(200, { 'Content-Length': 100_001 }).flushHeaders();
    });

    await refusal(url, toLoopback({ mostBytes: 100_000 }), 'too_large', /sends more than/);
  });

  test('but not if its body is exactly as long as allowed', async (t) => {
    const url = await openServer(t, (_, response) => response.end(Buffer.alloc(100_000)));

    assert.equal((await fetchPublic(url, toLoopback({ mostBytes: 100_000 }))).body.length, 100_000);
  });

  for (const [encoding, bomb] of [
    ['gzip', gzipSync(Buffer.alloc(50_000_000))],
    ['deflate', deflateSync(Buffer.alloc(50_000_000))],
    ['br', brotliCompressSync(Buffer.alloc(50_000_000))],
    ['zstd', zstdCompressSync(Buffer.alloc(50_000_000))],
  ] as const) {
    test(`if ${encoding} data becomes longer than allowed`, async (t) => {
      const url = await openServer(t, (_, response) => {
        response.writeHead(200, { 'Content-Encoding': encoding }).end(bomb);
      });

      await refusal(url, toLoopback({ mostBytes: 100_000 }), 'too_large', /sends more than/);
    });
  }

  test('if compressed data is long and contains nothing', async (t) => {
    const nothing = Buffer.concat(Array.from({ length: 10_000 }, () => gzipSync('')));
    const url = await openServer(t, (_, response) => {
      response.writeHead(200, { 'Content-Encoding': 'gzip' }).write(nothing);
    });

    await refusal(url, toLoopback({ mostBytes: 100_000 }), 'too_large', /sends more than/);
  });

  for (const [title, encoding, body] of [
    ['cannot be decompressed', 'gzip', 'not gzip'],
    ['is compressed in an unknown way', 'compress', 'x'],
    ['is compressed twice', 'gzip, gzip', gzipSync(gzipSync('x'))],
    ['ends too early', 'gzip', gzipSync('hello').subarray(0, -4)],
  ] as const) {
    test(`if it ${title}`, async (t) => {
      const url = await openServer(t, (_, response) => {
        response.writeHead(200, { 'Content-Encoding': encoding }).end(body);
      });

      await refusal(url, toLoopback(), 'bad_answer', /pictures\.example/);
    });
  }

  test('if its header is too long', async (t) => {
    const url = await openServer(t, (_, response) => {
      response.writeHead(200, { 'X-Long': 'x'.repeat(3_000) }).end();
    });

    await refusal(url, toLoopback({ mostHeaderBytes: 2_000 }), 'too_large', /header that is too long/);
  });

  test('if its header never ends', async (t) => {
    const url = await openRawServer(t, (socket) => {
      socket.write('HTTP/1.1 200 OK\r\n');
      const more = () => socket.writable && socket.write('X-More: more\r\n', () => setImmediate(more));
      more();
    });

    await refusal(url, toLoopback({ time: 10_000 }), 'too_large', /header that is too long/);
  });

  test('if it announces answers without end', async (t) => {
    const url = await openRawServer(t, (socket) => {
      const more = () =>
        socket.writable && socket.write('HTTP/1.1 103 Early Hints\r\n\r\n', () => setImmediate(more));
      more();
    });

    await refusal(url, toLoopback({ time: 10_000 }), 'bad_answer', /announces its answer too often/);
  });

  test('but not if it announces an answer a few times', async (t) => {
    const url = await openRawServer(t, (socket) => {
      socket.end(`${'HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(5)}HTTP/1.1 204 No Content\r\n\r\n`);
    });

    assert.equal((await fetchPublic(url, toLoopback())).status, 204);
  });

  test('if its body comes in thousands of small chunks', async (t) => {
    const url = await openRawServer(t, (socket) => {
      socket.end(
        `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${'1\r\na\r\n'.repeat(2000)}0\r\n\r\n`,
      );
    });

    await refusal(url, toLoopback(), 'bad_answer', /pictures\.example/);
  });

  test('if it changes the protocol, and the connection is closed', { timeout: 5000 }, async (t) => {
    const closed = Promise.withResolvers<void>();
    const url = await openRawServer(t, (socket) => {
      socket.once('close', closed.resolve).write(CHANGE_OF_PROTOCOL);
    });

    await refusal(url, toLoopback(), 'bad_answer', /changes the protocol/);
    await closed.promise;
  });

  test('if it changes the protocol and resets the connection, without an error that nobody expects', async (t) => {
    const url = await openRawServer(t, (socket) => {
      socket.write(CHANGE_OF_PROTOCOL, () => setTimeout(() => socket.resetAndDestroy(), 20));
    });

    await refusal(url, toLoopback(), 'bad_answer', /changes the protocol/);
    await pause(100);
  });

  test('if it is not HTTP', async (t) => {
    const url = await openRawServer(t, (socket) => socket.end('220 mail.example ESMTP\r\n'));

    await refusal(url, toLoopback(), 'bad_answer', /not answer in correct HTTP/);
  });

  test('if the connection breaks in its middle', async (t) => {
    const url = await openServer(t, (_, response) => {
      response.writeHead(200, { 'Content-Length': 10 }).write('half', () => response.destroy());
    });

    await refusal(url, toLoopback(), 'bad_answer', /it closed the connection/);
  });

  test('if its body comes too slowly', async (t) => {
    const url = await openServer(t, (_, response) => {
      const timer = setInterval(() => response.write('x'), 20);
      response.once('close', () => clearInterval(timer));
    });

    await refusal(url, toLoopback({ time: 300 }), 'timeout', /does not answer in time/);
  });

  test('if its compressed body comes too slowly', async (t) => {
    const url = await openServer(t, (_, response) => {
      response.writeHead(200, { 'Content-Encoding': 'gzip' }).write(gzipSync('hello').subarray(0, 12));
    });

    await refusal(url, toLoopback({ time: 300 }), 'timeout', /does not answer in time/);
  });

  test('if all its redirects together take too long', async (t) => {
    const url = await openServer(t, (_, response) => {
      setTimeout(() => response.writeHead(302, { Location: '/again' }).end(), 100);
    });

    await refusal(url, toLoopback({ time: 350, mostRedirects: 50 }), 'timeout', /does not answer in time/);
  });

  test('if the name is not looked up in time', () =>
    refusal(
      'http://slow.example/',
      { connectTime: 100, network: { lookup: () => {} } },
      'timeout',
      /slow\.example/,
    ));

  test('if TLS does not begin in time', async (t) => {
    const url = await openRawServer(t, () => {});

    await refusal(
      url.replace('http:', 'https:'),
      toLoopback({ connectTime: 200 }),
      'timeout',
      /not answer in time/,
    );
  });

  test('and its connection closed', async (t) => {
    const closed = Promise.withResolvers<void>();
    const url = await openServer(t, (request) => request.socket.once('close', closed.resolve));

    await refusal(url, toLoopback({ time: 200 }), 'timeout', /./);
    await closed.promise;
  });
});
