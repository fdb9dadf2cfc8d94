// Spec §4.1: `state` is returned unchanged on redirect back. Bytes that can't be returned unchanged are refused.

import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { after, before, describe, test } from 'node:test';
import fc from 'fast-check';
import { authorizationRequest } from '../support/relying-party.ts';
import { app, authorize, client, openFixture, redirectTarget } from './authorization-fixture.ts';

before(openFixture);
after(() => app.close());

// Without a session and with prompt=none, the answer is a redirect at once.
function requestWith(state: Buffer, more: Record<string, string> = {}): Buffer {
  const others = authorizationRequest(client, { state: '', prompt: 'none', ...more });
  return Buffer.concat([Buffer.from(`${others}&state=`), state]);
}

/** Sends the bytes as they are, which no library does. Returns the whole answer. */
function send(lines: string, body: Buffer = Buffer.alloc(0)): Promise<string> {
  const { hostname, port, host } = new URL(app.url);
  return new Promise((resolve, reject) => {
    const chunks: Uint8Array[] = [];
    const socket = connect(Number(port), hostname, () => {
      const head = `${lines}Host: ${host}\r\nConnection: close\r\n\r\n`;
      // Not ended: a server may leave a request unanswered whose connection the client has half closed.
      socket.write(Buffer.concat([Buffer.from(head, 'latin1'), body]));
    });
    socket.on('data', (chunk) => chunks.push(Buffer.from(chunk)));
    socket.on('end', () => resolve(Buffer.concat(chunks).toString()));
    socket.on('error', reject);
  });
}

const WAYS = {
  GET: (request: Buffer) => send(`GET /oauth/authorize?${request.toString('latin1')} HTTP/1.1\r\n`),
  // A POST is answered by a redirect to a GET, as without a session the browser may have kept it back.
  async POST(request: Buffer) {
    const type = 'Content-Type: application/x-www-form-urlencoded';
    const head = `POST /oauth/authorize HTTP/1.1\r\n${type}\r\nContent-Length: ${request.length}\r\n`;
    const path = locationOf(await send(head, request));
    return send(`GET ${path} HTTP/1.1\r\n`);
  },
};

function locationOf(answer: string): string {
  const [, location] = /^location: (.*)\r$/im.exec(answer) ?? [];
  assert.ok(location, answer);
  return location;
}

function bytesOf(value: string): Buffer {
  const binary = value
    .replaceAll('+', ' ')
    .replaceAll(/%([0-9a-f]{2})/gi, (_, hex) => String.fromCharCode(parseInt(hex, 16)));
  return Buffer.from(binary, 'latin1');
}

/** What the application receives: the bytes of the state, and the error. */
function received(answer: string): { state: Buffer | undefined; error: string } {
  const query = locationOf(answer).slice(client.redirectUri.length + 1);
  const parameters = new Map(query.split('&').map((pair) => pair.split('=', 2) as [string, string]));
  const state = parameters.get('state');
  return { state: state === undefined ? undefined : bytesOf(state), error: parameters.get('error') ?? '' };
}

const percent = (bytes: Iterable<number>) =>
  Buffer.from([...bytes].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join(''));

// Node refuses these in a request's first line, and in a form they separate parameters.
const IN_THE_WAY = new Set([...'\0\t\r\n #&+%'].map((letter) => letter.charCodeAt(0)).concat(0x7f));
const isPlain = (byte: number) => byte > 0x20 && !IN_THE_WAY.has(byte);
const isAscii = (byte: number) => byte < 0x80;

for (const [way, ask] of Object.entries(WAYS)) {
  describe(`with ${way}`, () => {
    test('random bytes come back as the same bytes, or are refused with the state left out', async () => {
      const state = fc.uint8Array({ minLength: 1, maxLength: 12 });
      const text = fc.string({ minLength: 1, maxLength: 8, unit: 'binary' }).map((one) => Buffer.from(one));
      await fc.assert(
        fc.asyncProperty(fc.oneof(state, text), fc.boolean(), async (bytes, isRaw) => {
          const written = isRaw
            ? Buffer.concat(
                [...bytes].map((byte) =>
                  isPlain(byte) && (way === 'POST' || isAscii(byte)) ? Buffer.of(byte) : percent([byte]),
                ),
              )
            : percent(bytes);
          const { state: returned, error } = received(await ask(requestWith(written)));
          if (returned === undefined) assert.equal(error, 'invalid_request');
          else assert.deepEqual(returned, Buffer.from(bytes));
        }),
        { numRuns: 150 },
      );
    });

    test('text comes back as the same bytes', async () => {
      for (const state of [
        'a b+c%20&=?#/',
        '状态',
        '\u{1F600}',
        '"<>\'',
        '\r\n',
        '\uFEFFx',
        'x'.repeat(2000),
      ]) {
        const { state: returned, error } = received(await ask(requestWith(percent(Buffer.from(state)))));

        assert.equal(returned?.toString(), state);
        assert.equal(error, 'login_required');
      }
    });

    for (const [name, bytes] of Object.entries({
      'a byte that starts no character': [0xff],
      'half a character': [0x61, 0xe4, 0xbd],
      'an overlong form': [0xc0, 0xaf],
      'a lone surrogate': [0xed, 0xa0, 0x80],
      'beyond the last character': [0xf4, 0x90, 0x80, 0x80],
      NUL: [0x61, 0x00],
    })) {
      for (const [form, written] of [
        ['encoded', percent(bytes)],
        ['raw', Buffer.from(bytes)],
      ] as const) {
        if (form === 'raw' && (name === 'NUL' || way === 'GET')) continue;
        test(`${name}, ${form}, is invalid_request without a state`, async () => {
          const { state, error } = received(await ask(requestWith(written)));

          assert.deepEqual({ state, error }, { state: undefined, error: 'invalid_request' });
        });
      }
    }
  });
}

test('an address with bytes that are not ASCII is malformed, and leads nowhere', async () => {
  for (const bytes of [Buffer.from('é状态'), Buffer.of(0xff)]) {
    const answer = await send(`GET /oauth/authorize?${requestWith(bytes).toString('latin1')} HTTP/1.1
`);

    assert.match(answer, /^HTTP\/1\.1 400 /);
    assert.doesNotMatch(answer, /^location:/im);
  }
});

test('the application and the redirect_uri are judged before the state', async () => {
  for (const changes of [{ client_id: 'nobody' }, { redirect_uri: 'https://evil.example/' }]) {
    const request = `${authorizationRequest(client, { ...changes, state: '' })}&state=%ff`;

    assert.equal((await authorize(request)).status, 400);
  }
});

test('a signed-in member’s browser is sent back without the state too', async () => {
  const answer = redirectTarget(await authorize(`${authorizationRequest(client, { state: '' })}&state=%ff`));

  assert.equal(answer.searchParams.get('error'), 'invalid_request');
  assert.equal(answer.searchParams.has('state'), false);
});

// Browsers turn each line break of a posted field into CR LF.
test('with form_post, a state with a line break is invalid_request without a state', async () => {
  for (const state of ['a\nb', 'a\rb', 'a\r\nb']) {
    const request = authorizationRequest(client, { state, prompt: 'none', response_mode: 'form_post' });
    const page = await (await authorize(request)).text();

    assert.match(page, /name="error" value="invalid_request"/);
    assert.doesNotMatch(page, /name="state"/);
  }
});
