// The search among very many posts, and among the posts with a tag.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PostQuery } from '../../../src/community/search-store.ts';
import { phrasesOf } from '../../../src/lib/words.ts';
import { NO_ENTRY } from '../../../src/storage/audit/audit-trail.ts';
import { fragment, sql } from '../../../src/storage/engine/sql.ts';
import { asMember } from '../doers.ts';
import { type Open, openFixture } from '../fixture.ts';
import { NOON, newPost, textOf } from '../records.ts';

// More than the posts of a tag that are searched one by one.
const MANY_POSTS = {
  sqlite: fragment`
    WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 2100) SELECT n FROM numbers`,
  postgres: fragment`SELECT n FROM generate_series(1, 2100) AS numbers (n)`,
};
const manyPosts = (numbers: typeof MANY_POSTS.sqlite) => fragment`
  INSERT INTO posts (user_id, title, body, excerpt, category_id, status, created_at, updated_at, published_at)
  SELECT :userId, 'Other', 'Other', '', 1, 'published', 1, 1, 1 FROM (${numbers}) AS many`;
const insertManyPosts = {
  sqlite: sql<{ userId: number }>`${manyPosts(MANY_POSTS.sqlite)}`,
  postgres: sql<{ userId: number }>`${manyPosts(MANY_POSTS.postgres)}`,
};

const insertManyTags = sql<{ tagId: number }>`
  INSERT INTO post_tags (post_id, tag_id, published_at)
  SELECT id, :tagId, 1 FROM posts WHERE title = 'Other'`;

const insertManyWords = sql`
  INSERT INTO post_words (post_id, words) SELECT id, 'other words' FROM posts WHERE title = 'Other'`;

export const searchWithTag = {
  title: 'the search among very many posts, and with a tag',
  registerTests(open: Open): void {
    test('a search with a tag finds the posts that have it, whether these are few or many', async (t) => {
      const { community, database, bob } = await openFixture(open, t);
      const add = (title: string, tags?: string) =>
        community.addPost(asMember(bob), newPost(bob, { ...textOf(title), ...(tags && { tags }) }));
      for (const [title, tags] of [
        ['Rye bread', '["oven"]'],
        ['Rye whisky', '["still"]'],
        ['Rye field'],
        ['Rye loaf', '["oven","still"]'],
        ['Wheat', '["oven"]'],
      ] as const) {
        await add(title, tags);
      }
      const tagId = (await community.findTag('oven'))?.id ?? 0;
      const found = async (more: Partial<PostQuery> = {}) => {
        const query = { phrases: phrasesOf('rye'), tagId, ...more };
        const bounds = { below: Number.MAX_SAFE_INTEGER, most: 20, enough: 20 };
        const { ids } = await community.postIdsWith(query, bounds);
        return (await community.postsByIds(ids)).map(({ title }) => title);
      };

      const ofFew = [await found(), await found({ authorId: bob }), await found({ language: 'zh' })];
      await database.atomically({
        audit: NO_ENTRY,
        guard: insertManyPosts[database.dialect]({ userId: bob }),
      });
      await database.atomically({ audit: NO_ENTRY, guard: insertManyTags({ tagId }) });
      const ofMany = [await found(), await found({ authorId: bob }), await found({ language: 'zh' })];

      assert.deepEqual(ofFew, [['Rye loaf', 'Rye bread'], ['Rye loaf', 'Rye bread'], []]);
      assert.deepEqual(ofMany, ofFew);
      assert.deepEqual(await found({ tagId: tagId + 99 }), []);
      const begun = { phrases: [['ry']], isCompleted: true };
      assert.deepEqual(await found(begun), ['Rye loaf', 'Rye bread']);
      assert.deepEqual(await found({ ...begun, authorId: bob + 99 }), []);
    });

    test('of very many posts, the newest are found and so many counted as are asked for', async (t) => {
      const { community, database, bob } = await openFixture(open, t);
      await database.atomically({
        audit: NO_ENTRY,
        guard: insertManyPosts[database.dialect]({ userId: bob }),
      });
      await database.atomically({ audit: NO_ENTRY, guard: insertManyWords() });
      const [newest] = await community.postsBefore({ at: NOON, id: Number.MAX_SAFE_INTEGER }, 1);
      const find = (below: number, most: number, phrases = [['other']]) =>
        community.postIdsWith({ phrases }, { below, most, enough: 21 });
      const last = newest?.id ?? 0;

      const all = await find(Number.MAX_SAFE_INTEGER, 1001);
      const both = await find(Number.MAX_SAFE_INTEGER, 1001, [['other'], ['words']]);
      const few = await find(last - 2095, 1001);

      assert.deepEqual(
        [all.count, all.searchedFrom > 0, all.ids[0], all.ids[20]],
        [1001, true, last, last - 20],
      );
      assert.deepEqual([both.searchedFrom > 0, both.ids[0], both.ids[20]], [true, last, last - 20]);
      assert.deepEqual([few.count, few.searchedFrom, few.ids.length], [4, 0, 4]);
    });
  },
};
