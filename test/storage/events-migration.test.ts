// A database from before applications could receive events.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Database } from '../../src/storage/engine/database.ts';
import type { Dialect } from '../../src/storage/engine/sql.ts';
import { identityStore } from '../../src/storage/identity/identity-store.ts';
import { oauthStore } from '../../src/storage/oauth/oauth-store.ts';
import { SERVER } from './doers.ts';
import { earlier, postgresWith, skip, sqliteWith } from './earlier-databases.ts';

const beforeEvents = (dialect: Dialect) => [
  ...earlier(dialect, '0032-application-events'),
  `INSERT INTO clients (id, name, kind, redirect_uris, scopes, created_at)
    VALUES ('notebook', 'Notebook', 'public', '[]', 'posts:read', 0)`,
  `INSERT INTO grants (user_id, client_id, scopes, granted_at, last_authorized_at)
    VALUES (1, 'notebook', 'posts:read', 3, 4)`,
];

async function checkEvents(database: Database): Promise<void> {
  await database.migrate();

  const oauth = oauthStore(database);
  await oauth.withdrawGrant({ kind: 'member', userId: 1, at: 5 }, 1, 'notebook');
  assert.deepEqual(await oauth.endpointStates('notebook'), []);
  const endpoint = { clientId: 'notebook', kind: 'webhook', url: 'https://a.example/', secret: 's' } as const;
  await oauth.setEventEndpoint(SERVER, endpoint);
  await identityStore(database).closeAccount(SERVER, 1);
  const [due] = await oauth.endpointsDue(SERVER.at);
  assert.equal(due?.url, 'https://a.example/');
  const events = await oauth.eventsDue(due, SERVER.at, 10);
  assert.deepEqual(
    events.map(({ type, deletesData, scopes }) => ({ type, deletesData, scopes })),
    [{ type: 'access.ended', deletesData: true, scopes: [] }],
  );
}

test('0032: applications from before get no events until they register an address, on SQLite', async (t) => {
  await checkEvents(await sqliteWith(t, beforeEvents('sqlite')));
});

test('0032: the same on PostgreSQL', { skip }, async (t) => {
  await checkEvents(await postgresWith(t, beforeEvents('postgres')));
});
