// A database from before applications had logos.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Database } from '../../src/storage/engine/database.ts';
import type { Dialect } from '../../src/storage/engine/sql.ts';
import { oauthStore } from '../../src/storage/oauth/oauth-store.ts';
import { earlier, postgresWith, skip, sqliteWith } from './earlier-databases.ts';

const insertClient = (id: string, status: string, deactivation: string, at: number) =>
  `INSERT INTO clients (id, name, kind, redirect_uris, scopes, owner_id, status, deactivation, created_at)
    VALUES ('${id}', '${id}', 'public', '["https://x.example/cb"]', 'openid', 1, '${status}', ${deactivation}, ${at})`;

const beforeLogos = (dialect: Dialect) => [
  ...earlier(dialect, '0045-reviewed-applications'),
  insertClient('active', 'active', 'NULL', 5),
  insertClient('later', 'deactivated', "'approval'", 9),
  insertClient('first', 'deactivated', "'approval'", 7),
];

async function checkLogos(database: Database): Promise<void> {
  await database.migrate();

  const oauth = oauthStore(database);
  const waiting = await oauth.waitingClients(9);
  assert.deepEqual(
    waiting.map(({ client, ownerName, since }) => [client.id, ownerName, since]),
    [
      ['first', 'bob', 7],
      ['later', 'bob', 9],
    ],
  );
  assert.equal(await oauth.countWaitingClients(9), 2);
  const active = await oauth.findClient('active');
  assert.deepEqual([active?.logo, active?.isLogoApproved, active?.reviewNote], [undefined, false, undefined]);
  const image = new Uint8Array([1, 2]);
  const owner = { kind: 'member', userId: 1, at: 11 } as const;
  assert.equal(await oauth.setClientLogo(owner, 'active', { digest: 'd1', image }, false), true);
  assert.deepEqual([...((await oauth.findClientLogo('d1')) ?? [])], [1, 2]);
  assert.equal(await oauth.countWaitingClients(9), 3);
}

test('0045: applications from before have no logo and wait as before, on SQLite', async (t) => {
  await checkLogos(await sqliteWith(t, beforeLogos('sqlite')));
});

test('0045: the same on PostgreSQL', { skip }, async (t) => {
  await checkLogos(await postgresWith(t, beforeLogos('postgres')));
});
