// The program behind nginx and Caddy, with the shipped configurations. proxies.test.ts reads these.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { request } from 'node:https';
import type { AddressInfo } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { connect } from 'node:tls';
import sharp from 'sharp';
import { MOST_PICTURE_BYTES } from '../src/identity/avatar.ts';
import { uploadPicture } from './http/site/picture-form.ts';
import { type App, openApp } from './support/app.ts';
import { Browser } from './support/browser.ts';
import { withoutOpenssl } from './support/certificates.ts';
import { json } from './support/json.ts';
import { type Member, member } from './support/people.ts';
import { type RunningProxy, startProxy, withoutProxy } from './support/proxies.ts';
import { freePort } from './support/services.ts';

const MIB = 1024 * 1024;
const MOST_TEXT_CHARACTERS = 100_000;

// Portico refuses the first while its body arrives.
const REQUESTS_THAT_FAIL = [
  [
    'a request with too many headers and a large body',
    `POST /login HTTP/1.1\r\nHost: localhost\r\n${'X: 1\r\n'.repeat(110)}Content-Length: 10000000`,
    Buffer.alloc(10_000_000),
  ],
  [
    'a malformed chunk',
    'POST /login HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked',
    Buffer.from('5\r\nabcde\r\nZZ\r\n'),
  ],
  ['a tunnel', 'CONNECT /login HTTP/1.1\r\nHost: localhost', Buffer.alloc(0)],
  [
    'a redirect to a very long address',
    `GET /write?${'"'.repeat(8000)} HTTP/1.1\r\nHost: localhost`,
    Buffer.alloc(0),
  ],
] as const;

for (const kind of ['nginx', 'caddy'] as const) {
  describe(`Behind ${kind}`, { skip: withoutOpenssl || withoutProxy(kind) }, () => {
    const ends: (() => unknown)[] = [];
    let app: App;
    let proxy: RunningProxy;
    let alice: Member;

    before(async () => {
      const [port, portOfStoppedNode, https] = [await freePort(), await freePort(), await freePort()];
      proxy = await startProxy(
        kind,
        { after: (end) => void ends.push(end) },
        [port, portOfStoppedNode],
        https,
      );
      app = await openApp({ PORT: String(port), BASE_URL: proxy.url, TRUST_PROXY: '127.0.0.1' });
      ends.push(() => app.close());
      alice = await member(app, 'alice');
    });
    after(async () => {
      for (const end of ends.reverse()) await end();
    });

    test('a picture of nearly 5 MB is saved, and Portico itself refuses a larger one', async () => {
      const picture = await noise(1310, 1320);
      assert.ok(picture.length > 0.98 * MOST_PICTURE_BYTES && picture.length < MOST_PICTURE_BYTES);

      const saved = await uploadPicture(alice.browser, picture);
      const refused = await uploadPicture(alice.browser, Buffer.alloc(MOST_PICTURE_BYTES + 100_000));

      const avatar = (await app.portico.identity.reads.findUser(alice.id))?.avatar;
      const served = await fetch(`${proxy.url}/avatars/${alice.id}-${avatar}.webp`);
      assert.deepEqual([saved.status, served.status, refused.status], [303, 200, 400]);
      assert.match(await refused.text(), /larger than 5 MB/);
    });

    test('a form of nearly 1 MiB arrives, and the download of one’s data brings its text back', async () => {
      const body = '文'.repeat(MOST_TEXT_CHARACTERS);
      const fields = { title: 'Long', body, action: 'publish' };
      // A field that holds no text can have 16,384 characters.
      const missing = MIB - 4000 - new URLSearchParams(fields).toString().length;
      const padding = Array.from({ length: Math.floor(missing / 16_000) }, () => 'x'.repeat(15_980));

      const published = await alice.browser.submit(await alice.browser.read('/write'), '/write', {
        ...fields,
        padding,
      });
      const account = await alice.browser.read('/settings/account');
      const download = await alice.browser.submit(account, '/settings/account/export');

      assert.equal(published.status, 303);
      assert.equal((await json(download)).posts[0].body, body);
    });

    for (const [what, head, body] of REQUESTS_THAT_FAIL) {
      test(`${what} takes no node out`, async () => {
        for (let count = 0; count < 2; count += 1) await sendRaw(proxy.url, `${head}\r\n\r\n`, body);

        const start = performance.now();
        assert.equal((await fetch(`${proxy.url}/healthz`)).status, 200);
        assert.ok(performance.now() - start < 2000);
      });
    }

    test('people and programs find the public address everywhere, and cookies are for https only', async () => {
      const login = await new Browser(proxy.url).open('/login');
      const metadata = await json(await fetch(`${proxy.url}/.well-known/openid-configuration`));
      const feed = await (await fetch(`${proxy.url}/feed.atom`)).text();

      for (const cookie of login.headers.getSetCookie()) assert.match(cookie, /^__Host-.*; Secure/);
      assert.equal(login.headers.get('strict-transport-security'), 'max-age=63072000; includeSubDomains');
      assert.equal(metadata.issuer, proxy.url);
      assert.ok(feed.includes(`<id>${proxy.url}/feed.atom</id>`));
    });

    test('http leads people to the same page over https, and refuses programs', async () => {
      const page = await fetch(`${proxy.plainUrl}/search?q=rye%20bread`, { redirect: 'manual' });
      const api = await fetch(`${proxy.plainUrl}/api/open/v1/me`, { redirect: 'manual' });

      assert.ok([301, 308].includes(page.status));
      assert.equal(page.headers.get('location'), `${proxy.url}/search?q=rye%20bread`);
      assert.equal(api.status, 403);
      assert.equal((await json(api)).error, 'invalid_request');
    });

    test('the address of a caller is the one that the proxy saw, whatever the caller claims', async () => {
      await failToSignIn(proxy, '127.0.0.3', { 'X-Forwarded-For': '192.0.2.7', Forwarded: 'for=192.0.2.7' });

      const [event] = await app.portico.audit.reads.securityEvents({ limit: 1, event: 'sign_in_failed' });
      assert.equal(event?.address, '127.0.0.3');
    });

    test('nobody notices that one of the two nodes is stopped', async () => {
      const visitor = new Browser(proxy.url);
      const statuses: number[] = [];
      for (let times = 0; times < 6; times += 1) {
        statuses.push((await visitor.open('/')).status);
        const page = await visitor.read('/login');
        statuses.push((await visitor.submit(page, '/login', { username: 'bob', password: 'x' })).status);
      }

      assert.deepEqual(new Set(statuses), new Set([200, 400]));
    });

    test('an event stream arrives line by line', async (t) => {
      const node = await startStream();
      t.after(() => node.close());
      const own = await startProxy(kind, t, [node.port, node.port], await freePort());

      const { body } = await fetch(`${own.url}/events`);
      const reader = body?.pipeThrough(new TextDecoderStream()).getReader();
      assert.equal((await reader?.read())?.value, 'data: 1\n\n');
      node.write('data: 2\n\n');

      assert.equal((await reader?.read())?.value, 'data: 2\n\n');
      await reader?.cancel();
    });

    test('no log has the query of a request, or a token', async () => {
      await alice.browser.open('/login?code=a-secret-code');
      await fetch(`${proxy.url}/api/open/v1/me`, { headers: { Authorization: 'Bearer a-secret-token' } });

      assert.match(proxy.logs(), /"\/login"/);
      assert.doesNotMatch(proxy.logs(), /a-secret/);
    });
  });
}

