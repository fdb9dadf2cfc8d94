// Reports: each member reports a thing once, and a decision closes all reports of it.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MINUTE } from '../../../src/lib/clock.ts';
import { asMember, asModerator, asOperator } from '../doers.ts';
import {
  addComment,
  addOperator,
  atOnce,
  auditActs,
  type Fixture,
  type Open,
  openFixture,
} from '../fixture.ts';
import { NOON, newPost, publication } from '../records.ts';

const LATER = NOON + MINUTE;

async function report(fixture: Fixture, reporterId: number, postId: number, commentId?: number) {
  const report = { postId, commentId, reason: 'spam', note: 'Look.' } as const;
  return fixture.community.addReport(asMember(reporterId), report);
}

export const reports = {
  title: 'reports',
  registerTests(open: Open): void {
    test('a member can report a thing once until it is decided, even in several calls at once', async (t) => {
      const fixture = await openFixture(open, t);
      const { community, alice, bob } = fixture;
      const post = await community.addPost(asMember(bob), newPost(bob));
      const comment = await addComment(fixture, post, bob);

      const answers = await atOnce(8, () => report(fixture, alice, post));

      assert.equal(answers.filter(Boolean).length, 1);
      assert.equal(await report(fixture, alice, post, comment), true);
      assert.equal(await community.countOpenReports(10), 2);
      assert.equal(await community.countOpenReports(1), 1);
      const subject = { postId: post, commentId: undefined };
      await community.closeReports(asOperator(alice, LATER), subject, 'kept');
      assert.equal(await report(fixture, alice, post), true);
    });

    test('the queue groups reports by their subject, the longest waiting first', async (t) => {
      const fixture = await openFixture(open, t);
      const { community, alice, bob } = fixture;
      const [first, second] = [
        await community.addPost(asMember(bob), newPost(bob)),
        await community.addPost(asMember(bob), newPost(bob)),
      ];
      const comment = await addComment(fixture, first, bob, 'Buy **arches**.');
      await report(fixture, alice, second);
      await report(fixture, alice, first, comment);
      await report(fixture, bob, second);

      const queue = await community.openReports(10);

      assert.deepEqual(
        queue.map(({ subject, reports }) => [
          subject.postId,
          subject.commentId,
          reports.map(({ reporterName }) => reporterName),
        ]),
        [
          [second, undefined, ['alice', 'bob']],
          [first, comment, ['alice']],
        ],
      );
      assert.equal(queue[1]?.subject.text, 'Buy **arches**.');
      assert.equal((await community.openReports(1)).length, 1);
    });

    test('many reports of one member come after the first of each other member', async (t) => {
      const fixture = await openFixture(open, t);
      const { community, alice, bob } = fixture;
      const carol = await addOperator(fixture, 'carol');
      const posts = [];
      for (let count = 0; count < 4; count += 1)
        posts.push(await community.addPost(asMember(bob), newPost(bob)));
      const [first = 0, second = 0, third = 0, last = 0] = posts;
      for (const post of [first, second, third]) await report(fixture, alice, post);
      await report(fixture, carol, last);

      const queue = await community.openReports(10);

      assert.deepEqual(
        queue.map(({ subject }) => subject.postId),
        [first, last, second, third],
      );
    });

    test('removing a reported post takes back its points, notifies its author and closes its reports', async (t) => {
      const fixture = await openFixture(open, t);
      const { community, identity, alice, bob } = fixture;
      const olivia = await addOperator(fixture, 'olivia');
      const post = await community.addPost(asMember(bob), newPost(bob, { xp: 10 }));
      const comment = await addComment(fixture, post, bob);
      await report(fixture, alice, post);
      await report(fixture, alice, post, comment);
      const subject = await community.findReportable({ postId: post });
      assert.ok(subject !== undefined);
      const removal = { subject, xp: 10, weight: 1 };

      const answers = await atOnce(4, () => community.removeContent(asOperator(olivia, LATER), removal));

      assert.deepEqual(answers.filter(Boolean).length, 1);
      assert.equal((await community.findPost(post))?.status, 'removed');
      assert.equal((await identity.findUser(bob))?.xp, 2);
      assert.equal(await community.countOpenReports(10), 0);
      const notifications = await community.notificationsOf(bob, 1e9, 10);
      assert.deepEqual(
        notifications.map(({ kind, postId }) => [kind, postId]),
        [['removal', post]],
      );
      assert.deepEqual(await auditActs(fixture), [`olivia post.remove post:${post}`]);
      // Its author can't restore a post that an operator removed.
      assert.equal(await community.restorePost(asMember(bob, LATER), post, publication(), NOON), false);
      assert.equal(await community.findReportable({ postId: post }), undefined);
    });

    test('a moderator who removes a post closes no report about their own comment on it; an operator does', async (t) => {
      const fixture = await openFixture(open, t);
      const { community, alice, bob } = fixture;
      const post = await community.addPost(asMember(bob), newPost(bob));
      const [own, others] = [await addComment(fixture, post, alice), await addComment(fixture, post, bob)];
      const reported = async () =>
        (await community.openReports(10)).map(({ subject, isGone }) => [subject.commentId, isGone]);
      for (const comment of [undefined, own, others]) await report(fixture, bob, post, comment);
      const subject = await community.findReportable({ postId: post });
      assert.ok(subject !== undefined);
      const removal = { subject, xp: 10, weight: 1 };

      await community.removeContent(asModerator(alice, LATER), removal);
      const left = await reported();
      // Nothing was left to remove when another report came.
      await report(fixture, bob, post);
      await community.closeReports(asModerator(alice, LATER), subject, 'removed');
      const leftAgain = await reported();
      await community.undoRemovalOfPost(asModerator(alice, LATER), subject, publication());
      const restored = await reported();
      await community.removeContent(asOperator(alice, LATER), removal);

      assert.deepEqual([left, leftAgain, restored], [[[own, true]], [[own, true]], [[own, false]]]);
      assert.deepEqual(await reported(), []);
    });

    test('a moderator closes no report about their own comment by removing it as its author', async (t) => {
      const fixture = await openFixture(open, t);
      const { community, alice, bob } = fixture;
      const post = await community.addPost(asMember(bob), newPost(bob));
      const own = await addComment(fixture, post, alice);
      await report(fixture, bob, post, own);

      const ofOwn = { id: own, postId: post, xp: 2, weight: 1 };
      assert.equal(await community.removeComment(asMember(alice, LATER), ofOwn), true);

      const [left] = await community.openReports(10);
      assert.deepEqual(
        [left?.subject.commentId, left?.subject.text, left?.isGone],
        [own, 'Well said.', true],
      );
    });

    test('removing a reported comment does not remove its post', async (t) => {
      const fixture = await openFixture(open, t);
      const { community, identity, alice, bob } = fixture;
      const post = await community.addPost(asMember(alice), newPost(alice, { xp: 10 }));
      const comment = await addComment(fixture, post, bob);
      await report(fixture, alice, post);
      await report(fixture, alice, post, comment);
      const subject = await community.findReportable({ commentId: comment });
      assert.ok(subject !== undefined);

      const removal = { subject, xp: 2, weight: 1 };
      const done = await community.removeContent(asOperator(alice, LATER), removal);

      assert.equal(done, true);
      assert.equal(await community.findComment(comment), undefined);
      assert.equal((await community.findPost(post))?.status, 'published');
      assert.equal((await community.findPost(post))?.commentCount, 0);
      assert.deepEqual([(await identity.findUser(bob))?.xp, (await identity.findUser(alice))?.xp], [0, 10]);
      assert.equal(await community.countOpenReports(10), 1);
      const notifications = await community.notificationsOf(bob, 1e9, 10);
      assert.deepEqual(
        notifications.map(({ kind, commentId }) => [kind, commentId]),
        [['removal', comment]],
      );
    });
  },
};
