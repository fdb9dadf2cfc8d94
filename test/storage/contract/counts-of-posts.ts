// The number of a member's published posts is kept with the member, and equals the posts that are there.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Chance, chanceFrom } from '../../../demo/random.ts';
import { DAY, MINUTE } from '../../../src/lib/clock.ts';
import { NO_ENTRY } from '../../../src/storage/audit/audit-trail.ts';
import { removeTextsOfClosedAccount } from '../../../src/storage/community/texts-of-closed-account.ts';
import { sql } from '../../../src/storage/engine/sql.ts';
import { purgeExpired } from '../../../src/storage/purge/purge.ts';

import { asMember, asOperator, SERVER } from '../doers.ts';
import { addComment, addOperator, atOnce, type Fixture, type Open, openFixture } from '../fixture.ts';
import { AS_DRAFT, LIFETIMES, NOON, newPost, publication, textOf } from '../records.ts';

const LATER = NOON + MINUTE;
const WORTH = { xp: 2, weight: 1 };
const SEED = 7;

interface Case extends Fixture {
  olivia: number;
  /** Whose posts the acts change. */
  members: readonly number[];
  chance: Chance;
  imported: number;
}

async function openCase(open: Open, scope: Parameters<Open>[0]): Promise<Case> {
  const fixture = await openFixture(open, scope);
  const olivia = await addOperator(fixture, 'olivia');
  const members = [fixture.alice, fixture.bob, olivia];
  return { ...fixture, olivia, members, chance: chanceFrom(SEED), imported: 0 };
}

/** A member and one of the posts, also of others, so that some acts are refused. */
async function chosen({ community, members, chance }: Case) {
  const id = 1 + chance.below(await community.lastPostId());
  const post = await community.findPost(id);
  const author = post?.userId ?? 0;
  return { id, author, version: post?.updatedAt ?? 0, member: chance.pick(members) };
}

const deletePost = sql<{ id: number }>`DELETE FROM posts WHERE id = :id`;
const givePost = sql<{ id: number; userId: number }>`UPDATE posts SET user_id = :userId WHERE id = :id`;

/** Every kind of write that changes posts, and some by a shell. */
const ACTS: Record<string, (one: Case) => Promise<unknown>> = {
  async publish(one) {
    const { member } = await chosen(one);
    await one.community.addPost(asMember(member), newPost(member));
  },
  async startDraft(one) {
    const { member } = await chosen(one);
    await one.community.addPost(asMember(member), newPost(member, AS_DRAFT));
  },
  async publishDraft(one) {
    const { id, author, version } = await chosen(one);
    await one.community.publishDraft(asMember(author, LATER), id, publication({ version }));
  },
  async approve(one) {
    const { id, author, version } = await chosen(one);
    await one.community.submitPost(asMember(author, LATER), id, version);
    await one.community.approvePost(asOperator(one.olivia, LATER), id, author, publication({ version }));
  },
  async edit(one) {
    const { id, author } = await chosen(one);
    await one.community.editPost(asMember(author, LATER), id, textOf('On domes'));
  },
  async remove(one) {
    const { id, author } = await chosen(one);
    await one.community.removePost(asMember(author, LATER), id, 10);
  },
  async restore({ community, members, chance }) {
    const by = asMember(chance.pick(members), LATER);
    const [post] = await community.removedPostsOf(by.userId, NOON);
    if (post) await community.restorePost(by, post.id, publication({ version: post.updatedAt }), NOON);
  },
  async removeAsOperator(one) {
    const subject = await one.community.findReportable({ postId: (await chosen(one)).id });
    if (subject) await one.community.removeContent(asOperator(one.olivia, LATER), { subject, ...WORTH });
  },
  async undoRemoval({ community, olivia }) {
    const [subject] = await community.removedContent(1);
    const post = subject && (await community.findRemovedPost(subject.postId));
    if (!post) return;
    const { updatedAt: version } = post;
    await community.undoRemovalOfPost(asOperator(olivia, LATER), subject, publication({ version }));
  },
  async import(one) {
    const posts = [AS_DRAFT, {}, {}].map((state) => {
      one.imported += 1;
      const author = one.chance.pick(one.members);
      return { ...newPost(author, state), externalId: `${one.imported}`, views: 3, at: NOON };
    });
    await one.imports.addImportedPosts('old site', posts);
  },
  async readAndAnswer(one) {
    const { id, member } = await chosen(one);
    await one.community.countViews([{ postId: id, day: 20_000, visitor: `${member}` }]);
    await one.community.addLike(asMember(member), { postId: id, ...WORTH });
    await addComment(one, id, member).catch(() => {});
  },
  async suspend(one) {
    const { member } = await chosen(one);
    await one.identity.setStatus(SERVER, member, 'suspended');
    await one.identity.setStatus(SERVER, member, 'active');
  },
  async purge({ database }) {
    await purgeExpired(database, LIFETIMES, LATER + LIFETIMES.removedPost + DAY, 20);
  },
  async deleteByHand(one) {
    await one.database.atomically({ audit: NO_ENTRY, guard: deletePost({ id: (await chosen(one)).id }) });
  },
  async giveByHand(one) {
    const { id, member: userId } = await chosen(one);
    await one.database.atomically({ audit: NO_ENTRY, guard: givePost({ id, userId }) });
  },
};