/** Draw a PNG of random colours, which can't be compressed: three bytes a pixel. */
async function noise(width: number, height: number): Promise<Buffer> {
  const pixels = Buffer.concat(
    Array.from({ length: height }, () => crypto.getRandomValues(Buffer.alloc(width * 3))),
  );
  return sharp(pixels, { raw: { width, height, channels: 3 } })
    .png({ compressionLevel: 0 })
    .toBuffer();
}

/** Send a wrong password from this address of this machine. */
async function failToSignIn(
  { url }: RunningProxy,
  localAddress: string,
  headers: Record<string, string>,
): Promise<void> {
  const browser = new Browser(url);
  const form_token = /name="form_token" value="([^"]+)"/.exec(await browser.read('/login'))?.[1] ?? '';
  const body = new URLSearchParams({ form_token, username: 'alice', password: 'wrong' }).toString();
  const cookie = `__Host-visitor=${browser.cookie('__Host-visitor')}`;
  const call = request(`${url.replace('localhost', '127.0.0.1')}/login`, {
    method: 'POST',
    localAddress,
    servername: 'localhost',
    headers: {
      ...headers,
      Host: new URL(url).host,
      Cookie: cookie,
      'Content-Type': 'application/x-www-form-urlencoded',
      'Content-Length': body.length,
    },
  });
  call.end(body);
  const [answer] = await once(call, 'response');
  answer.resume();
  await once(answer, 'end');
}

/** Start a node that answers with an event stream, as one that Portico would send. */
async function startStream() {
  let response: ServerResponse | undefined;
  const server = createServer((_, outgoing) => {
    response = outgoing;
    // Without the second header, nginx collects an answer until a buffer is full.
    outgoing.writeHead(200, { 'Content-Type': 'text/event-stream', 'X-Accel-Buffering': 'no' });
    outgoing.write('data: 1\n\n');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    write: (text: string) => response?.write(text),
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** Send bytes to a proxy, and wait until it answers or closes the connection. */
async function sendRaw(url: string, head: string, body: Uint8Array): Promise<void> {
  const { hostname: host, port } = new URL(url);
  const socket = connect({ port: Number(port), host, servername: host, rejectUnauthorized: false });
  socket.on('error', () => {});
  await once(socket, 'secureConnect');
  socket.write(head);
  socket.write(body);
  await Promise.race([once(socket, 'data'), once(socket, 'close')]);
  socket.destroy();
}
