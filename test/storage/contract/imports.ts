// Imports: each record is added once, with its effects and a row that remembers it.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { POPULARITY_WEIGHT } from '../../../src/community/popularity.ts';
import type { ImportedComment, ImportedPost } from '../../../src/import/store.ts';
import { MINUTE } from '../../../src/lib/clock.ts';
import { sql } from '../../../src/storage/engine/sql.ts';
import { asMember, SERVER } from '../doers.ts';
import { atOnce, type Fixture, type Open, openFixture } from '../fixture.ts';
import { NOON, newPost, newUser } from '../records.ts';

const SOURCE = 'old site';
const WORTH = { xp: 2, weight: POPULARITY_WEIGHT };

function post(userId: number, externalId: string, more: Partial<ImportedPost> = {}): ImportedPost {
  return { ...newPost(userId), externalId, views: 0, at: NOON, ...more };
}

async function numberOf({ imports }: Fixture, kind: 'member' | 'post' | 'comment', id: string) {
  return (await imports.importedRecords(SOURCE, kind, [id])).get(id) ?? 0;
}

/** Open a fixture with an imported post by bob, whose id at the source is "p". */
async function houseWithPost(open: Open, scope: Parameters<Open>[0]): Promise<Fixture & { postId: number }> {
  const fixture = await openFixture(open, scope);
  await fixture.imports.addImportedPosts(SOURCE, [post(fixture.bob, 'p')]);
  return { ...fixture, postId: await numberOf(fixture, 'post', 'p') };
}

function comment(fixture: { postId: number; alice: number }, externalId: string, more: object = {}) {
  const { postId, alice: userId } = fixture;
  const plain: ImportedComment = {
    externalId,
    postId,
    userId,
    answeredId: undefined,
    body: 'Yes.',
    at: NOON,
    ...WORTH,
  };
  return { ...plain, ...more };
}

