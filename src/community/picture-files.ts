// The files of pictures that are not in the database: one for each version, in the store of FILES_URL, or still in the
// store from before it was changed.

import { HOUR, MINUTE } from '../lib/clock.ts';
import type { FileStore } from '../lib/file-store.ts';
import { SMALLER_WIDTHS } from '../lib/picture-path.ts';
import type { Community, PicturePlace } from './community.ts';
import type { Images } from './picture-store.ts';

/** Write the files of a picture. Returns after they are durable. */
export async function writeFiles(store: FileStore, digest: string, images: Images): Promise<void> {
  await store.write(fileName(digest), images.image);
  for (const { width, image } of images.smaller) await store.write(fileName(digest, width), image);
}

/** Read the files of a picture. Undefined if there are none. */
export async function readFiles(store: FileStore, digest: string): Promise<Images | undefined> {
  const image = await store.read(fileName(digest));
  if (image === undefined) return undefined;
  const smaller: { width: number; image: Uint8Array }[] = [];
  for (const width of SMALLER_WIDTHS) {
    const version = await store.read(fileName(digest, width));
    if (version !== undefined) smaller.push({ width, image: version });
  }
  return { image, smaller };
}

/** Report whether a store has the files of a picture. */
export function hasFiles(store: FileStore, digest: string): Promise<boolean> {
  return store.has(fileName(digest));
}

/**
 * Read a file of a picture, wherever it is. A picture from before there were smaller versions is returned itself.
 * Undefined if it has no file. Throws if there is no store, or if it fails.
 */
export async function readVersion(
  place: PicturePlace,
  digest: string,
  width: number | undefined,
): Promise<Uint8Array | undefined> {
  const stores = storesOf(place);
  if (stores.length === 0)
    throw new Error('FILES_URL: is not set, and some pictures are in a store of files');
  let failure: unknown;
  for (const name of new Set([fileName(digest, width), fileName(digest)])) {
    for (const store of stores) {
      try {
        const image = await store.read(name);
        if (image !== undefined) return image;
      } catch (error) {
        // The other store may have it. Some services refuse to say that a file is missing.
        failure ??= error;
      }
    }
  }
  if (failure !== undefined) throw failure;
  return undefined;
}

/** Remove the files of a picture from a store. */
export async function removeFiles(store: FileStore, digest: string): Promise<void> {
  // The picture itself is last: as long as it is there, an interrupted removal is seen.
  for (const width of [...SMALLER_WIDTHS, undefined]) await store.remove(fileName(digest, width));
}

function fileName(digest: string, width?: number): string {
  return width === undefined ? `${digest}.webp` : `${digest}-${width}.webp`;
}

function storesOf({ files, earlier }: PicturePlace): FileStore[] {
  return [files, earlier].filter((store) => store !== undefined);
}

// Longer than any upload takes, and moving one picture.
const UPLOAD_TIME = 1 * HOUR;
// Longer than the files of one picture take.
const REMOVAL_TIME = 15 * MINUTE;
const MOST_LEFTOVERS = 20;

/**
 * Delete some files that belong to no picture (any more): of deleted pictures, and of uploads that were interrupted.
 * Returns how many pictures' files were deleted, 0 if none are left or the store fails.
 */
export async function removeLeftoverFiles({ reads, writes, pictures, clock }: Community): Promise<number> {
  const stores = storesOf(pictures);
  if (stores.length === 0) return 0;
  let count = 0;
  for (const { digest, since, hasPicture } of await reads.leftoverFiles(
    clock() - UPLOAD_TIME,
    MOST_LEFTOVERS,
  )) {
    const until = clock() + REMOVAL_TIME;
    // A date in the future keeps `movePictures` from writing the files again meanwhile.
    if (!hasPicture && !(await writes.redateLeftoverFiles(digest, since, until))) continue;
    try {
      if (!hasPicture) for (const store of stores) await removeFiles(store, digest);
    } catch (error) {
      pictures.onFailure(error);
      await writes.redateLeftoverFiles(digest, until, since);
      return 0;
    }
    await writes.forgetLeftoverFiles([digest]);
    count += 1;
  }
  return count;
}
