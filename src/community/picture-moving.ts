// Moving pictures to where FILES_URL says, while the server shows them and members upload others. It can be interrupted
// at any moment and run again: a picture is always complete in one place, and a note in the database names the files
// that may have to be deleted.

import { type FileStore, isSameStore } from '../lib/file-store.ts';
import { Refusal } from '../lib/refusal.ts';
import type { Community } from './community.ts';
import { hasFiles, readFiles, removeFiles, removeLeftoverFiles, writeFiles } from './picture-files.ts';
import type { PlacedPicture } from './picture-store.ts';

export interface PictureMove {
  moved: number;
  /** Pictures whose files are being deleted right now, or that another run is moving. */
  skipped: number;
  /** Pictures that have no file. */
  missing: number;
  /** Deleted pictures and interrupted uploads, whose files are to be deleted in the earlier store. */
  waiting: number;
}

type Result = Exclude<keyof PictureMove, 'waiting'> | 'unchanged';

// Always the same, so that a run replaces what a killed one has left.
const CHECK = 'check-move';
const AT_ONCE = 4;
const LOOKED_AT_ONCE = 20;
const MOST_NOTES = 1000;

/**
 * Move all pictures that are in another place, imported ones too. `onPicture` is called after each with how many were
 * looked at. Throws if a store or the database fails; what was moved stays moved. Throws `Refusal` if both settings
 * name the same place: then removing there would lose pictures.
 */
export async function movePictures(
  community: Community,
  onPicture: (count: number) => void = () => {},
): Promise<PictureMove> {
  const { files, earlier } = community.pictures;
  if (files !== undefined && earlier !== undefined && (await isSameStore(files, earlier, CHECK)))
    throw new Refusal('same_place', 'EARLIER_FILES_URL: is the same place as FILES_URL.');
  const move: PictureMove = { moved: 0, skipped: 0, missing: 0, waiting: 0 };
  let count = 0;
  const moveAll = async (isFile: boolean, moveOne: (picture: PlacedPicture) => Promise<Result>) => {
    for await (const some of picturesIn(community, isFile)) {
      const results = await Promise.allSettled(some.map(moveOne));
      for (const result of results) {
        if (result.status === 'rejected') throw result.reason;
        if (result.value !== 'unchanged') move[result.value] += 1;
        count += 1;
        onPicture(count);
      }
    }
  };
  if (files !== undefined) await moveAll(false, (picture) => toFiles(community, files, picture));
  if (files !== undefined && earlier !== undefined) {
    await moveAll(true, (picture) => toOtherFiles(community, earlier, files, picture));
  }
  if (files === undefined && earlier !== undefined) {
    await moveAll(true, (picture) => toDatabase(community, earlier, picture));
  }
  if (earlier !== undefined) {
    while ((await removeLeftoverFiles(community)) > 0);
    move.waiting = await countLeftovers(community);
  }
  return move;
}

/** Count the files in the earlier store that belong to no picture, and are to be deleted there. */
export async function countLeftovers({ reads, pictures: { earlier } }: Community): Promise<number> {
  if (earlier === undefined) return 0;
  const notes = await reads.leftoverFiles(Number.MAX_SAFE_INTEGER, MOST_NOTES);
  // There may be others. So many are of an hour at most.
  if (notes.length === MOST_NOTES) return MOST_NOTES;
  let count = 0;
  for (const { digest, hasPicture } of notes) {
    if (!hasPicture && (await hasFiles(earlier, digest))) count += 1;
  }
  return count;
}

/** Count the pictures that are still in the earlier store, looking at `most` of all pictures in files. */
export async function countEarlier(
  community: Community,
  most: number,
): Promise<{ count: number; looked: number }> {
  const { earlier } = community.pictures;
  const result = { count: 0, looked: 0 };
  if (earlier === undefined) return result;
  for await (const some of picturesIn(community, true, LOOKED_AT_ONCE)) {
    const found = await Promise.all(some.map(({ digest }) => hasFiles(earlier, digest)));
    result.count += found.filter(Boolean).length;
    result.looked += found.length;
    if (result.looked >= most) break;
  }
  return result;
}

/** Read the pictures that are (not) in a store of files, some at a time. */
async function* picturesIn(
  { reads }: Community,
  isFile: boolean,
  atOnce = AT_ONCE,
): AsyncGenerator<PlacedPicture[]> {
  for (let after = 0; ; ) {
    const pictures = await reads.picturesIn(isFile, after, atOnce);
    if (pictures.length === 0) return;
    yield pictures;
    after = pictures.at(-1)?.id ?? after;
  }
}

async function toFiles(community: Community, files: FileStore, picture: PlacedPicture): Promise<Result> {
  const { reads, writes, clock } = community;
  const images = await reads.imagesOf(picture.id);
  // It was deleted meanwhile.
  if (images === undefined) return 'unchanged';
  const at = clock();
  if (!(await writes.noteMove(picture.digest, at))) return 'skipped';
  await writeFiles(files, picture.digest, images);
  return (await writes.moveToFiles(picture, at)) ? 'moved' : 'skipped';
}

async function toOtherFiles(
  { writes, clock }: Community,
  from: FileStore,
  to: FileStore,
  { digest }: PlacedPicture,
): Promise<Result> {
  const images = await readFiles(from, digest);
  // It is there already.
  if (images === undefined) return 'unchanged';
  if (!(await writes.noteMove(digest, clock()))) return 'skipped';
  await writeFiles(to, digest, images);
  // If it was deleted meanwhile, the note stays, and with it the files go.
  if (!(await writes.keepFiles(digest))) return 'unchanged';
  await removeFiles(from, digest);
  return 'moved';
}

async function toDatabase({ writes }: Community, from: FileStore, picture: PlacedPicture): Promise<Result> {
  const images = await readFiles(from, picture.digest);
  if (images === undefined) return 'missing';
  return (await writes.moveToDatabase(picture, images)) ? 'moved' : 'unchanged';
}
