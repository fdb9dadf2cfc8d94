// A database from before the index of words had the blocks of posts.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { communityStore } from '../../src/storage/community/community-store.ts';
import { search } from '../../src/storage/community/search.ts';
import { asMember } from './doers.ts';
import { earlier, sqliteWith } from './earlier-databases.ts';
import { newPost } from './records.ts';

test('0081: posts from before are found, changed and removed in the new index', async (t) => {
  const words = (id: number, text: string) =>
    `INSERT INTO post_words (post_id, words) VALUES (${id}, '${text}')`;
  const post = `INSERT INTO posts (user_id, category_id, status, title, body, excerpt, created_at, updated_at,
    published_at) VALUES (1, 1, 'published', 'Old', 'Old', 'Old', 0, 0, 0)`;
  const database = await sqliteWith(t, [
    ...earlier('sqlite', '0081-blocks-of-words'),
    post,
    words(1, 'running after bread'),
    words(2, 'bread and rye'),
  ]);
  await database.migrate();
  const community = communityStore(database);
  const found = async (...phrases: string[][]) =>
    (await search(database).postIdsWith({ phrases }, { below: 9e9, most: 100, enough: 20 })).ids;

  assert.deepEqual(await found(['bread']), [2, 1]);
  assert.deepEqual(await found(['run', 'after'], ['bread']), [1]);
  assert.deepEqual(await found(['after', 'rye']), []);
  await community.removePost(asMember(1), 1, 10);
  await community.addPost(asMember(1), { ...newPost(1), words: 'bread of today' });
  assert.deepEqual(await found(['bread']), [3, 2]);
  assert.deepEqual(await found(['running']), []);
  assert.deepEqual(await found(['bread', 'of']), [3]);
});
