// A database from before texts could show pictures.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { communityStore } from '../../src/storage/community/community-store.ts';
import type { Database } from '../../src/storage/engine/database.ts';
import type { Dialect } from '../../src/storage/engine/sql.ts';
import { importStore } from '../../src/storage/import/import-store.ts';
import { earlier, postgresWith, skip, sqliteWith } from './earlier-databases.ts';

/** As `earlier`, with a post that was imported and links to a picture. */
function beforePictures(dialect: Dialect): string[] {
  return [
    ...earlier(dialect, '0023-pictures'),
    "UPDATE posts SET body = '![a](https://old.example/a.png)'",
    "INSERT INTO imported_records (source, kind, external_id, local_id) VALUES ('old', 'post', '7', 1)",
  ];
}

async function checkPictures(database: Database): Promise<void> {
  await database.migrate();

  const imports = importStore(database);
  const [text] = await imports.textsWithPictures('old', 'post', '', 10);
  assert.equal(text?.body, '![a](https://old.example/a.png)');
  const picture = {
    digest: 'd',
    type: 'image/webp',
    width: 1,
    height: 1,
    image: new Uint8Array([7]),
    smaller: [],
  };
  const body = '![a](/pictures/d-1x1.webp)';
  assert.equal(await imports.addPicture(text, { body, excerpt: 'a' }, picture, 5), true);
  const read = await communityStore(database).findPicture(picture, { userId: undefined, canModerate: false });
  assert.deepEqual([...(read?.image ?? [])], [7]);
}

test('0023: the pictures of texts from before can be added, on SQLite', async (t) => {
  await checkPictures(await sqliteWith(t, beforePictures('sqlite')));
});

test('0023: the same on PostgreSQL', { skip }, async (t) => {
  await checkPictures(await postgresWith(t, beforePictures('postgres')));
});
