// Which pictures a text shows is noted without their images, which can be megabytes each.

import assert from 'node:assert/strict';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { picturePath } from '../../../src/community/picture.ts';
import type { Database } from '../../../src/storage/engine/database.ts';
import { openSqlite } from '../../../src/storage/engine/sqlite.ts';
import { openConnection } from '../../../src/storage/engine/sqlite-connection.ts';
import { type TestScope, temporaryFolder } from '../../support/databases.ts';
import { asMember } from '../doers.ts';
import { openFixture, uncached } from '../fixture.ts';
import { NOON, newPost } from '../records.ts';

const MEGABYTE = 1_000_000;

test('saving a text writes no image of the pictures that it shows or leaves out', async (t) => {
  const path = join(await temporaryFolder(t), 'portico.db');
  const { community, bob } = await openFixture(
    uncached(() => openAt(path, t)),
    t,
  );
  const pictures = ['1', '2', '3', '4'].map((digit) => ({
    digest: digit.repeat(32),
    type: 'image/webp',
    width: 640,
    height: 480,
    image: Buffer.alloc(MEGABYTE, digit),
    smaller: [],
  }));
  for (const picture of pictures) await community.addUpload(asMember(bob), picture, false);
  const shown = {
    body: pictures.map((picture) => `![it](${picturePath(picture)})`).join('\n\n'),
    pictures: pictures.map(({ digest }) => digest),
  };
  const id = await community.addPost(asMember(bob), newPost(bob));
  emptyLog(path);

  for (const text of [shown, {}, shown]) {
    await community.editPost(asMember(bob, NOON + 1), id, newPost(bob, text));
  }

  const { size } = await stat(`${path}-wal`);
  assert.ok(size < MEGABYTE, `wrote ${size} bytes`);
});

async function openAt(path: string, scope: TestScope): Promise<Database> {
  const database = openSqlite(path);
  scope.after(() => database.close());
  await database.migrate();
  return database;
}

/** Write all of the log into the file, so that the log has only what is written from now on. */
function emptyLog(path: string): void {
  const connection = openConnection(path);
  connection.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  connection.close();
}
