// A database from before the uses of callbacks and secrets had a row each.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HOUR } from '../../src/lib/clock.ts';
import type { Database } from '../../src/storage/engine/database.ts';
import type { Dialect } from '../../src/storage/engine/sql.ts';
import { oauthStore } from '../../src/storage/oauth/oauth-store.ts';
import { earlier, postgresWith, skip, sqliteWith } from './earlier-databases.ts';

const hourOf = (hour: number, what: string) =>
  `INSERT INTO client_hours (client_id, hour, what, times) VALUES ('pocket', ${hour}, '${what}', 2)`;

const beforeUses = (dialect: Dialect) => [
  ...earlier(dialect, '0042-bounded-records'),
  `INSERT INTO clients (id, name, kind, redirect_uris, scopes, owner_id, status, created_at)
    VALUES ('pocket', 'Pocket', 'public', '["https://pocket.example/cb"]', 'posts:read', 1, 'active', 7)`,
  hourOf(HOUR, 'callback aa'),
  hourOf(3 * HOUR, 'callback aa'),
  hourOf(2 * HOUR, 'secret wxyz'),
  hourOf(2 * HOUR, 'api'),
];

async function checkUses(database: Database): Promise<void> {
  await database.migrate();

  const oauth = oauthStore(database);
  const uses = await oauth.clientUses('pocket');
  assert.deepEqual(uses.map(({ name, lastHour }) => `${name} ${lastHour}`).toSorted(), [
    `callback aa ${3 * HOUR}`,
    `secret wxyz ${2 * HOUR}`,
  ]);
  assert.deepEqual(
    (await oauth.clientHours('pocket', 0)).map(({ what }) => what),
    ['api'],
  );
  const client = await oauth.findClient('pocket');
  assert.deepEqual(
    [client?.formerName, client?.renamedAt, client?.ownerSince],
    [undefined, undefined, undefined],
  );
  assert.equal(await oauth.requestsVersion('pocket'), 0);
}

test('0042: the last uses of callbacks and secrets are kept, on SQLite', async (t) => {
  await checkUses(await sqliteWith(t, beforeUses('sqlite')));
});

test('0042: the same on PostgreSQL', { skip }, async (t) => {
  await checkUses(await postgresWith(t, beforeUses('postgres')));
});
