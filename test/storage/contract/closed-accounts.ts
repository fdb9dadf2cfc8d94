// The posts and comments of a closed account: hidden at once, and removed in steps.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MINUTE } from '../../../src/lib/clock.ts';
import { removeTextsOfClosedAccount } from '../../../src/storage/community/texts-of-closed-account.ts';
import { asMember } from '../doers.ts';
import { addComment, atOnce, type Fixture, type Open, openFixture } from '../fixture.ts';
import { AS_DRAFT, NOON, newPost } from '../records.ts';

const LATER = NOON + MINUTE;
const NEWEST = { at: Number.MAX_SAFE_INTEGER, id: Number.MAX_SAFE_INTEGER };
const OF_BOB = { posts: 12, drafts: 12, comments: 45 };

/** Bob has many posts, drafts and comments; one of alice's comments is below a post of his. */
async function prolific(fixture: Fixture) {
  const { community, alice, bob } = fixture;
  const times = (most: number, act: () => Promise<number>) => Array.fromAsync({ length: most }, act);
  const posts = await times(OF_BOB.posts, () =>
    community.addPost(asMember(bob), newPost(bob, { words: 'arches' })),
  );
  const drafts = await times(OF_BOB.drafts, () => community.addPost(asMember(bob), newPost(bob, AS_DRAFT)));
  const hers = await community.addPost(asMember(alice), newPost(alice, { words: 'arches' }));
  const top = await addComment(fixture, hers, alice);
  const answered = await addComment(fixture, hers, bob);
  const comments = await times(OF_BOB.comments, () => addComment(fixture, hers, bob));
  const reply = { body: 'True.', xp: 2, weight: 1 };
  await community.addComment(asMember(bob), { ...reply, postId: hers, replyTo: { id: top, userId: alice } });
  await community.addComment(asMember(alice), {
    ...reply,
    postId: hers,
    replyTo: { id: answered, userId: bob },
  });
  const below = await addComment(fixture, posts.at(-1) ?? 0, alice);
  return { posts, drafts, hers, top, answered, comments, below };
}

const idsOf = (rows: readonly { id: number }[]) => rows.map(({ id }) => id);

async function shown({ community, alice, bob }: Fixture, { hers, top, posts, comments, below }: Prolific) {
  const tops = idsOf(await community.topComments(hers, 0, 100));
  const latest = [posts.at(-1), comments.at(-1), below] as number[];
  const [post = 0, comment = 0] = latest;
  const found = [
    (await community.findPost(post))?.status === 'published',
    await community.findComment(comment),
    await community.findOwnComment(below, alice),
    await community.findReportable({ postId: post }),
    await community.findReportable({ commentId: comment }),
    await community.findReportable({ commentId: below }),
    await community.findTopComment(below),
    ...(await community.comments([comment])),
    ...(await community.firstReplies([top], 10)),
    ...(await community.repliesTo(top, 0, 10)),
  ].filter(Boolean);
  return {
    posts: [
      await community.newestPosts(50),
      await community.postsBefore(NEWEST, 50),
      await community.popularPosts(NEWEST, 50),
      await community.addressesBetween(1, await community.lastPostId()),
    ].map(idsOf),
    pinned: idsOf(await community.pinnedPosts(5)),
    own: (await community.publishedPostsOf(bob, 0, 50)).total,
    tops,
    found: found.length,
  };
}

type Prolific = Awaited<ReturnType<typeof prolific>>;

export const closedAccounts = {
  title: 'closed accounts',
  registerTests(open: Open): void {
    test('what a member with many texts wrote is hidden with the account, before it is removed', async (t) => {
      const fixture = await openFixture(open, t);
      const { community, identity, bob } = fixture;
      const texts = await prolific(fixture);
      await community.setPinned(
        { kind: 'operator', userId: bob, at: NOON },
        texts.posts.at(-1) ?? 0,
        true,
        3,
      );
      const before = await shown(fixture, texts);

      await identity.closeAccount(asMember(bob, LATER), bob);

      assert.deepEqual(
        before.posts.map(({ length }) => length),
        Array(4).fill(OF_BOB.posts + 1),
      );
      assert.deepEqual([before.pinned.length, before.own, before.found], [1, OF_BOB.posts, 10]);
      const { posts, tops, ...others } = await shown(fixture, texts);
      assert.deepEqual(posts, Array(4).fill([texts.hers]));
      assert.deepEqual(others, { pinned: [], own: 0, found: 0 });
      assert.deepEqual(tops, [texts.top, texts.answered]);
    });

    test('its texts are removed in steps, also by several processes at once, and comments are counted', async (t) => {
      const fixture = await openFixture(open, t);
      const { community, identity, database, bob } = fixture;
      const texts = await prolific(fixture);
      await identity.closeAccount(asMember(bob, LATER), bob);
      const first = (await community.findPost(texts.hers))?.commentCount;

      let steps = 0;
      for (let done = 1; done > 0; steps += done) {
        const step = () => removeTextsOfClosedAccount(database);
        done = Math.max(...(await atOnce(2, step)));
      }

      assert.ok(steps < 10, `${steps} steps`);
      // 20 of his comments were removed with the account, and only what alice wrote is left.
      assert.deepEqual([first, (await community.findPost(texts.hers))?.commentCount], [29, 2]);
      for (const id of [...texts.posts, ...texts.drafts]) {
        assert.equal((await community.findPost(id))?.status, 'removed');
      }
      assert.deepEqual(
        (await community.ownComments(bob, 0, 99)).map(({ id, body }) => [id, body]),
        [[texts.answered, '']],
      );
    });
  },
};
