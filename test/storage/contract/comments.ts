// Comments: their counts and their authors' points, one level of replies, and reading them in parts.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from '../../../src/storage/engine/sql.ts';
import { asMember } from '../doers.ts';
import { atOnce, type Fixture, type Open, openFixture } from '../fixture.ts';
import { NOON, newPost } from '../records.ts';
import { add, LATER, newComment, postWith, remove, WORTH } from './comment-fixture.ts';

async function removePost({ community, bob }: Fixture, postId: number): Promise<undefined> {
  await community.removePost(asMember(bob, LATER), postId, 0);
}

async function stateOf({ community, identity, alice, bob }: Fixture, postId: number) {
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
  registerTests(open: Open): void {
    test('a comment is counted, earns its author points, and has its author’s name', async (t) => {
      const fixture = await openFixture(open, t);
      const { postId, ids } = await postWith(fixture, 1);

      const tops = await fixture.community.topComments(postId, 0, 10);
      const [comment] = await fixture.community.comments(ids);

      const own = { id: ids[0], postId, parentId: undefined, userId: fixture.alice, authorName: 'alice' };
      const text = { status: 'published', body: 'True.', html: undefined, htmlVersion: 0 };
      const times = { createdAt: NOON, editedAt: undefined };
      assert.deepEqual(tops, [{ id: ids[0], bytes: 5 }]);
      assert.deepEqual(comment, { ...own, ...text, ...times, authorAvatar: undefined });
      assert.deepEqual(await stateOf(fixture, postId), { comments: 1, authorXp: 0, commenterXp: 2 });
      assert.equal((await fixture.community.findComment(ids[0] ?? 0))?.postTitle, 'On arches');
    });

    test('each of 32 comments at once is counted, with one notification', async (t) => {
      const fixture = await openFixture(open, t);
      const { postId } = await postWith(fixture, 0);

      const ids = await atOnce(32, () =>
        fixture.community.addComment(asMember(fixture.alice), newComment(postId)),
      );

      assert.equal(new Set(ids).size, 32);
      assert.deepEqual(await stateOf(fixture, postId), { comments: 32, authorXp: 0, commenterXp: 64 });
      const notifications = await fixture.community.notificationsOf(fixture.bob, 1_000_000, 100);
      assert.deepEqual(new Set(notifications.map(({ commentId }) => commentId)), new Set(ids));
      assert.equal(notifications.length, 32);
    });

    test('one member’s comments on many posts at once lead to a notification for each', async (t) => {
      const fixture = await openFixture(open, t);
      const posts = await atOnce(16, () =>
        fixture.community.addPost(asMember(fixture.bob), newPost(fixture.bob, { xp: 0 })),
      );

      const ids = await atOnce(16, (index) =>
        fixture.community.addComment(asMember(fixture.alice), newComment(posts[index] ?? 0)),
      );

      const notifications = await fixture.community.notificationsOf(fixture.bob, 1_000_000, 100);
      assert.deepEqual(
        new Set(notifications.map(({ postId, commentId }) => `${postId} ${commentId}`)),
        new Set(ids.map((id, index) => `${posts[index]} ${id}`)),
      );
    });

    test('of 32 removals of one comment at once exactly one happens, and undoes all effects of the comment', async (t) => {
      const fixture = await openFixture(open, t);
      const { postId, ids } = await postWith(fixture, 2);

      const answers = await atOnce(32, () => remove(fixture, ids[0] ?? 0, postId));

      assert.equal(answers.filter((happened) => happened).length, 1);
      assert.deepEqual(await stateOf(fixture, postId), { comments: 1, authorXp: 0, commenterXp: 2 });
      const notifications = await fixture.community.notificationsOf(fixture.bob, 1_000_000, 100);
      assert.deepEqual(
        notifications.map(({ commentId }) => commentId),
        [ids[1]],
      );
      assert.equal(await fixture.community.findComment(ids[0] ?? 0), undefined);
    });

    test('after comments and removals at once, the count is right', async (t) => {
      const fixture = await openFixture(open, t);
      const { postId, ids } = await postWith(fixture, 16);

      await atOnce<unknown>(32, (index) =>
        index % 2 === 0
          ? fixture.community.addComment(asMember(fixture.alice), newComment(postId))
          : remove(fixture, ids[index >> 1] ?? 0, postId),
      );

      assert.deepEqual(await stateOf(fixture, postId), { comments: 16, authorXp: 0, commenterXp: 32 });
    });

    test('no comment is added to a post that is not published, and no reply to a removed comment', async (t) => {
      const fixture = await openFixture(open, t);
      const { community, bob, alice } = fixture;
      const { postId, ids } = await postWith(fixture, 1);
      const replyTo = { id: ids[0] ?? 0, userId: alice };
      const draft = await community.addPost(asMember(bob), newPost(bob, { status: 'draft', xp: 0 }));
      const gone = await community.addPost(asMember(bob), newPost(bob, { xp: 0 }));
      const onGone = await add(fixture, newComment(gone));
      await community.removePost(asMember(bob, LATER), gone, 0);
      await remove(fixture, replyTo.id, postId);

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
      assert.deepEqual(await stateOf(fixture, postId), { comments: 0, authorXp: 0, commenterXp: 2 });
      assert.equal((await community.findPost(draft))?.commentCount, 0);
    });

    test('comments during the removal of the post are either stored and counted, or not stored', async (t) => {
      const fixture = await openFixture(open, t);
      const { postId } = await postWith(fixture, 0);

      const answers = await atOnce(24, (index) =>
        index === 8
          ? removePost(fixture, postId)
          : fixture.community.addComment(asMember(fixture.alice), newComment(postId)),
      );

      const remaining = answers.filter((id) => id !== undefined).length;
      assert.equal((await fixture.database.rows(selectComments())).length, remaining);
      assert.deepEqual(await stateOf(fixture, postId), {
        comments: remaining,
        authorXp: 0,
        commenterXp: 2 * remaining,
      });
    });

    test('a reply to a reply belongs to the same comment; its recipient and the post’s author get one notification each', async (t) => {
      const fixture = await openFixture(open, t);
      const { community, alice, bob } = fixture;
      const { postId, ids } = await postWith(fixture, 1);
      const top = ids[0] ?? 0;
      await community.markRead(asMember(bob), 1_000_000);

      const byBob = await add(fixture, newComment(postId, { id: top, userId: alice }), asMember(bob));
      const byAlice = await add(fixture, newComment(postId, { id: byBob, userId: bob }));
      const toSelf = await add(fixture, newComment(postId, { id: top, userId: alice }));

      const replies = await community.firstReplies([top], 10);
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
      // The post is bob's: he is notified of a reply if it is to him, and otherwise of a comment.
      assert.deepEqual(
        toBob.filter(({ isRead }) => !isRead).map(({ kind, commentId }) => [kind, commentId]),
        [
          ['comment', toSelf],
          ['reply', byAlice],
        ],
      );
    });

    test('only its author can edit a comment, and the time is stored', async (t) => {
      const fixture = await openFixture(open, t);
      const { community, alice, bob } = fixture;
      const { postId, ids } = await postWith(fixture, 1);
      const id = ids[0] ?? 0;

      const answers = [
        await community.editComment(asMember(bob, LATER), id, { body: 'Mine now.' }),
        await community.editComment(asMember(alice, LATER), id, { body: 'Truer.' }),
        await community.removeComment(asMember(bob, LATER), { id, postId, ...WORTH }),
      ];
      const comment = await community.findComment(id);
      await remove(fixture, id, postId);

      assert.deepEqual(answers, [false, true, false]);
      assert.deepEqual([comment?.body, comment?.editedAt], ['Truer.', LATER]);
      assert.equal(await community.editComment(asMember(alice, LATER), id, { body: 'Back.' }), false);
    });

    test('comments can be read forwards and backwards from an id', async (t) => {
      const fixture = await openFixture(open, t);
      const { community } = fixture;
      const { postId, ids } = await postWith(fixture, 5);
      await postWith(fixture, 2);
      const top = ids[0] ?? 0;
      const replyTo = { id: top, userId: fixture.alice };
      const replies = [];
      for (let index = 0; index < 4; index += 1)
        replies.push(await add(fixture, newComment(postId, replyTo)));

      const numbers = async (read: Promise<{ id: number }[]>) => (await read).map(({ id }) => id);

      assert.deepEqual(await numbers(community.topComments(postId, ids[2] ?? 0, 2)), ids.slice(2, 4));
      assert.deepEqual(
        await numbers(community.topCommentsBefore(postId, ids[3] ?? 0, 2)),
        ids.slice(1, 3).reverse(),
      );
      assert.deepEqual(await numbers(community.firstReplies(ids, 3)), replies.slice(0, 3));
      assert.deepEqual(await numbers(community.firstReplies(ids.slice(1), 3)), []);
      assert.deepEqual(await numbers(community.repliesTo(top, replies[1] ?? 0, 2)), replies.slice(1, 3));
      assert.deepEqual(
        await numbers(community.repliesBefore(top, replies[3] ?? 0, 2)),
        replies.slice(1, 3).reverse(),
      );
    });
  },
};
