// The end of a message is unambiguous (RFC 9112 §6): a request that a proxy could read differently is refused.

import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { type App, openApp } from '../support/app.ts';

let app: App;

before(async () => {
  app = await openApp();
});
after(() => app.close());

/** What comes back until the server closes the connection, or has answered and is silent. */
function send(...lines: string[]): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  let text = '';
  const socket = connect(app.portico.config.port, '127.0.0.1', () => socket.write(lines.join('\r\n')));
  socket.setEncoding('latin1');
  socket.setTimeout(2000, () => socket.destroy());
  socket.on('data', (part) => {
    text += part;
  });
  socket.once('error', reject);
  socket.once('close', () => resolve(text));
  return promise;
}

/** The status codes of all answers in it. */
function statuses(text: string): number[] {
  return [...text.matchAll(/^HTTP\/1\.1 (\d{3})/gm)].map(([, status]) => Number(status));
}

// Follows each malformed request. It would be answered with 200 if the server took it for a second request.
const SMUGGLED = ['GET /healthz HTTP/1.1', 'Host: localhost', 'Connection: close', '', ''];

describe('A request is refused, and what comes with it is not answered,', () => {
  const form = ['POST /login HTTP/1.1', 'Host: localhost', 'Content-Type: application/x-www-form-urlencoded'];
  const cases: Record<string, string[]> = {
    'with both lengths': [
      ...form,
      'Content-Length: 4',
      'Transfer-Encoding: chunked',
      '',
      '0',
      '',
      ...SMUGGLED,
    ],
    'with both lengths, the other way round': [
      ...form,
      'Transfer-Encoding: chunked',
      'Content-Length: 5',
      '',
      '0',
      '',
      ...SMUGGLED,
    ],
    'with two lengths': [...form, 'Content-Length: 0', 'Content-Length: 40', '', ...SMUGGLED],
    'with a list of lengths': [...form, 'Content-Length: 0, 40', '', ...SMUGGLED],
    'with a length that is no number': [...form, 'Content-Length: +0', '', ...SMUGGLED],
    'with an unknown encoding that ends in chunked': [
      ...form,
      'Transfer-Encoding: xchunked',
      '',
      '0',
      '',
      ...SMUGGLED,
    ],
    'with an encoding before chunked': [
      ...form,
      'Transfer-Encoding: chunked, identity',
      '',
      '0',
      '',
      ...SMUGGLED,
    ],
    'with a space before the colon': [...form, 'Transfer-Encoding : chunked', '', '0', '', ...SMUGGLED],
    'with a folded header': [...form, 'Transfer-Encoding:', ' chunked', '', '0', '', ...SMUGGLED],
    'with a chunk whose size is no number': [
      ...form,
      'Transfer-Encoding: chunked',
      '',
      '0x5',
      'a=b&c',
      '0',
      '',
      ...SMUGGLED,
    ],
    'without a host': ['GET /healthz HTTP/1.1', '', ...SMUGGLED],
    'with two hosts': [
      'GET /healthz HTTP/1.1',
      'Host: a.example',
      'Host: b.example',
      'Connection: close',
      '',
      '',
    ],
  };
  for (const [name, lines] of Object.entries(cases)) {
    test(name, async () => {
      assert.deepEqual(statuses(await send(...lines)), [400]);
    });
  }
});

test('A line that ends without CR is refused', async () => {
  const text = await send('POST /login HTTP/1.1\nHost: localhost\nContent-Length: 0', '', ...SMUGGLED);

  assert.deepEqual(statuses(text), [400]);
});

test('TRACE repeats nothing of the request', async () => {
  const text = await send(
    'TRACE / HTTP/1.1',
    'Host: localhost',
    'Cookie: secret=42',
    'Connection: close',
    '',
    '',
  );

  assert.doesNotMatch(text, /secret=42/);
  assert.ok(statuses(text).every((status) => status >= 400));
});

test('A request for a WebSocket is answered like any other', async () => {
  const text = await send(
    'GET /healthz HTTP/1.1',
    'Host: localhost',
    'Connection: Upgrade, close',
    'Upgrade: websocket',
    'Sec-WebSocket-Version: 13',
    'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
    '',
    '',
  );

  assert.deepEqual(statuses(text), [200]);
});
