// A database with pictures of an import, from before members could upload their own.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAY } from '../../src/lib/clock.ts';
import { communityStore } from '../../src/storage/community/community-store.ts';
import type { Database } from '../../src/storage/engine/database.ts';
import type { Dialect } from '../../src/storage/engine/sql.ts';
import { purgeExpired } from '../../src/storage/purge/purge.ts';
import { asMember } from './doers.ts';
import { earlier, postgresWith, skip, sqliteWith } from './earlier-databases.ts';
import { LIFETIMES, NOON } from './records.ts';

const DIGEST = 'd'.repeat(32);
const OF_POST = { digest: DIGEST, width: 640, height: 480 };
const VISITOR = { userId: undefined, canModerate: false };
const BOB = { userId: 1, canModerate: false };

const MARK = `UPDATE pictures SET unused_since = ${NOON} WHERE id = 2`;

/** As `earlier`, with a picture that the post shows, and one that no text shows any more. */
function withPictures(dialect: Dialect, before: string): string[] {
  const bytes = dialect === 'sqlite' ? "x'00ff07'" : "'\\x00ff07'";
  const insert = (digest: string) =>
    `INSERT INTO pictures (digest, user_id, type, width, height, size, image, created_at)
      VALUES ('${digest}', 1, 'image/webp', 640, 480, 3, ${bytes}, 0)`;
  return [
    ...earlier(dialect, before),
    `UPDATE posts SET body = '![a](/pictures/${DIGEST}-640x480.webp)'`,
    insert(DIGEST),
    insert('e'.repeat(32)),
    'INSERT INTO picture_uses (picture_id, post_id) VALUES (1, 1)',
    ...(before > '0052-uploaded-pictures' ? [MARK] : []),
  ];
}

async function checkUploads(database: Database): Promise<void> {
  await database.migrate();

  const community = communityStore(database);
  const imported = await community.findPicture(OF_POST, VISITOR, 320);
  assert.deepEqual([imported?.isFile, ...(imported?.image ?? [])], [false, 0, 255, 7]);
  // What was imported doesn't take the room of its author, and is not shown as their upload.
  assert.equal(await community.uploadedBytes(1), 0);
  assert.equal(await community.findPicture({ ...OF_POST, digest: 'e'.repeat(32) }, BOB), undefined);
  const image = Buffer.from([1]);
  const upload = {
    ...OF_POST,
    digest: 'f'.repeat(32),
    type: 'image/webp',
    image,
    smaller: [{ width: 320, image }],
  };
  assert.equal(await community.addUpload(asMember(1), upload, false), true);
  assert.equal(await community.uploadedBytes(1), 1);
  assert.equal((await community.findPicture(upload, BOB))?.image.length, 1);
}

async function checkPlaces(database: Database): Promise<void> {
  await database.migrate();

  const community = communityStore(database);
  assert.deepEqual(
    [await community.countPictures(false, 10), await community.countPictures(true, 10)],
    [2, 0],
  );
  const [picture] = await community.picturesIn(false, 0, 10);
  assert.equal(picture?.digest, DIGEST);
  assert.deepEqual([...((await community.imagesOf(picture.id))?.image ?? [])], [0, 255, 7]);
  await community.noteMove(DIGEST, NOON);
  assert.equal(await community.moveToFiles(picture, NOON), true);
  assert.equal((await community.findPicture(OF_POST, VISITOR))?.isFile, true);
}

async function checkUnused(database: Database): Promise<void> {
  await database.migrate();
  const stored = async () =>
    (await communityStore(database).picturesIn(false, 0, 10)).map(({ digest }) => digest);
  const purgeAfter = async (days: number) => {
    while ((await purgeExpired(database, LIFETIMES, NOON + days * DAY, 500)) > 0);
  };

  await purgeAfter(6);
  assert.deepEqual(await stored(), [DIGEST, 'e'.repeat(32)]);
  await purgeAfter(8);
  assert.deepEqual(await stored(), [DIGEST]);
}

for (const [what, before, check] of [
  [
    '0052: imported pictures are kept and shown as before, and members can add others',
    '0052-uploaded-pictures',
    checkUploads,
  ],
  [
    '0072: pictures from before are found by their place, and can be moved',
    '0072-places-of-pictures',
    checkPlaces,
  ],
  [
    '0090: pictures that were in no text are deleted after the same time as before',
    '0090-unused-pictures',
    checkUnused,
  ],
] as const) {
  test(`${what}, on SQLite`, async (t) => {
    await check(await sqliteWith(t, withPictures('sqlite', before)));
  });

  test(`${what}, on PostgreSQL`, { skip }, async (t) => {
    await check(await postgresWith(t, withPictures('postgres', before)));
  });
}
