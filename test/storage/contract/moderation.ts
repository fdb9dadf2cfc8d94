// What operators removed stays removed, also if its author removed it first.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MINUTE } from '../../../src/lib/clock.ts';
import { asMember, asOperator, SERVER } from '../doers.ts';
import { addComment, atOnce, type Fixture, type Open, openFixture } from '../fixture.ts';
import { NOON, newPost, newUser, publication } from '../records.ts';

const LATER = NOON + MINUTE;

interface Case extends Fixture {
  olivia: number;
  /** Written by bob, and reported by alice. */
  post: number;
}

async function reportedPost(open: Open, t: Parameters<Open>[0]): Promise<Case> {
  const fixture = await openFixture(open, t);
  const olivia = await fixture.identity.addUser(SERVER, newUser('olivia', { isOperator: true }));
  assert.ok(typeof olivia === 'number');
  const post = await fixture.community.addPost(asMember(fixture.bob), newPost(fixture.bob, { xp: 10 }));
  // Both have points from another post, so that taking points twice would be noticed.
  for (const userId of [fixture.alice, fixture.bob]) {
    await fixture.community.addPost(asMember(userId), newPost(userId, { xp: 10 }));
  }
  await report(fixture, post);
  return { ...fixture, olivia, post };
}

function report({ community, alice }: Fixture, postId: number, commentId?: number): Promise<boolean> {
  return community.addReport(asMember(alice), { postId, commentId, reason: 'spam', note: '' });
}

async function removeAsOperator({ community, olivia }: Case, postId: number, commentId?: number) {
  const subject = await community.findReported({ postId, commentId });
  assert.ok(subject !== undefined);
  const xp = commentId === undefined ? 10 : 2;
  return community.removeContent(asOperator(olivia, LATER), { subject, xp, weight: 1 });
}

function restore({ community, bob, post }: Case): Promise<boolean> {
  return community.restorePost(asMember(bob, LATER), post, publication(), NOON);
}

