// Following members and tags, and bookmarks: each is stored once, and lists only what everyone can read.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BEGINNING, type Cursor } from '../../../src/community/feed.ts';
import type { PostSummary } from '../../../src/community/post-store.ts';
import { asMember, SERVER } from '../doers.ts';
import { atOnce, type Open, openFixture } from '../fixture.ts';
import { AS_DRAFT, NOON, newPost, newUser } from '../records.ts';

const MOST = 1000;

const titlesOf = (posts: readonly PostSummary[]) => posts.map(({ title }) => title);

export const following = {
  title: 'following and bookmarks',
  registerTests(open: Open): void {
    test('the posts of followed members and tags are one list, newest first, each once', async (t) => {
      const { community, identity, alice, bob } = await openFixture(open, t);
      const carol = await identity.addUser(SERVER, newUser('carol'));
      const dan = await identity.addUser(SERVER, newUser('dan'));
      assert.ok(typeof carol === 'number' && typeof dan === 'number');
      const add = (author: number, title: string, at: number, tags = '[]') =>
        community.addPost(asMember(author, at), newPost(author, { title, tags }));
      await add(bob, 'bob 1', NOON);
      await add(carol, 'bread 2', NOON + 2, '["bread","rye"]');
      await add(bob, 'bread by bob 3', NOON + 3, '["bread"]');
      await add(dan, 'nobody follows 4', NOON + 4);
      await add(dan, 'rye 5', NOON + 5, '["rye"]');
      await add(alice, 'own 6', NOON + 6);
      await add(bob, 'bob 7', NOON + 7);
      await community.addPost(asMember(bob), newPost(bob, AS_DRAFT));
      for (const name of ['bread', 'rye']) {
        const tag = await community.findTag(name);
        await community.follow(asMember(alice), { tagId: tag?.id ?? 0 }, MOST);
      }
      await community.follow(asMember(alice), { memberId: bob }, MOST);

      const pages: string[][] = [];
      let after: Cursor | undefined = BEGINNING;
      while (after !== undefined) {
        const posts: PostSummary[] = await community.followedPosts(alice, after, 2);
        pages.push(titlesOf(posts));
        const last: PostSummary | undefined = posts.at(-1);
        after = last && { at: last.publishedAt ?? 0, id: last.id };
      }
      const all = await community.followedPosts(alice, BEGINNING, 30);

      assert.deepEqual(pages, [['bob 7', 'rye 5'], ['bread by bob 3', 'bread 2'], ['bob 1'], []]);
      assert.deepEqual(titlesOf(all), pages.flat());
      assert.deepEqual(await community.followedPosts(bob, BEGINNING, 30), []);
    });

    test('a page is complete also where many members are followed, and one of them writes the most', async (t) => {
      const { community, identity, alice, bob } = await openFixture(open, t);
      const others = await atOnce(6, async (index) =>
        Number(await identity.addUser(SERVER, newUser(`other${index}`))),
      );
      for (const memberId of [bob, ...others]) await community.follow(asMember(alice), { memberId }, MOST);
      for (let index = 0; index < 9; index += 1) {
        await community.addPost(asMember(bob, NOON + 100 + index), newPost(bob, { title: `bob ${index}` }));
      }
      for (const [index, author] of others.entries()) {
        await community.addPost(
          asMember(author, NOON + 10 * index),
          newPost(author, { title: `other ${index}` }),
        );
      }

      const first = titlesOf(await community.followedPosts(alice, BEGINNING, 4));
      const all = titlesOf(await community.followedPosts(alice, BEGINNING, 12));
      const older = titlesOf(await community.followedPosts(alice, { at: NOON + 60, id: 1 }, 6));

      assert.deepEqual(first, ['bob 8', 'bob 7', 'bob 6', 'bob 5']);
      assert.deepEqual(older, ['other 5', 'other 4', 'other 3', 'other 2', 'other 1', 'other 0']);
      assert.deepEqual(all.slice(7), ['bob 1', 'bob 0', 'other 5', 'other 4', 'other 3']);
    });

    test('of 16 who follow at once each counts, and one who does it 16 times counts once', async (t) => {
      const { community, identity, alice, bob } = await openFixture(open, t);
      const readers = await atOnce(16, async (index) =>
        Number(await identity.addUser(SERVER, newUser(`r${index}`))),
      );

      await Promise.all(readers.map((id) => community.follow(asMember(id), { memberId: bob }, MOST)));
      const again = await atOnce(16, () => community.follow(asMember(alice), { memberId: bob }, MOST));

      assert.equal(again.filter((happened) => happened).length, 1);
      assert.equal(await community.countFollowers(bob, 99), 17);
      assert.equal(await community.countFollowers(bob, 5), 5);
      assert.equal(await community.follows(alice, { memberId: bob }), true);
      assert.equal(await community.unfollow(asMember(alice), { memberId: bob }), true);
      assert.equal(await community.unfollow(asMember(alice), { memberId: bob }), false);
      assert.equal(await community.follows(alice, { memberId: bob }), false);
    });

    test('members and tags together are followed up to the limit, and no member follows themselves', async (t) => {
      const { community, alice, bob } = await openFixture(open, t);
      await community.addPost(asMember(bob), newPost(bob, { tags: '["a","b"]' }));
      const [a, b] = [await community.findTag('a'), await community.findTag('b')];
      const by = asMember(alice);

      const results = [
        await community.follow(by, { memberId: alice }, 2),
        await community.follow(by, { memberId: 999 }, 2),
        await community.follow(by, { tagId: 999 }, 2),
        await community.follow(by, { memberId: bob }, 2),
        await community.follow(asMember(alice, NOON + 1), { tagId: a?.id ?? 0 }, 2),
        await community.follow(by, { tagId: b?.id ?? 0 }, 2),
        await community.follow(by, { memberId: bob }, 2),
      ];

      assert.deepEqual(results, [false, false, false, true, true, false, false]);
      assert.deepEqual(await community.followedMembers(alice), [
        { id: bob, username: 'bob', avatar: undefined, since: NOON },
      ]);
      assert.deepEqual(await community.followedTags(alice), [
        { id: a?.id, name: 'a', postCount: 1, since: NOON + 1 },
      ]);
    });

    test('bookmarks list published posts, the newest bookmark first, and each post once', async (t) => {
      const { community, alice, bob } = await openFixture(open, t);
      const ids = [];
      for (const title of ['A', 'B', 'C'])
        ids.push(await community.addPost(asMember(bob), newPost(bob, { title })));
      const draft = await community.addPost(asMember(bob), newPost(bob, AS_DRAFT));
      const [a = 0, b = 0, c = 0] = ids;

      const added = await atOnce(8, () => community.addBookmark(asMember(alice, NOON + 2), b, MOST));
      await community.addBookmark(asMember(alice, NOON + 3), a, MOST);
      await community.addBookmark(asMember(alice, NOON + 1), c, MOST);
      const refused = await community.addBookmark(asMember(alice), draft, MOST);
      const full = await community.addBookmark(asMember(bob), a, 0);
      const first = await community.bookmarkedPosts(alice, BEGINNING, 2);
      const rest = await community.bookmarkedPosts(alice, { at: NOON + 2, id: b }, 2);
      await community.removePost(asMember(bob), b, 10);
      const afterRemoval = await community.bookmarkedPosts(alice, BEGINNING, 9);

      assert.equal(added.filter((happened) => happened).length, 1);
      assert.deepEqual([refused, full], [false, false]);
      assert.deepEqual([titlesOf(first), titlesOf(rest)], [['A', 'B'], ['C']]);
      assert.deepEqual(titlesOf(afterRemoval), ['A', 'C']);
      assert.equal(await community.hasBookmarked(a, alice), true);
      assert.equal(await community.removeBookmark(asMember(alice), a), true);
      assert.equal(await community.removeBookmark(asMember(alice), a), false);
      assert.equal(await community.hasBookmarked(a, alice), false);
    });

    test('a closed account follows nobody, is followed by nobody, and has no bookmarks', async (t) => {
      const { community, identity, alice, bob } = await openFixture(open, t);
      const post = await community.addPost(asMember(alice), newPost(alice, { tags: '["a"]' }));
      const tag = await community.findTag('a');
      await community.follow(asMember(alice), { memberId: bob }, MOST);
      await community.follow(asMember(bob), { memberId: alice }, MOST);
      await community.follow(asMember(bob), { tagId: tag?.id ?? 0 }, MOST);
      await community.addBookmark(asMember(bob), post, MOST);

      await identity.closeAccount(SERVER, bob);

      assert.equal(await community.countFollowers(alice, 9), 0);
      assert.deepEqual(await community.followedMembers(alice), []);
      assert.equal(await community.follows(bob, { memberId: alice }), false);
      assert.equal(await community.follows(bob, { tagId: tag?.id ?? 0 }), false);
      assert.equal(await community.hasBookmarked(post, bob), false);
      assert.equal(await community.follow(asMember(alice), { memberId: bob }, MOST), false);
      assert.equal(await community.follow(asMember(bob), { memberId: alice }, MOST), false);
      assert.equal(await community.addBookmark(asMember(bob), post, MOST), false);
    });
  },
};
