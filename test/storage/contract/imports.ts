// Imports: each record once, with the row that remembers it and its effects elsewhere.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { POPULARITY_WEIGHT } from '../../../src/community/popularity.ts';
import type { ImportedComment, ImportedPost } from '../../../src/import/store.ts';
import { MINUTE } from '../../../src/lib/clock.ts';
import { sql } from '../../../src/storage/engine/sql.ts';
import { asMember, SERVER } from '../doers.ts';
import { atOnce, type House, type Open, openHouse } from '../house.ts';
import { NOON, newPost, newUser } from '../records.ts';

const SOURCE = 'old house';
const WORTH = { xp: 2, weight: POPULARITY_WEIGHT };

function post(userId: number, externalId: string, more: Partial<ImportedPost> = {}): ImportedPost {
  return { ...newPost(userId), externalId, views: 0, at: NOON, ...more };
}

async function numberOf({ imports }: House, kind: 'member' | 'post' | 'comment', id: string) {
  return (await imports.importedRecords(SOURCE, kind, [id])).get(id) ?? 0;
}

/** A house with bob's post "p", imported. */
async function houseWithPost(open: Open, scope: Parameters<Open>[0]): Promise<House & { postId: number }> {
  const house = await openHouse(open, scope);
  await house.imports.addImportedPosts(SOURCE, [post(house.bob, 'p')]);
  return { ...house, postId: await numberOf(house, 'post', 'p') };
}

