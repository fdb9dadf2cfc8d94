// Comments: their counts and their authors' points, one level of replies, and in which parts they are read.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { MemberDoer } from '../../../src/audit/doer.ts';
import type { NewComment } from '../../../src/community/comment-store.ts';
import { MINUTE } from '../../../src/lib/clock.ts';
import { sql } from '../../../src/storage/engine/sql.ts';
import { asMember } from '../doers.ts';
import { atOnce, type House, type Open, openHouse } from '../house.ts';
import { NOON, newPost } from '../records.ts';

const LATER = NOON + MINUTE;
const WORTH = { xp: 2, weight: 1000 };

/** Bob's post with so many comments by alice. */
async function postWith(house: House, comments: number): Promise<{ postId: number; ids: number[] }> {
  const postId = await house.community.addPost(asMember(house.bob), newPost(house.bob, { xp: 0 }));
  const ids = [];
  for (let index = 0; index < comments; index += 1) ids.push(await added(house, newComment(postId)));
  return { postId, ids };
}

function newComment(postId: number, replyTo?: NewComment['replyTo']): NewComment {
  return { postId, replyTo, body: 'True.', ...WORTH };
}

async function added(
  { community, alice }: House,
  comment: NewComment,
  by: MemberDoer = asMember(alice),
): Promise<number> {
  const id = await community.addComment(by, comment);
  assert.ok(id !== undefined);
  return id;
}

function removed({ community, alice }: House, id: number, postId: number): Promise<boolean> {
  return community.removeComment(asMember(alice, LATER), { id, postId, ...WORTH });
}

async function removedPost({ community, bob }: House, postId: number): Promise<undefined> {
  await community.removePost(asMember(bob, LATER), postId, 0);
}

async function stateOf({ community, identity, alice, bob }: House, postId: number) {
  const [post, author, commenter] = [
    await community.findPost(postId),
    await identity.findUser(bob),
    await identity.findUser(alice),
  ];
  return { comments: post?.commentCount, authorXp: author?.xp, commenterXp: commenter?.xp };
}

const selectComments = sql<void, { id: number }>`SELECT id FROM comments`;

