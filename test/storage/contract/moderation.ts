// What operators removed stays removed, also if its author removed it first.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MINUTE } from '../../../src/lib/clock.ts';
import { asMember, asOperator, SERVER } from '../doers.ts';
import { atOnce, type House, type Open, openHouse } from '../house.ts';
import { NOON, newPost, newUser } from '../records.ts';

const LATER = NOON + MINUTE;

interface Case extends House {
  olivia: number;
  /** Written by bob, and reported by alice. */
  post: number;
}

async function reportedPost(open: Open, t: Parameters<Open>[0]): Promise<Case> {
  const house = await openHouse(open, t);
  const olivia = await house.identity.addUser(SERVER, newUser('olivia', { isOperator: true }));
  assert.ok(typeof olivia === 'number');
  const post = await house.community.addPost(asMember(house.bob), newPost(house.bob, { xp: 10 }));
  // Both keep points, so that points which are taken twice are noticed.
  for (const userId of [house.alice, house.bob]) {
    await house.community.addPost(asMember(userId), newPost(userId, { xp: 10 }));
  }
  await report(house, post);
  return { ...house, olivia, post };
}

function report({ community, alice }: House, postId: number, commentId?: number): Promise<boolean> {
  return community.addReport(asMember(alice), { postId, commentId, reason: 'spam', note: '' });
}

async function removeAsOperator({ community, olivia }: Case, postId: number, commentId?: number) {
  const subject = await community.findReported({ postId, commentId });
  assert.ok(subject !== undefined);
  const xp = commentId === undefined ? 10 : 2;
  return community.removeReported(asOperator(olivia, LATER), { subject, xp, weight: 1 });
}

function restore({ community, bob, post }: Case): Promise<boolean> {
  return community.restorePost(asMember(bob, LATER), post, 10, NOON);
}

export const moderation = {
  title: 'moderation',
  promises(open: Open): void {
    test('a reported post that its author removed first is not restored after an operator removed it', async (t) => {
      const house = await reportedPost(open, t);
      const { community, identity, audit, bob, post } = house;
      await community.removePost(asMember(bob, LATER), post, 10);
      const xp = (await identity.findUser(bob))?.xp;

      const removed = await removeAsOperator(house, post);
      const removedAgain = await removeAsOperator(house, post);

      assert.deepEqual([removed, removedAgain], [true, false]);
      assert.equal(await restore(house), false);
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

    test('a removed post with open reports is restored only after operators kept it', async (t) => {
      const house = await reportedPost(open, t);
      const { community, olivia, bob, post } = house;
      await community.removePost(asMember(bob, LATER), post, 10);

      const before = await restore(house);
      const [listed] = await community.removedPostsOf(bob, NOON);
      await community.closeReports(asOperator(olivia, LATER), { postId: post, commentId: undefined }, 'kept');
      const after = await restore(house);

      assert.deepEqual([before, after], [false, true]);
      assert.deepEqual([listed?.isByOperator, listed?.isReported], [false, true]);
      assert.equal((await community.findPost(post))?.status, 'published');
    });

    test('a reported comment is removed by an operator also below a removed post, and stays removed', async (t) => {
      const house = await reportedPost(open, t);
      const { community, identity, alice, bob } = house;
      const below = await community.addPost(asMember(bob), newPost(bob, { xp: 10 }));
      const text = { postId: below, replyTo: undefined, body: 'Buy arches.', xp: 2, weight: 1 };
      const comment = await community.addComment(asMember(alice), text);
      assert.ok(comment !== undefined);
      await report(house, below, comment);
      await community.removePost(asMember(bob, LATER), below, 10);

      const removed = await removeAsOperator(house, below, comment);
      const restored = await community.restorePost(asMember(bob, LATER), below, 10, NOON);

      assert.deepEqual([removed, restored], [true, true]);
      assert.equal(await community.findComment(comment), undefined);
      assert.equal((await community.findPost(below))?.commentCount, 0);
      assert.equal((await identity.findUser(alice))?.xp, 10);
    });

    test('a reported comment that its author removed is closed by an operator’s removal and counted once', async (t) => {
      const house = await reportedPost(open, t);
      const { community, identity, alice, post } = house;
      const text = { postId: post, replyTo: undefined, body: 'Buy arches.', xp: 2, weight: 1 };
      const comment = await community.addComment(asMember(alice), text);
      assert.ok(comment !== undefined);
      await report(house, post, comment);
      await community.removeComment(asMember(alice, LATER), { id: comment, postId: post, xp: 2, weight: 1 });

      assert.equal(await removeAsOperator(house, post, comment), true);

      assert.equal((await community.findPost(post))?.commentCount, 0);
      assert.equal((await identity.findUser(alice))?.xp, 10);
      assert.equal(await community.countOpenReports(10), 1);
    });

    test('an author who restores the post while operators remove it never gets it back', async (t) => {
      for (let round = 0; round < 4; round += 1) {
        const house = await reportedPost(open, t);
        const { community, identity, bob, post } = house;
        await community.removePost(asMember(bob, LATER), post, 10);

        await Promise.all([
          ...(await atOnce(2, async () => restore(house))),
          removeAsOperator(house, post),
          restore(house),
          removeAsOperator(house, post),
          restore(house),
        ]);

        assert.equal((await community.findPost(post))?.status, 'removed');
        assert.equal(await restore(house), false);
        assert.equal((await identity.findUser(bob))?.xp, 10);
      }
    });

    test('an author who removes the post while operators remove it can’t restore it', async (t) => {
      const house = await reportedPost(open, t);
      const { community, identity, bob, post } = house;

      await Promise.all([
        community.removePost(asMember(bob, LATER), post, 10),
        removeAsOperator(house, post),
        community.removePost(asMember(bob, LATER), post, 10),
      ]);

      assert.equal(await restore(house), false);
      assert.equal((await identity.findUser(bob))?.xp, 10);
      assert.equal(await community.countOpenReports(10), 0);
    });
  },
};
