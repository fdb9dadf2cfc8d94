// A database from before lists told the language of a post.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Community } from '../../src/community/community.ts';
import { renewRenderings } from '../../src/community/rendering.ts';
import { communityStore } from '../../src/storage/community/community-store.ts';
import type { Database } from '../../src/storage/engine/database.ts';
import type { Dialect } from '../../src/storage/engine/sql.ts';
import { plainRenderer } from '../support/renderer.ts';
import { earlier, postgresWith, skip, sqliteWith } from './earlier-databases.ts';

const beforeLists = (dialect: Dialect) => [
  ...earlier(dialect, '0054-lists-of-posts'),
  "UPDATE posts SET html = '<p>A post.</p>', html_version = 4",
  `INSERT INTO posts (user_id, category_id, status, title, body, excerpt, html_version, created_at, updated_at,
      published_at)
    VALUES (1, 1, 'published', 'Rye', '# Rye\n\n今天烤面包。\n\n- 面粉\n- 水', 'Rye 今天烤面包。 面粉 水', 4, 0, 0, 0)`,
];

async function checkLists(database: Database): Promise<void> {
  await database.migrate();
  const store = communityStore(database);
  const community = { reads: store, writes: store, renderer: plainRenderer } as unknown as Community;
  const facts = async () =>
    (await store.newestPosts(9)).map(({ excerpt, language, readingMinutes }) => [
      excerpt,
      language,
      readingMinutes,
    ]);

  const before = await facts();
  while ((await renewRenderings(community)) > 0);

  assert.deepEqual(before, [
    ['Rye 今天烤面包。 面粉 水', undefined, undefined],
    ['A post.', undefined, undefined],
  ]);
  assert.deepEqual(await facts(), [
    ['今天烤面包。面粉；水', 'zh', 1],
    ['A post.', 'en', 1],
  ]);
  assert.deepEqual(await store.languagesOfPosts(), ['en', 'zh']);
}

test('0054: excerpts, languages and reading times of earlier posts are computed in the background, on SQLite', async (t) => {
  await checkLists(await sqliteWith(t, beforeLists('sqlite')));
});

test('0054: the same on PostgreSQL', { skip }, async (t) => {
  await checkLists(await postgresWith(t, beforeLists('postgres')));
});
