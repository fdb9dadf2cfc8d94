// Posts and categories: the life of a post, its lists, and its author's points.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BEGINNING } from '../../../src/community/feed.ts';
import { MINUTE } from '../../../src/lib/clock.ts';
import { asMember, SERVER } from '../doers.ts';
import { atOnce, type Fixture, inGroups, type Open, openFixture } from '../fixture.ts';
import { NOON, newPost, publication } from '../records.ts';

const LATER = NOON + MINUTE;

async function xpOf({ identity }: Fixture, userId: number): Promise<number | undefined> {
  return (await identity.findUser(userId))?.xp;
}

export const posts = {
  title: 'posts',
  registerTests(open: Open): void {
    test('a published post has the names of its author and category, and earns points', async (t) => {
      const fixture = await openFixture(open, t);

      const id = await fixture.community.addPost(asMember(fixture.bob), newPost(fixture.bob));

      assert.deepEqual(await fixture.community.findPost(id), {
        id,
        userId: fixture.bob,
        authorName: 'bob',
        authorAvatar: undefined,
        categoryName: 'General',
        categorySlug: 'general',
        status: 'published',
        title: 'On arches',
        body: 'An arch *never* sleeps.',
        html: undefined,
        htmlVersion: 0,
        excerpt: 'An arch never sleeps.',
        language: undefined,
        readingMinutes: undefined,
        picture: undefined,
        tags: '[]',
        createdAt: NOON,
        updatedAt: NOON,
        publishedAt: NOON,
        lockedAt: undefined,
        pinnedAt: undefined,
        likeCount: 0,
        commentCount: 0,
        viewCount: 0,
      });
      assert.equal(await xpOf(fixture, fixture.bob), 10);
      assert.equal(await xpOf(fixture, fixture.alice), 0);
    });

    test('a draft is in no public list and earns nothing until it is published', async (t) => {
      const fixture = await openFixture(open, t);
      const { community, bob } = fixture;

      const id = await community.addPost(asMember(bob), newPost(bob, { status: 'draft', xp: 0 }));
      const asDraft = [await community.publishedPostsOf(bob, 0, 20), await community.newestPosts(20)];
      const xpAsDraft = await xpOf(fixture, bob);
      const published = await community.publishDraft(asMember(bob, LATER), id, publication());

      assert.deepEqual(asDraft, [{ items: [], total: 0 }, []]);
      assert.equal(xpAsDraft, 0);
      assert.equal(published, true);
      assert.equal((await community.findPost(id))?.publishedAt, LATER);
      assert.equal((await community.publishedPostsOf(bob, 0, 20)).total, 1);
      assert.equal(await xpOf(fixture, bob), 10);
    });

    test('of 32 publications of one draft at once exactly one happens and earns points', async (t) => {
      const fixture = await openFixture(open, t);
      const id = await fixture.community.addPost(
        asMember(fixture.bob),
        newPost(fixture.bob, { status: 'draft', xp: 0 }),
      );

      const answers = await atOnce(32, () =>
        fixture.community.publishDraft(asMember(fixture.bob, LATER), id, publication()),
      );

      assert.equal(answers.filter((happened) => happened).length, 1);
      assert.equal(await xpOf(fixture, fixture.bob), 10);
    });

    test('a published post is edited in place; a removed one is not', async (t) => {
      const { community, bob } = await openFixture(open, t);
      const id = await community.addPost(asMember(bob), newPost(bob));
      const { id: categoryId } = await community.ensureCategory(SERVER, 'craft', 'Craft', 100);
      const text = {
        title: 'On domes',
        body: 'Round.',
        excerpt: 'Round.',
        words: 'on domes round',
        categoryId,
      };

      const edited = await community.editPost(asMember(bob, LATER), id, text);
      const post = await community.findPost(id);
      await community.removePost(asMember(bob, LATER), id, 10);
      const afterRemoval = await community.editPost(asMember(bob, LATER), id, { ...text, title: 'Back' });

      assert.deepEqual([edited, afterRemoval], [LATER, undefined]);
      assert.equal(post?.title, 'On domes');
      assert.equal(post?.body, 'Round.');
      assert.equal(post?.excerpt, 'Round.');
      assert.equal(post?.categoryName, 'Craft');
      assert.equal(post?.publishedAt, NOON);
      assert.equal(post?.updatedAt, LATER);
      assert.equal((await community.findPost(id))?.title, 'On domes');
    });

    test('a member can’t change the post of another', async (t) => {
      const fixture = await openFixture(open, t);
      const { community, alice, bob } = fixture;
      const draft = await community.addPost(asMember(bob), newPost(bob, { status: 'draft', xp: 0 }));
      const published = await community.addPost(asMember(bob), newPost(bob));
      const text = { title: 'Mine now', body: 'Mine', excerpt: 'Mine', words: 'mine', categoryId: 1 };

      const answers = [
        await community.editPost(asMember(alice, LATER), published, text),
        await community.publishDraft(asMember(alice, LATER), draft, publication()),
        await community.removePost(asMember(alice, LATER), published, 10),
      ];

      assert.deepEqual(answers, [undefined, false, false]);
      assert.equal((await community.findPost(published))?.title, 'On arches');
      assert.equal((await community.findPost(draft))?.status, 'draft');
      assert.equal(await xpOf(fixture, bob), 10);
      assert.equal(await xpOf(fixture, alice), 0);
    });

    test('a removed post is in no list, and its points are taken back once', async (t) => {
      const fixture = await openFixture(open, t);
      const { community, bob } = fixture;
      const id = await community.addPost(asMember(bob), newPost(bob));
      await community.addPost(asMember(bob), newPost(bob, { title: 'Stays' }));

      const answers = await atOnce(16, () => community.removePost(asMember(bob, LATER), id, 10));

      assert.equal(answers.filter((happened) => happened).length, 1);
      assert.equal((await community.findPost(id))?.status, 'removed');
      const remaining = await community.publishedPostsOf(bob, 0, 20);
      assert.deepEqual(
        remaining.items.map(({ title }) => title),
        ['Stays'],
      );
      assert.equal(remaining.total, 1);
      assert.equal(await xpOf(fixture, bob), 10);
    });

    test('removing a draft takes no points back, and points never fall below 0', async (t) => {
      const fixture = await openFixture(open, t);
      const { community, alice, bob } = fixture;
      await community.addPost(asMember(bob), newPost(bob));
      const draft = await community.addPost(asMember(bob), newPost(bob, { status: 'draft', xp: 0 }));
      const cheap = await community.addPost(asMember(alice), newPost(alice, { xp: 3 }));

      await community.removePost(asMember(bob, LATER), draft, 10);
      await community.removePost(asMember(alice, LATER), cheap, 10);

      assert.equal(await xpOf(fixture, bob), 10);
      assert.equal(await xpOf(fixture, alice), 0);
    });

    test('published posts come newest first, ties by id, in pages', async (t) => {
      const { community, alice, bob } = await openFixture(open, t);
      const moments = [NOON, NOON + 2, NOON + 1, NOON + 2, NOON];
      for (const [index, at] of moments.entries())
        await community.addPost(asMember(bob, at), newPost(bob, { title: `${index}` }));
      await community.addPost(asMember(alice, NOON + 3), newPost(alice, { title: 'not bob’s' }));

      const pages = [];
      for (const offset of [0, 2, 4, 6]) {
        const { items, total } = await community.publishedPostsOf(bob, offset, 2);
        pages.push(items.map(({ title }) => title));
        assert.equal(total, 5);
      }
      const newest = (await community.newestPosts(3)).map(({ title }) => title);

      assert.deepEqual(pages, [['3', '1'], ['2', '4'], ['0'], []]);
      assert.deepEqual(newest, ['not bob’s', '3', '1']);
    });

    test('the last pages of a long list follow one another like the first ones', async (t) => {
      const { community, bob } = await openFixture(open, t);
      const count = 1_103;
      await inGroups(count, (index) =>
        community.addPost(asMember(bob, NOON - Math.floor(index / 3)), newPost(bob, { title: `${index}` })),
      );
      const titles = async (offset: number, limit: number) =>
        (await community.publishedPostsOf(bob, offset, limit)).items.map(({ title }) => title);
      const whole = [];
      for (let offset = 0; offset < count; offset += 499) whole.push(...(await titles(offset, 499)));

      for (const offset of [480, 500, 520, 541, 542, 560, 600, 1_080, 1_090, 1_100, 1_102, 1_103, 9_000]) {
        assert.deepEqual(await titles(offset, 20), whole.slice(offset, offset + 20), `from ${offset}`);
      }
      assert.equal(whole.length, count);
      assert.equal(new Set(whole).size, count);
      assert.equal((await community.publishedPostsOf(bob, 9_000, 20)).total, count);
    });

    test('an author’s own drafts are ordered by their last change, newest first', async (t) => {
      const { community, alice, bob } = await openFixture(open, t);
      const first = await community.addPost(
        asMember(bob),
        newPost(bob, { title: 'first', status: 'draft', xp: 0 }),
      );
      await community.addPost(asMember(bob), newPost(bob, { title: 'second', status: 'draft', xp: 0 }));
      await community.addPost(
        asMember(alice),
        newPost(alice, { title: 'not bob’s', status: 'draft', xp: 0 }),
      );
      const text = { title: 'first', body: '…', excerpt: '…', words: 'first', categoryId: 1 };
      await community.editPost(asMember(bob, LATER), first, text);

      const drafts = await community.draftsOf(bob, BEGINNING, 20);

      assert.deepEqual(
        drafts.map(({ title }) => title),
        ['first', 'second'],
      );
      assert.ok(drafts.every((draft) => !('body' in draft)));
    });

    test('a category is added once, even by many calls at once', async (t) => {
      const { community } = await openFixture(open, t);

      const answers = await atOnce(16, (index) =>
        community.ensureCategory(SERVER, 'craft', `Craft ${index}`, 100),
      );

      const [, craft] = await community.categories();
      assert.equal((await community.categories()).length, 2);
      for (const answer of answers) assert.deepEqual(answer, craft);
    });
  },
};
