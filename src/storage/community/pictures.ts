// The pictures in posts and comments, as rows, and which text uses which.

import type {
  NewPicture,
  OwnPicture,
  PictureKey,
  PictureReads,
  PictureWrites,
} from '../../community/picture-store.ts';
import type { Timestamp } from '../../lib/clock.ts';
import { NO_ENTRY, ownAct } from '../audit/audit-trail.ts';
import { type Database, runGuarded } from '../engine/database.ts';
import { type Bound, type Fragment, fragment, sql } from '../engine/sql.ts';
import { IS_ACTIVE, IS_ACTIVE_LOCKED } from '../identity/users.ts';
import { IS_OF_OPEN_ACCOUNT, IS_PUBLIC } from './visibility.ts';

export function pictureRows(database: Database): PictureReads & PictureWrites {
  const { dialect } = database;
  return {
    async findPicture({ digest, width, height }, { userId, canModerate }, smaller) {
      const values = { digest, width, height, smaller, userId, canModerate: canModerate ? 1 : 0 };
      const row = await database.first(selectPicture(values));
      return row && { ...row, isFile: row.isFile === 1 };
    },
    picturesOfPost: async (postId) => database.rows(selectPicturesOfPost({ postId })),
    picturesOfComment: async (commentId) => database.rows(selectPicturesOfComment({ commentId })),
    ownUnusedPictures: async (userId, after, limit) =>
      database.rows(selectOwnUnusedPictures({ userId, after, limit })),
    uploadedBytes: async (userId) => Number((await database.first(sumBytes({ userId })))?.bytes ?? 0),
    async leftoverFiles(before, limit) {
      const rows = await database.rows(selectLeftoverFiles({ before, limit }));
      return rows.map((row) => ({ ...row, hasPicture: row.hasPicture === 1 }));
    },
    async noteFiles(by, digest) {
      await database.atomically({ audit: ownAct(by), guard: insertLeftoverFile({ digest, at: by.at }) });
    },
    async addUpload(by, picture, isFile) {
      const { userId, at } = by;
      const { digest, type, width, height, image } = picture;
      const row = { digest, type, width, height, userId, at, size: image.length, isFile: isFile ? 1 : 0 };
      return runGuarded(database, {
        audit: ownAct(by),
        guard: insertUpload[dialect]({ ...row, image: isFile ? new Uint8Array() : image }),
        effects: [
          markUploaded({ digest, at }),
          ...(isFile ? [deleteLeftoverFile({ digest })] : insertVersions(picture)),
        ],
      });
    },
    async forgetLeftoverFiles(digests) {
      for (const digest of digests) {
        await database.atomically({ audit: NO_ENTRY, guard: deleteLeftoverFile({ digest }) });
      }
    },
  };
}

interface Wanted extends PictureKey {
  smaller: number | undefined;
  userId: number | undefined;
  canModerate: number;
}

// Moderators don't see members' drafts. What a member uploaded, the preview shows to them. A text can have lost a
// picture that was imported, so it is searched, which takes long: only a text that the viewer sees. A member can hide
// thousands of texts that use a picture, by removing the post that they are on.
const selectPicture = sql<Wanted, { type: string; image: Uint8Array; isFile: number }>`
  SELECT pictures.type, pictures.is_file AS "isFile", coalesce((
      SELECT versions.image FROM picture_versions AS versions
      WHERE versions.picture_id = pictures.id AND versions.width = cast(:smaller AS bigint)),
    pictures.image) AS image
  FROM pictures
  WHERE pictures.digest = :digest AND pictures.width = :width AND pictures.height = :height AND (
    pictures.user_id = :userId AND pictures.uploaded_at IS NOT NULL
    OR EXISTS (
    SELECT 1
    FROM (SELECT post_id, comment_id FROM picture_uses WHERE picture_id = pictures.id LIMIT 300) AS uses
    JOIN posts ON posts.id = uses.post_id
    LEFT JOIN comments ON comments.id = uses.comment_id
    WHERE CASE WHEN coalesce(comments.user_id, posts.user_id) = :userId
          OR ${IS_PUBLIC} AND coalesce(comments.status, 'published') = 'published'
            AND (comments.id IS NULL OR ${IS_OF_OPEN_ACCOUNT})
          OR cast(:canModerate AS integer) = 1 AND (posts.status <> 'draft' OR posts.waiting_since IS NOT NULL)
        THEN coalesce(comments.body, posts.body) LIKE '%' || pictures.digest || '%' END))`;