export const importsContract = {
  title: 'imports',
  registerTests(open: Open): void {
    test('a member is imported once, and found by the id at the source', async (t) => {
      const fixture = await openFixture(open, t);
      const carol = { externalId: '7', user: newUser('carol', { bio: 'Reads' }) };

      const answers = [
        await fixture.imports.addImportedMembers(SOURCE, [carol]),
        await fixture.imports.addImportedMembers(SOURCE, [{ ...carol, user: newUser('carol_1') }]),
      ];

      assert.deepEqual(answers, [['added'], ['already_there']]);
      const stored = await fixture.identity.findUserByName('carol');
      assert.equal(stored?.bio, 'Reads');
      assert.equal(await numberOf(fixture, 'member', '7'), stored?.id);
      assert.equal(await fixture.identity.findUserByName('carol_1'), undefined);
    });

    test('a username or an email that is taken is reported, and the record is not remembered', async (t) => {
      const fixture = await openFixture(open, t);
      const at = { email: 'dora@example.org', emailKey: 'dora@example.org' };
      await fixture.identity.addUser(SERVER, newUser('dora', at));

      const answers = await fixture.imports.addImportedMembers(SOURCE, [
        { externalId: '1', user: newUser('alice', { passwordHash: 'another' }) },
        { externalId: '2', user: newUser('another', at) },
        { externalId: '3', user: newUser('free') },
      ]);

      assert.deepEqual(answers, ['username_taken', 'email_taken', 'added']);
      const ids = await fixture.imports.importedRecords(SOURCE, 'member', ['1', '2', '3']);
      assert.deepEqual([...ids.keys()], ['3']);
    });

    test('of two members with one username in one call the first gets it', async (t) => {
      const fixture = await openFixture(open, t);

      const answers = await fixture.imports.addImportedMembers(SOURCE, [
        { externalId: '1', user: newUser('carol', { passwordHash: 'one' }) },
        { externalId: '2', user: newUser('carol', { passwordHash: 'two' }) },
      ]);

      assert.deepEqual(answers, ['added', 'username_taken']);
    });

    test('a post that is imported 16 times at once exists once, with its words, views and points', async (t) => {
      const fixture = await openFixture(open, t);
      const { community, imports, bob } = fixture;

      const answers = await atOnce(16, () =>
        imports.addImportedPosts(SOURCE, [post(bob, '12', { views: 40, words: 'heron' })]),
      );

      assert.deepEqual(answers.flat().toSorted(), ['added', ...Array(15).fill('already_there')]);
      const posts = await community.publishedPostsOf(bob, 0, 20);
      assert.equal(posts.total, 1);
      assert.equal(posts.items[0]?.viewCount, 40);
      assert.equal(posts.items[0]?.publishedAt, NOON);
      assert.equal(posts.items[0]?.id, await numberOf(fixture, 'post', '12'));
      assert.equal((await fixture.identity.findUser(bob))?.xp, 10);
    });

    test('a record that cannot be written is not remembered', async (t) => {
      const fixture = await houseWithPost(open, t);
      const { community, imports, bob, postId } = fixture;
      const tooLate = comment(fixture, 'c', { body: null });

      const writing = [
        imports.addImportedPosts(SOURCE, [post(bob, 'q', { categoryId: 99 })]),
        imports.addImportedComments(SOURCE, [tooLate]),
      ];

      await Promise.all(writing.map((each) => assert.rejects(each)));
      assert.deepEqual(await imports.importedRecords(SOURCE, 'post', ['q']), new Map());
      assert.deepEqual(await imports.importedRecords(SOURCE, 'comment', ['c']), new Map());
      assert.equal((await community.findPost(postId))?.commentCount, 0);
      assert.equal((await fixture.identity.findUser(bob))?.xp, 10);
    });

    test('the same id of another source, or of another kind, is another record', async (t) => {
      const { imports, bob } = await openFixture(open, t);

      const answers = [
        await imports.addImportedPosts(SOURCE, [post(bob, '1')]),
        await imports.addImportedPosts('other fixture', [post(bob, '1')]),
        await imports.addImportedMembers(SOURCE, [{ externalId: '1', user: newUser('carol') }]),
      ];

      assert.deepEqual(answers, [['added'], ['added'], ['added']]);
    });

    test('comments keep their order, one level deep, and are counted, without notifications', async (t) => {
      const fixture = await houseWithPost(open, t);
      const { community, imports, postId, alice, bob } = fixture;
      const popularityBefore =
        (await fixture.database.first(selectPopularity({ id: postId })))?.popularity ?? 0;

      const first = await imports.addImportedComments(
        SOURCE,
        Array.from({ length: 20 }, (_, index) => comment(fixture, `c${index}`, { body: `number ${index}` })),
      );
      const answeredId = await numberOf(fixture, 'comment', 'c0');
      await imports.addImportedComments(SOURCE, [comment(fixture, 'r1', { answeredId })]);
      const reply = await numberOf(fixture, 'comment', 'r1');
      await imports.addImportedComments(SOURCE, [
        comment(fixture, 'r2', { answeredId: reply, at: NOON + MINUTE }),
      ]);
      const again = await imports.addImportedComments(SOURCE, [comment(fixture, 'c0')]);

      assert.deepEqual(new Set(first), new Set(['added']));
      assert.deepEqual(again, ['already_there']);
      const tops = await community.topComments(postId, 0, 50);
      assert.deepEqual(
        (await community.comments(tops.map(({ id }) => id))).map(({ body }) => body),
        Array.from({ length: 20 }, (_, index) => `number ${index}`),
      );
      assert.equal((await community.repliesTo(answeredId, 0, 50)).length, 2);
      assert.equal((await community.findPost(postId))?.commentCount, 22);
      assert.equal((await fixture.identity.findUser(alice))?.xp, 44);
      assert.ok(
        ((await fixture.database.first(selectPopularity({ id: postId })))?.popularity ?? 0) >
          popularityBefore,
      );
      assert.equal(await community.countUnread(bob, 9), 0);
    });

    test('a like counts once, and not on the member’s own post', async (t) => {
      const fixture = await houseWithPost(open, t);
      const { community, imports, postId, alice, bob } = fixture;
      const like = (externalId: string, userId: number) => ({
        externalId,
        postId,
        userId,
        at: NOON,
        xp: 1,
        weight: POPULARITY_WEIGHT,
      });

      const answers = [
        await imports.addImportedLikes(SOURCE, [like('1', alice), like('2', bob)]),
        await imports.addImportedLikes(SOURCE, [like('1', alice), like('3', alice)]),
      ];
      await community.removeLike(asMember(alice), { postId, xp: 1, weight: POPULARITY_WEIGHT });
      const afterwards = await imports.addImportedLikes(SOURCE, [like('1', alice)]);

      assert.deepEqual(answers, [
        ['added', 'target_missing'],
        ['already_there', 'already_there'],
      ]);
      // A like that a member took back is not imported again.
      assert.deepEqual(afterwards, ['already_there']);
      assert.equal((await community.findPost(postId))?.likeCount, 0);
      assert.equal((await fixture.identity.findUser(bob))?.xp, 10);
    });

    test('an old address leads to its record, stays with the first one, and is listed', async (t) => {
      const fixture = await houseWithPost(open, t);
      const { imports, community, postId } = fixture;
      await imports.addImportedComments(SOURCE, [comment(fixture, 'c')]);
      const commentId = await numberOf(fixture, 'comment', 'c');
      const general = (await community.categories())[0];

      await imports.addOldAddresses(SOURCE, 'post', [
        { externalId: 'p', address: '/t/1' },
        { externalId: 'unknown', address: '/t/2' },
      ]);
      await imports.addOldAddresses(SOURCE, 'comment', [
        { externalId: 'c', address: '/t/1/2' },
        { externalId: 'c', address: '/t/1' },
      ]);
      await imports.addOldAddressesOfCategories([{ categoryId: general?.id ?? 0, address: '/c/1' }]);

      const nothing = {
        postId: undefined,
        commentId: undefined,
        username: undefined,
        categorySlug: undefined,
      };
      const all = [
        { ...nothing, address: '/c/1', categorySlug: general?.slug },
        { ...nothing, address: '/t/1', postId },
        { ...nothing, address: '/t/1/2', commentId },
      ];
      assert.deepEqual(await community.findOldAddress('/t/1'), all[1]);
      assert.equal(await community.findOldAddress('/t/2'), undefined);
      assert.deepEqual(await community.oldAddresses('', 2), all.slice(0, 2));
      assert.deepEqual(await community.oldAddresses('/t/1', 2), all.slice(2));
    });

    test('no comment or like on a removed post is imported, and nothing of a closed account', async (t) => {
      const fixture = await houseWithPost(open, t);
      const { community, imports, postId, bob } = fixture;
      const carol = await fixture.identity.addUser(SERVER, newUser('carol'));
      if (typeof carol !== 'number') throw new Error(carol);
      await fixture.identity.closeAccount(SERVER, carol);

      const fromClosed = [
        await imports.addImportedPosts(SOURCE, [post(carol, 'x')]),
        await imports.addImportedComments(SOURCE, [comment({ postId, alice: carol }, 'x')]),
      ];
      await community.removePost(asMember(bob), postId, 10);
      const onRemoved = [
        await imports.addImportedComments(SOURCE, [comment(fixture, 'y')]),
        await imports.addImportedLikes(SOURCE, [
          { externalId: 'y', postId, userId: fixture.alice, at: NOON, ...WORTH },
        ]),
      ];

      assert.deepEqual(
        [...fromClosed, ...onRemoved],
        [['target_missing'], ['target_missing'], ['target_missing'], ['target_missing']],
      );
      assert.equal((await imports.importedRecords(SOURCE, 'comment', ['x', 'y'])).size, 0);
    });
  },
};

const selectPopularity = sql<{ id: number }, { popularity: number }>`
  SELECT heat AS popularity FROM posts WHERE id = :id`;