function comment(house: { postId: number; alice: number }, externalId: string, more: object = {}) {
  const { postId, alice: userId } = house;
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
  promises(open: Open): void {
    test('a member is imported once, and found by the id at the source', async (t) => {
      const house = await openHouse(open, t);
      const carol = { externalId: '7', user: newUser('carol', { bio: 'Reads' }) };

      const answers = [
        await house.imports.addImportedMembers(SOURCE, [carol]),
        await house.imports.addImportedMembers(SOURCE, [{ ...carol, user: newUser('carol_1') }]),
      ];

      assert.deepEqual(answers, [['added'], ['already_there']]);
      const found = await house.identity.findUserByName('carol');
      assert.equal(found?.bio, 'Reads');
      assert.equal(await numberOf(house, 'member', '7'), found?.id);
      assert.equal(await house.identity.findUserByName('carol_1'), undefined);
    });

    test('a username or an email that is taken is reported, and the record is not remembered', async (t) => {
      const house = await openHouse(open, t);
      const at = { email: 'dora@example.org', emailKey: 'dora@example.org' };
      await house.identity.addUser(SERVER, newUser('dora', at));

      const answers = await house.imports.addImportedMembers(SOURCE, [
        { externalId: '1', user: newUser('alice', { passwordHash: 'another' }) },
        { externalId: '2', user: newUser('another', at) },
        { externalId: '3', user: newUser('free') },
      ]);

      assert.deepEqual(answers, ['username_taken', 'email_taken', 'added']);
      const known = await house.imports.importedRecords(SOURCE, 'member', ['1', '2', '3']);
      assert.deepEqual([...known.keys()], ['3']);
    });

    test('of two members with one username in one call the first gets it', async (t) => {
      const house = await openHouse(open, t);

      const answers = await house.imports.addImportedMembers(SOURCE, [
        { externalId: '1', user: newUser('carol', { passwordHash: 'one' }) },
        { externalId: '2', user: newUser('carol', { passwordHash: 'two' }) },
      ]);

      assert.deepEqual(answers, ['added', 'username_taken']);
    });

    test('a post that is imported 16 times at once exists once, with its words, views and points', async (t) => {
      const house = await openHouse(open, t);
      const { community, imports, bob } = house;

      const answers = await atOnce(16, () =>
        imports.addImportedPosts(SOURCE, [post(bob, '12', { views: 40, words: 'heron' })]),
      );

      assert.deepEqual(answers.flat().toSorted(), ['added', ...Array(15).fill('already_there')]);
      const found = await community.publishedPostsOf(bob, 0, 20);
      assert.equal(found.total, 1);
      assert.equal(found.items[0]?.viewCount, 40);
      assert.equal(found.items[0]?.publishedAt, NOON);
      assert.equal(found.items[0]?.id, await numberOf(house, 'post', '12'));
      assert.equal((await house.identity.findUser(bob))?.xp, 10);
    });

    test('a record that cannot be written is not remembered', async (t) => {
      const house = await houseWithPost(open, t);
      const { community, imports, bob, postId } = house;
      const tooLate = comment(house, 'c', { body: null });

      const writing = [
        imports.addImportedPosts(SOURCE, [post(bob, 'q', { categoryId: 99 })]),
        imports.addImportedComments(SOURCE, [tooLate]),
      ];

      for (const each of writing) await assert.rejects(each);
      assert.deepEqual(await imports.importedRecords(SOURCE, 'post', ['q']), new Map());
      assert.deepEqual(await imports.importedRecords(SOURCE, 'comment', ['c']), new Map());
      assert.equal((await community.findPost(postId))?.commentCount, 0);
      assert.equal((await house.identity.findUser(bob))?.xp, 10);
    });

    test('the same id of another source, or of another kind, is another record', async (t) => {
      const { imports, bob } = await openHouse(open, t);

      const answers = [
        await imports.addImportedPosts(SOURCE, [post(bob, '1')]),
        await imports.addImportedPosts('other house', [post(bob, '1')]),
        await imports.addImportedMembers(SOURCE, [{ externalId: '1', user: newUser('carol') }]),
      ];

      assert.deepEqual(answers, [['added'], ['added'], ['added']]);
    });

    test('comments keep their order, one level deep, and are counted, without notifications', async (t) => {
      const house = await houseWithPost(open, t);
      const { community, imports, postId, alice, bob } = house;
      const popularityBefore =
        (await house.database.first(selectPopularity({ id: postId })))?.popularity ?? 0;

      const first = await imports.addImportedComments(
        SOURCE,
        Array.from({ length: 20 }, (_, index) => comment(house, `c${index}`, { body: `number ${index}` })),
      );
      const answeredId = await numberOf(house, 'comment', 'c0');
      await imports.addImportedComments(SOURCE, [comment(house, 'r1', { answeredId })]);
      const reply = await numberOf(house, 'comment', 'r1');
      await imports.addImportedComments(SOURCE, [
        comment(house, 'r2', { answeredId: reply, at: NOON + MINUTE }),
      ]);
      const again = await imports.addImportedComments(SOURCE, [comment(house, 'c0')]);

      assert.deepEqual(new Set(first), new Set(['added']));
      assert.deepEqual(again, ['already_there']);
      const tops = await community.topComments(postId, 0, 50);
      assert.deepEqual(
        (await community.comments(tops.map(({ id }) => id))).map(({ body }) => body),
        Array.from({ length: 20 }, (_, index) => `number ${index}`),
      );
      assert.equal((await community.repliesTo(answeredId, 0, 50)).length, 2);
      assert.equal((await community.findPost(postId))?.commentCount, 22);
      assert.equal((await house.identity.findUser(alice))?.xp, 44);
      assert.ok(
        ((await house.database.first(selectPopularity({ id: postId })))?.popularity ?? 0) > popularityBefore,
      );
      assert.equal(await community.countUnread(bob, 9), 0);
    });

    test('a like counts once, and not on the own post', async (t) => {
      const house = await houseWithPost(open, t);
      const { community, imports, postId, alice, bob } = house;
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
      // What a member took back does not come again.
      assert.deepEqual(afterwards, ['already_there']);
      assert.equal((await community.findPost(postId))?.likeCount, 0);
      assert.equal((await house.identity.findUser(bob))?.xp, 10);
    });

    test('no comment or like is imported on a removed post, and nothing from a closed account', async (t) => {
      const house = await houseWithPost(open, t);
      const { community, imports, postId, bob } = house;
      const carol = await house.identity.addUser(SERVER, newUser('carol'));
      if (typeof carol !== 'number') throw new Error(carol);
      await house.identity.closeAccount(SERVER, carol);

      const fromClosed = [
        await imports.addImportedPosts(SOURCE, [post(carol, 'x')]),
        await imports.addImportedComments(SOURCE, [comment({ postId, alice: carol }, 'x')]),
      ];
      await community.removePost(asMember(bob), postId, 10);
      const onRemoved = [
        await imports.addImportedComments(SOURCE, [comment(house, 'y')]),
        await imports.addImportedLikes(SOURCE, [
          { externalId: 'y', postId, userId: house.alice, at: NOON, ...WORTH },
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
