// Categories: their order, merging one into another, and deleting an empty one.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Category, CommunityStore } from '../../../src/community/store.ts';
import { movePostsOfMergedCategory } from '../../../src/storage/community/merged-categories.ts';
import { sql } from '../../../src/storage/engine/sql.ts';
import { asMember, asModerator } from '../doers.ts';
import { atOnce, auditActs, type Fixture, inGroups, type Open, openFixture } from '../fixture.ts';
import { AS_DRAFT, newPost } from '../records.ts';

async function slugsOf({ community }: Fixture): Promise<string[]> {
  return (await community.categories()).map(({ slug }) => slug);
}

const selectPosts = sql<{ id: number }, { id: number }>`
  SELECT id FROM posts WHERE category_id = :id ORDER BY id`;
const selectAll = sql<void, { id: number }>`SELECT id FROM categories`;

export const categories = {
  title: 'categories',
  registerTests(open: Open): void {
    test('a new category is the last one, and categories can be put in another order', async (t) => {
      const fixture = await openFixture(open, t);
      const { community, alice } = fixture;
      const by = asModerator(alice);
      const [craft, food] = [
        await community.ensureCategory(by, 'craft', 'Craft', 100),
        await community.ensureCategory(by, 'food', 'Food', 100),
      ];

      const before = await slugsOf(fixture);
      await community.orderCategories(by, 'food', [food.id, 1, craft.id]);

      assert.deepEqual(before, ['general', 'craft', 'food']);
      assert.deepEqual(await slugsOf(fixture), ['food', 'general', 'craft']);
      assert.equal((await community.ensureCategory(by, 'food', 'Food', 100)).id, food.id);
      assert.equal((await auditActs(fixture))[0], 'alice category.order category:food');
    });

    test('of several categories at once only so many are added as there can be', async (t) => {
      const fixture = await openFixture(open, t);
      const community: CommunityStore = fixture.community;
      const by = asModerator(fixture.alice);

      const added = await atOnce(8, (index) => community.ensureCategory(by, `c${index}`, `C${index}`, 4));

      assert.equal(added.filter((category) => category !== undefined).length, 3);
      assert.equal((await slugsOf(fixture)).length, 4);
      assert.equal((await community.ensureCategory(by, 'general', 'General', 4))?.id, 1);
      assert.equal(await community.ensureCategory(by, 'more', 'More', 4), undefined);
      assert.equal((await community.ensureCategory(by, 'more', 'More', 5))?.slug, 'more');
    });

    test('a merged category gives all its posts and its address to the other one', async (t) => {
      const fixture = await openFixture(open, t);
      const { community, alice, bob } = fixture;
      const by = asModerator(alice);
      const add = (slug: string) => community.ensureCategory(by, slug, slug, 100);
      const [old, craft, art] = [await add('old'), await add('craft'), await add('art')];
      const post = await community.addPost(asMember(bob), newPost(bob, { categoryId: old.id }));
      const draft = await community.addPost(asMember(bob), newPost(bob, { ...AS_DRAFT, categoryId: old.id }));

      assert.equal(await community.mergeCategory(by, old, craft), true);
      assert.equal(await community.mergeCategory(by, craft, art), true);
      assert.equal(await community.mergeCategory(by, craft, art), false);

      assert.deepEqual(await slugsOf(fixture), ['general', 'art']);
      const moved = await Promise.all([post, draft].map((id) => community.findPost(id)));
      assert.deepEqual(
        moved.map((one) => one?.categorySlug),
        ['art', 'art'],
      );
      const heirs = await Promise.all(
        ['old', 'craft', 'art'].map((slug) => community.findMergedCategory(slug)),
      );
      assert.deepEqual(
        heirs.map((heir) => heir?.slug),
        ['art', 'art', undefined],
      );
    });

    test('many posts move in steps, whose posts have the new category’s name and address from the beginning', async (t) => {
      const fixture = await openFixture(open, t);
      const { database, community, alice, bob } = fixture;
      const by = asModerator(alice);
      const add = (slug: string) => community.ensureCategory(by, slug, slug, 100);
      const [old, craft, art] = [await add('old'), await add('craft'), await add('art')];
      const ids: number[] = [];
      await inGroups(620, async (index) => {
        const more = index % 2 ? {} : AS_DRAFT;
        ids.push(await community.addPost(asMember(bob), newPost(bob, { ...more, categoryId: old.id })));
      });
      const inCategory = async ({ id }: Category) => (await database.rows(selectPosts({ id }))).length;

      assert.equal(await community.mergeCategory(by, old, craft), true);
      const first = await inCategory(craft);
      assert.deepEqual(await slugsOf(fixture), ['general', 'craft', 'art']);
      assert.equal((await community.findMergedCategory('old'))?.slug, 'craft');
      const shown = async () =>
        new Set(
          (await Promise.all(ids.map((id) => community.findPost(id)))).map((post) => post?.categorySlug),
        );
      assert.deepEqual(await shown(), new Set(['craft']));

      const again = await community.ensureCategory(by, 'old', 'Old', 100);
      assert.notEqual(again.id, old.id);
      assert.equal(await community.deleteCategory(by, 'old'), true);
      await community.renameCategory(by, 'craft', 'Crafts');
      assert.equal(await community.mergeCategory(by, craft, art), true);
      assert.deepEqual(await shown(), new Set(['art']));
      assert.equal(await community.deleteCategory(by, 'art'), false);

      let [steps, most, before] = [0, 0, await inCategory(art)];
      while ((await movePostsOfMergedCategory(database)) > 0) {
        steps += 1;
        const after = await inCategory(art);
        [most, before] = [Math.max(most, after - before), after];
      }

      assert.ok(first > 0 && first <= 600 && steps > 0 && most <= 600, `${first} ${steps} ${most}`);
      assert.equal(await inCategory(art), 620);
      assert.deepEqual(await shown(), new Set(['art']));
      assert.equal((await database.rows(selectAll())).length, 2);
      assert.deepEqual(
        (await Promise.all(['old', 'craft'].map((slug) => community.findMergedCategory(slug)))).map(
          (heir) => heir?.slug,
        ),
        ['art', 'art'],
      );
    });

    test('long posts move a few at a time, the newest first', async (t) => {
      const fixture = await openFixture(open, t);
      const { database, community, alice, bob } = fixture;
      const by = asModerator(alice);
      const old = await community.ensureCategory(by, 'old', 'Old', 100);
      const html = 'x'.repeat(2_000_000);
      for (let index = 0; index < 5; index += 1) {
        await community.addPost(asMember(bob), newPost(bob, { html, categoryId: old.id }));
      }

      await community.mergeCategory(by, old, { id: 1, slug: 'general', name: 'General', description: '' });

      assert.deepEqual(
        (await database.rows(selectPosts({ id: 1 }))).map(({ id }) => id),
        [3, 4, 5],
      );
    });

    test('only an empty category is deleted, and never the last one', async (t) => {
      const fixture = await openFixture(open, t);
      const { community, alice, bob } = fixture;
      const by = asModerator(alice);
      const craft = await community.ensureCategory(by, 'craft', 'Craft', 100);
      await community.describeCategory(by, 'craft', 'Things to make.');
      assert.equal((await community.categories())[1]?.description, 'Things to make.');
      const id = await community.addPost(asMember(bob), newPost(bob, { ...AS_DRAFT, categoryId: craft.id }));

      const answers = [
        await community.deleteCategory(by, 'craft'),
        await community.deleteCategory(by, 'general'),
        await community.deleteCategory(by, 'general'),
      ];

      assert.deepEqual(answers, [false, true, false]);
      assert.deepEqual(await slugsOf(fixture), ['craft']);
      assert.equal((await community.findPost(id))?.categorySlug, 'craft');
    });
  },
};
