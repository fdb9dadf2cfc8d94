// A database from before the index of words had authors and pairs of signs.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NO_ENTRY } from '../../src/storage/audit/audit-trail.ts';
import { communityStore } from '../../src/storage/community/community-store.ts';
import { search } from '../../src/storage/community/search.ts';
import { sql } from '../../src/storage/engine/sql.ts';
import { asMember } from './doers.ts';
import { earlier, sqliteWith } from './earlier-databases.ts';
import { newPost } from './records.ts';
import { checkIndex } from './search-index.ts';

test('0083: posts from before are found, changed and removed in the new index', async (t) => {
  const words = (id: number, text: string) =>
    `INSERT INTO post_words (post_id, words) VALUES (${id}, '${text}')`;
  const post = `INSERT INTO posts (user_id, category_id, status, title, body, excerpt, created_at, updated_at,
    published_at) VALUES (1, 1, 'published', 'Old', 'Old', 'Old', 0, 0, 0)`;
  const database = await sqliteWith(t, [
    ...earlier('sqlite', '0083-pairs-of-signs'),
    post,
    words(1, 'running 面 包 很 好'),
    words(2, 'rye 包 面'),
  ]);
  await database.migrate();
  const community = communityStore(database);
  const found = async (phrases: string[][], authorId?: number) =>
    (await search(database).postIdsWith({ phrases, authorId }, { below: 9e9, most: 100, enough: 20 })).ids;

  await checkIndex(database);
  assert.deepEqual(await found([['面'], ['包']]), [2, 1]);
  assert.deepEqual(await found([['面', '包']]), [1]);
  assert.deepEqual(await found([['包', '很', '好'], ['run']], 1), [1]);
  assert.deepEqual(await found([['面', '包']], 2), []);
  await community.removePost(asMember(1), 1, 10);
  await community.addPost(asMember(1), { ...newPost(1), words: '面 包 of today' });
  assert.deepEqual(await found([['面', '包']]), [3]);
  await checkIndex(database);
});

// No request changes an author.
test('a post that gets another author by hand is found by this one', async (t) => {
  const database = await sqliteWith(t, [
    ...earlier('sqlite', '0083-pairs-of-signs'),
    `INSERT INTO users (username, username_key, password_hash, bio, is_operator, created_at)
      VALUES ('alice', 'alice', 'none', '', 0, 0)`,
    "INSERT INTO post_words (post_id, words) VALUES (1, '面 包')",
  ]);
  await database.migrate();

  await database.atomically({ audit: NO_ENTRY, guard: sql`UPDATE posts SET user_id = 2 WHERE id = 1`() });

  const ofAuthor = async (authorId: number) =>
    (await search(database).postIdsWith({ phrases: [['面']], authorId }, { below: 9e9, most: 9, enough: 9 }))
      .ids;
  assert.deepEqual([await ofAuthor(1), await ofAuthor(2)], [[], [1]]);
  await checkIndex(database);
});
