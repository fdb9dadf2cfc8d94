// Large pictures take long to read, so their callers take turns.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { after, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { openApp } from '../../support/app.ts';
import { Browser } from '../../support/browser.ts';
import { member, publish } from '../../support/people.ts';
import { drawPicture } from './picture-form.ts';
import { uploadedPath } from './text-picture-form.ts';

const MALLORY = '10.0.0.1';
const app = await openApp({ TRUST_PROXY: '127.0.0.1' });
after(() => app.close());

test('pictures that a caller doesn’t wait for are not read, and keep nobody else from pictures', async (t) => {
  const alice = await member(app, 'alice');
  const path = await uploadedPath(alice.browser, await drawPicture());
  await publish(app.portico, alice, 'A cat', `![A cat](${path})`);
  const { reads } = app.portico.community;
  const { findPicture } = reads;
  const [begun, end] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let readCount = 0;
  t.mock.method(reads, 'findPicture', async (...wanted: Parameters<typeof findPicture>) => {
    readCount += 1;
    begun.resolve();
    if (readCount === 1) await end.promise;
    return findPicture(...wanted);
  });
  const ask = async () => {
    const socket = connect(Number(new URL(app.url).port), '127.0.0.1');
    await once(socket, 'connect');
    socket.write(`GET ${path} HTTP/1.1\r\nHost: portico\r\nX-Forwarded-For: ${MALLORY}\r\n\r\n`);
    return socket;
  };

  const first = await ask();
  await begun.promise;
  const others = await Promise.all(Array.from({ length: 40 }, ask));
  await pause(100);
  for (const socket of others) socket.destroy();
  const ofAnother = await new Browser(app.url).open(path);
  end.resolve();
  const ofMallory = await fetch(app.url + path, { headers: { 'X-Forwarded-For': MALLORY } });

  assert.deepEqual([ofAnother.status, ofMallory.status], [200, 200]);
  first.destroy();
  // Of the first, of the two who wait, and of those that the server doesn't know to have gone.
  assert.ok(readCount >= 3 && readCount < 10, `${readCount}`);
});
