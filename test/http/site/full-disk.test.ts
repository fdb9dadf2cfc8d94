// A disk without room, for pictures in a folder and in the database: the text is kept, nothing is left over, and the
// log says it to the operators.

import assert from 'node:assert/strict';
import { mkdir, readdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import sharp from 'sharp';
import { openLog } from '../../../src/lib/log.ts';
import { fragment, sql } from '../../../src/storage/engine/sql.ts';
import { openApp } from '../../support/app.ts';
import { type TestScope, temporaryFolder } from '../../support/databases.ts';
import { type Member, member } from '../../support/people.ts';
import { addPicture, sendPicture, textIn } from './text-picture-form.ts';

const file = await sharp({
  create: {
    width: 900,
    height: 600,
    channels: 3,
    background: '#000',
    noise: { type: 'gaussian', mean: 128, sigma: 60 },
  },
})
  .jpeg()
  .toBuffer();

async function openWith(t: TestScope, settings: Record<string, string>) {
  const lines: string[] = [];
  const log = openLog('warn', { write: (line: string) => lines.push(line) });
  const app = await openApp({ PICTURES_PER_DAY: '2', ...settings }, log);
  t.after(() => app.close());
  return { app, bob: await member(app, 'bob'), lines };
}

/** Send a picture while there is no room, as the button does and as the script does. */
async function refusal({ browser }: Member) {
  const answer = await addPicture(browser, file, { title: 'Kept', body: 'Kept & whole.' });
  const page = await answer.text();
  const ofScript = await sendPicture(browser, file);
  const { message } = (await ofScript.json()) as { message: string };
  return { status: answer.status, page, ofScript: ofScript.status, message };
}

function check({ status, page, ofScript, message }: Awaited<ReturnType<typeof refusal>>): void {
  assert.deepEqual([status, ofScript], [507, 507]);
  assert.match(message, /^The server has no more room for pictures\. .*tell the operators\.$/);
  assert.ok(page.includes(message));
  assert.equal(textIn(page), 'Kept & whole.');
  assert.match(page, /value="Kept"/);
}

test('A picture for which the folder has no room is refused with its text, and leaves no file', {
  skip: process.platform !== 'linux' && 'needs /dev/full',
}, async (t) => {
  const folder = await temporaryFolder(t);
  const { app, bob, lines } = await openWith(t, { FILES_URL: `file:${folder}` });
  const { files } = app.portico.community.pictures;
  assert.ok(files !== undefined);
  const { write } = files;
  let writes = 0;
  // The device refuses each write as a full disk does. The first file of a picture has room, the second has none.
  files.write = async (name, bytes) => {
    writes += 1;
    await mkdir(join(folder, name.slice(0, 2)), { recursive: true });
    if (writes % 2 === 0) await symlink('/dev/full', join(folder, name.slice(0, 2), `${name}.part`));
    return write(name, bytes);
  };

  check(await refusal(bob));

  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  assert.deepEqual(
    entries.filter((entry) => !entry.isDirectory()),
    [],
  );
  assert.deepEqual(await app.portico.community.reads.leftoverFiles(Number.MAX_SAFE_INTEGER, 10), []);
  assert.equal(lines.length, 2);
  const { reason, msg } = JSON.parse(lines[0] ?? '');
  assert.equal(reason, `FILES_URL: cannot keep files in ${folder}: the disk is full`);
  assert.equal(msg, 'could not reach the pictures');
  // Refused ones don't count towards the two a day.
  files.write = write;
  assert.deepEqual(
    [(await sendPicture(bob.browser, file)).status, (await sendPicture(bob.browser, file)).status],
    [200, 200],
  );
});

const selectPages = sql<void, { count: number }>`SELECT page_count AS count FROM pragma_page_count`;

// A pragma takes no parameters.
const fragmentOf = (pages: number) => fragment(Object.assign([String(pages)], { raw: [] }));

test('A picture for which the database has no room is refused with its text, and leaves no row', async (t) => {
  const folder = await temporaryFolder(t);
  const { app, bob, lines } = await openWith(t, { DATABASE_URL: `file:${join(folder, 'portico.db')}` });
  const { database, community } = app.portico;
  const setMost = (pages: number) => database.rows(sql`PRAGMA max_page_count = ${fragmentOf(pages)}`());
  const { count = 0 } = (await database.first(selectPages())) ?? {};
  // SQLite refuses to grow as on a full disk. Small rows have room.
  await setMost(count + 6);

  check(await refusal(bob));

  assert.equal(await community.reads.uploadedBytes(bob.id), 0);
  assert.equal(await community.reads.countPictures(false, 10), 0);
  assert.deepEqual(
    lines.map((line) => [JSON.parse(line).reason, JSON.parse(line).msg]),
    Array(2).fill(['the disk is full', 'could not store a picture in the database']),
  );
  await setMost(1_000_000);
  assert.deepEqual(
    [(await sendPicture(bob.browser, file)).status, (await sendPicture(bob.browser, file)).status],
    [200, 200],
  );
});
