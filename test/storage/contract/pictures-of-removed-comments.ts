// Pictures in comments that their authors remove: they keep no row, and go when no text shows them.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { picturePath } from '../../../src/community/picture.ts';
import type { NewPicture } from '../../../src/community/picture-store.ts';
import { DAY } from '../../../src/lib/clock.ts';
import { sql } from '../../../src/storage/engine/sql.ts';
import { purgeExpired } from '../../../src/storage/purge/purge.ts';
import { asMember } from '../doers.ts';
import { type Fixture, type Open, openFixture } from '../fixture.ts';
import { LIFETIMES, NOON } from '../records.ts';
import { add, LATER, newComment, postWith, remove, WORTH } from './comment-fixture.ts';

const IMAGE = Buffer.from([0, 255, 1]);
const PICTURE: NewPicture = {
  digest: '1'.repeat(32),
  type: 'image/webp',
  width: 640,
  height: 480,
  image: IMAGE,
  smaller: [],
};
const SHOWING = { body: `![it](${picturePath(PICTURE)})`, pictures: [PICTURE.digest] };

/** A post by bob, and a picture of alice in the store of files. */
async function start(fixture: Fixture): Promise<number> {
  await fixture.community.addUpload(asMember(fixture.alice), PICTURE, true);
  return (await postWith(fixture, 0)).postId;
}

/** The number of comments in the database, of uses of pictures, and of pictures. */
async function counts({ database }: Fixture): Promise<number[]> {
  const row = await database.first(selectCounts());
  return [Number(row?.comments), Number(row?.uses), Number(row?.pictures)];
}

const selectCounts = sql<void, { comments: number; uses: number; pictures: number }>`
  SELECT (SELECT count(*) FROM comments) AS comments, (SELECT count(*) FROM picture_uses) AS uses,
    (SELECT count(*) FROM pictures) AS pictures`;

async function purgeAfter({ database }: Fixture, days: number): Promise<void> {
  while ((await purgeExpired(database, LIFETIMES, NOON + days * DAY, 500)) > 0);
}

export const picturesOfRemovedComments = {
  title: 'pictures of removed comments',
  registerTests(open: Open): void {
    test('comments with a picture leave no row when their author removes them, nor the picture after a week', async (t) => {
      const fixture = await openFixture(open, t);
      const { community, alice } = fixture;
      const postId = await start(fixture);
      for (let round = 0; round < 20; round += 1) {
        await remove(fixture, await add(fixture, { ...newComment(postId), ...SHOWING }), postId);
      }
      const waiting = await add(fixture, { ...newComment(postId), ...SHOWING, isWaiting: true });
      await community.withdrawComment(asMember(alice, LATER), waiting);

      const removed = await counts(fixture);
      await purgeAfter(fixture, 6);
      const kept = await counts(fixture);
      await purgeAfter(fixture, 8);

      assert.deepEqual(
        [removed, kept, await counts(fixture)],
        [
          [0, 0, 1],
          [0, 0, 1],
          [0, 0, 0],
        ],
      );
      assert.deepEqual(
        (await community.leftoverFiles(NOON, 10)).map(({ digest }) => digest),
        [PICTURE.digest],
      );
    });

    test('the picture of a removed comment stays if its author shows it in another text', async (t) => {
      const fixture = await openFixture(open, t);
      const postId = await start(fixture);
      const [removed, another] = [
        await add(fixture, { ...newComment(postId), ...SHOWING }),
        await add(fixture, { ...newComment(postId), ...SHOWING }),
      ];
      await remove(fixture, removed, postId);
      await purgeAfter(fixture, 8);
      const shared = await counts(fixture);

      await remove(fixture, another, postId);
      await add(fixture, { ...newComment(postId), ...SHOWING });
      await purgeAfter(fixture, 31);

      assert.deepEqual(
        [shared, await counts(fixture)],
        [
          [1, 1, 1],
          [1, 1, 1],
        ],
      );
    });

    test('the picture of a removed comment that was reported stays for the moderators', async (t) => {
      const fixture = await openFixture(open, t);
      const { community, bob } = fixture;
      const postId = await start(fixture);
      const reported = await add(fixture, { ...newComment(postId), ...SHOWING });
      await community.addReport(asMember(bob), { postId, commentId: reported, reason: 'spam', note: '' });

      await remove(fixture, reported, postId);
      await purgeAfter(fixture, 29);
      const kept = await counts(fixture);
      const seen = await community.findPicture(PICTURE, { userId: bob, canModerate: true });
      await purgeAfter(fixture, 31);

      assert.deepEqual(kept, [1, 1, 1]);
      assert.ok(seen);
      assert.deepEqual(await counts(fixture), [0, 0, 0]);
    });

    test('the picture of a removed comment with replies goes a week after the last of them', async (t) => {
      const fixture = await openFixture(open, t);
      const { community, alice, bob } = fixture;
      const postId = await start(fixture);
      const id = await add(fixture, { ...newComment(postId), ...SHOWING });
      const reply = await add(fixture, newComment(postId, { id, userId: alice }), asMember(bob));
      await remove(fixture, id, postId);
      await purgeAfter(fixture, 10);
      const answered = await counts(fixture);

      const ofReply = { id: reply, postId, parentId: id, ...WORTH };
      await community.removeComment(asMember(bob, NOON + 10 * DAY), ofReply);
      const removed = await counts(fixture);
      await purgeAfter(fixture, 16);
      const kept = await counts(fixture);
      await purgeAfter(fixture, 18);

      assert.deepEqual(
        [answered, removed, kept, await counts(fixture)],
        [
          [2, 1, 1],
          [0, 0, 1],
          [0, 0, 1],
          [0, 0, 0],
        ],
      );
    });
  },
};
