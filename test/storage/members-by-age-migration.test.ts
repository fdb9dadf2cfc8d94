// A database from before operators read the lists of members by the day they joined.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Database } from '../../src/storage/engine/database.ts';
import type { Dialect } from '../../src/storage/engine/sql.ts';
import { identityStore } from '../../src/storage/identity/identity-store.ts';
import { earlier, postgresWith, skip, sqliteWith } from './earlier-databases.ts';

const beforeAges = (dialect: Dialect) => [
  ...earlier(dialect, '0047-members-by-age'),
  'UPDATE users SET created_at = 1000, is_operator = 1, is_moderator = 1 WHERE id = 1',
  `INSERT INTO users (username, username_key, password_hash, bio, is_operator, created_at, member_until)
    VALUES ('imported', 'imported', 'none', '', 0, 500, 9000)`,
];

async function checkLists(database: Database): Promise<void> {
  await database.migrate();

  const identity = identityStore(database);
  const idsOf = async (filter: 'all' | 'operators' | 'moderators' | 'membership') =>
    (await identity.newestMembers(filter, undefined, 10, 2000)).map(({ id }) => id);
  assert.deepEqual(await idsOf('all'), [1, 2]);
  assert.deepEqual(await idsOf('operators'), [1]);
  assert.deepEqual(await idsOf('moderators'), [1]);
  assert.deepEqual(await idsOf('membership'), [2]);
}

test('0047: the member who joined last comes first, on SQLite', async (t) => {
  await checkLists(await sqliteWith(t, beforeAges('sqlite')));
});

test('0047: the same on PostgreSQL', { skip }, async (t) => {
  await checkLists(await postgresWith(t, beforeAges('postgres')));
});
