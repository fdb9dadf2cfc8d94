// What moderators do to content: undoing removals, locking, pinning, moving, and the mails about it.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HOUR, MINUTE } from '../../../src/lib/clock.ts';
import { asMember, asModerator, COMMAND_LINE, SERVER } from '../doers.ts';
import { addComment, atOnce, auditActs, type Fixture, type Open, openFixture } from '../fixture.ts';
import { NOON, newPost, newUser, publication } from '../records.ts';

const LATER = NOON + MINUTE;
const COMMENT_WORTH = { xp: 2, weight: 1 };

interface Case extends Fixture {
  mona: number;
  /** bob's, with a comment of alice. */
  post: number;
  comment: number;
}

async function openCase(open: Open, t: Parameters<Open>[0]): Promise<Case> {
  const fixture = await openFixture(open, t);
  const { identity, community, alice, bob } = fixture;
  const mona = await identity.addUser(
    SERVER,
    newUser('mona', { email: 'm@x.example', emailKey: 'm@x.example' }),
  );
  assert.ok(typeof mona === 'number');
  await identity.setRole(SERVER, mona, 'moderator');
  // The mail about the new role is not of these tests.
  for (const { id } of await identity.mailsDue(Number.MAX_SAFE_INTEGER, 10)) await identity.removeMail(id);
  const post = await community.addPost(asMember(bob), newPost(bob, { xp: 10 }));
  return { ...fixture, mona, post, comment: await addComment(fixture, post, alice) };
}

async function remove({ community, mona }: Case, postId: number, commentId?: number, reason?: string) {
  const subject = await community.findReported({ postId, commentId });
  assert.ok(subject !== undefined);
  const xp = commentId === undefined ? 10 : 2;
  return community.removeContent(asModerator(mona, LATER), { subject, reason, xp, weight: 1 });
}

async function undo({ community, mona }: Case, postId: number, commentId?: number) {
  const subject = await community.findReported({ postId, commentId });
  assert.ok(subject !== undefined);
  const by = asModerator(mona, LATER);
  return commentId === undefined
    ? community.undoRemovalOfPost(by, subject, publication())
    : community.undoRemovalOfComment(by, { subject, id: commentId, ...COMMENT_WORTH });
}

async function tellings({ community }: Fixture, userId: number): Promise<unknown[]> {
  const notifications = await community.notificationsOf(userId, 1e9, 10);
  return notifications
    .filter(({ kind }) => kind === 'removal' || kind === 'restoration')
    .map(({ kind, reason, isRead }) => [kind, reason, isRead]);
}

