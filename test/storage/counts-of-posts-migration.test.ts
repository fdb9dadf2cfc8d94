// A database from before the number of a member's posts was kept.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { communityStore } from '../../src/storage/community/community-store.ts';
import type { Database } from '../../src/storage/engine/database.ts';
import type { Dialect } from '../../src/storage/engine/sql.ts';
import { asMember } from './doers.ts';
import { earlier, postgresWith, skip, sqliteWith } from './earlier-databases.ts';
import { newPost } from './records.ts';

/** As `earlier`, with alice, who has no posts, and other posts of bob. */
function withPosts(dialect: Dialect): string[] {
  return [
    ...earlier(dialect, '0078-counts-of-posts'),
    `INSERT INTO users (username, username_key, password_hash, created_at) VALUES ('alice', 'alice', 'none', 0)`,
    ...['draft', 'removed', 'published'].map(
      (
        status,
      ) => `INSERT INTO posts (user_id, category_id, status, title, body, excerpt, created_at, updated_at,
        published_at) VALUES (1, 1, '${status}', 'Old', 'Old', 'Old', 0, 0, 0)`,
    ),
  ];
}

async function check(database: Database): Promise<void> {
  await database.migrate();

  const community = communityStore(database);
  const totals = async () => [
    (await community.publishedPostsOf(1, 0, 20)).total,
    (await community.publishedPostsOf(2, 0, 20)).total,
  ];
  assert.deepEqual(await totals(), [2, 0]);
  await community.removePost(asMember(1), 1, 10);
  await community.addPost(asMember(2), newPost(2));
  assert.deepEqual(await totals(), [1, 1]);
}

test('0078: the published posts from before are counted, and go on to be, on SQLite', async (t) => {
  await check(await sqliteWith(t, withPosts('sqlite')));
});

test('0078: the same on PostgreSQL', { skip }, async (t) => {
  await check(await postgresWith(t, withPosts('postgres')));
});
