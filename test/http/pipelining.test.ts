// Pipelining: a request that is sent without waiting for the response to the previous one. The server reads both at
// once, and the snapshot of the first may be older than the second.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { Hono } from 'hono';
import { emptyAnswer } from '../../src/http/answer.ts';
import type { PageEnv } from '../../src/http/pages/visitor.ts';
import { listen } from '../../src/http/server.ts';
import { sql } from '../../src/storage/engine/sql.ts';
import { openSqlite } from '../../src/storage/engine/sqlite.ts';
import { temporaryFolder } from '../support/databases.ts';

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
  // Shows that the reads of one request share a snapshot, so nothing else renewed it.
  assert.deepEqual(takenAfter, [0, 1, 2]);
});
