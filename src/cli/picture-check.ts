// What `doctor` checks of the pictures in posts: the store that FILES_URL names, the one before it, and how many
// pictures are still to be moved.

import { countEarlier, countLeftovers } from '../community/picture-moving.ts';
import type { Portico } from '../compose.ts';
import { isDiskFull } from '../lib/failure-reason.ts';
import { type FileStore, isSameStore, tryStore } from '../lib/file-store.ts';
import type { FilesLocation } from '../lib/open-file-store.ts';
import { placeOfFiles } from '../setting-failures.ts';
import type { Checkup } from './checkup.ts';
import { freeBytes, inMegabytes, LEAST_FREE } from './machine-check.ts';

// More are not counted.
const MOST_COUNTED = 10_000;

type Setting = 'FILES_URL' | 'EARLIER_FILES_URL';

/** Write, read and delete a small file in each store, and count the pictures that are elsewhere. */
export async function checkPictures(portico: Portico, checkup: Checkup): Promise<void> {
  const { community, config } = portico;
  const { files, earlier } = community.pictures;
  await checkup.step(
    'pictures',
    () =>
      files === undefined || config.files === undefined
        ? checkDatabaseOnly(portico)
        : checkStore('FILES_URL', config.files, files),
    String,
  );
  const rows = files === undefined ? 0 : await community.reads.countPictures(false, MOST_COUNTED);
  if (rows > 0) checkup.warn('pictures', `${counted(rows)} still in the database: run pictures move`);
  if (earlier === undefined || config.earlierFiles === undefined) return;
  const { earlierFiles } = config;
  const left = await checkup.step('earlier pictures', async () => {
    if (files !== undefined && (await isSameStore(earlier, files, 'check-doctor')))
      throw new Error('EARLIER_FILES_URL: is the same place as FILES_URL: remove the setting');
    await checkStore('EARLIER_FILES_URL', earlierFiles, earlier);
    return leftIn(portico);
  });
  if (left !== undefined) checkup.warn('earlier pictures', `${left} in ${placeOfFiles(earlierFiles)}`);
}

async function checkDatabaseOnly({ community, config }: Portico): Promise<string> {
  const count = await community.reads.countPictures(true, MOST_COUNTED);
  if (count === 0 || config.earlierFiles !== undefined) return 'in the database';
  throw new Error(
    `${counted(count)} in a folder or a bucket, and can’t be shown: set FILES_URL again, or set ` +
      'EARLIER_FILES_URL to that place and run pictures move',
  );
}

async function checkStore(setting: Setting, location: FilesLocation, store: FileStore): Promise<string> {
  try {
    await tryStore(store, setting);
    // A service whose key may not list refuses to say that a file is missing.
    await store.has('check-missing');
  } catch (error) {
    throw new Error(`${(error as Error).message}; ${adviceFor(setting, location, error)}`);
  }
  if (location.kind === 's3') return location.url;
  const place = placeOfFiles(location);
  const free = freeBytes(place);
  if (free < LEAST_FREE)
    throw new Error(`${place} has only ${inMegabytes(free)} free; make room, or move the pictures elsewhere`);
  return `${place}, ${inMegabytes(free)} free`;
}

function adviceFor(setting: Setting, { kind }: FilesLocation, error: unknown): string {
  const { cause } = error as { cause?: { status?: number; message: string } };
  if (isDiskFull(error)) return 'make room there';
  if (kind === 'folder') return 'let the user of the server write there, or choose another folder';
  if (cause?.message.includes('NoSuchBucket')) return `make the bucket, or correct ${setting}`;
  if (cause?.status === undefined) return `check ${setting}, and that this machine reaches the service`;
  const keys = setting.replace('_URL', '');
  return `check ${keys}_KEY_ID and ${keys}_SECRET, and that the key may write, read, delete and list there`;
}

/** What is left in the earlier store, and what to do. */
async function leftIn({ community }: Portico): Promise<string> {
  const { count, looked } = await countEarlier(community, MOST_COUNTED);
  if (count > 0) return `run pictures move: ${counted(count)} still`;
  // Of pictures that are in the database again, or were deleted.
  if (looked >= MOST_COUNTED || (await countLeftovers(community)) > 0)
    return 'run pictures move: some files may be left';
  return 'remove EARLIER_FILES_URL: no picture is left';
}

function counted(count: number): string {
  if (count === 1) return '1 picture is';
  return `${count >= MOST_COUNTED ? 'at least ' : ''}${count.toLocaleString('en')} pictures are`;
}
