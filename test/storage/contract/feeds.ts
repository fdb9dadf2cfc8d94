// The lists of posts that everyone sees: newest, by category, popular.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BEGINNING } from '../../../src/community/feed.ts';
import { HOUR } from '../../../src/lib/clock.ts';
import { NO_ENTRY } from '../../../src/storage/audit/audit-trail.ts';
import { updatePopularity } from '../../../src/storage/community/popularity.ts';
import { sql } from '../../../src/storage/engine/sql.ts';
import { asMember, SERVER } from '../doers.ts';
import { type Open, openFixture } from '../fixture.ts';
import { AS_DRAFT, NOON, newPost, publication } from '../records.ts';

const setReactions = sql<{ id: number; likes: number; comments: number }>`
  UPDATE posts SET like_count = :likes, comment_count = :comments WHERE id = :id`;

export const feeds = {
  title: 'feeds',
  registerTests(open: Open): void {
    test('the pages of the newest posts follow one another, ties by id', async (t) => {
      const { community, bob } = await openFixture(open, t);
      const { id: categoryId } = await community.ensureCategory(SERVER, 'craft', 'Craft', 100);
      const moments = [NOON, NOON + 2, NOON + 1, NOON + 2, NOON, NOON];
      for (const [index, at] of moments.entries()) {
        const category = index % 2 === 0 ? categoryId : 1;
        await community.addPost(asMember(bob, at), newPost(bob, { title: `${index}`, categoryId: category }));
      }
      await community.addPost(asMember(bob), newPost(bob, AS_DRAFT));

      const pages = [];
      let place = BEGINNING;
      for (let page = 0; page < 4; page += 1) {
        const posts = await community.postsBefore(place, 2);
        pages.push(posts.map(({ title }) => title));
        const last = posts.at(-1);
        if (last !== undefined) place = { at: last.publishedAt ?? 0, id: last.id };
      }
      const addresses = await community.addressesBetween(2, 4);
      const [lastId, beyond] = [await community.lastPostId(), await community.addressesBetween(8, 99)];
      const craft = await community.postsInCategory(categoryId, BEGINNING, 9);
      const afterTwo = await community.postsInCategory(categoryId, { at: NOON + 1, id: 3 }, 9);

      assert.deepEqual(pages, [['3', '1'], ['2', '5'], ['4', '0'], []]);
      assert.deepEqual(
        addresses.map(({ id, title, updatedAt }) => [id, title, updatedAt]),
        [
          [2, '1', NOON + 2],
          [3, '2', NOON + 1],
          [4, '3', NOON + 2],
        ],
      );
      // The newest post is a draft.
      assert.deepEqual([lastId, beyond], [7, []]);
      assert.deepEqual(
        craft.map(({ title }) => title),
        ['2', '4', '0'],
      );
      assert.deepEqual(
        afterTwo.map(({ title }) => title),
        ['4', '0'],
      );
    });

    test('a post with likes and comments is more popular than a slightly newer one', async (t) => {
      const { community, database, bob } = await openFixture(open, t);
      const old = await community.addPost(asMember(bob), newPost(bob, { title: 'old' }));
      await community.addPost(asMember(bob, NOON + HOUR), newPost(bob, { title: 'newer' }));
      const draft = await community.addPost(
        asMember(bob),
        newPost(bob, { ...AS_DRAFT, title: 'just published' }),
      );
      const before = await community.popularPosts(BEGINNING, 9);
      await community.publishDraft(asMember(bob, NOON + 2 * HOUR), draft, publication());
      const guard = setReactions({ id: old, likes: 3, comments: 2 });

      await database.atomically({
        audit: NO_ENTRY,
        guard,
        effects: updatePopularity({ postId: old, weight: HOUR }),
      });
      const after = await community.popularPosts(BEGINNING, 9);
      const [first] = after;
      const next = await community.popularPosts({ at: first?.popularity ?? 0, id: first?.id ?? 0 }, 9);

      const titles = (posts: readonly { title: string }[]) => posts.map(({ title }) => title);
      assert.deepEqual(titles(before), ['newer', 'old']);
      // ln(1 + 3 + 2 · 2) hours are 2.08.
      assert.deepEqual(titles(after), ['old', 'just published', 'newer']);
      assert.equal(first?.popularity, NOON + Math.floor(Math.log(8) * HOUR));
      assert.deepEqual(titles(next), ['just published', 'newer']);
    });

    test('a category and a language have lists of their own, newest or most popular first', async (t) => {
      const { community, database, bob } = await openFixture(open, t);
      const { id: categoryId } = await community.ensureCategory(SERVER, 'craft', 'Craft', 100);
      for (const [title, more] of [
        ['english', { language: 'en', categoryId }],
        ['chinese', { language: 'zh' }],
        ['liked', { language: 'en', categoryId }],
        ['unknown', { categoryId }],
        ['draft', { ...AS_DRAFT, language: 'other', categoryId }],
      ] as const) {
        await community.addPost(asMember(bob), newPost(bob, { title, ...more }));
      }
      const [, , liked] = await community.postsBefore(BEGINNING, 4).then((posts) => posts.toReversed());
      await database.atomically({
        audit: NO_ENTRY,
        guard: setReactions({ id: liked?.id ?? 0, likes: 3, comments: 0 }),
        effects: updatePopularity({ postId: liked?.id ?? 0, weight: HOUR }),
      });
      const titles = (posts: readonly { title: string }[]) => posts.map(({ title }) => title);
      const [first] = await community.popularInLanguage('en', BEGINNING, 1);
      const afterFirst = { at: first?.popularity ?? 0, id: first?.id ?? 0 };

      assert.deepEqual(titles(await community.postsInLanguage('en', BEGINNING, 9)), ['liked', 'english']);
      assert.deepEqual(titles(await community.postsInLanguage('en', { at: NOON, id: liked?.id ?? 0 }, 9)), [
        'english',
      ]);
      assert.deepEqual(titles(await community.popularInLanguage('en', BEGINNING, 9)), ['liked', 'english']);
      assert.deepEqual(titles(await community.popularInLanguage('en', afterFirst, 9)), ['english']);
      const popular = await community.popularInCategory(categoryId, BEGINNING, 9);
      assert.deepEqual(titles(popular), ['liked', 'unknown', 'english']);
      assert.deepEqual(titles(await community.popularInCategory(categoryId, afterFirst, 9)), [
        'unknown',
        'english',
      ]);
      assert.deepEqual(titles(await community.postsInCategory(categoryId, BEGINNING, 9, 'en')), [
        'liked',
        'english',
      ]);
      assert.deepEqual(titles(await community.popularInCategory(categoryId, afterFirst, 9, 'en')), [
        'english',
      ]);
      assert.deepEqual(await community.postsInCategory(categoryId, BEGINNING, 9, 'zh'), []);
      assert.deepEqual((await community.languagesOfPosts()).sort(), ['en', 'zh']);
      assert.deepEqual(await community.countInCategories(9, 2), [
        { id: 1, posts: 1 },
        { id: categoryId, posts: 2 },
      ]);
      assert.equal((await community.countInCategories(1, 2)).length, 1);
    });

    test('the popular posts since a moment are those that were published after it', async (t) => {
      const { community, database, bob } = await openFixture(open, t);
      const old = await community.addPost(asMember(bob), newPost(bob, { title: 'old' }));
      for (const [index, title] of ['new', 'newer'].entries()) {
        await community.addPost(asMember(bob, NOON + (index + 1) * HOUR), newPost(bob, { title }));
      }
      const guard = setReactions({ id: old, likes: 30_000, comments: 2 });
      const effects = updatePopularity({ postId: old, weight: HOUR });
      await database.atomically({ audit: NO_ENTRY, guard, effects });

      const titlesSince = async (since: number) =>
        (await community.popularSince(since, 2)).map(({ title }) => title);
      assert.deepEqual(await titlesSince(NOON), ['newer', 'new']);
      assert.deepEqual(await titlesSince(NOON - 1), ['old', 'newer']);
    });
  },
};
