// Imports: each record comes once, with the row that remembers it, and what it changes elsewhere.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ImportedComment, ImportedPost } from '../../../src/community/import-store.ts';
import { HEAT_WEIGHT } from '../../../src/community/popularity.ts';
import { MINUTE } from '../../../src/lib/clock.ts';
import { sql } from '../../../src/storage/engine/sql.ts';
import { SERVER } from '../doers.ts';
import { atOnce, type House, type Open, openHouse } from '../house.ts';
import { NOON, newPost, newUser } from '../records.ts';

const SOURCE = 'old house';
const WORTH = { xp: 2, weight: HEAT_WEIGHT };

function post(userId: number, externalId: string, more: Partial<ImportedPost> = {}): ImportedPost {
  return { ...newPost(userId), externalId, views: 0, ...more };
}

async function numberOf({ community }: House, kind: 'member' | 'post' | 'comment', id: string) {
  return (await community.importedRecords(SOURCE, kind, [id])).get(id) ?? 0;
}

/** A house into which bob's post "p" was brought. */
async function houseWithPost(open: Open, scope: Parameters<Open>[0]): Promise<House & { postId: number }> {
  const house = await openHouse(open, scope);
  await house.community.addImportedPosts(SOURCE, [post(house.bob, 'p')]);
  return { ...house, postId: await numberOf(house, 'post', 'p') };
}

function comment(house: { postId: number; alice: number }, externalId: string, more: object = {}) {
  const { postId, alice: userId } = house;
  const made: ImportedComment = {
    ...{ externalId, postId, userId, answeredId: undefined, body: 'Yes.', at: NOON, ...WORTH },
    ...more,
  };
  return made;
}

