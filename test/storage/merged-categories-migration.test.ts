// A database from before merged categories kept their rows while their posts move.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { communityStore } from '../../src/storage/community/community-store.ts';
import { movePostsOfMergedCategory } from '../../src/storage/community/merged-categories.ts';
import type { Database } from '../../src/storage/engine/database.ts';
import type { Dialect } from '../../src/storage/engine/sql.ts';
import { SERVER } from './doers.ts';
import { earlier, postgresWith, skip, sqliteWith } from './earlier-databases.ts';

const withMerged = (dialect: Dialect) => [
  ...earlier(dialect, '0084-merged-categories'),
  "INSERT INTO categories (slug, name, position) VALUES ('craft', 'Craft', 2)",
  "INSERT INTO merged_categories (slug, category_id) VALUES ('crafts', 2)",
];

async function check(database: Database): Promise<void> {
  await database.migrate();

  const community = communityStore(database);
  const [general, craft] = await community.categories();
  assert.ok(general && craft);
  assert.equal((await community.findMergedCategory('crafts'))?.slug, 'craft');
  assert.equal(await movePostsOfMergedCategory(database), 0);
  assert.equal(await community.mergeCategory(SERVER, general, craft), true);
  assert.equal((await community.findPost(1))?.categorySlug, 'craft');
  assert.equal((await community.findMergedCategory('general'))?.slug, 'craft');
  assert.equal(await movePostsOfMergedCategory(database), 0);
}

test('0084: a category from before can be merged, and earlier addresses stay, on SQLite', async (t) => {
  await check(await sqliteWith(t, withMerged('sqlite')));
});

test('0084: the same on PostgreSQL', { skip }, async (t) => {
  await check(await postgresWith(t, withMerged('postgres')));
});