export const moderation = {
  title: 'moderation',
  registerTests(open: Open): void {
    test('a reported post that its author removed first is not restored after an operator removed it', async (t) => {
      const fixture = await reportedPost(open, t);
      const { community, identity, audit, bob, post } = fixture;
      await community.removePost(asMember(bob, LATER), post, 10);
      const xp = (await identity.findUser(bob))?.xp;

      const removed = await removeAsOperator(fixture, post);
      const removedAgain = await removeAsOperator(fixture, post);

      assert.deepEqual([removed, removedAgain], [true, false]);
      assert.equal(await restore(fixture), false);
      assert.equal((await community.findPost(post))?.status, 'removed');
      assert.equal(await community.countOpenReports(10), 0);
      const [listed] = await community.removedPostsOf(bob, NOON);
      assert.deepEqual([listed?.isByOperator, listed?.isReported], [true, false]);
      // The author lost the points with their own removal.
      assert.equal((await identity.findUser(bob))?.xp, xp);
      const notifications = await community.notificationsOf(bob, 1e9, 10);
      assert.deepEqual(
        notifications.map(({ kind, postId }) => [kind, postId]),
        [['removal', post]],
      );
      const [entry] = await audit.auditEvents({ limit: 1 });
      assert.deepEqual([entry?.action, entry?.subject.id], ['post.remove', String(post)]);
    });

    test('what its author removed, and nobody reported, stays the author’s, and so does a removed draft', async (t) => {
      const fixture = await reportedPost(open, t);
      const { community, alice, bob, post } = fixture;
      const other = await community.addPost(asMember(bob), newPost(bob, { xp: 10 }));
      const draft = await community.addPost(asMember(bob), newPost(bob, { status: 'draft', xp: 0 }));
      const comment = await addComment(fixture, post, alice);
      // Keeps the row of the removed comment.
      const replyTo = { id: comment, userId: alice };
      await community.addComment(asMember(bob), { postId: post, replyTo, body: 'True.', xp: 2, weight: 1 });
      await community.removePost(asMember(bob, LATER), other, 10);
      await community.removePost(asMember(bob, LATER), draft, 10);
      await community.removeComment(asMember(alice, LATER), { id: comment, postId: post, xp: 2, weight: 1 });

      const removed = [
        await removeAsOperator(fixture, other),
        await removeAsOperator(fixture, draft),
        await removeAsOperator(fixture, post, comment),
      ];

      assert.deepEqual(removed, [false, false, false]);
      assert.deepEqual(await community.removedContent(10), []);
      assert.equal(await community.restorePost(asMember(bob, LATER), other, publication(), NOON), true);
    });

    test('a removed post with open reports can be restored only after operators have decided to keep it', async (t) => {
      const fixture = await reportedPost(open, t);
      const { community, olivia, bob, post } = fixture;
      await community.removePost(asMember(bob, LATER), post, 10);

      const before = await restore(fixture);
      const [listed] = await community.removedPostsOf(bob, NOON);
      await community.closeReports(asOperator(olivia, LATER), { postId: post, commentId: undefined }, 'kept');
      const after = await restore(fixture);

      assert.deepEqual([before, after], [false, true]);
      assert.deepEqual([listed?.isByOperator, listed?.isReported], [false, true]);
      assert.equal((await community.findPost(post))?.status, 'published');
    });

    test('a reported comment is removed by an operator also below a removed post, and stays removed', async (t) => {
      const fixture = await reportedPost(open, t);
      const { community, identity, alice, bob } = fixture;
      const below = await community.addPost(asMember(bob), newPost(bob, { xp: 10 }));
      const text = { postId: below, replyTo: undefined, body: 'Buy arches.', xp: 2, weight: 1 };
      const comment = await community.addComment(asMember(alice), text);
      assert.ok(comment !== undefined);
      await report(fixture, below, comment);
      await community.removePost(asMember(bob, LATER), below, 10);

      const removed = await removeAsOperator(fixture, below, comment);
      const restored = await community.restorePost(asMember(bob, LATER), below, publication(), NOON);

      assert.deepEqual([removed, restored], [true, true]);
      assert.equal(await community.findComment(comment), undefined);
      assert.equal((await community.findPost(below))?.commentCount, 0);
      assert.equal((await identity.findUser(alice))?.xp, 10);
    });

    test('an operator’s removal of a reported comment that its author has removed closes its reports, and is counted once', async (t) => {
      const fixture = await reportedPost(open, t);
      const { community, identity, alice, post } = fixture;
      const text = { postId: post, replyTo: undefined, body: 'Buy arches.', xp: 2, weight: 1 };
      const comment = await community.addComment(asMember(alice), text);
      assert.ok(comment !== undefined);
      await report(fixture, post, comment);
      await community.removeComment(asMember(alice, LATER), { id: comment, postId: post, xp: 2, weight: 1 });

      assert.equal(await removeAsOperator(fixture, post, comment), true);

      assert.equal((await community.findPost(post))?.commentCount, 0);
      assert.equal((await identity.findUser(alice))?.xp, 10);
      assert.equal(await community.countOpenReports(10), 1);
    });

    test('an author who restores the post while operators remove it never gets it back', async (t) => {
      for (let round = 0; round < 4; round += 1) {
        const fixture = await reportedPost(open, t);
        const { community, identity, bob, post } = fixture;
        await community.removePost(asMember(bob, LATER), post, 10);

        await Promise.all([
          ...(await atOnce(2, async () => restore(fixture))),
          removeAsOperator(fixture, post),
          restore(fixture),
          removeAsOperator(fixture, post),
          restore(fixture),
        ]);

        assert.equal((await community.findPost(post))?.status, 'removed');
        assert.equal(await restore(fixture), false);
        assert.equal((await identity.findUser(bob))?.xp, 10);
      }
    });

    test('an author who removes the post while operators remove it can’t restore it', async (t) => {
      const fixture = await reportedPost(open, t);
      const { community, identity, bob, post } = fixture;

      await Promise.all([
        community.removePost(asMember(bob, LATER), post, 10),
        removeAsOperator(fixture, post),
        community.removePost(asMember(bob, LATER), post, 10),
      ]);

      assert.equal(await restore(fixture), false);
      assert.equal((await identity.findUser(bob))?.xp, 10);
      assert.equal(await community.countOpenReports(10), 0);
    });
  },
};