type PictureInText = OwnPicture & { postId: number };

const PICTURES_IN_TEXT = fragment`
  SELECT uses.id, pictures.digest, pictures.type, pictures.width, pictures.height, pictures.size,
    uses.post_id AS "postId", uses.comment_id AS "commentId"
  FROM picture_uses AS uses JOIN pictures ON pictures.id = uses.picture_id`;

const selectPicturesOfPost = sql<{ postId: number }, PictureInText>`
  ${PICTURES_IN_TEXT} WHERE uses.post_id = :postId AND uses.comment_id IS NULL ORDER BY uses.id`;

const selectPicturesOfComment = sql<{ commentId: number }, PictureInText>`
  ${PICTURES_IN_TEXT} WHERE uses.comment_id = :commentId ORDER BY uses.id`;

const selectOwnUnusedPictures = sql<{ userId: number; after: number; limit: number }, OwnPicture>`
  SELECT id, digest, type, width, height, size, cast(NULL AS bigint) AS "postId", cast(NULL AS bigint) AS "commentId"
  FROM pictures
  WHERE user_id = :userId AND uploaded_at IS NOT NULL AND id > :after
    AND NOT EXISTS (SELECT 1 FROM picture_uses WHERE picture_uses.picture_id = pictures.id)
  ORDER BY id LIMIT cast(:limit AS bigint)`;

const sumBytes = sql<{ userId: number }, { bytes: number | undefined }>`
  SELECT sum(size) AS bytes FROM pictures WHERE user_id = :userId AND uploaded_at IS NOT NULL`;

type LeftoverRow = { digest: string; since: Timestamp; hasPicture: number };

const selectLeftoverFiles = sql<{ before: Timestamp; limit: number }, LeftoverRow>`
  SELECT leftover_files.digest, leftover_files.since, CASE WHEN pictures.id IS NULL THEN 0 ELSE 1 END AS "hasPicture"
  FROM leftover_files LEFT JOIN pictures ON pictures.digest = leftover_files.digest AND pictures.is_file = 1
  WHERE leftover_files.since <= :before
  ORDER BY leftover_files.since LIMIT cast(:limit AS bigint)`;

/** Note files, or note them anew. */
export const insertLeftoverFile = sql<{ digest: string; at: Timestamp }>`
  INSERT INTO leftover_files (digest, since) VALUES (:digest, :at)
  ON CONFLICT (digest) DO UPDATE SET since = excluded.since`;

/** Forget a note about files. */
export const deleteLeftoverFile = sql<{ digest: string }>`DELETE FROM leftover_files WHERE digest = :digest`;

type Upload = Omit<PictureRow, 'smaller'> & { isFile: number };

const UPLOAD = fragment`
  INSERT INTO pictures (digest, user_id, type, width, height, size, image, is_file, created_at, uploaded_at)
  SELECT :digest, cast(:userId AS bigint), :type, cast(:width AS integer), cast(:height AS integer),
    cast(:size AS integer), :image, cast(:isFile AS integer), cast(:at AS bigint), cast(:at AS bigint)`;

const insertUpload = {
  sqlite: sql<Upload>`${UPLOAD} WHERE ${IS_ACTIVE}`,
  postgres: sql<Upload>`${UPLOAD} WHERE ${IS_ACTIVE_LOCKED}`,
};

const markUploaded = sql<{ digest: string; at: Timestamp }>`
  INSERT INTO unused_pictures (picture_id, since) SELECT id, cast(:at AS bigint) FROM pictures WHERE digest = :digest`;

