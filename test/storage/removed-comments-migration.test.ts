// A database from before the lists of comments left out removed ones by an index.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { communityStore } from '../../src/storage/community/community-store.ts';
import type { Database } from '../../src/storage/engine/database.ts';
import type { Dialect } from '../../src/storage/engine/sql.ts';
import { earlier, postgresWith, skip, sqliteWith } from './earlier-databases.ts';

const withRemovedComments = (dialect: Dialect) => [
  ...earlier(dialect, '0069-comments-without-removed-ones'),
  `INSERT INTO posts (id, user_id, category_id, status, title, body, excerpt, created_at, updated_at, published_at)
    VALUES (91, 1, 1, 'published', 'Arches', 'Arches', 'Arches', 1000, 1000, 1000)`,
  ...[
    "(1, NULL, 'published'), (2, NULL, 'removed'), (3, NULL, 'removed'), (4, NULL, 'waiting')",
    "(5, 3, 'published'), (6, 3, 'removed'), (7, 2, 'removed')",
  ].map(
    (rows) => `INSERT INTO comments (id, parent_id, status, post_id, user_id, body, created_at)
      SELECT 900 + column1, 900 + cast(column2 AS bigint), column3, 91, 1, 'True.', 1000
      FROM (VALUES ${rows}) AS texts`,
  ),
];

async function checkLists(database: Database): Promise<void> {
  await database.migrate();

  const community = communityStore(database);
  const idsOf = (comments: readonly { id: number }[]) => comments.map(({ id }) => id);
  assert.deepEqual(idsOf(await community.topComments(91, 0, 10)), [901, 903]);
  assert.deepEqual(idsOf(await community.topCommentsBefore(91, 999, 10)), [903, 901]);
  assert.deepEqual(idsOf(await community.firstReplies([901, 903], 10)), [905]);
  assert.deepEqual(idsOf(await community.repliesTo(903, 0, 10)), [905]);
}

test('0069: published comments are listed, and removed ones above their replies, on SQLite', async (t) => {
  await checkLists(await sqliteWith(t, withRemovedComments('sqlite')));
});

test('0069: the same on PostgreSQL', { skip }, async (t) => {
  await checkLists(await postgresWith(t, withRemovedComments('postgres')));
});
