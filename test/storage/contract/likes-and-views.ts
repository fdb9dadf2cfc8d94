// Likes, views and notifications: each is stored once, and every count is exact.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAY, MINUTE } from '../../../src/lib/clock.ts';
import { NO_ENTRY } from '../../../src/storage/audit/audit-trail.ts';
import { sql } from '../../../src/storage/engine/sql.ts';
import { asMember, SERVER } from '../doers.ts';
import { atOnce, type Fixture, type Open, openFixture } from '../fixture.ts';
import { NOON, newPost, newUser } from '../records.ts';

const WORTH = { xp: 1, weight: 1000 };
const LAST = Number.MAX_SAFE_INTEGER;

async function xpOf({ identity }: Fixture, userId: number): Promise<number | undefined> {
  return (await identity.findUser(userId))?.xp;
}

async function crowd({ identity }: Fixture, count: number): Promise<number[]> {
  return atOnce(count, async (index) => {
    const id = await identity.addUser(SERVER, newUser(`reader${index}`));
    assert.ok(typeof id === 'number');
    return id;
  });
}

const closeAccount = sql<{ id: number }>`UPDATE users SET status = 'closed' WHERE id = :id`;

export const likesAndViews = {
  title: 'likes, views and notifications',
  registerTests(open: Open): void {
    test('of 32 likes by one member at once exactly one counts, and one of 32 that take it back', async (t) => {
      const fixture = await openFixture(open, t);
      const { community, alice, bob } = fixture;
      const postId = await community.addPost(asMember(bob), newPost(bob));
      const like = { postId, ...WORTH };

      const liked = await atOnce(32, () => community.addLike(asMember(alice), like));
      const likeCount = (await community.findPost(postId))?.likeCount;
      const xp = await xpOf(fixture, bob);
      const has = await community.hasLiked(postId, alice);
      const unliked = await atOnce(32, () => community.removeLike(asMember(alice), like));

      assert.equal(liked.filter((happened) => happened).length, 1);
      assert.deepEqual([likeCount, xp, has], [1, 11, true]);
      assert.equal(unliked.filter((happened) => happened).length, 1);
      assert.equal((await community.findPost(postId))?.likeCount, 0);
      assert.equal(await xpOf(fixture, bob), 10);
      assert.equal(await community.hasLiked(postId, alice), false);
    });

    test('the likes of 32 members at once all count', async (t) => {
      const fixture = await openFixture(open, t);
      const { community, bob } = fixture;
      const postId = await community.addPost(asMember(bob), newPost(bob));
      const readers = await crowd(fixture, 32);

      await Promise.all(readers.map((userId) => community.addLike(asMember(userId), { postId, ...WORTH })));

      assert.equal((await community.findPost(postId))?.likeCount, 32);
      assert.equal(await xpOf(fixture, bob), 42);
      assert.equal(await community.countUnread(bob, 100), 32);
      assert.equal(await community.countUnread(bob, 20), 20);
    });

    test('after likes and unlikes at once, the count is right', async (t) => {
      const fixture = await openFixture(open, t);
      const { community, bob } = fixture;
      const postId = await community.addPost(asMember(bob), newPost(bob));
      const readers = await crowd(fixture, 16);
      const first = readers.slice(0, 8);
      await Promise.all(first.map((userId) => community.addLike(asMember(userId), { postId, ...WORTH })));

      await Promise.all(
        readers.map((userId, index) =>
          index < 8
            ? community.removeLike(asMember(userId), { postId, ...WORTH })
            : community.addLike(asMember(userId), { postId, ...WORTH }),
        ),
      );

      assert.equal((await community.findPost(postId))?.likeCount, 8);
      assert.equal(await xpOf(fixture, bob), 18);
    });

    test('a member can’t like their own post, a draft or a removed post', async (t) => {
      const fixture = await openFixture(open, t);
      const { community, alice, bob } = fixture;
      const own = await community.addPost(asMember(alice), newPost(alice, { xp: 0 }));
      const draft = await community.addPost(asMember(bob), newPost(bob, { status: 'draft', xp: 0 }));
      const gone = await community.addPost(asMember(bob), newPost(bob, { xp: 0 }));
      await community.removePost(asMember(bob), gone, 0);

      for (const postId of [own, draft, gone, 999]) {
        assert.equal(await community.addLike(asMember(alice), { postId, ...WORTH }), false);
      }
      assert.equal((await community.findPost(own))?.likeCount, 0);
      assert.deepEqual([await xpOf(fixture, alice), await xpOf(fixture, bob)], [0, 0]);
    });

    test('a like leads to one notification, however often it is taken back and repeated', async (t) => {
      const fixture = await openFixture(open, t);
      const { community, alice, bob } = fixture;
      const postId = await community.addPost(asMember(bob), newPost(bob));
      const like = { postId, ...WORTH };

      for (let time = 0; time < 3; time += 1) {
        await community.addLike(asMember(alice), like);
        await community.removeLike(asMember(alice), like);
      }

      const [notification, ...more] = await community.notificationsOf(bob, LAST, 10);
      assert.deepEqual(more, []);
      assert.deepEqual(
        [notification?.kind, notification?.actorName, notification?.postTitle],
        ['like', 'alice', 'On arches'],
      );
      assert.deepEqual([notification?.isRead, notification?.createdAt], [false, NOON]);
    });

    test('a visitor is counted once for a post and day, even for 32 views at once', async (t) => {
      const { community, bob } = await openFixture(open, t);
      const postId = await community.addPost(asMember(bob), newPost(bob));
      const view = { postId, day: 20_000, visitor: 'a' };

      await community.countViews(Array(32).fill(view));
      await atOnce(8, () => community.countViews([view]));
      const once = (await community.findPost(postId))?.viewCount;
      await community.countViews([
        { ...view, visitor: 'b' },
        { ...view, day: 20_001 },
        { ...view, visitor: 'B' },
      ]);

      assert.equal(once, 1);
      assert.equal((await community.findPost(postId))?.viewCount, 4);
    });

    test('300 visitors are counted, but not those of a draft or a removed post', async (t) => {
      const { community, bob } = await openFixture(open, t);
      const postId = await community.addPost(asMember(bob), newPost(bob));
      const draft = await community.addPost(asMember(bob), newPost(bob, { status: 'draft', xp: 0 }));
      const visitors = Array.from({ length: 300 }, (_, index) => `visitor ${index}`);

      await community.countViews(visitors.map((visitor) => ({ postId, day: 20_000, visitor })));
      await community.countViews([draft, 999].map((id) => ({ postId: id, day: 20_000, visitor: 'a' })));

      assert.equal((await community.findPost(postId))?.viewCount, 300);
      assert.equal((await community.findPost(draft))?.viewCount, 0);
    });

    test('notifications come newest first, in parts, and are marked as read up to an id', async (t) => {
      const fixture = await openFixture(open, t);
      const { community, alice, bob } = fixture;
      const postId = await community.addPost(asMember(bob), newPost(bob));
      const other = await community.addPost(asMember(alice), newPost(alice));
      for (const userId of await crowd(fixture, 5)) {
        await community.addLike(asMember(userId), { postId, ...WORTH });
        await community.addLike(asMember(userId), { postId: other, ...WORTH });
      }

      const newest = await community.notificationsOf(bob, LAST, 3);
      const older = await community.notificationsOf(bob, newest[2]?.id ?? 0, 3);
      await community.markRead(asMember(bob, NOON + MINUTE), newest[1]?.id ?? 0);

      const ids = [...newest, ...older].map(({ id }) => id);
      assert.equal(new Set(ids).size, 5);
      assert.deepEqual(
        ids,
        ids.toSorted((a, b) => b - a),
      );
      assert.equal(await community.countUnread(bob, 100), 1);
      assert.equal(await community.countUnread(alice, 100), 5);
      const [first, second] = await community.notificationsOf(bob, LAST, 3);
      assert.deepEqual([first?.isRead, second?.isRead], [false, true]);
    });

    test('a closed account gets no notifications, and none has the title of a removed post', async (t) => {
      const fixture = await openFixture(open, t);
      const { community, alice, bob, database } = fixture;
      const postId = await community.addPost(asMember(bob), newPost(bob));
      const comment = { postId, replyTo: undefined, body: 'True.', ...WORTH };
      const id = (await community.addComment(asMember(alice, NOON + DAY), comment)) ?? 0;
      await database.atomically({ audit: NO_ENTRY, guard: closeAccount({ id: bob }) });
      await community.addLike(asMember(alice), { postId, ...WORTH });
      await community.addComment(asMember(alice, NOON + DAY), comment);
      const replyTo = { id, userId: alice };
      const [carol = 0] = await crowd(fixture, 1);
      await community.addComment(asMember(carol, NOON + DAY), { ...comment, replyTo });
      await community.removePost(asMember(bob), postId, 0);

      const toBob = await community.notificationsOf(bob, LAST, 10);
      const toAlice = await community.notificationsOf(alice, LAST, 10);

      assert.deepEqual(
        toBob.map(({ commentId }) => commentId),
        [id],
      );
      assert.deepEqual(
        toAlice.map(({ kind, postTitle }) => [kind, postTitle]),
        [['reply', undefined]],
      );
    });
  },
};
