// The pictures in posts and comments.

import { movePictures, type PictureMove } from '../../community/picture-moving.ts';
import type { Config } from '../../config.ts';
import { FileStoreFailure } from '../../lib/file-store.ts';
import { Refusal } from '../../lib/refusal.ts';
import { placeOfFiles } from '../../setting-failures.ts';
import { command, type Result } from '../command.ts';
import { withPortico } from '../portico.ts';

// For the progress, which needs no more.
const MOST_COUNTED = 1_000_000;

const move = command({
  name: 'pictures move',
  summary: 'move the pictures in posts to where FILES_URL says',
  details: [
    'Moves pictures from the database into the store of FILES_URL, also imported ones. With EARLIER_FILES_URL, moves ' +
      'those of that folder or bucket too; without FILES_URL, into the database.',
    'Set the settings and restart the server first. It shows all pictures meanwhile, from either place. You can ' +
      'interrupt the command at any moment and run it again: it goes on where it was.',
  ].join('\n'),
  options: {},
  async run(_, context) {
    return withPortico(context, async ({ community, config }) => {
      const { reads, pictures } = community;
      const [rows, files] = await Promise.all(
        [false, true].map((isFile) => reads.countPictures(isFile, MOST_COUNTED)),
      );
      if (config.files === undefined && config.earlierFiles === undefined) return nothingToMove(files ?? 0);
      const total =
        (pictures.files === undefined ? 0 : (rows ?? 0)) +
        (pictures.earlier === undefined ? 0 : (files ?? 0));
      try {
        const result = await movePictures(community, (count) =>
          context.progress(Math.min(0.99, count / total)),
        );
        context.progress(1);
        return resultOf(config, result);
      } catch (error) {
        if (!(error instanceof FileStoreFailure)) throw error;
        const advice = 'What was moved stays moved. Fix this, and run the command again.';
        throw new Refusal('files_unavailable', `${error.message}. ${advice}`);
      }
    });
  },
});

export const picturesCommands = [move];

function nothingToMove(inFiles: number): Result {
  if (inFiles > 0) {
    throw new Refusal(
      'files_unavailable',
      'Some pictures are in a folder or a bucket. To move them into the database, set EARLIER_FILES_URL to that place.',
    );
  }
  return resultOf(
    { files: undefined, earlierFiles: undefined },
    { moved: 0, skipped: 0, missing: 0, waiting: 0 },
  );
}

function resultOf(
  { files, earlierFiles }: Pick<Config, 'files' | 'earlierFiles'>,
  { moved, skipped, missing, waiting }: PictureMove,
): Result {
  const place = files === undefined ? 'the database' : placeOfFiles(files);
  const lines = [`Moved ${pictures(moved)} to ${place}.`];
  if (missing > 0) lines.push(`${pictures(missing)} had no file, and can't be shown.`);
  if (skipped > 0)
    lines.push(`${pictures(skipped)} could not be moved right now. Run the command again later.`);
  else if (earlierFiles !== undefined) lines.push(leftIn(placeOfFiles(earlierFiles), waiting));
  const failed = skipped > 0 || waiting > 0;
  return { json: { moved, skipped, missing, waiting, place }, text: lines.join('\n'), failed };
}

function leftIn(place: string, waiting: number): string {
  if (waiting === 0) return `Nothing is left in ${place}. You can remove EARLIER_FILES_URL.`;
  return (
    `The files of ${pictures(waiting)} are still in ${place}, of deleted pictures and interrupted uploads. ` +
    'The server deletes them within an hour or two, as long as EARLIER_FILES_URL is set. ' +
    'Run the command again then.'
  );
}

function pictures(count: number): string {
  return count === 1 ? '1 picture' : `${count} pictures`;
}
