// Pictures of a member in one place, which are to move to another.

import type { Community } from '../../src/community/community.ts';
import { readPicture } from '../../src/community/picture.ts';
import { removeLeftoverFiles, writeFiles } from '../../src/community/picture-files.ts';
import type { NewPicture } from '../../src/community/picture-store.ts';
import { HOUR } from '../../src/lib/clock.ts';
import { NO_ENTRY } from '../../src/storage/audit/audit-trail.ts';
import { insertPicture } from '../../src/storage/community/pictures.ts';
import type { TestScope } from '../support/databases.ts';
import { MemoryStore } from '../support/memory-store.ts';
import { openForum } from './forum.ts';

function picture(digit: string): NewPicture {
  const image = Buffer.from(`picture ${digit}`);
  const smaller = [320, 640].map((width) => ({ width, image: Buffer.from(`${digit} of ${width}`) }));
  return { digest: digit.repeat(32), type: 'image/webp', width: 900, height: 600, image, smaller };
}

export const UPLOADED = ['1', '2', '3', '4', '5'].map(picture);
/** From before there were smaller versions. */
export const IMPORTED = { ...picture('6'), smaller: [] };
export const ALL = [...UPLOADED, IMPORTED];
export const FILES_OF_ALL = UPLOADED.length * 3 + 1;

type Place = 'database' | 'earlier' | 'files';

/** Pictures of bob in one place, which are to move to another: the settings of the server say so. */
export async function openMoving(t: TestScope, from: Exclude<Place, 'files'>, to: Exclude<Place, 'earlier'>) {
  const forum = await openForum(t);
  const [earlier, files] = [new MemoryStore(), new MemoryStore()];
  const failures: unknown[] = [];
  const community: Community = {
    ...forum.community,
    pictures: {
      ...forum.community.pictures,
      files: to === 'files' ? files : undefined,
      earlier: from === 'earlier' ? earlier : undefined,
      onFailure: (error) => failures.push(error),
    },
  };
  const by = forum.as(forum.bob);
  const isFile = from === 'earlier';
  for (const one of UPLOADED) {
    if (isFile) await writeFiles(earlier, one.digest, one);
    await community.writes.addUpload(by, one, isFile);
  }
  const imported = { ...IMPORTED, userId: forum.bob, size: IMPORTED.image.length, at: by.at };
  await forum.database.atomically({ audit: NO_ENTRY, guard: insertPicture(imported) });
  if (from === 'earlier')
    await community.writes.moveToFiles({ id: 6, digest: IMPORTED.digest }, await noted());
  if (from === 'earlier') await writeFiles(earlier, IMPORTED.digest, IMPORTED);

  async function noted(): Promise<number> {
    await community.writes.noteMove(IMPORTED.digest, by.at);
    return by.at;
  }

  /** Which pictures are not shown as they should be. Bob sees what he uploaded, and moderators what is imported. */
  async function lost(): Promise<string[]> {
    const names: string[] = [];
    for (const one of UPLOADED) {
      for (const width of [undefined, 320, 640]) {
        const key = { digest: one.digest, width: one.width, height: one.height, smaller: width };
        const read = await readPicture(community, key, { userId: forum.bob, canModerate: false });
        const expected = one.smaller.find((version) => version.width === width)?.image ?? one.image;
        if (typeof read !== 'object' || Buffer.compare(read.image, expected) !== 0)
          names.push(`${one.digest[0]}-${width}`);
      }
    }
    return names;
  }

  /** After the time in which interrupted uploads are deleted. */
  async function afterAWhile(): Promise<void> {
    forum.setClock(3 * HOUR);
    while ((await removeLeftoverFiles(community)) > 0);
  }

  const counts = async () => [
    await community.reads.countPictures(false, 100),
    earlier.files.size,
    files.files.size,
    (await community.reads.leftoverFiles(Number.MAX_SAFE_INTEGER, 100)).length,
  ];
  return { ...forum, community, earlier, files, by, failures, lost, afterAWhile, counts };
}
