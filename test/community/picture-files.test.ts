// Uploaded pictures in a store of files: durable before they are acknowledged, and nothing is left over.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import sharp from 'sharp';
import type { MemberDoer } from '../../src/audit/doer.ts';
import { addPicture, picturePath, readPicture } from '../../src/community/picture.ts';
import { removeLeftoverFiles } from '../../src/community/picture-files.ts';
import { write } from '../../src/community/writing.ts';
import { HOUR } from '../../src/lib/clock.ts';
import type { TestScope } from '../support/databases.ts';
import { MemoryStore } from '../support/memory-store.ts';
import { openForum, text } from './forum.ts';

const file = await sharp({ create: { width: 700, height: 400, channels: 3, background: 'green' } })
  .png()
  .toBuffer();

async function openWithFiles(t: TestScope) {
  const forum = await openForum(t);
  const store = new MemoryStore();
  const failures: unknown[] = [];
  const onFailure = (error: unknown) => failures.push(error);
  const pictures = { ...forum.community.pictures, files: store, onFailure };
  const community = { ...forum.community, pictures };
  const by: MemberDoer = forum.as(forum.bob);
  return { ...forum, community, store, failures, by, viewer: { userId: forum.bob, canModerate: false } };
}

describe('An uploaded picture in a store of files', () => {
  test('has a file for each version, and is read from there', async (t) => {
    const { community, store, by, viewer } = await openWithFiles(t);

    const key = await addPicture(by, community, file);

    assert.ok('digest' in key);
    const { digest } = key;
    assert.deepEqual([...store.files.keys()], [`${digest}.webp`, `${digest}-320.webp`, `${digest}-640.webp`]);
    const read = await readPicture(community, { ...key, smaller: 320 }, viewer);
    assert.ok(typeof read === 'object');
    assert.equal((await sharp(read.image).metadata()).width, 320);
    store.isAway = true;
    assert.equal(await readPicture(community, { ...key, smaller: undefined }, viewer), 'unavailable');
  });

  for (const failAt of [1, 2, 3]) {
    test(`is not added if the disk is full at its file ${failAt}, and nothing is left of it`, async (t) => {
      const { community, store, by, bob, failures, setClock } = await openWithFiles(t);
      store.failAt = failAt;

      assert.deepEqual(await addPicture(by, community, file), { problem: 'disk_full' });

      assert.equal((failures[0] as NodeJS.ErrnoException).code, 'ENOSPC');
      assert.equal(store.files.size, 0);
      assert.equal(await community.reads.uploadedBytes(bob), 0);
      setClock(2 * HOUR);
      assert.equal(await removeLeftoverFiles(community), 0);
      assert.ok('digest' in (await addPicture(by, community, file)));
    });
  }

  test('doesn’t count towards the day’s number if it could not be stored', async (t) => {
    const { community, store, by } = await openWithFiles(t);
    community.pictures.mostPerDay = 1;
    store.failAt = 1;

    assert.deepEqual(await addPicture(by, community, file), { problem: 'disk_full' });
    assert.ok('digest' in (await addPicture(by, community, file)));
    const refused = await addPicture(by, community, file);
    assert.ok('problem' in refused && refused.problem === 'too_often');
  });

  test('is not deleted while it is uploaded, nor after it was added', async (t) => {
    const { community, store, by, setClock } = await openWithFiles(t);
    const { write: writeFile } = store;
    store.write = async (...all) => {
      await writeFile.apply(store, all);
      await removeLeftoverFiles(community);
    };

    await addPicture(by, community, file);
    setClock(2 * HOUR);
    await removeLeftoverFiles(community);

    assert.equal(store.files.size, 3);
  });

  test('goes with its row; if the store is away, a later round deletes the files', async (t) => {
    const { community, store, by, bob, identity } = await openWithFiles(t);
    const key = await addPicture(by, community, file);
    assert.ok('digest' in key);
    const body = `![it](${picturePath(key)})`;
    await write(by, community, { authorId: bob, text: text({ body }), status: 'draft' });
    await addPicture(by, community, file);

    await identity.writes.closeAccount({ kind: 'server', at: community.clock() }, bob);
    store.isAway = true;
    assert.equal(await removeLeftoverFiles(community), 0);
    const before = store.files.size;
    store.isAway = false;
    await removeLeftoverFiles(community);

    assert.deepEqual([before, store.files.size], [6, 3]);
    assert.deepEqual([...store.files.keys()][0], `${key.digest}.webp`);
  });
});
