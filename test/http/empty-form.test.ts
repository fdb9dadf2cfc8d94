// Forms without a body. The runtime ends such a request before anything reads it.

import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { after, describe, test } from 'node:test';
import { openApp } from '../support/app.ts';
import { member } from '../support/people.ts';
import { drawPicture, uploadPicture } from './site/picture-form.ts';

const app = await openApp();
after(() => app.close());
const { port, host } = new URL(app.url);
const nina = await member(app, 'nina');

/** Sends a form without a body. The status, or 0 if nothing comes in three seconds. */
async function statusOf(path: string, type: string, more: readonly string[] = []): Promise<number> {
  const cookie = `Cookie: portico_session=${nina.browser.cookie('portico_session')}`;
  const lines = [
    `POST ${path} HTTP/1.1`,
    `Host: ${host}`,
    `Content-Type: ${type}`,
    cookie,
    'Connection: close',
  ];
  const socket = connect(Number(port), '127.0.0.1');
  socket.setTimeout(3000, () => socket.destroySoon());
  socket.write(`${[...lines, ...more].join('\r\n')}\r\n\r\n`);
  return Number((await text(socket)).slice(9, 12));
}

describe('A form without a body is answered:', () => {
  const FORM = 'application/x-www-form-urlencoded';
  for (const [what, more] of [
    ['without a length', []],
    ['of length 0', ['Content-Length: 0']],
    ['in no chunks', ['Transfer-Encoding: chunked', '', '0']],
  ] as const) {
    test(`to a page, ${what}`, async () =>
      assert.equal(await statusOf('/settings/profile', FORM, more), 403));
    test(`to the token endpoint, ${what}`, async () =>
      assert.equal(await statusOf('/api/oauth/token', FORM, more), 400));
  }
});

test('A form in many chunks of a few bytes each is refused, and one in a hundred chunks is read', async () => {
  const FORM = 'application/x-www-form-urlencoded';
  const inChunks = (count: number) => ['Transfer-Encoding: chunked', '', `${'1\r\na\r\n'.repeat(count)}0`];

  assert.equal(await statusOf('/settings/profile', FORM, inChunks(100)), 403);
  assert.equal(await statusOf('/api/oauth/token', FORM, inChunks(900)), 400);
  assert.equal(await statusOf('/settings/profile', FORM, inChunks(900)), 400);
});

test('Uploads without a body keep no place from others.', async () => {
  for (let count = 0; count < 5; count += 1) {
    assert.equal(await statusOf('/settings/profile/picture', 'multipart/form-data; boundary=x'), 400);
  }

  assert.equal((await uploadPicture(nina.browser, await drawPicture())).status, 303);
});
