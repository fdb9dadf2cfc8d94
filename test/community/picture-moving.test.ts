// Moving pictures between the database and stores of files: they are shown all the time, and a run that is killed at
// any moment loses nothing and leaves nothing over.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { readPicture } from '../../src/community/picture.ts';
import { readFiles, removeLeftoverFiles } from '../../src/community/picture-files.ts';
import { countEarlier, movePictures } from '../../src/community/picture-moving.ts';
import type { NewPicture } from '../../src/community/picture-store.ts';
import { HOUR } from '../../src/lib/clock.ts';
import { ALL, FILES_OF_ALL, IMPORTED, openMoving, UPLOADED } from './moving-pictures.ts';

const DIRECTIONS = [
  ['the database', 'a store', 'database', 'files', [0, 0, FILES_OF_ALL, 0]],
  ['a store', 'another one', 'earlier', 'files', [0, 0, FILES_OF_ALL, 0]],
  ['a store', 'the database', 'earlier', 'database', [ALL.length, 0, 0, 0]],
] as const;

for (const [nameOfFrom, nameOfTo, from, to, moved] of DIRECTIONS) {
  describe(`Pictures move from ${nameOfFrom} to ${nameOfTo}`, () => {
    test('all of them, imported ones too, and are shown all the time', async (t) => {
      const { community, earlier, files, lost, counts } = await openMoving(t, from, to);
      const seen = new Set<string>();
      let looks = 0;
      const look = async () => {
        if (looks > 0) return;
        looks += 1;
        for (const name of await lost()) seen.add(name);
        looks -= 1;
      };
      [earlier.before, files.before] = [look, look];
      const progress: number[] = [];

      const result = await movePictures(community, (count) => progress.push(count));

      assert.deepEqual(result, { moved: ALL.length, skipped: 0, missing: 0, waiting: 0 });
      assert.deepEqual([...seen], []);
      assert.deepEqual(await counts(), moved);
      assert.equal(progress.at(-1), ALL.length);
      assert.equal((await movePictures(community)).moved, 0);
      const stored =
        to === 'files' ? await readFiles(files, IMPORTED.digest) : await community.reads.imagesOf(6);
      assert.deepEqual(Buffer.from(stored?.image ?? []), IMPORTED.image);
    });

    test('also if the run is killed at any moment, and another one goes on', async (t) => {
      let steps = 0;
      // The last run reaches its end.
      for (let limit = 1; steps >= limit - 1; limit += 1) {
        const moving = await openMoving(t, from, to);
        steps = await stepsOfKilledRun(moving, limit);
        assert.deepEqual(await moving.lost(), [], `killed at ${limit}`);

        const { skipped, missing } = await movePictures(moving.community);

        assert.deepEqual([skipped, missing], [0, 0], `killed at ${limit}`);
        assert.deepEqual(await moving.lost(), [], `killed at ${limit}`);
        await moving.afterAWhile();
        assert.deepEqual(await moving.counts(), moved, `killed at ${limit}`);
        assert.deepEqual(await moving.lost(), [], `killed at ${limit}`);
      }
      assert.ok(steps > 20, `${steps} steps`);
    });

    test('if it is killed and never goes on, nothing is lost, and no file is left without its picture', async (t) => {
      for (let limit = 1; limit < 40; limit += 3) {
        const moving = await openMoving(t, from, to);
        await stepsOfKilledRun(moving, limit);
        await moving.afterAWhile();

        assert.deepEqual(await moving.lost(), [], `killed at ${limit}`);
        const [rows = 0, , inFiles = 0, notes] = await moving.counts();
        assert.equal(notes, 0);
        if (from === 'database') assert.ok(inFiles <= (ALL.length - rows) * 3, `killed at ${limit}`);
      }
    });

    test('a picture that is deleted meanwhile is gone, with its files', async (t) => {
      const { community, earlier, files, bob, identity, afterAWhile, counts } = await openMoving(t, from, to);
      let acts = 0;
      const closeAccount = async () => {
        acts += 1;
        if (acts === 6) await identity.writes.closeAccount({ kind: 'server', at: community.clock() }, bob);
      };
      [earlier.before, files.before] = [closeAccount, closeAccount];

      await movePictures(community);
      [earlier.before, files.before] = [() => {}, () => {}];
      await afterAWhile();

      // The imported picture stays until its text is removed.
      const left = to === 'files' ? [0, 0, 1, 0] : [1, 0, 0, 0];
      assert.deepEqual(await counts(), left);
    });

    test('two runs at once do no harm', async (t) => {
      const { community, lost, afterAWhile, counts } = await openMoving(t, from, to);
      let now = community.clock();
      const another = { ...community, clock: () => (now += 1) };

      await Promise.all([movePictures(community), movePictures(another)]);

      assert.deepEqual(await lost(), []);
      await movePictures(community);
      await afterAWhile();
      assert.deepEqual(await lost(), []);
      assert.deepEqual(await counts(), moved);
    });
  });
}