/** Insert the smaller versions of a picture that is in the database. */
export function insertVersions({
  digest,
  smaller,
}: Pick<NewPicture, 'digest' | 'smaller'>): Bound<unknown>[] {
  return smaller.map(({ width, image }) => insertVersion({ digest, width, image }));
}

const insertVersion = sql<{ digest: string; width: number; image: Uint8Array }>`
  INSERT INTO picture_versions (picture_id, width, image)
  SELECT id, cast(:width AS integer), :image FROM pictures WHERE digest = :digest AND is_file = 0
  ON CONFLICT DO NOTHING`;

type PictureRow = Omit<NewPicture, 'smaller'> & { userId: number; size: number; at: Timestamp };

/** Insert a picture unless it is there. */
export const insertPicture = sql<PictureRow>`
  INSERT INTO pictures (digest, user_id, type, width, height, size, image, created_at)
  VALUES (:digest, :userId, :type, :width, :height, :size, :image, :at)
  ON CONFLICT (digest) DO NOTHING`;

/** Note that a text uses a picture. */
export const insertPictureUse = sql<{ digest: string; postId: number; commentId: number | undefined }>`
  INSERT INTO picture_uses (picture_id, post_id, comment_id)
  SELECT id, :postId, cast(:commentId AS bigint) FROM pictures WHERE digest = :digest
  ON CONFLICT DO NOTHING`;

/** The SQL that selects what a member uploaded and is in no text. */
export const UNUSED_PICTURES_OF = fragment`
  SELECT pictures.id, pictures.size FROM pictures
  WHERE pictures.user_id = :userId AND pictures.uploaded_at IS NOT NULL
    AND NOT EXISTS (SELECT 1 FROM picture_uses WHERE picture_uses.picture_id = pictures.id)`;

/**
 * The SQL that deletes some of these pictures, and returns their ids. Each megabyte takes SQLite a millisecond, so it
 * stops after the picture that makes it 8 MB, and after 50.
 */
export function deletionOfSome(pictures: Fragment): Fragment {
  return fragment`
    DELETE FROM pictures
    WHERE id IN (
      SELECT summed.id FROM (
        SELECT step.id, sum(step.size) OVER (ORDER BY step.id) - step.size AS earlier
        FROM (SELECT found.id, found.size FROM (${pictures}) AS found LIMIT 50) AS step
      ) AS summed
      WHERE summed.earlier < 8000000)
    RETURNING id`;
}

const IS_IN_TEXT = fragment`EXISTS (SELECT 1 FROM picture_uses AS uses WHERE uses.picture_id = unused.picture_id)`;

// Those that were left first. Some are in a text again, or still in another one.
const NEXT_UNUSED = fragment`
  SELECT picture_id FROM unused_pictures WHERE since <= :by
  ORDER BY since, picture_id LIMIT cast(:limit AS bigint)`;

/** Keep the pictures that are in a text, among those that `deleteUnusedPictures` would look at next. */
export const keepUsedPictures = sql<{ by: Timestamp; limit: number }, { id: number }>`
  DELETE FROM unused_pictures AS unused
  WHERE picture_id IN (${NEXT_UNUSED}) AND since <= :by AND ${IS_IN_TEXT}
  RETURNING picture_id AS id`;

const UNUSED = fragment`
  SELECT pictures.id, pictures.size
  FROM unused_pictures AS unused JOIN pictures ON pictures.id = unused.picture_id
  WHERE unused.picture_id IN (${NEXT_UNUSED}) AND unused.since <= :by AND NOT ${IS_IN_TEXT}`;

/** Delete pictures that have been in no text for a time. */
export const deleteUnusedPictures = {
  sqlite: sql<{ by: Timestamp; limit: number }, { id: number }>`${deletionOfSome(UNUSED)}`,
  // Waits for a text that takes the picture meanwhile, and then leaves it.
  postgres: sql<{ by: Timestamp; limit: number }, { id: number }>`
    ${deletionOfSome(fragment`${UNUSED} FOR UPDATE OF unused`)}`,
};
