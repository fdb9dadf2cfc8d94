// The pictures in posts and comments, as rows, and which text uses which.

import type { NewPicture, OwnPicture, PictureKey, PictureReads } from '../../community/picture-store.ts';
import type { Timestamp } from '../../lib/clock.ts';
import type { Database } from '../engine/database.ts';
import { type Fragment, fragment, sql } from '../engine/sql.ts';

export function pictureRows(database: Database): PictureReads {
  return {
    findPicture: async (key, { userId, canModerate }) =>
      database.first(selectPicture({ ...key, userId, canModerate: canModerate ? 1 : 0 })),
    ownPictures: async (userId, after, limit) => database.rows(selectOwnPictures({ userId, after, limit })),
  };
}

// A text that doesn't contain the digest any more doesn't show the picture. Moderators don't see members' drafts.
const selectPicture = sql<
  PictureKey & { userId: number | undefined; canModerate: number },
  { type: string; image: Uint8Array }
>`
  SELECT pictures.type, pictures.image FROM pictures
  WHERE pictures.digest = :digest AND pictures.width = :width AND pictures.height = :height AND EXISTS (
    SELECT 1 FROM picture_uses AS uses
    JOIN posts ON posts.id = uses.post_id
    LEFT JOIN comments ON comments.id = uses.comment_id
    WHERE uses.picture_id = pictures.id
      AND coalesce(comments.body, posts.body) LIKE '%' || pictures.digest || '%'
      AND (coalesce(comments.user_id, posts.user_id) = :userId
        OR posts.status = 'published' AND coalesce(comments.status, 'published') = 'published'
        OR cast(:canModerate AS integer) = 1 AND (posts.status <> 'draft' OR posts.waiting_since IS NOT NULL)))`;

// Each status has an index of its own.
const POSTS_OF_MEMBER = fragment`
  SELECT id FROM posts WHERE user_id = :userId AND status = 'published'
  UNION ALL SELECT id FROM posts WHERE user_id = :userId AND status = 'draft'
  UNION ALL SELECT id FROM posts WHERE user_id = :userId AND status = 'removed'`;

const selectOwnPictures = sql<{ userId: number; after: number; limit: number }, OwnPicture>`
  SELECT uses.id, pictures.digest, pictures.type, pictures.width, pictures.height, pictures.size,
    uses.post_id AS "postId", uses.comment_id AS "commentId"
  FROM picture_uses AS uses JOIN pictures ON pictures.id = uses.picture_id
  WHERE uses.id > :after AND (
    uses.comment_id IS NULL AND uses.post_id IN (${POSTS_OF_MEMBER})
    OR uses.comment_id IN (SELECT id FROM comments WHERE user_id = :userId))
  ORDER BY uses.id LIMIT cast(:limit AS bigint)`;

type PictureRow = NewPicture & { userId: number; size: number; at: Timestamp };

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

/** The SQL that deletes the pictures that are in no other texts than those. */
export function deleteOnlyUsedIn(texts: Fragment): Fragment {
  return fragment`
    DELETE FROM pictures
    WHERE id IN (SELECT picture_id FROM picture_uses WHERE ${texts})
      AND NOT EXISTS (
        SELECT 1 FROM picture_uses WHERE picture_uses.picture_id = pictures.id AND (${texts}) IS NOT TRUE)`;
}

const COMMENTS_OF_MEMBER = fragment`comment_id IN (SELECT id FROM comments WHERE user_id = :userId)`;

/** For closing an account, whose comments are erased at once. Its posts take their pictures with them later. */
export const deletePicturesInCommentsOf = sql<{ userId: number }>`
  ${deleteOnlyUsedIn(COMMENTS_OF_MEMBER)}`;

export const deletePictureUsesInCommentsOf = sql<{ userId: number }>`
  DELETE FROM picture_uses WHERE ${COMMENTS_OF_MEMBER}`;
