// A database from before applications could describe themselves.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Database } from '../../src/storage/engine/database.ts';
import type { Dialect } from '../../src/storage/engine/sql.ts';
import { oauthStore } from '../../src/storage/oauth/oauth-store.ts';
import { earlier, postgresWith, skip, sqliteWith } from './earlier-databases.ts';
import { newClient } from './records.ts';

const beforeDocuments = (dialect: Dialect) => [
  ...earlier(dialect, '0046-client-documents'),
  `INSERT INTO clients (id, name, kind, redirect_uris, scopes, owner_id, status, created_at)
    VALUES ('pocket', 'Pocket', 'public', '["https://pocket.example/cb"]', 'posts:read', 1, 'active', 7)`,
  `INSERT INTO clients (id, name, kind, redirect_uris, scopes, status, created_at)
    VALUES ('atlas', 'Atlas', 'public', '["https://atlas.example/cb"]', 'posts:read', 'active', 8)`,
];

async function checkDocuments(database: Database): Promise<void> {
  await database.migrate();

  const oauth = oauthStore(database);
  const pocket = await oauth.findClient('pocket');
  assert.deepEqual(
    [pocket?.name, pocket?.ownerId, pocket?.documentUrl, pocket?.documentFreshUntil, pocket?.claimedName],
    ['Pocket', 1, undefined, undefined, undefined],
  );
  assert.equal((await oauth.clientsWithoutLooks(1, 9)).length, 2);
  const documentUrl = 'https://assistant.example/client.json';
  const client = { ...newClient('pocket'), id: 'app_1', documentUrl, documentFreshUntil: 9 };
  const by = { kind: 'member', userId: 1, at: 9 } as const;
  assert.equal(await oauth.addDocumentClient(by, client, 1), 'added');
  assert.equal((await oauth.findClient(documentUrl))?.id, 'app_1');
}

test('0046: registered applications stay as they are, and others can be added, on SQLite', async (t) => {
  await checkDocuments(await sqliteWith(t, beforeDocuments('sqlite')));
});

test('0046: the same on PostgreSQL', { skip }, async (t) => {
  await checkDocuments(await postgresWith(t, beforeDocuments('postgres')));
});
