// A database from before consents had the name of their application, and before approvals were kept.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Database } from '../../src/storage/engine/database.ts';
import type { Dialect } from '../../src/storage/engine/sql.ts';
import { oauthStore } from '../../src/storage/oauth/oauth-store.ts';
import { earlier, postgresWith, skip, sqliteWith } from './earlier-databases.ts';

const beforeNames = (dialect: Dialect) => [
  ...earlier(dialect, '0062-lists-of-applications'),
  `INSERT INTO clients (id, name, kind, redirect_uris, scopes, owner_id, status, created_at)
    VALUES ('pocket', 'Pocket', 'public', '["https://pocket.example/cb"]', 'posts:read', 1, 'active', 7)`,
  `INSERT INTO grants (user_id, client_id, scopes, granted_at, consented_at, last_authorized_at)
    VALUES (1, 'pocket', 'posts:read', 7, 7, 7)`,
  `INSERT INTO client_reports (client_id, reporter_id, reason, created_at) VALUES ('pocket', 1, 'other', 8)`,
];

async function checkNames(database: Database): Promise<void> {
  await database.migrate();
  const oauth = oauthStore(database);

  const grant = await oauth.findGrant(1, 'pocket', 9);
  const [reported] = await oauth.openClientReports(undefined, { clients: 9, reportsOfEach: 9, counted: 9 });

  assert.deepEqual([grant?.scopes, grant?.allowedAs], [['posts:read'], undefined]);
  assert.equal(await oauth.countGrants('pocket', 9), 1);
  assert.equal((await oauth.findClient('pocket'))?.approvedAt, undefined);
  assert.deepEqual([reported?.clientId, reported?.count], ['pocket', 1]);
}

test('0062, 0063: consents and reports stay, and nothing counts as approved, on SQLite', async (t) => {
  await checkNames(await sqliteWith(t, beforeNames('sqlite')));
});

test('0062, 0063: the same on PostgreSQL', { skip }, async (t) => {
  await checkNames(await postgresWith(t, beforeNames('postgres')));
});
