// `pictures move` on the command line, while the server shows the pictures.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import sharp from 'sharp';
import { picturePath } from '../../src/community/picture.ts';
import { removeLeftoverFiles, writeFiles } from '../../src/community/picture-files.ts';
import type { NewPicture } from '../../src/community/picture-store.ts';
import { compose, type Portico } from '../../src/compose.ts';
import { readConfig } from '../../src/config.ts';
import { HOUR } from '../../src/lib/clock.ts';
import { openLog } from '../../src/lib/log.ts';
import { sessionsOf } from '../http/site/watched-program.ts';
import { Browser } from '../support/browser.ts';
import { type TestScope, temporaryFolder } from '../support/databases.ts';
import { startProgram, untilTrue } from '../support/program.ts';
import { S3_KEYS, startS3 } from '../support/s3-server.ts';
import { cliIn } from './run-cli.ts';

const MAIN = new URL('../../bin/portico.js', import.meta.url).pathname;
const image = await sharp({ create: { width: 8, height: 8, channels: 3, background: 'teal' } })
  .webp()
  .toBuffer();

/** Let the first member of a database upload pictures, each with one smaller version. Returns their paths. */
async function addPictures(portico: Portico, count: number): Promise<string[]> {
  const paths: string[] = [];
  for (let number = 0; number < count; number += 1) {
    const digest = number.toString(16).padStart(32, '0');
    const smaller = [{ width: 320, image }];
    const picture: NewPicture = { digest, type: 'image/webp', width: 500, height: 500, image, smaller };
    const by = { kind: 'member', userId: 1, at: portico.clock() } as const;
    assert.equal(await portico.community.writes.addUpload(by, picture, false), true);
    paths.push(picturePath(picture));
  }
  return paths;
}

async function openPortico(
  t: TestScope,
  settings: Record<string, string>,
  clock = Date.now,
): Promise<Portico> {
  const portico = await compose(readConfig({ LOG_LEVEL: 'silent', ...settings }), clock, openLog('silent'));
  t.after(() => portico.close());
  return portico;
}

async function filesIn(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  return entries.filter((entry) => entry.isFile()).length;
}

test('pictures move to a folder, from there to a bucket, and back to the database', async (t) => {
  const folder = await temporaryFolder(t);
  const database = { DATABASE_URL: `file:${join(folder, 'portico.db')}` };
  await sessionsOf(1, database);
  const paths = await addPictures(await openPortico(t, database), 7);
  const files = join(folder, 'pictures');
  const s3 = await startS3(t);
  const bucket = (prefix: string) => ({
    [`${prefix}FILES_URL`]: s3.setting,
    [`${prefix}FILES_KEY_ID`]: S3_KEYS.keyId,
    [`${prefix}FILES_SECRET`]: S3_KEYS.secret,
  });
  const moveWith = async (settings: Record<string, string>) =>
    (await cliIn(t, { ...database, ...settings }, [])).run(['pictures', 'move']);

  const none = await moveWith({});
  const toFolder = await moveWith({ FILES_URL: `file:${files}` });
  const counted = await filesIn(files);
  const again = await moveWith({ FILES_URL: `file:${files}` });
  const forgotten = await moveWith({});
  const toBucket = await moveWith({ ...bucket(''), EARLIER_FILES_URL: `file:${files}` });
  const inBucket = [s3.objects.size, await filesIn(files)];
  const back = await cliIn(t, { ...database, ...bucket('EARLIER_') }, []);
  const toDatabase = await back.json(['pictures', 'move']);

  assert.equal(none.stdout, 'Moved 0 pictures to the database.\n');
  assert.equal(toFolder.stdout, `Moved 7 pictures to ${files}.\n`);
  assert.equal(counted, 14);
  assert.equal(again.stdout, `Moved 0 pictures to ${files}.\n`);
  assert.equal(forgotten.code, 1);
  assert.match(forgotten.stderr, /set EARLIER_FILES_URL to that place/);
  const place = s3.setting.replace(/^s3/, 'http').replace(/\?.*/, '/');
  assert.equal(
    toBucket.stdout,
    `Moved 7 pictures to ${place}.\nNothing is left in ${files}. You can remove EARLIER_FILES_URL.\n`,
  );
  assert.deepEqual(inBucket, [14, 0]);
  assert.deepEqual(toDatabase, {
    code: 0,
    document: { moved: 7, skipped: 0, missing: 0, waiting: 0, place: 'the database' },
  });
  assert.equal(s3.objects.size, 0);
  const { community } = await openPortico(t, database);
  assert.equal(await community.reads.countPictures(false, 100), paths.length);
});

