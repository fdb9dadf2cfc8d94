// Many and slow uploads: of one member, of one address, and of others meanwhile.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { after, type TestContext, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { HOUR } from '../../../src/lib/clock.ts';
import { openApp } from '../../support/app.ts';
import { formTokenIn } from '../../support/browser.ts';
import { type Member, member } from '../../support/people.ts';
import { untilTrue } from '../../support/program.ts';
import { drawPicture, PICTURE, uploadPicture } from './picture-form.ts';
import { addPicture, textIn } from './text-picture-form.ts';

const app = await openApp({ TRUST_PROXY: '127.0.0.1' });
after(() => app.close());

// Longer than a letter: the parser takes one in a field for the boundary.
const BOUNDARY = 'portico-upload';

/** Begins an upload whose file never comes. */
async function trickle(
  t: TestContext,
  { browser }: Member,
  address: string,
  { path = PICTURE, beginning = '' } = {},
): Promise<Socket> {
  const { hostname, port, host } = new URL(app.url);
  const socket = connect(Number(port), hostname).on('error', () => {});
  t.after(() => socket.destroy());
  await once(socket, 'connect');
  socket.write(
    `POST ${path} HTTP/1.1\r\nHost: ${host}\r\nCookie: ${['session', 'visitor'].map((name) => `portico_${name}=${browser.cookie(`portico_${name}`)}`).join('; ')}\r\n` +
      `X-Forwarded-For: ${address}\r\nContent-Type: multipart/form-data; boundary=${BOUNDARY}\r\n` +
      `Content-Length: 100000\r\n\r\n--${BOUNDARY}\r\n${beginning}`,
  );
  return socket;
}

test('Forty slow uploads of one member leave room for others, at the same address too', async (t) => {
  const [mallory, alice] = [await member(app, 'mallory'), await member(app, 'alice')];
  const sockets = await Promise.all(Array.from({ length: 40 }, () => trickle(t, mallory, '192.0.2.1')));
  const answers = sockets.map((socket) => firstLine(socket));
  await untilTrue(() => answers.filter(({ line }) => line !== '').length === 39);

  const answer = await uploadPicture(alice.browser, await drawPicture());

  assert.equal(answer.status, 303);
  assert.equal(answers.filter(({ line }) => line.startsWith('HTTP/1.1 429 ')).length, 39);
});

test('Slow uploads of many members at one address leave room for other addresses', async (t) => {
  const people = await Promise.all(Array.from({ length: 6 }, (_, index) => member(app, `eve-${index}`)));
  const carol = await member(app, 'carol');
  const answers = await Promise.all(people.map(async (one) => firstLine(await trickle(t, one, '192.0.2.2'))));
  await untilTrue(() => answers.filter(({ line }) => line !== '').length === 2);

  const answer = await uploadPicture(carol.browser, await drawPicture());

  assert.equal(answer.status, 303);
  assert.equal(answers.filter(({ line }) => line.startsWith('HTTP/1.1 503 ')).length, 2);
});

test('Slow uploads from one IPv6 network of /48 leave room for other networks', async (t) => {
  const people = await Promise.all(Array.from({ length: 8 }, (_, index) => member(app, `six-${index}`)));
  const dora = await member(app, 'dora');
  const answers = await Promise.all(
    people.map(async (one, index) => firstLine(await trickle(t, one, `2001:db8:1:${index}::1`))),
  );
  await untilTrue(() => answers.filter(({ line }) => line !== '').length === 2);

  const answer = await uploadPicture(dora.browser, await drawPicture());

  assert.equal(answer.status, 303);
  assert.equal(answers.filter(({ line }) => line.startsWith('HTTP/1.1 503 ')).length, 2);
});

test('A slow upload ends after 25 seconds with a page that says so', async (t) => {
  const bob = await member(app, 'bob');
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const socket = await trickle(t, bob, '192.0.2.3');
  const answer = text(socket);
  // The server has it now, since it refuses a second one.
  await untilRefused(bob);

  t.mock.timers.tick(25_000);
  t.mock.timers.reset();

  assert.match(await answer, /^HTTP\/1.1 400 [\s\S]*The upload took longer than 25 seconds/);
  assert.equal((await uploadPicture(bob.browser, await drawPicture())).status, 303);
});

// On PostgreSQL each look-up of a session is a round trip.
test('An upload or a download takes no place if its connection ended while the session was looked up', async (t) => {
  const { identity } = app.portico;
  const { reads } = identity;
  t.after(() => {
    identity.reads = reads;
  });
  const away = await member(app, 'away');
  const token = formTokenIn(await away.browser.read('/write'));
  for (const [path, type] of [
    [PICTURE, 'multipart/form-data; boundary=x'],
    ['/write/picture', 'multipart/form-data; boundary=x'],
    ['/settings/account/export', 'application/x-www-form-urlencoded'],
  ] as const) {
    const looked = Promise.withResolvers<void>();
    const goOn = Promise.withResolvers<void>();
    identity.reads = {
      ...reads,
      async findSession(key) {
        looked.resolve();
        await goOn.promise;
        return reads.findSession(key);
      },
    };
    const connection = new AbortController();
    const sent = away.browser.open(path, {
      method: 'POST',
      headers: { 'Content-Type': type },
      body: new URLSearchParams({ form_token: token }).toString(),
      signal: connection.signal,
    });
    await looked.promise;
    connection.abort();
    await assert.rejects(sent);
    await pause(50);
    identity.reads = reads;
    goOn.resolve();
    await pause(50);
  }

  const page = await away.browser.read('/settings/account');
  const download = await away.browser.submit(page, '/settings/account/export');
  const avatar = await uploadPicture(away.browser, await drawPicture());
  const picture = await addPicture(away.browser, await drawPicture());

  assert.deepEqual([download.status, avatar.status, picture.status], [200, 303, 200]);
});

