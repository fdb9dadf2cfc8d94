// A database from before the request inspector.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Database } from '../../src/storage/engine/database.ts';
import { oauthStore } from '../../src/storage/oauth/oauth-store.ts';
import { earlier, postgresWith, skip, sqliteWith } from './earlier-databases.ts';

async function checkRequestLines(database: Database): Promise<void> {
  await database.migrate();

  const oauth = oauthStore(database);
  const facts = { endpoint: 'api', outcome: 'read', status: 200, broken: [] } as const;
  const times = { minute: 0, firstAt: 1, lastAt: 2 };
  const line = {
    clientId: 'pocket',
    id: 'a',
    kind: 'read',
    facts,
    network: '',
    program: '',
    requests: 1,
  } as const;
  await oauth.addRequestLines('pocket', [{ ...line, ...times }]);
  assert.deepEqual(await oauth.requestLines('pocket', 2), [{ ...line, ...times }]);
}

const POCKET = `INSERT INTO clients (id, name, kind, redirect_uris, scopes, created_at)
  VALUES ('pocket', 'Pocket', 'public', '["https://pocket.example/cb"]', 'profile:read', 0)`;

test('0035: the requests of an application from before are kept from now on, on SQLite', async (t) => {
  await checkRequestLines(await sqliteWith(t, [...earlier('sqlite', '0035-request-inspector'), POCKET]));
});

test('0035: the same on PostgreSQL', { skip }, async (t) => {
  await checkRequestLines(await postgresWith(t, [...earlier('postgres', '0035-request-inspector'), POCKET]));
});
