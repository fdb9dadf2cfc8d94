// Databases from before posts had tags, and from before tags had lists by popularity and language.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BEGINNING } from '../../src/community/feed.ts';
import { communityStore } from '../../src/storage/community/community-store.ts';
import type { Database } from '../../src/storage/engine/database.ts';
import type { Dialect } from '../../src/storage/engine/sql.ts';
import { asMember, SERVER } from './doers.ts';
import { earlier, postgresWith, skip, sqliteWith } from './earlier-databases.ts';
import { textOf } from './records.ts';

async function checkTags(database: Database): Promise<void> {
  await database.migrate();

  const community = communityStore(database);
  const [old] = await community.newestPosts(9);
  assert.equal(old?.tags, '[]');
  await community.editPost(asMember(1), 1, { ...textOf('Old'), tags: '["bread"]' });
  const bread = await community.findTag('bread');
  assert.equal(bread?.postCount, 1);
  assert.equal((await community.postsWithTag(bread.id, BEGINNING, 9))[0]?.title, 'Old');
}

test('0058: a post from before has no tags, and can get some, on SQLite', async (t) => {
  await checkTags(await sqliteWith(t, earlier('sqlite', '0058-tags')));
});

test('0058: the same on PostgreSQL', { skip }, async (t) => {
  await checkTags(await postgresWith(t, earlier('postgres', '0058-tags')));
});

const withTag = (dialect: Dialect) => [
  ...earlier(dialect, '0073-lists-in-tags'),
  "UPDATE posts SET tags = '[\"bread\"]', language = 'zh', heat = 7",
  "INSERT INTO tags (name, post_count) VALUES ('bread', 1)",
  'INSERT INTO post_tags (post_id, tag_id, published_at) VALUES (1, 1, 0)',
];

async function checkLists(database: Database): Promise<void> {
  await database.migrate();

  const community = communityStore(database);
  const [post] = await community.popularWithTag(1, BEGINNING, 9, 'zh');
  assert.deepEqual([post?.title, post?.popularity], ['Old', 7]);
  const tag = await community.findTag('bread');
  assert.ok(tag);
  assert.ok(await community.renameTag(SERVER, tag, 'loaf', false));
  assert.deepEqual(
    (await community.mostUsedTags(9)).map(({ name }) => name),
    ['loaf'],
  );
}

test('0073, 0074: a tag from before has lists by popularity and language, and can be renamed, on SQLite', async (t) => {
  await checkLists(await sqliteWith(t, withTag('sqlite')));
});

test('0073, 0074: the same on PostgreSQL', { skip }, async (t) => {
  await checkLists(await postgresWith(t, withTag('postgres')));
});
