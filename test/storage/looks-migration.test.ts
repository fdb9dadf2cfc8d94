// A database from before the server stored what applications look like.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AuthorizationServer } from '../../src/oauth/authorization-server.ts';
import { renewLooks } from '../../src/oauth/client-looks.ts';
import type { Database } from '../../src/storage/engine/database.ts';
import type { Dialect } from '../../src/storage/engine/sql.ts';
import { oauthStore } from '../../src/storage/oauth/oauth-store.ts';
import { earlier, postgresWith, skip, sqliteWith } from './earlier-databases.ts';

const beforeLooks = (dialect: Dialect) => [
  ...earlier(dialect, '0048-looks-of-applications'),
  ...Array.from(
    { length: 21 },
    (_, n) => `INSERT INTO clients (id, name, kind, redirect_uris, scopes, owner_id, status, created_at)
      VALUES ('app_${n}', 'Pocket', 'public', '["https://pocket.example/cb"]', 'posts:read', 1, 'active', 7)`,
  ),
  `INSERT INTO grants (user_id, client_id, scopes, granted_at, consented_at, last_authorized_at)
    VALUES (1, 'app_20', 'posts:read', 7, 7, 7)`,
];

async function checkLooks(database: Database): Promise<void> {
  await database.migrate();
  const oauth = oauthStore(database);
  const server = { reads: oauth, writes: oauth } as unknown as AuthorizationServer;

  const steps = [await renewLooks(server), await renewLooks(server), await renewLooks(server)];

  assert.deepEqual(steps, [20, 1, 0]);
  const looks = ['name pocket', 'near poket.example'];
  const fake = { id: 'fake', name: 'Fake', ownerId: undefined, documentUrl: undefined };
  const comparison = { looks, ownHosts: [], members: 0, registeredBefore: undefined, now: 8 };
  assert.deepEqual(await oauth.clientsLike(fake, comparison, 9), [
    { id: 'app_20', name: 'Pocket', host: '' },
    { id: 'app_20', name: 'Pocket', host: 'pocket.example' },
  ]);
}

test('0048: the looks of applications are made after the update, on SQLite', async (t) => {
  await checkLooks(await sqliteWith(t, beforeLooks('sqlite')));
});

test('0048: the same on PostgreSQL', { skip }, async (t) => {
  await checkLooks(await postgresWith(t, beforeLooks('postgres')));
});