test('Uploads that a member sends and breaks off, again and again, leave room for the pictures of others', async (t) => {
  const [ivan, judy] = [await member(app, 'ivan'), await member(app, 'judy')];
  const { community } = app.portico;
  const { reads } = community;
  t.after(() => {
    community.reads = reads;
  });
  let arrived = 0;
  community.reads = {
    ...reads,
    uploadedBytes(userId) {
      arrived += 1;
      return reads.uploadedBytes(userId);
    },
  };
  const body = new FormData();
  body.append('form_token', formTokenIn(await ivan.browser.read('/write')));
  body.append('picture', new Blob([new Uint8Array(await drawPicture('#00f', 3000, 3000))]), 'me.png');
  for (let sent = 1; sent <= 15; sent += 1) {
    const connection = new AbortController();
    const upload = ivan.browser.open('/pictures', { method: 'POST', body, signal: connection.signal });
    await untilTrue(() => arrived === sent);
    connection.abort();
    await assert.rejects(upload);
    // The server has noticed it.
    await pause(20);
  }

  const { status } = await addPicture(judy.browser, await drawPicture());

  assert.equal(status, 200);
});

async function untilRefused({ browser }: Member): Promise<void> {
  for (let tries = 0; tries < 100; tries += 1) {
    const answer = await uploadPicture(browser, new Uint8Array(), { form_token: 'another' });
    if (answer.status === 429) return;
  }
  throw new Error('The first upload did not arrive.');
}

test('A member may send ten pictures an hour, and is told how long to wait', async () => {
  const { browser } = await member(app, 'dave');
  const file = Buffer.from('not a picture');
  for (let count = 0; count < 10; count += 1) assert.equal((await uploadPicture(browser, file)).status, 400);
  app.clock.advance(HOUR / 2);

  const refused = await uploadPicture(browser, await drawPicture());

  assert.equal(refused.status, 429);
  assert.equal(refused.headers.get('retry-after'), '1800');
  assert.match(await refused.text(), /You’ve uploaded many pictures. Try again in 30 minutes\./);
  app.clock.advance(HOUR / 2);
  assert.equal((await uploadPicture(browser, await drawPicture())).status, 303);
});

for (const [what, head, repetition] of [
  ['parts', '', '--b\r\ncontent-disposition:form-data;name=a\r\n\r\n\r\n'],
  ['parts after the last one', '--b--\r\n', '--b\r\ncontent-disposition:form-data;name=a\r\n\r\n\r\n'],
  ['headers of one part', '--b\r\ncontent-disposition:form-data;name=a\r\n', 'a:b\r\n'],
  ['parameters of one header', '--b\r\ncontent-disposition:form-data', ';name=a'],
] as const) {
  test(`An upload of 5 MB of ${what} is refused before it is parsed`, async () => {
    const { browser } = await member(app, `frank-${what.replaceAll(' ', '-')}`);
    const count = Math.floor((5 * 1024 * 1024) / repetition.length);
    const body = `${head}${repetition.repeat(count)}\r\n\r\nx\r\n--b--\r\n`;
    const before = process.threadCpuUsage();

    const headers = { 'Content-Type': 'multipart/form-data; boundary=b' };
    const answer = await browser.open(PICTURE, { method: 'POST', headers, body });

    const { user, system } = process.threadCpuUsage(before);
    assert.equal(answer.status, 400);
    assert.ok(user + system < 200_000, `${user + system} µs`);
  });
}

test('A slow upload for a text ends after 25 seconds with the form and its text', async (t) => {
  const grace = await member(app, 'grace');
  const field = (name: string, value: string) =>
    `Content-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n--${BOUNDARY}\r\n`;
  const token = formTokenIn(await grace.browser.read('/write'));
  const beginning =
    field('form_token', token) +
    field('body', 'Kept.') +
    'Content-Disposition: form-data; name="picture"; filename="a.png"\r\nContent-Type: image/png\r\n\r\n\x89PNG';
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const answer = text(await trickle(t, grace, '192.0.2.4', { path: '/write/picture', beginning }));
  // Until the server, which is this process, has read it.
  for (let turns = 0; turns < 20_000; turns += 1) await new Promise((resolve) => setImmediate(resolve));

  t.mock.timers.tick(25_000);
  t.mock.timers.reset();

  const page = await answer;
  assert.match(page, /^HTTP\/1.1 400 [\s\S]*The upload took longer than 25 seconds/);
  assert.equal(textIn(page), 'Kept.');
});

function firstLine(socket: Socket): { line: string } {
  const seen = { line: '' };
  socket.once('data', (data) => {
    seen.line = data.toString('latin1').split('\r\n')[0] ?? '';
  });
  return seen;
}
