// Places for forms that are read for their texts alone, which slow strangers can't take all.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { after, test } from 'node:test';
import { openApp } from '../../support/app.ts';
import { Browser } from '../../support/browser.ts';
import { person } from '../../support/people.ts';

const app = await openApp({ TRUST_PROXY: '127.0.0.1' });
after(() => app.close());
await person(app.portico, 'alice');

/** Begin a form whose end never comes. Returns when the server has its beginning. */
async function trickle(address: string) {
  const { hostname, port, host } = new URL(app.url);
  const socket = connect(Number(port), hostname).on('error', () => {});
  after(() => socket.destroy());
  const head = `Host: ${host}\r\nX-Forwarded-For: ${address}\r\n`;
  // The answer to the first request shows that the second one has come, which is in the same packet.
  socket.write(
    `GET /icon.svg HTTP/1.1\r\n${head}\r\nPOST /write/picture HTTP/1.1\r\n${head}` +
      'Content-Type: multipart/form-data; boundary=x\r\nContent-Length: 100000\r\n\r\n--x\r\n',
  );
  await once(socket, 'data');
}

/** Send a form as a member whose session has ended. */
function send(address: string): Promise<Response> {
  const browser = new Browser(app.url);
  browser.address = address;
  const form = new FormData();
  form.append('body', 'Kept.');
  form.append('picture', new Blob(['no picture']), 'a.png');
  return browser.open('/write/picture', { method: 'POST', body: form });
}

test('Many slow forms from one address leave room for those of others, whose texts come back', async () => {
  await Promise.all(Array.from({ length: 26 }, () => trickle('192.0.2.1')));

  const [near, far] = [await send('192.0.2.1'), await send('192.0.2.2')];

  assert.equal(near.status, 503);
  assert.equal(far.status, 403);
  assert.match(await far.text(), /Kept\./);
});