test('pictures move says what still waits in the earlier place, until it is deleted there', async (t) => {
  const folder = await temporaryFolder(t);
  const files = join(folder, 'pictures');
  const settings = {
    DATABASE_URL: `file:${join(folder, 'portico.db')}`,
    FILES_URL: `file:${join(folder, 'elsewhere')}`,
    EARLIER_FILES_URL: `file:${files}`,
  };
  await sessionsOf(1, settings);
  let now = Date.now();
  const { community, clock } = await openPortico(t, settings, () => now);
  // An upload that was interrupted before the settings were changed.
  const digest = 'd'.repeat(32);
  await community.writes.noteFiles({ kind: 'member', userId: 1, at: clock() }, digest);
  assert.ok(community.pictures.earlier);
  await writeFiles(community.pictures.earlier, digest, { image, smaller: [] });
  const cli = await cliIn(t, settings, []);

  const early = await cli.run(['pictures', 'move']);
  assert.equal(early.code, 1);
  assert.match(
    early.stdout,
    /files of 1 picture are still in \S+pictures, of deleted pictures[\s\S]*as long as EARLIER_/,
  );
  assert.doesNotMatch(early.stdout, /Nothing is left/);

  now += 2 * HOUR;
  await removeLeftoverFiles(community);
  const late = await cli.run(['pictures', 'move']);
  assert.equal(late.code, 0);
  assert.match(late.stdout, /Nothing is left in \S+pictures\. You can remove/);
});

test('pictures move names the setting and the place that fails, and can be run again', async (t) => {
  const folder = await temporaryFolder(t);
  const database = { DATABASE_URL: `file:${join(folder, 'portico.db')}` };
  await sessionsOf(1, database);
  await addPictures(await openPortico(t, database), 3);
  const s3 = await startS3(t);
  const keys = { FILES_KEY_ID: S3_KEYS.keyId, FILES_SECRET: S3_KEYS.secret };
  const cli = await cliIn(t, { ...database, ...keys, FILES_URL: s3.setting }, []);
  s3.failure = { status: 403, code: 'AccessDenied' };

  const refused = await cli.run(['pictures', 'move']);
  s3.failure = undefined;
  const moved = await cli.run(['pictures', 'move']);

  assert.equal(refused.code, 1);
  assert.match(
    refused.stderr,
    /^portico: FILES_URL: cannot keep files in http:\S+: it answers with status 403 \(AccessDenied\)\. What was moved/,
  );
  assert.match(moved.stdout, /^Moved 3 pictures to http:/);
});

test('pictures move can be killed and goes on, while the server shows every picture', async (t) => {
  const folder = await temporaryFolder(t);
  const files = join(folder, 'pictures');
  const database = { DATABASE_URL: `file:${join(folder, 'portico.db')}` };
  const settings = { ...database, FILES_URL: `file:${files}` };
  const [session = ''] = await sessionsOf(1, database);
  const portico = await openPortico(t, database);
  const paths = await addPictures(portico, 200);
  const program = await startProgram(settings);
  t.after(program.stop);
  const bob = new Browser(program.url);
  bob.setCookie('portico_session', session);
  const failures: string[] = [];
  let looks = 0;
  let isOver = false;
  const looking = (async () => {
    while (!isOver) {
      const path = paths[looks % paths.length] as string;
      const answer = await bob.open(looks % 2 === 0 ? path : path.replace('.webp', '-320.webp'));
      const shown = Buffer.from(await answer.arrayBuffer());
      if (answer.status !== 200 || !shown.equals(image)) failures.push(`${path}: ${answer.status}`);
      looks += 1;
    }
  })();

  for (const most of [10, 30]) {
    const child = spawn(process.execPath, [MAIN, 'pictures', 'move'], { env: settings, stdio: 'ignore' });
    const exit = once(child, 'exit');
    await untilTrue(async () => (await portico.community.reads.countPictures(true, 1000)) >= most);
    child.kill('SIGKILL');
    await exit;
  }
  const left = await portico.community.reads.countPictures(false, 1000);
  const cli = await cliIn(t, settings, []);
  const { document } = await cli.json(['pictures', 'move']);
  isOver = true;
  await looking;

  assert.ok(left > 0, 'killed too late');
  assert.deepEqual(document, { moved: left, skipped: 0, missing: 0, waiting: 0, place: files });
  assert.deepEqual(failures, []);
  assert.ok(looks > 10);
  const later = await openPortico(t, settings, () => Date.now() + 2 * HOUR);
  while ((await removeLeftoverFiles(later.community)) > 0);
  assert.equal(await filesIn(files), 2 * paths.length);
  assert.deepEqual(await later.community.reads.leftoverFiles(Number.MAX_SAFE_INTEGER, 10), []);
});
