// A database from before posts had tags.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BEGINNING } from '../../src/community/feed.ts';
import { communityStore } from '../../src/storage/community/community-store.ts';
import type { Database } from '../../src/storage/engine/database.ts';
import { asMember } from './doers.ts';
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