/** Moves pictures until `limit` steps were begun, as if the process were killed then. Returns how many there were. */
async function stepsOfKilledRun(
  { community, earlier, files }: Awaited<ReturnType<typeof openMoving>>,
  limit: number,
) {
  let steps = 0;
  const step = () => {
    if (steps >= limit) throw new Error('killed');
    steps += 1;
  };
  [earlier.before, files.before] = [step, step];
  const writes = new Proxy(community.writes, {
    get(target, name, receiver) {
      const write = Reflect.get(target, name, receiver);
      return async (...all: unknown[]) => {
        step();
        return write(...all);
      };
    },
  });
  const pictures = {
    ...community.pictures,
    onFailure(error: unknown) {
      throw error;
    },
  };
  await movePictures({ ...community, writes, pictures }).catch((error) =>
    assert.match(error.message, /killed/),
  );
  [earlier.before, files.before] = [() => {}, () => {}];
  return steps;
}

describe('Moving pictures', () => {
  test('leaves those alone whose files are being deleted right now', async (t) => {
    const { community, files, lost, setClock, counts } = await openMoving(t, 'database', 'files');
    const [first] = UPLOADED;
    const { digest } = first as NewPicture;
    // What an earlier run left, which the server now deletes.
    await community.writes.noteMove(digest, community.clock());
    setClock(2 * HOUR);
    let results: number[] = [];
    files.before = async (act) => {
      files.before = () => {};
      assert.equal(act, 'remove');
      const { moved, skipped } = await movePictures(community);
      results = [moved, skipped];
    };

    await removeLeftoverFiles(community);

    assert.deepEqual(results, [ALL.length - 1, 1]);
    assert.deepEqual(await lost(), []);
    assert.deepEqual(await movePictures(community), { moved: 1, skipped: 0, missing: 0, waiting: 0 });
    assert.deepEqual(await counts(), [0, 0, FILES_OF_ALL, 0]);
    assert.deepEqual(await lost(), []);
  });

  test('stops at a full disk, and goes on when there is room', async (t) => {
    const { community, files, lost, counts } = await openMoving(t, 'database', 'files');
    files.failAt = 5;

    await assert.rejects(movePictures(community), { code: 'ENOSPC' });
    const shown = await lost();
    await movePictures(community);

    assert.deepEqual(shown, []);
    assert.deepEqual(await counts(), [0, 0, FILES_OF_ALL, 0]);
  });

  test('is refused if both settings name the same place, and removes nothing', async (t) => {
    const { community, earlier, lost } = await openMoving(t, 'earlier', 'files');
    const same = { ...community, pictures: { ...community.pictures, files: earlier } };

    await assert.rejects(movePictures(same), { code: 'same_place' });

    assert.equal(earlier.files.size, FILES_OF_ALL);
    assert.deepEqual(await lost(), []);
  });

  test('counts what has no file any more, and what is left', async (t) => {
    const { community, earlier } = await openMoving(t, 'earlier', 'database');
    earlier.files.delete(`${'1'.repeat(32)}.webp`);

    const before = await countEarlier(community, 100);
    const result = await movePictures(community);

    assert.deepEqual(before, { count: ALL.length - 1, looked: ALL.length });
    assert.deepEqual(result, { moved: ALL.length - 1, skipped: 0, missing: 1, waiting: 0 });
    assert.deepEqual(await countEarlier(community, 100), { count: 0, looked: 1 });
  });
});

test('A picture in a store that has no smaller versions is shown itself in their place', async (t) => {
  const { community, files, bob } = await openMoving(t, 'database', 'files');
  await movePictures(community);
  const [one] = UPLOADED as [NewPicture];
  files.files.delete(`${one.digest}-320.webp`);
  const key = { digest: one.digest, width: one.width, height: one.height, smaller: 320 };

  const read = await readPicture(community, key, { userId: bob, canModerate: false });

  assert.ok(typeof read === 'object');
  assert.deepEqual(Buffer.from(read.image), one.image);
});

test('A picture that is moved to the database between two reads is shown', async (t) => {
  const { community, earlier, bob } = await openMoving(t, 'earlier', 'database');
  const [one] = UPLOADED as [NewPicture];
  earlier.before = async () => {
    earlier.before = () => {};
    await movePictures(community);
  };
  const key = { digest: one.digest, width: one.width, height: one.height, smaller: undefined };

  const read = await readPicture(community, key, { userId: bob, canModerate: false });

  assert.ok(typeof read === 'object');
  assert.deepEqual(Buffer.from(read.image), one.image);
  assert.equal(earlier.files.size, 0);
});

test('A picture is shown from the earlier store if the other one refuses to say that it has none', async (t) => {
  const { files, lost } = await openMoving(t, 'earlier', 'files');
  files.before = () => {
    throw new Error('it answers with status 403');
  };

  assert.deepEqual(await lost(), []);
});
