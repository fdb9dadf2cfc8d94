// Posts and comments that wait for approval: no list has them, and one decision takes effect, whole.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MINUTE } from '../../../src/lib/clock.ts';
import { asMember, asOperator, SERVER } from '../doers.ts';
import { atOnce, type Fixture, type Open, openFixture } from '../fixture.ts';
import { NOON, newPost, newUser, publication } from '../records.ts';

const LATER = NOON + MINUTE;
const WORTH = { xp: 2, weight: 1000 };

interface Case extends Fixture {
  olivia: number;
  /** A waiting post by bob. */
  post: number;
}

async function waitingPost(open: Open, t: Parameters<Open>[0]): Promise<Case> {
  const fixture = await openFixture(open, t);
  const olivia = await fixture.identity.addUser(SERVER, newUser('olivia', { isOperator: true }));
  assert.ok(typeof olivia === 'number');
  const post = await fixture.community.addPost(
    asMember(fixture.bob),
    newPost(fixture.bob, { status: 'draft', xp: 0 }),
  );
  assert.ok(await fixture.community.submitPost(asMember(fixture.bob), post, NOON));
  return { ...fixture, olivia, post };
}

function approve({ community, olivia, bob, post }: Case): Promise<boolean> {
  return community.approvePost(asOperator(olivia, LATER), post, bob, publication({ xp: 10 }));
}

async function comment({ community, alice }: Case, postId: number, replyTo?: { id: number; userId: number }) {
  const id = await community.addComment(asMember(alice), {
    ...WORTH,
    postId,
    replyTo,
    body: 'True.',
    isWaiting: true,
  });
  assert.ok(id !== undefined);
  return id;
}

async function kindsOf({ community }: Fixture, userId: number): Promise<string[]> {
  return (await community.notificationsOf(userId, 1e9, 10)).map(({ kind }) => kind);
}

