// Where the bytes of a picture are: in the database, or in a store of files, and between both only with a note.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { NewPicture } from '../../../src/community/picture-store.ts';
import { HOUR } from '../../../src/lib/clock.ts';
import { asMember } from '../doers.ts';
import { type Fixture, type Open, openFixture } from '../fixture.ts';
import { NOON } from '../records.ts';

function picture(digit: string): NewPicture {
  const image = Buffer.from([0, 255, Number(digit)]);
  const smaller = [320, 640].map((width) => ({ width, image: Buffer.from([width % 256, Number(digit)]) }));
  return { digest: digit.repeat(32), type: 'image/webp', width: 900, height: 480, image, smaller };
}

const [FIRST, SECOND, THIRD] = ['1', '2', '3'].map(picture) as [NewPicture, NewPicture, NewPicture];

/** Open a database in which bob has a picture in the database, one in files, and another one in the database. */
async function openPlaces(open: Open, t: Parameters<Open>[0]) {
  const fixture = await openFixture(open, t);
  const { community, bob } = fixture;
  await community.addUpload(asMember(bob), FIRST, false);
  await community.addUpload(asMember(bob), SECOND, true);
  await community.addUpload(asMember(bob), THIRD, false);
  const [first, third] = await community.picturesIn(false, 0, 10);
  const [second] = await community.picturesIn(true, 0, 10);
  assert.ok(first !== undefined && second !== undefined && third !== undefined);
  return { ...fixture, first, second, third };
}

async function notes({ community }: Fixture): Promise<[string, number, boolean][]> {
  const all = await community.leftoverFiles(Number.MAX_SAFE_INTEGER, 10);
  return all.map(({ digest, since, hasPicture }) => [digest[0] ?? '', since, hasPicture]);
}

export const placesOfPictures = {
  title: 'places of pictures',
  registerTests(open: Open): void {
    test('pictures are listed and counted by their place', async (t) => {
      const { community, first, second, third } = await openPlaces(open, t);

      assert.deepEqual(
        [first.digest, second.digest, third.digest],
        [FIRST.digest, SECOND.digest, THIRD.digest],
      );
      assert.deepEqual(await community.picturesIn(false, first.id, 10), [third]);
      assert.deepEqual(await community.picturesIn(false, 0, 1), [first]);
      assert.deepEqual(
        [await community.countPictures(false, 10), await community.countPictures(true, 10)],
        [2, 1],
      );
      assert.equal(await community.countPictures(false, 1), 1);
    });

    test('the bytes of a picture in the database are read at once, and of no other', async (t) => {
      const { community, first, second } = await openPlaces(open, t);

      const { image = new Uint8Array(), smaller = [] } = (await community.imagesOf(first.id)) ?? {};
      assert.deepEqual([...image], [0, 255, 1]);
      assert.deepEqual(
        smaller.map((version) => [version.width, ...version.image]).toSorted(([a = 0], [b = 0]) => a - b),
        [
          [320, 64, 1],
          [640, 128, 1],
        ],
      );
      assert.equal(await community.imagesOf(second.id), undefined);
      assert.equal(await community.imagesOf(999), undefined);
    });

    test('a picture becomes a file only with the note of this move, which is forgotten', async (t) => {
      const fixture = await openPlaces(open, t);
      const { community, bob, first } = fixture;
      const viewer = { userId: bob, canModerate: false };

      assert.equal(await community.moveToFiles(first, NOON), false);
      const kept = await notes(fixture);
      assert.equal(await community.noteMove(first.digest, NOON + 1), true);
      assert.equal(await community.moveToFiles(first, NOON), false);
      const before = await community.findPicture(FIRST, viewer, 320);
      assert.equal(await community.moveToFiles(first, NOON + 1), true);
      const after = await community.findPicture(FIRST, viewer, 320);

      assert.deepEqual(kept, [['1', NOON, false]]);
      assert.deepEqual([before?.isFile, before?.image.length], [false, 2]);
      assert.deepEqual([after?.isFile, after?.image.length], [true, 0]);
      assert.deepEqual(await notes(fixture), []);
      assert.equal(await community.uploadedBytes(bob), 9);
      assert.equal(await community.noteMove(first.digest, NOON + 2), true);
      assert.equal(await community.moveToFiles(first, NOON + 2), false);
    });

    test('a file becomes a picture in the database again, and its files are left over', async (t) => {
      const fixture = await openPlaces(open, t);
      const { community, bob, first, second } = fixture;

      assert.equal(await community.moveToDatabase(second, SECOND), true);
      assert.equal(await community.moveToDatabase(second, SECOND), false);
      assert.equal(await community.moveToDatabase(first, FIRST), false);

      const found = await community.findPicture(SECOND, { userId: bob, canModerate: false }, 320);
      assert.deepEqual([found?.isFile, ...(found?.image ?? [])], [false, 64, 2]);
      assert.equal((await community.imagesOf(second.id))?.smaller.length, 2);
      assert.deepEqual(await notes(fixture), [['2', 0, false]]);
    });

    test('a note is not renewed while files are being deleted, and not dated anew by two at once', async (t) => {
      const fixture = await openPlaces(open, t);
      const { community, first, second } = fixture;
      await community.noteMove(first.digest, NOON);

      assert.equal(await community.redateLeftoverFiles(first.digest, NOON - 1, NOON + HOUR), false);
      assert.equal(await community.redateLeftoverFiles(first.digest, NOON, NOON + HOUR), true);
      assert.equal(await community.redateLeftoverFiles(first.digest, NOON, NOON + HOUR), false);
      assert.equal(await community.noteMove(first.digest, NOON + 1), false);
      assert.equal(await community.noteMove(first.digest, NOON + HOUR), true);
      await community.noteMove(second.digest, NOON);
      // The files of a picture are not deleted.
      assert.equal(await community.redateLeftoverFiles(second.digest, NOON, NOON + HOUR), false);
    });

    test('the note about files is forgotten only if they belong to a picture', async (t) => {
      const fixture = await openPlaces(open, t);
      const { community, first, second } = fixture;
      for (const { digest } of [first, second]) await community.noteMove(digest, NOON);

      assert.equal(await community.keepFiles(first.digest), false);
      assert.equal(await community.keepFiles(second.digest), true);

      assert.deepEqual(await notes(fixture), [['1', NOON, false]]);
    });
  },
};
