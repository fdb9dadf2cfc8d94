// What doctor says about the pictures in posts: whether their store works, what to do if not, and what is to be moved.

import assert from 'node:assert/strict';
import { readdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { DAY } from '../../src/lib/clock.ts';
import { type TestScope, temporaryFolder } from '../support/databases.ts';
import { person } from '../support/people.ts';
import { S3_KEYS, type S3Server, startS3 } from '../support/s3-server.ts';
import { freePort } from '../support/services.ts';
import { type Cli, cliIn } from './run-cli.ts';

const KEYS = { FILES_KEY_ID: S3_KEYS.keyId, FILES_SECRET: S3_KEYS.secret };
const addressOf = ({ setting }: S3Server) => setting.replace(/^s3/, 'http').replace(/\?.*/, '/');

/** A command line with these settings, on a community with two pictures. */
async function cliWith(t: TestScope, settings: Record<string, string> = {}, isFile = false): Promise<Cli> {
  const cli = await cliIn(t, { PORT: '1', ...settings });
  const portico = await cli.open();
  const { id } = await person(portico, 'bob');
  for (const digit of '12') {
    const image = Buffer.from(digit);
    const picture = {
      digest: digit.repeat(32),
      type: 'image/webp',
      width: 300,
      height: 300,
      image,
      smaller: [],
    };
    if (isFile) await portico.community.pictures.files?.write(`${picture.digest}.webp`, image);
    const by = { kind: 'member', userId: id, at: portico.clock() - DAY } as const;
    await portico.community.writes.addUpload(by, picture, isFile);
  }
  return cli;
}

/** The lines about pictures. */
async function doctor(cli: Cli, settings: Record<string, string> = {}): Promise<string[]> {
  const again = await cliIn({ after() {} }, { ...cli.settings, ...settings }, []);
  const { stdout } = await again.run(['doctor']);
  return stdout.split('\n').filter((line) => / (?:earlier )?pictures(?::|$)/.test(line));
}

test('doctor writes, reads and deletes a file where pictures are kept', async (t) => {
  const [folder, s3] = [await temporaryFolder(t), await startS3(t)];
  const inDatabase = await cliWith(t);
  const methods: string[] = [];
  s3.onRequest = (method) => methods.push(method);

  assert.deepEqual(await doctor(inDatabase), ['ok      pictures: in the database']);
  const [ofFolder = ''] = await doctor(inDatabase, { FILES_URL: `file:${folder}` });
  const [ofBucket] = await doctor(inDatabase, { FILES_URL: s3.setting, ...KEYS });

  assert.match(ofFolder, /^ok {6}pictures: \/\S+, [\d,]+ MB free$/);
  assert.ok(ofFolder.includes(folder));
  assert.equal(ofBucket, `ok      pictures: ${addressOf(s3)}`);
  assert.deepEqual(methods, ['PUT', 'GET', 'DELETE', 'HEAD']);
  assert.equal(s3.objects.size, 0);
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  assert.deepEqual(
    entries.filter((entry) => entry.isFile()),
    [],
  );
});

test('doctor says why the store can’t be used, and what to do', async (t) => {
  const s3 = await startS3(t);
  const folder = join(await temporaryFolder(t), 'a file');
  await writeFile(folder, '');
  const cli = await cliWith(t);
  const bucket = { FILES_URL: s3.setting, ...KEYS };
  const port = await freePort();
  const unreachable = `s3://127.0.0.1:${port}/pictures`;
  const failing = async (failure: S3Server['failure']) => {
    s3.failure = failure;
    const [line] = await doctor(cli, bucket);
    return line;
  };

  const cannot = (place: string) => `FAILED  pictures: FILES_URL: cannot keep files in ${place}: `;
  const ofBucket = cannot(addressOf(s3));
  assert.equal(
    (await doctor(cli, { FILES_URL: `file:${folder}` }))[0],
    `${cannot(folder)}a part of the path is a file; let the user of the server write there, or choose another folder`,
  );
  assert.equal(
    await failing({ status: 403, code: 'AccessDenied' }),
    `${ofBucket}it answers with status 403 (AccessDenied); check FILES_KEY_ID and FILES_SECRET, and that the key may ` +
      'write, read, delete and list there',
  );
  assert.equal(
    await failing({ status: 404, code: 'NoSuchBucket' }),
    `${ofBucket}it answers with status 404 (NoSuchBucket); make the bucket, or correct FILES_URL`,
  );
  assert.equal(
    await failing({ status: 507, code: 'XMinioStorageFull' }),
    `${ofBucket}it answers with status 507 (XMinioStorageFull); make room there`,
  );
  assert.equal(
    (await doctor(cli, { ...bucket, FILES_URL: unreachable }))[0],
    `${cannot(`http://127.0.0.1:${port}/pictures/`)}no program is listening there; check FILES_URL, and that this ` +
      'machine reaches the service',
  );
});

test('doctor counts the pictures that are elsewhere, and says when nothing is left there', async (t) => {
  const [folder, s3] = [await temporaryFolder(t), await startS3(t)];
  const files = { FILES_URL: `file:${folder}` };
  const inDatabase = await cliWith(t);
  const cli = await cliWith(t, files, true);
  const bucket = { FILES_URL: s3.setting, ...KEYS, EARLIER_FILES_URL: files.FILES_URL };
  const notes = async (settings: Record<string, string>) =>
    (await doctor(cli, settings)).filter((line) => !line.startsWith('ok'));

  const rows = await doctor(inDatabase, files);
  const lost = await notes({ FILES_URL: '' });
  const before = await notes(bucket);
  const toDatabase = await notes({ FILES_URL: '', EARLIER_FILES_URL: files.FILES_URL });
  const move = await cliIn(t, { ...cli.settings, ...bucket }, []);
  await move.run(['pictures', 'move']);
  const after = await notes(bucket);

  assert.deepEqual(rows.slice(1), [
    'NOTE    pictures: 2 pictures are still in the database: run pictures move',
  ]);
  assert.deepEqual(lost, [
    'FAILED  pictures: 2 pictures are in a folder or a bucket, and can’t be shown: set FILES_URL again, or set ' +
      'EARLIER_FILES_URL to that place and run pictures move',
  ]);
  const left = `NOTE    earlier pictures: run pictures move: 2 pictures are still in ${folder}`;
  assert.deepEqual([before, toDatabase], [[left], [left]]);
  assert.deepEqual(after, [
    `NOTE    earlier pictures: remove EARLIER_FILES_URL: no picture is left in ${folder}`,
  ]);
});

test('doctor finds that both settings lead to the same folder by different names', async (t) => {
  const folder = await temporaryFolder(t);
  const link = join(await temporaryFolder(t), 'link');
  await symlink(folder, link);
  const cli = await cliWith(t);

  const lines = await doctor(cli, { FILES_URL: `file:${folder}`, EARLIER_FILES_URL: `file:${link}` });

  assert.ok(
    lines.includes(
      'FAILED  earlier pictures: EARLIER_FILES_URL: is the same place as FILES_URL: remove the setting',
    ),
    lines.join('\n'),
  );
});
