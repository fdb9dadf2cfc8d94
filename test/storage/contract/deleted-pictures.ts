// Pictures whose text or account is gone are deleted some at a time: many take SQLite long.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAY } from '../../../src/lib/clock.ts';
import { removeTextsOfClosedAccount } from '../../../src/storage/community/texts-of-closed-account.ts';
import { sql } from '../../../src/storage/engine/sql.ts';
import { purgeExpired } from '../../../src/storage/purge/purge.ts';
import { asMember } from '../doers.ts';
import { type Fixture, type Open, openFixture } from '../fixture.ts';
import { LIFETIMES, NOON, newPost } from '../records.ts';

/** Let a member upload pictures of so many bytes. Returns their digests. */
async function upload({ community }: Fixture, userId: number, count: number, bytes: number) {
  const digests = Array.from({ length: count }, (_, index) => `${userId}${index}`.padStart(32, '0'));
  const facts = { type: 'image/webp', width: 640, height: 480, smaller: [] } as const;
  for (const digest of digests)
    await community.addUpload(asMember(userId), { ...facts, digest, image: Buffer.alloc(bytes, 7) }, false);
  return digests;
}

const countPictures = sql<void, { count: number }>`SELECT count(*) AS count FROM pictures`;

const countUses = sql<void, { count: number }>`SELECT count(*) AS count FROM picture_uses`;

async function stored({ database }: Fixture): Promise<number> {
  return Number((await database.first(countPictures()))?.count);
}

export const deletedPictures = {
  title: 'deleted pictures',
  registerTests(open: Open): void {
    test('the pictures of a closed account go in steps of some megabytes', async (t) => {
      const fixture = await openFixture(open, t);
      const { community, identity, database, alice, bob } = fixture;
      const pictures = (await upload(fixture, bob, 6, 4_000_000)).slice(3);
      const post = await community.addPost(asMember(alice), newPost(alice));
      const comment = { postId: post, replyTo: undefined, body: 'See', pictures, xp: 2, weight: 1 };
      await community.addComment(asMember(bob), comment);
      const state = async () => [await stored(fixture), (await community.ownComments(bob, 0, 9)).length];

      await identity.closeAccount(asMember(bob), bob);
      const states = [await state()];
      while ((await removeTextsOfClosedAccount(database)) > 0) states.push(await state());

      while ((await purgeExpired(database, LIFETIMES, NOON, 500)) > 0) states.push(await state());

      assert.deepEqual(states, [
        [4, 1],
        [1, 0],
        [0, 0],
      ]);
    });

    test('the pictures of a removed post go in steps of some, and then the post', async (t) => {
      const fixture = await openFixture(open, t);
      const { community, database, bob } = fixture;
      const pictures = await upload(fixture, bob, 60, 1);
      const post = await community.addPost(asMember(bob), newPost(bob, { pictures }));
      await community.removePost(asMember(bob), post, 0);

      const states = [];
      for (let deleted = 1; deleted > 0; ) {
        deleted = await purgeExpired(database, LIFETIMES, NOON + 31 * DAY, 500);
        states.push([await stored(fixture), (await community.findPost(post)) !== undefined]);
      }

      assert.deepEqual(states, [
        [10, true],
        [0, false],
        [0, false],
      ]);
    });

    test('a post waits until its pictures and those of its comments are taken out, some at a time', async (t) => {
      const fixture = await openFixture(open, t);
      const { community, database, alice, bob } = fixture;
      const pictures = await upload(fixture, bob, 60, 1);
      const post = await community.addPost(asMember(alice), newPost(alice));
      const comment = { postId: post, replyTo: undefined, body: 'See', pictures, xp: 2, weight: 1 };
      for (let count = 0; count < 4; count += 1) await community.addComment(asMember(bob), comment);
      await community.addPost(asMember(bob), newPost(bob, { pictures: pictures.slice(0, 5) }));
      await community.removePost(asMember(alice), post, 0);

      const states = [];
      for (let deleted = 1; deleted > 0; ) {
        deleted = await purgeExpired(database, LIFETIMES, NOON + 31 * DAY, 100);
        states.push([
          Number((await database.first(countUses()))?.count),
          await stored(fixture),
          (await community.findPost(post)) !== undefined,
        ]);
      }

      const uses = states.map(([count]) => count);
      assert.deepEqual(uses.slice(0, 4), [145, 45, 5, 5]);
      assert.deepEqual(states.at(3), [5, 30, true]);
      assert.deepEqual(states.at(-1), [5, 5, false]);
    });

    test('pictures that no text shows go in steps of some megabytes', async (t) => {
      const fixture = await openFixture(open, t);
      await upload(fixture, fixture.bob, 3, 4_000_000);
      const counts = [];
      for (let deleted = 1; deleted > 0; counts.push(await stored(fixture)))
        deleted = await purgeExpired(fixture.database, LIFETIMES, NOON + 8 * DAY, 500);

      assert.deepEqual(counts, [1, 0, 0]);
    });
  },
};
