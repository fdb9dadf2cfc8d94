// Where the bytes of pictures are, and moving them between the database and the store of files.

import type { PicturePlaceReads, PicturePlaceWrites, PlacedPicture } from '../../community/picture-store.ts';
import type { Timestamp } from '../../lib/clock.ts';
import { NO_ENTRY } from '../audit/audit-trail.ts';
import { type Database, runGuarded } from '../engine/database.ts';
import { fragment, sql } from '../engine/sql.ts';
import { deleteLeftoverFile, insertLeftoverFile, insertVersions } from './pictures.ts';

export function picturePlaces(database: Database): PicturePlaceReads & PicturePlaceWrites {
  return {
    picturesIn: async (isFile, after, limit) =>
      database.rows(selectPicturesIn({ isFile: isFile ? 1 : 0, after, limit })),
    async countPictures(isFile, most) {
      return Number((await database.first(countPicturesIn({ isFile: isFile ? 1 : 0, most })))?.count ?? 0);
    },
    async imagesOf(id) {
      const rows = await database.rows(selectImages({ id }));
      const picture = rows.find(({ width }) => width === undefined);
      if (picture === undefined) return undefined;
      const smaller = rows.flatMap(({ width, image }) => (width === undefined ? [] : [{ width, image }]));
      return { image: picture.image, smaller };
    },
    async redateLeftoverFiles(digest, from, to) {
      return runGuarded(database, { audit: NO_ENTRY, guard: redateNote({ digest, from, to }) });
    },
    async noteMove(digest, at) {
      return runGuarded(database, { audit: NO_ENTRY, guard: insertNote({ digest, at }) });
    },
    async moveToFiles({ id, digest }, at) {
      return runGuarded(database, {
        audit: NO_ENTRY,
        guard: markAsFile({ id, digest, at, image: new Uint8Array() }),
        effects: [deleteVersions({ id }), deleteLeftoverFile({ digest })],
        // The files were written all the same.
        otherwise: [insertMissingNote({ digest, at })],
      });
    },
    async moveToDatabase({ id, digest }, { image, smaller }) {
      return runGuarded(database, {
        audit: NO_ENTRY,
        guard: markAsRow({ id, image }),
        effects: [
          deleteVersions({ id }),
          ...insertVersions({ digest, smaller }),
          insertLeftoverFile({ digest, at: LONG_AGO }),
        ],
      });
    },
    async keepFiles(digest) {
      return runGuarded(database, { audit: NO_ENTRY, guard: deleteNoteOfFile({ digest }) });
    },
  };
}

// So that the files are deleted in the next round.
const LONG_AGO = 0;

type IsFile = { isFile: number };

const selectPicturesIn = sql<IsFile & { after: number; limit: number }, PlacedPicture>`
  SELECT id, digest FROM pictures
  WHERE is_file = :isFile AND id > :after
  ORDER BY id LIMIT cast(:limit AS bigint)`;

const countPicturesIn = sql<IsFile & { most: number }, { count: number }>`
  SELECT count(*) AS count FROM (
    SELECT 1 FROM pictures WHERE is_file = :isFile LIMIT cast(:most AS bigint)) AS counted`;

// One statement, so that it doesn't read a picture that is moved meanwhile.
const selectImages = sql<{ id: number }, { width: number | undefined; image: Uint8Array }>`
  SELECT cast(NULL AS integer) AS width, image FROM pictures WHERE id = :id AND is_file = 0
  UNION ALL SELECT width, image FROM picture_versions WHERE picture_id = :id`;

const HAS_FILE = fragment`EXISTS (SELECT 1 FROM pictures WHERE pictures.digest = :digest AND pictures.is_file = 1)`;

const redateNote = sql<{ digest: string; from: Timestamp; to: Timestamp }>`
  UPDATE leftover_files SET since = :to WHERE digest = :digest AND since = :from AND NOT ${HAS_FILE}`;

const insertNote = sql<{ digest: string; at: Timestamp }>`
  INSERT INTO leftover_files (digest, since) VALUES (:digest, :at)
  ON CONFLICT (digest) DO UPDATE SET since = excluded.since WHERE leftover_files.since <= excluded.since`;

const insertMissingNote = sql<{ digest: string; at: Timestamp }>`
  INSERT INTO leftover_files (digest, since) VALUES (:digest, :at) ON CONFLICT (digest) DO NOTHING`;

const deleteNoteOfFile = sql<{ digest: string }>`
  DELETE FROM leftover_files WHERE digest = :digest AND ${HAS_FILE}`;

const markAsFile = sql<PlacedPicture & { at: Timestamp; image: Uint8Array }>`
  UPDATE pictures SET is_file = 1, image = :image
  WHERE id = :id AND is_file = 0
    AND EXISTS (SELECT 1 FROM leftover_files WHERE leftover_files.digest = :digest AND leftover_files.since = :at)`;

const markAsRow = sql<{ id: number; image: Uint8Array }>`
  UPDATE pictures SET is_file = 0, image = :image WHERE id = :id AND is_file = 1`;

const deleteVersions = sql<{ id: number }>`DELETE FROM picture_versions WHERE picture_id = :id`;
