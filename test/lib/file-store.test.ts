// Stores of files: a folder and a bucket keep the same promises.

import assert from 'node:assert/strict';
import { mkdir, readdir, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { readConfig } from '../../src/config.ts';
import { failureReason, isDiskFull } from '../../src/lib/failure-reason.ts';
import { type FileStore, tryStore } from '../../src/lib/file-store.ts';
import { folderStore } from '../../src/lib/folder-store.ts';
import { openFileStore } from '../../src/lib/open-file-store.ts';
import { type TestScope, temporaryFolder } from '../support/databases.ts';
import { S3_KEYS, type S3Server, startS3 } from '../support/s3-server.ts';

const isLinux = process.platform === 'linux';
const NAME = '0123456789abcdef.webp';
const bytes = (...list: number[]) => Uint8Array.from(list);

function storeAt({ setting }: S3Server, keys: Partial<typeof S3_KEYS> = {}): FileStore {
  const { keyId, secret } = { ...S3_KEYS, ...keys };
  const { files } = readConfig({ FILES_URL: setting, FILES_KEY_ID: keyId, FILES_SECRET: secret });
  assert.ok(files !== undefined);
  return openFileStore(files);
}

for (const [name, open] of [
  ['a folder', async (t: TestScope) => folderStore(join(await temporaryFolder(t), 'pictures'))],
  ['a bucket', async (t: TestScope) => storeAt(await startS3(t))],
] as const) {
  describe(`The store in ${name}`, () => {
    test('returns what was written, until it is removed', async (t) => {
      const store = await open(t);

      assert.equal(await store.read(NAME), undefined);
      await store.write(NAME, bytes(0, 255, 7));
      assert.deepEqual([...((await store.read(NAME)) ?? [])], [0, 255, 7]);
      await store.write(NAME, bytes(8));
      assert.deepEqual([...((await store.read(NAME)) ?? [])], [8]);
      assert.equal(await store.has(NAME), true);
      await store.remove(NAME);
      await store.remove(NAME);
      assert.equal(await store.read(NAME), undefined);
      assert.equal(await store.has(NAME), false);
    });

    test('can be tried, and keeps nothing of it', async (t) => {
      const store = await open(t);

      const names: string[] = [];
      const { write } = store;
      store.write = (name, data) => {
        names.push(name);
        return write(name, data);
      };
      await tryStore(store, 'FILES_URL');

      assert.equal(names.length, 1);
      assert.equal(await store.has(names[0] ?? ''), false);
    });
  });
}

describe('The store in a folder', () => {
  test('has files that only the server’s user can read', async (t) => {
    const folder = await temporaryFolder(t);
    await folderStore(folder).write(NAME, bytes(1));

    assert.equal((await stat(join(folder, '01', NAME))).mode & 0o777, 0o600);
    assert.equal((await stat(join(folder, '01'))).mode & 0o777, 0o700);
  });

  test('leaves nothing of a file that can’t be written, and says why', async (t) => {
    const folder = await temporaryFolder(t);
    await writeFile(join(folder, '01'), 'a file where the folder would be');
    const store = folderStore(folder);

    await assert.rejects(
      store.write(NAME, bytes(1)),
      (error) => failureReason(error) === 'it exists already',
    );
    assert.deepEqual(await readdir(folder), ['01']);
  });

  test('leaves nothing of a file for which the disk has no room, and says so', {
    skip: !isLinux,
  }, async (t) => {
    const folder = await temporaryFolder(t);
    await mkdir(join(folder, '01'));
    // Each write to this device fails as on a full disk.
    await symlink('/dev/full', join(folder, '01', `${NAME}.part`));

    await assert.rejects(folderStore(folder).write(NAME, bytes(1)), (error) => {
      assert.equal(failureReason(error), 'the disk is full');
      return isDiskFull(error);
    });
    assert.deepEqual(await readdir(join(folder, '01')), []);
  });

  test('removes also what a crash has left of a file', async (t) => {
    const folder = await temporaryFolder(t);
    const store = folderStore(folder);
    await store.write(NAME, bytes(1));
    await writeFile(join(folder, '01', `${NAME}.part`), 'half');

    await store.remove(NAME);

    assert.deepEqual(await readdir(join(folder, '01')), []);
  });
});

describe('The store in a bucket', () => {
  test('puts objects below the prefix, each request signed', async (t) => {
    const s3 = await startS3(t);
    await storeAt(s3).write(NAME, bytes(1, 2));

    assert.deepEqual([...s3.objects.keys()], [`/pictures/of-tests/${NAME}`]);
  });

  test('tells the service’s word for an error, and no secret', async (t) => {
    const s3 = await startS3(t);
    const wrong = storeAt(s3, { secret: 'another secret' });

    const acts = [() => wrong.write(NAME, bytes(1)), () => wrong.read(NAME), () => wrong.remove(NAME)];
    for (const act of acts) {
      await assert.rejects(act, (error) => {
        assert.equal(failureReason(error), 'it answers with status 403 (SignatureDoesNotMatch)');
        return true;
      });
    }
  });

  test('tries again when the service is overloaded, and gives up in the end', async (t) => {
    const s3 = await startS3(t);
    s3.failure = { status: 503, code: 'SlowDown' };

    await assert.rejects(storeAt(s3).write(NAME, bytes(1)), /status 503 \(SlowDown\)/);
    s3.failure = undefined;
    await storeAt(s3).write(NAME, bytes(1));
    assert.equal(s3.objects.size, 1);
  });

  test('a service without room is a full disk', async (t) => {
    const s3 = await startS3(t);
    s3.failure = { status: 507, code: 'XMinioStorageFull' };

    await assert.rejects(storeAt(s3).write(NAME, bytes(1)), (error) => {
      assert.equal(failureReason(error), 'it answers with status 507 (XMinioStorageFull)');
      return isDiskFull(error);
    });
  });

  test('a bucket that doesn’t exist is no missing file', async (t) => {
    const s3 = await startS3(t);
    s3.failure = { status: 404, code: 'NoSuchBucket', method: 'GET' };

    await assert.rejects(storeAt(s3).read(NAME), /status 404 \(NoSuchBucket\)/);
  });
});
