// Requests to the public internet only, also when a name changes its address.

import assert from 'node:assert/strict';
import type { RequestListener } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, LookupFunction } from 'node:net';
import { describe, type TestContext, test } from 'node:test';
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { type FetchFailure, fetchPublic } from '../../src/lib/public-fetch.ts';
import { certificate, withoutOpenssl } from '../support/certificates.ts';
import { LOOPBACK, namesLeadTo, openServer, refusal, toLoopback } from './public-server.ts';

const never: RequestListener = () => assert.fail('A request reached the server.');

describe('a request to a public address', () => {
  test('gets the answer, and asks for an uncompressed one', async (t) => {
    const url = await openServer(t, ({ url: path, headers }, response) => {
      response.writeHead(404, { 'X-Path': path ?? '' }).end(JSON.stringify(headers));
    });

    const answer = await fetchPublic(`${url}/a?b`, toLoopback({ headers: { Accept: 'image/*' } }));

    assert.equal(answer.status, 404);
    assert.equal(answer.headers['x-path'], '/a?b');
    assert.equal(answer.url, `${url}/a?b`);
    const headers = JSON.parse(Buffer.from(answer.body).toString());
    assert.equal(headers.host, new URL(url).host);
    assert.equal(headers.accept, 'image/*');
    assert.equal(headers['accept-encoding'], 'identity');
    assert.equal(headers['user-agent'], 'Portico');
  });

  test('can be a POST with a body', async (t) => {
    const url = await openServer(t, (request, response) => {
      response.setHeader('X-Method', request.method ?? '');
      request.pipe(response);
    });
    const headers = { 'Content-Type': 'application/json' };

    const answer = await fetchPublic(url, toLoopback({ method: 'POST', headers, body: '{"ping":1}' }));

    assert.equal(answer.headers['x-method'], 'POST');
    assert.equal(Buffer.from(answer.body).toString(), '{"ping":1}');
  });

  for (const [encoding, compress] of [
    ['gzip', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
    ['zstd', zstdCompressSync],
  ] as const) {
    test(`understands an answer that was compressed with ${encoding} all the same`, async (t) => {
      const url = await openServer(t, (_, response) => {
        response.writeHead(200, { 'Content-Encoding': encoding }).end(compress('hello'));
      });

      assert.equal(Buffer.from((await fetchPublic(url, toLoopback())).body).toString(), 'hello');
    });
  }
});

describe('a request is refused', () => {
  for (const [address, reason, message] of [
    ['not an address', 'bad_address', /not a URL/],
    ['/logo.png', 'bad_address', /not a URL/],
    [
      'ftp://pictures.example/a.png',
      'bad_scheme',
      /pictures\.example must begin with https: or http:, not ftp:/,
    ],
    ['file:///etc/passwd', 'bad_scheme', /not file:/],
    ['data:image/png;base64,AAAA', 'bad_scheme', /not data:/],
    ['http://nina:secret@pictures.example/', 'bad_address', /user name or a password/],
    [
      'http://pictures.example:6379/',
      'bad_port',
      /pictures\.example must be asked on port 80 or 443, not 6379/,
    ],
    ['http://127.0.0.1/', 'not_public', /^127\.0\.0\.1 is not on the public internet$/],
    ['http://2130706433/', 'not_public', /127\.0\.0\.1/],
    ['http://0x7f.1/', 'not_public', /127\.0\.0\.1/],
    ['http://0177.0.0.1/', 'not_public', /127\.0\.0\.1/],
    ['http://127.0.0.1./', 'not_public', /127\.0\.0\.1/],
    ['http://[::1]/', 'not_public', /::1/],
    ['http://[::ffff:10.0.0.1]/', 'not_public', /::ffff:a00:1/],
    ['http://[64:ff9b::169.254.169.254]/', 'not_public', /64:ff9b/],
    ['http://[2002:7f00:1::]/', 'not_public', /2002/],
    ['http://169.254.169.254/latest/meta-data/', 'not_public', /169\.254\.169\.254/],
  ] as [string, FetchFailure, RegExp][]) {
    test(`to ${address}`, () => refusal(address, {}, reason, message));
  }

  test('to http: if the caller wants https: only', () =>
    refusal(
      'http://pictures.example/',
      { httpsOnly: true },
      'bad_scheme',
      /must begin with https:, not http:/,
    ));

  test('by words that do not quote a password', () =>
    assert.rejects(
      fetchPublic('http://nina:secret@pictures.example/'),
      ({ message }) => !message.includes('secret'),
    ));

  test('to the name localhost, as this machine looks it up', () =>
    refusal('http://localhost/', {}, 'not_public', /^localhost is not on the public internet$/));

  for (const address of ['10.1.2.3', '127.0.0.1', '169.254.169.254', '::1', 'fd00::1', '::ffff:127.0.0.1']) {
    test(`to a name that leads to ${address}`, () =>
      refusal(
        'http://inside.example/',
        { network: { lookup: namesLeadTo(address) } },
        'not_public',
        /inside/,
      ));
  }

  test('to a name with one public address and one that is not', () => {
    const lookup: LookupFunction = (_, __, callback) =>
      callback(null, [
        { address: '1.1.1.1', family: 4 },
        { address: '127.0.0.1', family: 4 },
      ]);
    return refusal('http://both.example/', { network: { lookup } }, 'not_public', /both\.example/);
  });

  test('to a name that does not exist, with the reason', () => {
    const lookup: LookupFunction = (host, _, callback) =>
      callback(
        Object.assign(new Error('getaddrinfo'), { code: 'ENOTFOUND', syscall: 'getaddrinfo', host }),
        '',
      );
    return refusal(
      'http://gone.example/',
      { network: { lookup } },
      'unreachable',
      /gone\.example: there is no/,
    );
  });

  test('to a port where no program is listening', () =>
    refusal('http://pictures.example:1/', toLoopback(), 'unreachable', /no program is listening there/));
});

describe('a name that changes its address', () => {
  test('between the check and the connection still leads to the address that was checked', async (t) => {
    const url = await openServer(t, (_, response) => response.end('the public server'));
    // The second lookup would lead elsewhere. There is none.
    const lookup = namesLeadTo(LOOPBACK, '127.0.0.2');

    const { body } = await fetchPublic(url, toLoopback({ network: { lookup } }));

    assert.equal(Buffer.from(body).toString(), 'the public server');
  });

  test('from one request to the next is judged again', async (t) => {
    const url = await openServer(t, (_, response) => response.end());
    const request = toLoopback({ network: { lookup: namesLeadTo(LOOPBACK, '10.0.0.1') } });

    await fetchPublic(url, request);
    await refusal(url, request, 'not_public', /pictures\.example/);
  });

  test('during a redirect to itself is judged again', async (t) => {
    let requests = 0;
    const url = await openServer(t, (_, response) => {
      requests += 1;
      response.writeHead(302, { Location: '/again' }).end();
    });
    const lookup = namesLeadTo(LOOPBACK, '10.0.0.1');

    await refusal(url, toLoopback({ mostRedirects: 3, network: { lookup } }), 'not_public', /pictures/);
    assert.equal(requests, 1);
  });
});

describe('a request with TLS', () => {
  async function openTlsServer(t: TestContext): Promise<string> {
    const server = createTlsServer(certificate(), (_, response) => response.end('hello')).listen(0, LOOPBACK);
    await new Promise((resolve) => server.once('listening', resolve));
    t.after(() => server.close());
    return `https://localhost:${(server.address() as AddressInfo).port}/`;
  }

  test('gets the answer', { skip: withoutOpenssl }, async (t) => {
    const { body } = await fetchPublic(await openTlsServer(t), toLoopback({ httpsOnly: true }));

    assert.equal(Buffer.from(body).toString(), 'hello');
  });

  test('refuses a certificate for another name', { skip: withoutOpenssl }, async (t) => {
    const url = (await openTlsServer(t)).replace('localhost', 'pictures.example');

    await refusal(
      url,
      toLoopback(),
      'unreachable',
      /pictures\.example:\d+: its certificate is for another host/,
    );
  });

  test('refuses a server without TLS', async (t) => {
    const url = await openServer(t, never);

    await refusal(
      url.replace('http:', 'https:'),
      toLoopback(),
      'unreachable',
      /does not speak TLS on this port/,
    );
  });
});