export const moderators = {
  title: 'moderators',
  registerTests(open: Open): void {
    test('a removed post is published again with its points, and its author is told of both, once each', async (t) => {
      const fixture = await openCase(open, t);
      const { community, identity, bob, post } = fixture;

      const early = await undo(fixture, post);
      await remove(fixture, post, undefined, 'Spam.');
      const [listed] = await community.removedContent(10);
      const found = await community.findRemovedPost(post);
      const told = await tellings(fixture, bob);
      const undone = await undo(fixture, post);
      const again = await undo(fixture, post);

      assert.deepEqual([early, undone, again], [false, true, false]);
      assert.deepEqual([listed?.postId, listed?.reason, found?.title], [post, 'Spam.', 'On arches']);
      assert.deepEqual(told, [['removal', 'Spam.', false]]);
      assert.deepEqual(await tellings(fixture, bob), [['restoration', undefined, false]]);
      assert.equal((await community.findPost(post))?.status, 'published');
      assert.equal((await identity.findUser(bob))?.xp, 10);
      const bounds = { below: 1e9, most: 10, enough: 10 };
      const { ids } = await community.postIdsWith({ phrases: [['arches']] }, bounds);
      assert.deepEqual(ids, [post]);
      assert.deepEqual(await community.removedContent(10), []);
      await remove(fixture, post, undefined, 'Still spam.');
      assert.deepEqual(await tellings(fixture, bob), [['removal', 'Still spam.', false]]);
      assert.deepEqual((await auditActs(fixture)).slice(0, 3), [
        `mona post.remove post:${post}`,
        `mona post.restore post:${post}`,
        `mona post.remove post:${post}`,
      ]);
    });

    test('a post that its author had removed goes back to its author, who can restore it', async (t) => {
      const fixture = await openCase(open, t);
      const { community, identity, alice, bob, post } = fixture;
      await community.removePost(asMember(bob, LATER), post, 10);
      await community.addReport(asMember(alice), {
        postId: post,
        commentId: undefined,
        reason: 'spam',
        note: '',
      });
      await remove(fixture, post);

      assert.equal(await undo(fixture, post), true);

      assert.equal((await community.findPost(post))?.status, 'removed');
      assert.equal((await identity.findUser(bob))?.xp, 0);
      assert.equal(await community.restorePost(asMember(bob, LATER), post, publication(), NOON), true);
    });

    test('a removed comment is shown again and counted; one that its author removed is not', async (t) => {
      const fixture = await openCase(open, t);
      const { community, identity, alice, bob, post, comment } = fixture;
      const own = await addComment(fixture, post, alice);
      await community.addReport(asMember(bob), { postId: post, commentId: own, reason: 'spam', note: '' });
      await community.removeComment(asMember(alice, LATER), { id: own, postId: post, ...COMMENT_WORTH });
      await remove(fixture, post, own);
      await remove(fixture, post, comment);
      const listed = await community.removedContent(10);

      const answers = [await undo(fixture, post, comment), await undo(fixture, post, own)];

      assert.deepEqual(answers, [true, false]);
      assert.deepEqual(
        listed.map(({ commentId }) => commentId),
        [comment],
      );
      assert.equal((await community.findComment(comment))?.body, 'Well said.');
      assert.equal((await community.findPost(post))?.commentCount, 1);
      assert.equal((await identity.findUser(alice))?.xp, 2);
    });

    test('nothing of a closed account is restored', async (t) => {
      const fixture = await openCase(open, t);
      const { community, identity, bob, post } = fixture;
      await remove(fixture, post);
      await identity.closeAccount(asModerator(fixture.mona, LATER), bob);

      assert.equal(await undo(fixture, post), false);
      assert.equal(await community.findRemovedPost(post), undefined);
      assert.deepEqual(await community.removedContent(10), []);
    });

    test('a locked post takes no comments and no replies until it is unlocked', async (t) => {
      const fixture = await openCase(open, t);
      const { community, alice, bob, mona, post, comment } = fixture;
      const by = asModerator(mona);
      const add = (replyTo?: { id: number; userId: number }) =>
        community.addComment(asMember(bob), { postId: post, replyTo, body: 'Too late.', ...COMMENT_WORTH });

      const locked = [await community.setLocked(by, post, true), await community.setLocked(by, post, true)];
      const refused = [await add(), await add({ id: comment, userId: alice })];
      const lockedAt = (await community.findPost(post))?.lockedAt;
      await community.setLocked(by, post, false);

      assert.deepEqual([locked, refused, lockedAt], [[true, false], [undefined, undefined], NOON]);
      assert.ok(await add());
      assert.ok(await add({ id: comment, userId: alice }));
    });

    test('at most so many posts are pinned, and a removed post is no longer pinned', async (t) => {
      const fixture = await openCase(open, t);
      const { community, bob, mona, post } = fixture;
      const second = await community.addPost(asMember(bob), newPost(bob));
      const third = await community.addPost(asMember(bob), newPost(bob));
      const by = (minutes: number) => asModerator(mona, NOON + minutes * MINUTE);
      const pin = (id: number, minutes: number) => community.setPinned(by(minutes), id, true, 2);
      const pinned = async () => (await community.pinnedPosts(2)).map(({ id }) => id);

      const answers = [await pin(post, 1), await pin(second, 2), await pin(third, 3), await pin(second, 4)];
      const before = await pinned();
      await remove(fixture, second);
      const afterwards = await pinned();
      await community.removePost(asMember(bob, LATER), post, 10);

      assert.deepEqual(answers, [true, true, false, false]);
      assert.deepEqual([before, afterwards, await pinned()], [[second, post], [post], []]);
      assert.equal(await pin(third, 5), true);
      assert.equal(await community.setPinned(by(6), third, false, 2), true);
      assert.deepEqual(await pinned(), []);
    });

    test('of ten posts that are pinned in the same instant, as many are as the limit allows', async (t) => {
      const { community, bob, mona } = await openCase(open, t);
      for (let round = 0; round < 5; round += 1) {
        const posts = await atOnce(10, () => community.addPost(asMember(bob), newPost(bob)));

        const answers = await atOnce(10, (index) =>
          community.setPinned(asModerator(mona, LATER), posts[index] ?? 0, true, 3),
        );

        assert.equal(answers.filter((isPinned) => isPinned).length, 3);
        const pinned = await community.pinnedPosts(10);
        assert.equal(pinned.length, 3);
        for (const { id } of pinned) await community.setPinned(asModerator(mona, LATER), id, false, 3);
      }
    });

    test('a moved post has a new version, so that an open editor doesn’t move it back', async (t) => {
      const fixture = await openCase(open, t);
      const { community, bob, mona, post } = fixture;
      const { id } = await community.ensureCategory(SERVER, 'craft', 'Craft', 100);

      assert.equal(await community.moveToCategory(asModerator(mona, LATER), post, id), true);
      assert.equal(await community.moveToCategory(asModerator(mona, LATER), post, id), false);

      const { categorySlug, updatedAt } = (await community.findPost(post)) ?? {};
      assert.deepEqual([categorySlug, updatedAt], ['craft', LATER]);
      const edit = { ...newPost(bob), words: '' };
      assert.equal(await community.editPost(asMember(bob, LATER), post, edit, NOON), undefined);
    });

    test('new reports are mailed to operators and moderators at most once an hour', async (t) => {
      const fixture = await openCase(open, t);
      const { community, identity, alice, bob, mona, post, comment } = fixture;
      const report = (userId: number, minutes: number, commentId?: number) =>
        community.addReport(asMember(userId, NOON + minutes * MINUTE), {
          postId: post,
          commentId,
          reason: 'spam',
          note: '',
        });
      const due = async (minutes: number) => {
        const mails = await identity.mailsDue(NOON + minutes * MINUTE, 10);
        return mails.map(({ purpose, userId }) => `${purpose} ${userId}`);
      };

      await report(alice, 0);
      await report(bob, 1, comment);
      const first = await due(1);
      const [mail] = await identity.mailsDue(NOON + MINUTE, 10);
      assert.ok(mail);
      await identity.removeMail(mail.id);
      await report(mona, 2);
      await report(alice, 3, comment);

      assert.deepEqual(first, [`new_reports ${mona}`]);
      assert.deepEqual([await due(59), await due(60)], [[], [`new_reports ${mona}`]]);
      assert.equal(await identity.countOpenReports(10), 4);
      // After a quiet hour a report is mailed at once.
      const [second] = await identity.mailsDue(NOON + HOUR, 10);
      assert.ok(second);
      await identity.removeMail(second.id);
      await report(mona, 500, comment);
      assert.deepEqual([await due(499), await due(500)], [[], [`new_reports ${mona}`]]);
    });

    test('an author with an address gets a mail in the language of the author’s pages', async (t) => {
      const fixture = await openCase(open, t);
      const { community, identity, mona } = fixture;
      const post = await community.addPost(asMember(mona), newPost(mona));
      await identity.setLanguage(asMember(mona), 'zh');

      await remove(fixture, post, undefined, 'Spam.');
      await identity.setStatus(COMMAND_LINE, mona, 'suspended', 'Rude.');

      const mails = await identity.mailsDue(NOON + HOUR, 10);
      assert.deepEqual(
        mails.map(({ purpose, language, about }) => [purpose, language, about]),
        [
          ['account_suspended', 'zh', { reason: 'Rude.' }],
          ['content_removed', 'zh', { post: 'On arches', isComment: false, reason: 'Spam.' }],
        ],
      );
    });
  },
};