export const imports = {
  title: 'imports',
  promises(open: Open): void {
    test('a member is brought once, and found by the number that they had', async (t) => {
      const house = await openHouse(open, t);
      const carol = { externalId: '7', user: newUser('carol', { bio: 'Reads' }) };

      const answers = [
        await house.community.addImportedMembers(SOURCE, [carol]),
        await house.community.addImportedMembers(SOURCE, [{ ...carol, user: newUser('carol_1') }]),
      ];

      assert.deepEqual(answers, [['added'], ['already_there']]);
      const found = await house.identity.findUserByName('carol');
      assert.equal(found?.bio, 'Reads');
      assert.equal(await numberOf(house, 'member', '7'), found?.id);
      assert.equal(await house.identity.findUserByName('carol_1'), undefined);
    });

    test('a name or an address that is taken is told, and nothing is remembered', async (t) => {
      const house = await openHouse(open, t);
      const at = { email: 'dora@example.org', emailKey: 'dora@example.org' };
      await house.identity.addUser(SERVER, newUser('dora', at));

      const answers = await house.community.addImportedMembers(SOURCE, [
        { externalId: '1', user: newUser('alice', { passwordHash: 'another' }) },
        { externalId: '2', user: newUser('another', at) },
        { externalId: '3', user: newUser('free') },
      ]);

      assert.deepEqual(answers, ['username_taken', 'email_taken', 'added']);
      const known = await house.community.importedRecords(SOURCE, 'member', ['1', '2', '3']);
      assert.deepEqual([...known.keys()], ['3']);
    });

    test('of two with one name that come together the first gets it', async (t) => {
      const house = await openHouse(open, t);

      const answers = await house.community.addImportedMembers(SOURCE, [
        { externalId: '1', user: newUser('carol', { passwordHash: 'one' }) },
        { externalId: '2', user: newUser('carol', { passwordHash: 'two' }) },
      ]);

      assert.deepEqual(answers, ['added', 'username_taken']);
    });

    test('a post that comes 16 times at once is there once, with its words, views and points', async (t) => {
      const house = await openHouse(open, t);
      const { community, bob } = house;

      const answers = await atOnce(16, () =>
        community.addImportedPosts(SOURCE, [post(bob, '12', { views: 40, words: 'heron' })]),
      );

      assert.deepEqual(answers.flat().toSorted(), ['added', ...Array(15).fill('already_there')]);
      const found = await community.publishedPostsOf(bob, 0, 20);
      assert.equal(found.total, 1);
      assert.equal(found.items[0]?.viewCount, 40);
      assert.equal(found.items[0]?.publishedAt, NOON);
      assert.equal(found.items[0]?.id, await numberOf(house, 'post', '12'));
      assert.equal((await house.identity.findUser(bob))?.xp, 10);
    });

    test('of a record that can not be written nothing is remembered', async (t) => {
      const house = await houseWithPost(open, t);
      const { community, bob, postId } = house;
      const tooLate = comment(house, 'c', { body: null });

      const writing = [
        community.addImportedPosts(SOURCE, [post(bob, 'q', { categoryId: 99 })]),
        community.addImportedComments(SOURCE, [tooLate]),
      ];

      for (const each of writing) await assert.rejects(each);
      assert.deepEqual(await community.importedRecords(SOURCE, 'post', ['q']), new Map());
      assert.deepEqual(await community.importedRecords(SOURCE, 'comment', ['c']), new Map());
      assert.equal((await community.findPost(postId))?.commentCount, 0);
      assert.equal((await house.identity.findUser(bob))?.xp, 10);
    });

    test('the same number of another source, or of another kind, is another record', async (t) => {
      const { community, bob } = await openHouse(open, t);

      const answers = [
        await community.addImportedPosts(SOURCE, [post(bob, '1')]),
        await community.addImportedPosts('other house', [post(bob, '1')]),
        await community.addImportedMembers(SOURCE, [{ externalId: '1', user: newUser('carol') }]),
      ];

      assert.deepEqual(answers, [['added'], ['added'], ['added']]);
    });

    test('comments stand in their order, one level deep, and are counted; nobody is told', async (t) => {
      const house = await houseWithPost(open, t);
      const { community, postId, alice, bob } = house;
      const popularityBefore =
        (await house.database.first(selectPopularity({ id: postId })))?.popularity ?? 0;

      const first = await community.addImportedComments(
        SOURCE,
        Array.from({ length: 20 }, (_, index) => comment(house, `c${index}`, { body: `number ${index}` })),
      );
      const answeredId = await numberOf(house, 'comment', 'c0');
      await community.addImportedComments(SOURCE, [comment(house, 'r1', { answeredId })]);
      const reply = await numberOf(house, 'comment', 'r1');
      await community.addImportedComments(SOURCE, [
        comment(house, 'r2', { answeredId: reply, at: NOON + MINUTE }),
      ]);
      const again = await community.addImportedComments(SOURCE, [comment(house, 'c0')]);

      assert.deepEqual(new Set(first), new Set(['added']));
      assert.deepEqual(again, ['already_there']);
      assert.deepEqual(
        (await community.topComments(postId, 0, 50)).map(({ body }) => body),
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

    test('a like counts once, unless it is one of the own post', async (t) => {
      const house = await houseWithPost(open, t);
      const { community, postId, alice, bob } = house;
      const like = (externalId: string, userId: number) => ({
        ...{ externalId, postId, userId, at: NOON, xp: 1, weight: HEAT_WEIGHT },
      });

      const answers = [
        await community.addImportedLikes(SOURCE, [like('1', alice), like('2', bob)]),
        await community.addImportedLikes(SOURCE, [like('1', alice), like('3', alice)]),
      ];
      await community.takeLikeBack({ postId, userId: alice, xp: 1, weight: HEAT_WEIGHT, at: NOON });
      const afterwards = await community.addImportedLikes(SOURCE, [like('1', alice)]);

      assert.deepEqual(answers, [
        ['added', 'target_missing'],
        ['already_there', 'already_there'],
      ]);
      // What a member took back does not come again.
      assert.deepEqual(afterwards, ['already_there']);
      assert.equal((await community.findPost(postId))?.likeCount, 0);
      assert.equal((await house.identity.findUser(bob))?.xp, 10);
    });

    test('nothing comes on a post that is removed, or from an account that is closed', async (t) => {
      const house = await houseWithPost(open, t);
      const { community, postId, bob } = house;
      const carol = await house.identity.addUser(SERVER, newUser('carol'));
      if (typeof carol !== 'number') throw new Error(carol);
      await house.identity.closeAccount(SERVER, carol);

      const fromClosed = [
        await community.addImportedPosts(SOURCE, [post(carol, 'x')]),
        await community.addImportedComments(SOURCE, [comment({ postId, alice: carol }, 'x')]),
      ];
      await community.removePost(postId, bob, 10, NOON);
      const onRemoved = [
        await community.addImportedComments(SOURCE, [comment(house, 'y')]),
        await community.addImportedLikes(SOURCE, [
          { externalId: 'y', postId, userId: house.alice, at: NOON, ...WORTH },
        ]),
      ];

      assert.deepEqual(
        [...fromClosed, ...onRemoved],
        [['target_missing'], ['target_missing'], ['target_missing'], ['target_missing']],
      );
      assert.equal((await community.importedRecords(SOURCE, 'comment', ['x', 'y'])).size, 0);
    });
  },
};

const selectPopularity = sql<{ id: number }, { popularity: number }>`
  SELECT heat AS popularity FROM posts WHERE id = :id`;
