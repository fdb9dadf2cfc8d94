// Requests that are sent without waiting for the answers to those before them: they are answered in order, and
// each sees what those before it changed.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { text } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { Hono } from 'hono';
import { type Answer, type BareRequest, emptyAnswer } from '../../src/http/answer.ts';
import type { PageEnv } from '../../src/http/pages/visitor.ts';
import { listen } from '../../src/http/server.ts';
import { sql } from '../../src/storage/engine/sql.ts';
import { openSqlite } from '../../src/storage/engine/sqlite.ts';
import { openApp } from '../support/app.ts';
import { temporaryFolder } from '../support/databases.ts';
import { notebook, person } from '../support/people.ts';
import { untilTrue } from '../support/program.ts';
import { signInWith } from '../support/relying-party.ts';

const REQUEST = 'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n';
const selectTaken = sql<void, { taken: number }>`SELECT taken FROM locks WHERE name = 'signing-keys'`;

test('A pipelined request sees what was committed before the first one was answered', async (t) => {
  const path = join(await temporaryFolder(t), 'portico.db');
  const database = openSqlite(path);
  t.after(() => database.close());
  await database.migrate();
  const other = new DatabaseSync(path);
  t.after(() => other.close());
  const takenBefore: unknown[] = [];
  const takenAfter: unknown[] = [];
  const api = () => {
    takenBefore.push(database.first(selectTaken())?.taken);
    other.exec(`UPDATE locks SET taken = ${takenBefore.length} WHERE name = 'signing-keys'`);
    takenAfter.push(database.first(selectTaken())?.taken);
    return emptyAnswer(204, []);
  };
  const server = await listen({ api, rest: new Hono<PageEnv>() }, '127.0.0.1', 0);
  t.after(() => server.close());
  const socket = connect(server.port, '127.0.0.1');
  t.after(() => socket.destroy());

  socket.write(REQUEST);
  await once(socket, 'data');
  socket.write(REQUEST + REQUEST);
  while (takenAfter.length < 3) await once(socket, 'data');

  assert.deepEqual(takenBefore, [0, 1, 2]);
  // Within one request the reads share a snapshot, so only the next request can have renewed it.
  assert.deepEqual(takenAfter, [0, 1, 2]);
});

test('A token is refused by the request that follows its revocation in one packet', async (t) => {
  const app = await openApp();
  t.after(() => app.close());
  await person(app.portico, 'alice');
  const client = await notebook(app.portico);
  const { access_token: token } = await signInWith(app, client, 'alice');
  const form = `${new URLSearchParams({ client_id: client.id, client_secret: client.secret, token })}`;
  const { hostname, port, host } = new URL(app.url);
  const socket = connect(Number(port), hostname);
  t.after(() => socket.destroy());
  const me = `GET /api/open/v1/me HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${token}\r\n`;

  socket.write(
    `${me}\r\nPOST /api/oauth/revoke HTTP/1.1\r\nHost: ${host}\r\n` +
      `Content-Type: application/x-www-form-urlencoded\r\nContent-Length: ${form.length}\r\n\r\n${form}` +
      `${me}Connection: close\r\n\r\n`,
  );

  const answers = await text(socket);
  assert.deepEqual(
    [...answers.matchAll(/HTTP\/1\.1 (\d+) /g)].map(([, status]) => status),
    ['200', '200', '401'],
  );
});

/** A server whose API answers each request only when it is told to. Tells what it was asked, in order. */
async function patientServer(t: TestContext) {
  const asked: string[] = [];
  const answers: (() => void)[] = [];
  const api = ({ method, url }: BareRequest) => {
    asked.push(`${method} ${url}`);
    return new Promise<Answer>((resolve) => answers.push(() => resolve(emptyAnswer(204, []))));
  };
  const server = await listen({ api, rest: new Hono<PageEnv>() }, '127.0.0.1', 0);
  const socket = connect(server.port, '127.0.0.1').on('error', () => {});
  t.after(async () => {
    socket.destroy();
    await server.close(true);
  });
  return { asked, answerNext: () => answers.shift()?.(), socket };
}

test('A request waits until the one before it is answered, however long that takes', async (t) => {
  const { asked, answerNext, socket } = await patientServer(t);

  socket.write('POST /1 HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n');
  await untilTrue(() => asked.length === 1);
  socket.write('GET /2 HTTP/1.1\r\nHost: localhost\r\n\r\nGET /3 HTTP/1.1\r\nHost: localhost\r\n\r\n');
  await pause(100);
  const askedBefore = [...asked];
  answerNext();
  await untilTrue(() => asked.length === 2);
  await pause(50);

  assert.deepEqual(askedBefore, ['POST /1']);
  assert.deepEqual(asked, ['POST /1', 'GET /2']);
});

for (const [what, requests] of [
  ['more than 16 waiting requests', REQUEST.repeat(18)],
  [
    'waiting requests of more than 96 kB',
    REQUEST.replace('\r\n\r\n', `\r\na: ${'b'.repeat(11_000)}\r\n\r\n`).repeat(12),
  ],
  [
    'waiting requests that have more than 96 kB with their bodies',
    `POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 20000\r\n\r\n${'b'.repeat(20_000)}`.repeat(8),
  ],
] as const) {
  test(`A connection with ${what} is closed, and none of them is answered`, async (t) => {
    const { asked, answerNext, socket } = await patientServer(t);

    // The requests of a new connection wait until the process has accepted others.
    await pause(50);

    socket.write(requests);
    // It may be reset, which is an error here.
    await new Promise((resolve) => socket.once('close', resolve));
    answerNext();
    await pause(50);

    assert.ok(asked.length <= 1, `${asked}`);
  });
}

test('A connection may have 16 waiting requests', async (t) => {
  const { asked, answerNext, socket } = await patientServer(t);

  socket.write(REQUEST.repeat(17));
  for (let answered = 0; answered < 17; answered += 1) {
    await untilTrue(() => asked.length > answered);
    answerNext();
  }

  assert.equal(socket.destroyed, false);
});
