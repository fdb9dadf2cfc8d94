// Removed comments, by their authors and with a closed account: which rows stay, and what shows.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAY, HOUR, type Timestamp } from '../../../src/lib/clock.ts';
import { purgeExpired } from '../../../src/storage/purge/purge.ts';
import { asMember, SERVER } from '../doers.ts';
import { addComment, type Fixture, type Open, openFixture } from '../fixture.ts';
import { LIFETIMES, NOON, newPost } from '../records.ts';
import { add, LATER, newComment, postWith, remove, WORTH } from './comment-fixture.ts';

export const removedComments = {
  title: 'removed comments',
  registerTests(open: Open): void {
    test('a removed comment is deleted, or kept without its text if it has replies', async (t) => {
      const fixture = await openFixture(open, t);
      const { community, alice } = fixture;
      const { postId, ids } = await postWith(fixture, 3);
      const [plain = 0, answered = 0, stays = 0] = ids;
      const replyTo = { id: answered, userId: alice };
      const reply = await add(fixture, newComment(postId, replyTo));
      await remove(fixture, plain, postId);
      await remove(fixture, answered, postId);

      const before = await community.topComments(postId, 0, 10);
      const shown = await community.comments(before.map(({ id }) => id));
      const top = await community.findTopComment(answered);
      await remove(fixture, reply, postId);
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

    test('a removed comment leaves no row, and one with replies none after the last of them', async (t) => {
      const fixture = await openFixture(open, t);
      const { community, alice, bob } = fixture;
      const { postId, ids } = await postWith(fixture, 3);
      const [plain = 0, answered = 0, stays = 0] = ids;
      const reply = await add(fixture, newComment(postId, { id: answered, userId: alice }), asMember(bob));
      const rows = async () => (await community.ownComments(alice, 0, 10)).map(({ id }) => id);
      await remove(fixture, plain, postId);
      await remove(fixture, answered, postId);

      const before = await rows();
      const ofReply = { id: reply, postId, parentId: answered, ...WORTH };
      await community.removeComment(asMember(bob, LATER), ofReply);

      assert.deepEqual([before, await rows()], [[answered, stays], [stays]]);
      assert.deepEqual(await community.ownComments(bob, 0, 10), []);
    });

    test('lists have removed comments with replies in their places, onward and back, page by page', async (t) => {
      const fixture = await openFixture(open, t);
      const { community, alice, bob } = fixture;
      const { postId, ids } = await postWith(fixture, 6);
      const another = await postWith(fixture, 1);
      const reply = (to: number, on = postId) =>
        add(fixture, newComment(on, { id: to, userId: alice }), asMember(bob));
      const [first = 0, second = 0, third = 0, fourth = 0, fifth = 0, sixth = 0] = ids;
      for (const id of [second, third, third, fifth]) await reply(id);
      await reply(another.ids[0] ?? 0, another.postId);
      for (const id of [second, fifth, sixth]) await remove(fixture, id, postId);

      const lists = await Promise.all([
        community.topComments(postId, 0, 2),
        community.topComments(postId, third, 2),
        community.topComments(postId, fifth, 2),
        community.topCommentsBefore(postId, sixth, 2),
        community.topCommentsBefore(postId, third, 10),
        community.topCommentsBefore(postId, first, 10),
      ]);

      assert.deepEqual(
        lists.map((list) => list.map(({ id }) => id)),
        [[first, second], [third, fourth], [fifth], [fifth, fourth], [second, first], []],
      );
    });

    test('a removed comment whose replies were removed with an account is in no list', async (t) => {
      const fixture = await openFixture(open, t);
      const { community, identity, alice, bob } = fixture;
      const { postId, ids } = await postWith(fixture, 2);
      const [ofAlice = 0, stays = 0] = ids;
      const ofBob = await add(fixture, newComment(postId), asMember(bob));
      await add(fixture, newComment(postId, { id: ofAlice, userId: alice }), asMember(bob));
      await add(fixture, newComment(postId, { id: ofBob, userId: bob }), asMember(bob));
      await remove(fixture, ofAlice, postId);
      const before = (await community.topComments(postId, 0, 10)).map(({ id }) => id);

      await identity.closeAccount(SERVER, bob);

      assert.deepEqual(before, [ofAlice, stays, ofBob]);
      assert.deepEqual(
        (await community.topComments(postId, 0, 10)).map(({ id }) => id),
        [stays],
      );
    });

    test('a removed comment that was reported stays, with its text, for the moderators', async (t) => {
      const fixture = await openFixture(open, t);
      const { community, alice, bob } = fixture;
      const { postId, ids } = await postWith(fixture, 1);
      const [reported = 0] = ids;
      await community.addReport(asMember(bob), { postId, commentId: reported, reason: 'spam', note: '' });

      await remove(fixture, reported, postId);

      const [row] = await community.ownComments(alice, 0, 10);
      assert.deepEqual([row?.id, row?.body], [reported, 'True.']);
      assert.equal((await community.openReports(10))[0]?.subject.text, 'True.');
    });

    test('the text of a removed comment is erased after 30 days, and the comment keeps its replies', async (t) => {
      const fixture = await openFixture(open, t);
      const { community, alice, bob } = fixture;
      const post = await community.addPost(asMember(bob), newPost(bob));
      const [removed, stays] = [
        await addComment(fixture, post, alice),
        await addComment(fixture, post, alice),
      ];
      const reply = {
        postId: post,
        replyTo: { id: removed, userId: alice },
        body: 'True.',
        xp: 2,
        weight: 1,
      };
      await community.addComment(asMember(bob), reply);
      await community.removeComment(asMember(alice), { id: removed, postId: post, xp: 2, weight: 1 });
      const texts = async () => (await community.ownComments(alice, 0, 10)).map(({ id, body }) => [id, body]);
      const [[, text] = []] = await texts();

      const before = await purge(fixture, NOON + 30 * DAY);
      const kept = await texts();
      const after = [await purge(fixture, NOON + 30 * DAY + HOUR), await purge(fixture, NOON + 31 * DAY)];

      assert.deepEqual([before, kept[0]], [0, [removed, text]]);
      assert.deepEqual(after, [1, 0]);
      assert.deepEqual(await texts(), [
        [removed, ''],
        [stays, text],
      ]);
      assert.equal((await community.ownComments(bob, 0, 10))[0]?.body, 'True.');
    });

    test('a reported comment without replies is deleted 30 days after its removal', async (t) => {
      const fixture = await openFixture(open, t);
      const { community, alice, bob } = fixture;
      const post = await community.addPost(asMember(bob), newPost(bob));
      const comment = await addComment(fixture, post, alice);
      await community.addReport(asMember(bob), {
        postId: post,
        commentId: comment,
        reason: 'spam',
        note: '',
      });
      await community.removeComment(asMember(alice), { id: comment, postId: post, xp: 2, weight: 1 });

      await purge(fixture, NOON + 30 * DAY);
      const before = (await community.ownComments(alice, 0, 10)).length;
      const deleted = await purge(fixture, NOON + 30 * DAY + HOUR);

      assert.deepEqual([before, deleted], [1, 1]);
      assert.deepEqual(await community.ownComments(alice, 0, 10), []);
    });
  },
};

function purge({ database }: Fixture, now: Timestamp): Promise<number> {
  return purgeExpired(database, LIFETIMES, now, 1000);
}
