// A database from before members managed applications.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Database } from '../../src/storage/engine/database.ts';
import type { Dialect } from '../../src/storage/engine/sql.ts';
import { oauthStore } from '../../src/storage/oauth/oauth-store.ts';
import { earlier, postgresWith, skip, sqliteWith } from './earlier-databases.ts';

const beforeOwners = (dialect: Dialect) => [
  ...earlier(dialect, '0040-owned-applications'),
  `INSERT INTO clients (id, name, kind, redirect_uris, scopes, owner_id, status, created_at)
    VALUES ('pocket', 'Pocket', 'public', '["https://pocket.example/cb"]', 'posts:read', 1, 'deactivated', 7)`,
];

async function checkOwners(database: Database): Promise<void> {
  await database.migrate();

  const oauth = oauthStore(database);
  const owner = { kind: 'member', userId: 1, at: 9 } as const;
  const client = await oauth.findClient('pocket');
  assert.deepEqual(
    [client?.name, client?.description, client?.deactivation, client?.deleteAt, client?.secretDigest],
    ['Pocket', '', undefined, undefined, undefined],
  );
  // Operators deactivated it.
  assert.equal(await oauth.setClientStatus(owner, 'pocket', 'active'), false);
  assert.equal(await oauth.setClientStatus({ kind: 'server', at: 9 }, 'pocket', 'active'), true);
  assert.equal(await oauth.planDeletion(owner, 'pocket', 10), true);
  assert.deepEqual(await oauth.clientHours('pocket', 0), []);
}

test('0040: applications from before keep their owner and state, on SQLite', async (t) => {
  await checkOwners(await sqliteWith(t, beforeOwners('sqlite')));
});

test('0040: the same on PostgreSQL', { skip }, async (t) => {
  await checkOwners(await postgresWith(t, beforeOwners('postgres')));
});