export const comments = {
  title: 'comments',
  promises(open: Open): void {
    test('a comment is counted, earns its author points, and is read with its author’s name', async (t) => {
      const house = await openHouse(open, t);
      const { postId, ids } = await postWith(house, 1);

      const tops = await house.community.topComments(postId, 0, 10);
      const [found] = await house.community.comments(ids);

      const own = { id: ids[0], postId, parentId: undefined, userId: house.alice, authorName: 'alice' };
      const text = { status: 'published', body: 'True.', html: undefined, htmlVersion: 0 };
      const times = { createdAt: NOON, editedAt: undefined };
      assert.deepEqual(tops, [{ id: ids[0], bytes: 5 }]);
      assert.deepEqual(found, { ...own, ...text, ...times, authorAvatar: undefined });
      assert.deepEqual(await stateOf(house, postId), { comments: 1, authorXp: 0, commenterXp: 2 });
      assert.equal((await house.community.findComment(ids[0] ?? 0))?.postTitle, 'On arches');
    });

    test('of 32 comments at once each is counted, and told of once', async (t) => {
      const house = await openHouse(open, t);
      const { postId } = await postWith(house, 0);

      const ids = await atOnce(32, () =>
        house.community.addComment(asMember(house.alice), newComment(postId)),
      );

      assert.equal(new Set(ids).size, 32);
      assert.deepEqual(await stateOf(house, postId), { comments: 32, authorXp: 0, commenterXp: 64 });
      const told = await house.community.notificationsOf(house.bob, 1_000_000, 100);
      assert.deepEqual(new Set(told.map(({ commentId }) => commentId)), new Set(ids));
      assert.equal(told.length, 32);
    });

    test('of one member’s comments on many posts at once each is told of where it stands', async (t) => {
      const house = await openHouse(open, t);
      const posts = await atOnce(16, () =>
        house.community.addPost(asMember(house.bob), newPost(house.bob, { xp: 0 })),
      );

      const ids = await atOnce(16, (index) =>
        house.community.addComment(asMember(house.alice), newComment(posts[index] ?? 0)),
      );

      const told = await house.community.notificationsOf(house.bob, 1_000_000, 100);
      assert.deepEqual(
        new Set(told.map(({ postId, commentId }) => `${postId} ${commentId}`)),
        new Set(ids.map((id, index) => `${posts[index]} ${id}`)),
      );
    });

    test('of 32 removals of one comment at once exactly one happens; all that came of it is taken back', async (t) => {
      const house = await openHouse(open, t);
      const { postId, ids } = await postWith(house, 2);

      const answers = await atOnce(32, () => removed(house, ids[0] ?? 0, postId));

      assert.equal(answers.filter((happened) => happened).length, 1);
      assert.deepEqual(await stateOf(house, postId), { comments: 1, authorXp: 0, commenterXp: 2 });
      const told = await house.community.notificationsOf(house.bob, 1_000_000, 100);
      assert.deepEqual(
        told.map(({ commentId }) => commentId),
        [ids[1]],
      );
      assert.equal(await house.community.findComment(ids[0] ?? 0), undefined);
    });

    test('comments and removals at once leave as many counted as there are', async (t) => {
      const house = await openHouse(open, t);
      const { postId, ids } = await postWith(house, 16);

      await atOnce<unknown>(32, (index) =>
        index % 2 === 0
          ? house.community.addComment(asMember(house.alice), newComment(postId))
          : removed(house, ids[index >> 1] ?? 0, postId),
      );

      assert.deepEqual(await stateOf(house, postId), { comments: 16, authorXp: 0, commenterXp: 32 });
    });

    test('nothing is added below what is not published, nor in answer to what is removed', async (t) => {
      const house = await openHouse(open, t);
      const { community, bob, alice } = house;
      const { postId, ids } = await postWith(house, 1);
      const replyTo = { id: ids[0] ?? 0, userId: alice };
      const draft = await community.addPost(asMember(bob), newPost(bob, { status: 'draft', xp: 0 }));
      const gone = await community.addPost(asMember(bob), newPost(bob, { xp: 0 }));
      const onGone = await added(house, newComment(gone));
      await community.removePost(asMember(bob, LATER), gone, 0);
      await removed(house, replyTo.id, postId);

      const outcomes = [
        await community.addComment(asMember(alice), newComment(draft)),
        await community.addComment(asMember(alice), newComment(gone)),
        await community.addComment(asMember(alice), newComment(gone, { id: onGone, userId: alice })),
        await community.addComment(asMember(alice), newComment(999)),
        await community.addComment(asMember(alice), newComment(postId, replyTo)),
        await community.addComment(asMember(alice), newComment(draft, replyTo)),
      ];

      assert.deepEqual(outcomes, Array(6).fill(undefined));
      assert.equal(await community.editComment(asMember(alice, LATER), onGone, { body: 'Changed.' }), false);
      assert.equal(await community.findComment(onGone), undefined);
      assert.deepEqual(await stateOf(house, postId), { comments: 0, authorXp: 0, commenterXp: 2 });
      assert.equal((await community.findPost(draft))?.commentCount, 0);
    });

    test('comments while the post is removed are all there and counted, or not there at all', async (t) => {
      const house = await openHouse(open, t);
      const { postId } = await postWith(house, 0);

      const answers = await atOnce(24, (index) =>
        index === 8
          ? removedPost(house, postId)
          : house.community.addComment(asMember(house.alice), newComment(postId)),
      );

      const kept = answers.filter((id) => id !== undefined).length;
      assert.equal((await house.database.rows(selectComments())).length, kept);
      assert.deepEqual(await stateOf(house, postId), {
        comments: kept,
        authorXp: 0,
        commenterXp: 2 * kept,
      });
    });

    test('an answer to an answer stands below the same comment; who is answered and the author are told once', async (t) => {
      const house = await openHouse(open, t);
      const { community, alice, bob } = house;
      const { postId, ids } = await postWith(house, 1);
      const top = ids[0] ?? 0;
      await community.markRead(asMember(bob), 1_000_000);

      const byBob = await added(house, newComment(postId, { id: top, userId: alice }), asMember(bob));
      const byAlice = await added(house, newComment(postId, { id: byBob, userId: bob }));
      const toSelf = await added(house, newComment(postId, { id: top, userId: alice }));

      const replies = await community.firstReplies(postId, top, top, 10);
      assert.deepEqual(
        replies.map(({ id, parentId }) => [id, parentId]),
        [byBob, byAlice, toSelf].map((id) => [id, top]),
      );
      const toAlice = await community.notificationsOf(alice, 1_000_000, 10);
      const toBob = await community.notificationsOf(bob, 1_000_000, 10);
      assert.deepEqual(
        toAlice.map(({ kind, commentId, actorName }) => [kind, commentId, actorName]),
        [['reply', byBob, 'bob']],
      );
      // The post is bob's: he is told of an answer to him as such, of the others as of comments.
      assert.deepEqual(
        toBob.filter(({ isRead }) => !isRead).map(({ kind, commentId }) => [kind, commentId]),
        [
          ['comment', toSelf],
          ['reply', byAlice],
        ],
      );
    });

    test('only its author changes a comment, and when is remembered', async (t) => {
      const house = await openHouse(open, t);
      const { community, alice, bob } = house;
      const { postId, ids } = await postWith(house, 1);
      const id = ids[0] ?? 0;

      const answers = [
        await community.editComment(asMember(bob, LATER), id, { body: 'Mine now.' }),
        await community.editComment(asMember(alice, LATER), id, { body: 'Truer.' }),
        await community.removeComment(asMember(bob, LATER), { id, postId, ...WORTH }),
      ];
      const found = await community.findComment(id);
      await removed(house, id, postId);

      assert.deepEqual(answers, [false, true, false]);
      assert.deepEqual([found?.body, found?.editedAt], ['Truer.', LATER]);
      assert.equal(await community.editComment(asMember(alice, LATER), id, { body: 'Back.' }), false);
    });

    test('a removed comment is gone, or without its text above the replies that it has', async (t) => {
      const house = await openHouse(open, t);
      const { community, alice } = house;
      const { postId, ids } = await postWith(house, 3);
      const [plain = 0, answered = 0, stays = 0] = ids;
      const replyTo = { id: answered, userId: alice };
      const reply = await added(house, newComment(postId, replyTo));
      await removed(house, plain, postId);
      await removed(house, answered, postId);

      const before = await community.topComments(postId, 0, 10);
      const shown = await community.comments(before.map(({ id }) => id));
      const top = await community.findTopComment(answered);
      await removed(house, reply, postId);
      const after = await community.topComments(postId, 0, 10);

      assert.deepEqual(
        shown.map(({ id, status, body, html }) => [id, status, body, html]),
        [
          [answered, 'removed', '', ''],
          [stays, 'published', 'True.', undefined],
        ],
      );
      assert.deepEqual(
        before.map(({ bytes }) => bytes),
        [0, 5],
      );
      assert.equal(top?.body, '');
      assert.deepEqual(
        after.map(({ id }) => id),
        [stays],
      );
      assert.equal(await community.findTopComment(answered), undefined);
    });

    test('comments are read from a number on, and those before from the nearest', async (t) => {
      const house = await openHouse(open, t);
      const { community } = house;
      const { postId, ids } = await postWith(house, 5);
      await postWith(house, 2);
      const top = ids[0] ?? 0;
      const replyTo = { id: top, userId: house.alice };
      const replies = [];
      for (let index = 0; index < 4; index += 1)
        replies.push(await added(house, newComment(postId, replyTo)));

      const numbers = async (read: Promise<{ id: number }[]>) => (await read).map(({ id }) => id);

      assert.deepEqual(await numbers(community.topComments(postId, ids[2] ?? 0, 2)), ids.slice(2, 4));
      assert.deepEqual(
        await numbers(community.topCommentsBefore(postId, ids[3] ?? 0, 2)),
        ids.slice(1, 3).reverse(),
      );
      const [first = 0, last = 0] = [ids[0], ids[4]];
      assert.deepEqual(await numbers(community.firstReplies(postId, first, last, 3)), replies.slice(0, 3));
      assert.deepEqual(await numbers(community.firstReplies(postId, ids[1] ?? 0, last, 3)), []);
      assert.deepEqual(await numbers(community.repliesTo(top, replies[1] ?? 0, 2)), replies.slice(1, 3));
      assert.deepEqual(
        await numbers(community.repliesBefore(top, replies[3] ?? 0, 2)),
        replies.slice(1, 3).reverse(),
      );
    });
  },
};