const copyPosts = sql`
  INSERT INTO posts (user_id, category_id, status, title, body, excerpt, created_at, updated_at, published_at)
  SELECT users.id, category_id, posts.status, title, body, excerpt, 0, 0, published_at FROM posts, users`;

const countPosts = sql<void, { id: number; posts: number; kept: number }>`
  SELECT id, post_count AS kept, (
    SELECT count(*) FROM posts WHERE posts.user_id = users.id AND posts.status = 'published') AS posts
  FROM users ORDER BY id`;

async function assertExact({ database, community, identity }: Fixture, after: string): Promise<number[]> {
  const counts = await database.rows(countPosts());
  for (const { id, posts, kept } of counts) {
    assert.equal(kept, posts, `${after}, member ${id}`);
    const isClosed = (await identity.findUser(id))?.status === 'closed';
    assert.equal((await community.publishedPostsOf(id, 0, 1)).total, isClosed ? 0 : posts);
  }
  return counts.map(({ posts }) => posts);
}

export const countsOfPosts = {
  title: 'the counts of members’ posts',
  registerTests(open: Open): void {
    test('after every kind of change the kept number equals the counted one', async (t) => {
      const one = await openCase(open, t);
      const names = Object.keys(ACTS);
      const changing = new Set<string>();

      for (let round = 0; round < 12; round += 1) await ACTS.publish?.(one);
      let before = await assertExact(one, 'publishing');
      for (let round = 0; round < 300; round += 1) {
        const name = one.chance.pick(names);
        await ACTS[name]?.(one);
        const counts = await assertExact(one, `round ${round}, ${name}`);
        if (counts.join() !== before.join()) changing.add(name);
        before = counts;
      }

      const others = ['startDraft', 'edit', 'readAndAnswer', 'suspend', 'purge'];
      assert.deepEqual([...changing].toSorted(), names.filter((name) => !others.includes(name)).toSorted());
    });

    test('it stays exact while many changes are made at once', async (t) => {
      const one = await openCase(open, t);
      const acts = Object.values(ACTS);
      for (let round = 0; round < 12; round += 1) await ACTS.publish?.(one);

      for (let round = 0; round < 20; round += 1) {
        await atOnce(12, async () => one.chance.pick(acts)(one));
        await assertExact(one, `round ${round}`);
      }
    });

    test('of a closed account it is 0 at once, and counts what is left to remove', async (t) => {
      const fixture = await openFixture(open, t);
      const { community, identity, database, bob } = fixture;
      for (let index = 0; index < 12; index += 1) await community.addPost(asMember(bob), newPost(bob));

      await identity.closeAccount(asMember(bob, LATER), bob);

      assert.equal((await community.publishedPostsOf(bob, 0, 20)).total, 0);
      const left = [await assertExact(fixture, 'closing')];
      while ((await removeTextsOfClosedAccount(database)) > 0)
        left.push(await assertExact(fixture, 'a step'));
      assert.deepEqual(left, [
        [0, 7],
        [0, 2],
        [0, 0],
      ]);
    });

    test('one statement adds many posts of several members, and each is counted', async (t) => {
      const fixture = await openFixture(open, t);
      const { database, community, alice, bob } = fixture;
      for (const author of [alice, bob, bob]) await community.addPost(asMember(author), newPost(author));
      await community.addPost(asMember(bob), newPost(bob, AS_DRAFT));

      await database.atomically({ audit: NO_ENTRY, guard: copyPosts() });

      assert.deepEqual(await assertExact(fixture, 'copying'), [1 + 3, 2 + 3]);
    });
  },
};