export const approvals = {
  title: 'texts that wait for approval',
  registerTests(open: Open): void {
    test('a waiting post is in the queue only; once approved it is found, and earns its points once', async (t) => {
      const fixture = await waitingPost(open, t);
      const { community, identity, bob, post, audit } = fixture;
      const [waiting] = await community.waitingTexts(10);
      assert.deepEqual([waiting?.postId, waiting?.authorName, waiting?.version], [post, 'bob', NOON]);
      assert.deepEqual([waiting?.tags, waiting?.categoryName], ['[]', 'General']);
      assert.equal(await community.countWaitingTexts(10), 1);
      assert.deepEqual(await community.newestPosts(10), []);
      assert.equal(await community.isNewcomer(bob, 1), true);

      const outcomes = await atOnce(4, () => approve(fixture));

      assert.deepEqual(outcomes.filter(Boolean), [true]);
      assert.equal((await community.findPost(post))?.publishedAt, LATER);
      assert.equal((await community.newestPosts(10)).length, 1);
      assert.equal((await identity.findUser(bob))?.xp, 10);
      assert.equal(await community.countWaitingTexts(10), 0);
      assert.equal(await community.isNewcomer(bob, 1), false);
      assert.equal(await community.isNewcomer(bob, 2), true);
      assert.deepEqual(await kindsOf(fixture, bob), ['approval']);
      assert.deepEqual((await audit.auditEvents({ limit: 1 }))[0]?.action, 'post.approve');
    });

    test('a post whose author changed it, or is not active, is not approved', async (t) => {
      const fixture = await waitingPost(open, t);
      const { community, identity, bob, olivia, post } = fixture;
      await identity.setStatus(asOperator(olivia), bob, 'suspended');
      const whileSuspended = await approve(fixture);
      assert.deepEqual(await community.waitingTexts(10), []);
      await identity.setStatus(asOperator(olivia), bob, 'active');
      const text = { title: 'Other', body: 'Other.', excerpt: '', categoryId: 1, html: '', htmlVersion: 1 };
      await community.saveDraft(asMember(bob, LATER), post, text);

      const afterChange = await approve(fixture);

      assert.deepEqual([whileSuspended, afterChange], [false, false]);
      assert.equal((await community.findPost(post))?.status, 'draft');
    });

    test('a returned post is a draft with a reason, which its author can send again and remove', async (t) => {
      const fixture = await waitingPost(open, t);
      const { community, bob, olivia, post } = fixture;

      const outcomes = [
        await community.returnPost(asOperator(olivia, LATER), post, 'Too short.'),
        await community.returnPost(asOperator(olivia, LATER), post, 'Again.'),
        await approve(fixture),
      ];

      assert.deepEqual(outcomes, [true, false, false]);
      assert.deepEqual(await community.draftReviewsOf(bob), [
        { postId: post, isWaiting: false, note: 'Too short.' },
      ]);
      const [told] = await community.notificationsOf(bob, 1e9, 10);
      assert.deepEqual([told?.kind, told?.reason, told?.postTitle], ['refusal', 'Too short.', 'On arches']);
      assert.ok(await community.submitPost(asMember(bob, LATER), post, NOON));
      assert.equal((await community.waitingTexts(10)).length, 1);
      assert.ok(await community.removePost(asMember(bob, LATER), post, 10));
      assert.deepEqual(await community.waitingTexts(10), []);
    });

    test('a waiting comment is counted and announced only with its approval', async (t) => {
      const fixture = await waitingPost(open, t);
      const { community, identity, alice, bob, olivia, post } = fixture;
      await approve(fixture);
      const id = await comment(fixture, post);
      assert.equal(await community.findComment(id), undefined);
      assert.deepEqual(await community.topComments(post, 0, 10), []);
      assert.deepEqual(await community.waitingCommentsOf(alice, post, 10), [{ id, body: 'True.' }]);
      assert.equal((await community.findPost(post))?.commentCount, 0);

      const approved = { id, postId: post, authorId: alice, version: NOON, ...WORTH };
      const outcomes = await atOnce(4, () => community.approveComment(asOperator(olivia, LATER), approved));

      assert.deepEqual(outcomes.filter(Boolean), [true]);
      assert.equal((await community.findComment(id))?.body, 'True.');
      assert.equal((await community.findPost(post))?.commentCount, 1);
      assert.equal((await identity.findUser(alice))?.xp, 2);
      assert.deepEqual(await kindsOf(fixture, bob), ['comment', 'approval']);
      assert.deepEqual(await kindsOf(fixture, alice), ['approval']);

      const reply = await comment(fixture, post, { id, userId: alice });
      assert.ok(
        await community.refuseComment(asOperator(olivia), { postId: post, commentId: reply }, 'Rude.'),
      );
      assert.equal((await community.notificationsOf(alice, 1e9, 10))[0]?.reason, 'Rude.');
      assert.equal((await community.findPost(post))?.commentCount, 1);
    });

    test('the newest of a member’s waiting comments are read, and all are counted, up to a number', async (t) => {
      const fixture = await waitingPost(open, t);
      const { community, alice, bob, post } = fixture;
      await approve(fixture);
      const ids = [await comment(fixture, post), await comment(fixture, post), await comment(fixture, post)];

      const newest = await community.waitingCommentsOf(alice, post, 2);

      assert.deepEqual(
        newest.map(({ id }) => id),
        [ids[2], ids[1]],
      );
      assert.equal(await community.countWaitingCommentsOf(alice, 10), 3);
      assert.equal(await community.countWaitingCommentsOf(alice, 2), 2);
      assert.equal(await community.countWaitingCommentsOf(bob, 10), 0);
    });

    test('a waiting comment that its author edits has a new version, and of withdrawing and approving one happens', async (t) => {
      const fixture = await waitingPost(open, t);
      const { community, alice, bob, olivia, post } = fixture;
      await approve(fixture);
      const id = await comment(fixture, post);
      const approveIt = (version: number) =>
        community.approveComment(asOperator(olivia, LATER), {
          id,
          postId: post,
          authorId: alice,
          version,
          ...WORTH,
        });

      assert.equal(await community.findOwnComment(id, bob), undefined);
      assert.equal((await community.findOwnComment(id, alice))?.status, 'waiting');
      for (const body of ['Truer.', 'Truest.'])
        assert.ok(await community.editComment(asMember(alice), id, { body }));

      assert.equal((await community.findWaitingText({ commentId: id }))?.version, NOON + 2);
      assert.equal(await approveIt(NOON + 1), false);
      assert.equal(await community.withdrawComment(asMember(bob, LATER), id), false);
      const outcomes = await Promise.all([
        approveIt(NOON + 2),
        community.withdrawComment(asMember(alice, LATER), id),
      ]);
      assert.equal(outcomes.filter(Boolean).length, 1);
      const published = await community.findComment(id);
      assert.equal(published !== undefined, outcomes[0]);
      assert.equal(published?.editedAt, undefined);
      assert.equal((await community.findPost(post))?.commentCount, outcomes[0] ? 1 : 0);
    });

    test('a waiting comment on a post that was locked since can be approved', async (t) => {
      const fixture = await waitingPost(open, t);
      const { community, alice, olivia, post } = fixture;
      await approve(fixture);
      const id = await comment(fixture, post);
      assert.ok(await community.setLocked(asOperator(olivia, LATER), post, true));

      const approved = { id, postId: post, authorId: alice, version: NOON, ...WORTH };
      assert.equal(await community.approveComment(asOperator(olivia, LATER), approved), true);
      assert.equal((await community.findPost(post))?.commentCount, 1);
    });

    test('a refused comment is listed as removed, with the reason, and a restoration publishes it', async (t) => {
      const fixture = await waitingPost(open, t);
      const { community, identity, alice, olivia, post } = fixture;
      await approve(fixture);
      const id = await comment(fixture, post);
      await community.refuseComment(asOperator(olivia, LATER), { postId: post, commentId: id }, 'Rude.');
      const [removed] = await community.removedContent(10);
      assert.ok(removed);
      assert.deepEqual([removed.commentId, removed.reason], [id, 'Rude.']);

      const restoration = { subject: removed, id, ...WORTH };
      assert.equal(await community.undoRemovalOfComment(asOperator(olivia, LATER), restoration), true);

      assert.equal((await community.findComment(id))?.body, 'True.');
      assert.equal((await community.findPost(post))?.commentCount, 1);
      assert.equal((await identity.findUser(alice))?.xp, 2);
      assert.deepEqual(await kindsOf(fixture, alice), ['restoration']);
    });

    test('a moderator does not wait', async (t) => {
      const { community, identity, bob, olivia } = await waitingPost(open, t);
      await identity.setRole(asOperator(olivia), bob, 'moderator');

      assert.equal(await community.isNewcomer(bob, 1), false);
    });

    test('what waits goes with the account', async (t) => {
      const fixture = await waitingPost(open, t);
      const { community, identity, alice, bob, olivia } = fixture;
      const other = await community.addPost(asMember(bob), newPost(bob));
      const id = await comment(fixture, other);
      await identity.closeAccount(asOperator(olivia, LATER), alice);
      await identity.closeAccount(asOperator(olivia, LATER), bob);

      assert.deepEqual(await community.waitingTexts(10), []);
      assert.deepEqual(await community.comments([id]), []);
    });
  },
};
