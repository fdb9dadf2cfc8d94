// Which text uses which picture. The rows are written with the texts.

import type { Timestamp } from '../../lib/clock.ts';
import { type Bound, type Dialect, type Fragment, fragment, sql } from '../engine/sql.ts';
import { NEW_COMMENT_ID, NEW_POST_ID } from './new-row.ts';

interface Author {
  userId: number;
  at: Timestamp;
}

/** The effects of storing a new text with these pictures. Only its author's own pictures belong to it. */
export function usesInNewPost(
  dialect: Dialect,
  { userId }: Author,
  pictures: readonly string[] = [],
): Bound<unknown>[] {
  if (pictures.length === 0) return [];
  const values = { userId, digests: JSON.stringify(pictures) };
  return [markUsed[dialect](values), insertUsesInNewPost[dialect](values)];
}

/** As `usesInNewPost`, for a comment. */
export function usesInNewComment(
  dialect: Dialect,
  { userId, postId }: Author & { postId: number },
  pictures: readonly string[] = [],
): Bound<unknown>[] {
  if (pictures.length === 0) return [];
  const values = { userId, digests: JSON.stringify(pictures) };
  return [markUsed[dialect](values), insertUsesInNewComment[dialect]({ ...values, postId })];
}

/** The effects of changing a text. A picture that it doesn't show any more may be in no text now. */
export function usesInChangedPost(
  dialect: Dialect,
  { userId, at, postId }: Author & { postId: number },
  pictures: readonly string[] = [],
): Bound<unknown>[] {
  const digests = JSON.stringify(pictures);
  const left = [markLeftByPost({ postId, at, digests }), deleteUsesLeftByPost({ userId, postId, digests })];
  if (pictures.length === 0) return left;
  return [
    ...left,
    markUsed[dialect]({ userId, digests }),
    insertUsesInPost[dialect]({ userId, digests, postId }),
  ];
}

/** As `usesInChangedPost`, for a comment. */
export function usesInChangedComment(
  dialect: Dialect,
  { userId, at, commentId }: Author & { commentId: number },
  pictures: readonly string[] = [],
): Bound<unknown>[] {
  const digests = JSON.stringify(pictures);
  const left = [
    markLeftByComment({ commentId, at, digests }),
    deleteUsesLeftByComment({ userId, commentId, digests }),
  ];
  if (pictures.length === 0) return left;
  return [
    ...left,
    markUsed[dialect]({ userId, digests }),
    insertUsesInComment[dialect]({ userId, digests, commentId }),
  ];
}

interface Own {
  userId: number;
  /** In one text, as a JSON array. */
  digests: string;
}

// By their digests, which are a JSON array. The plus keeps SQLite from reading all pictures of the member instead.
const OWN = {
  sqlite: fragment`
    +pictures.user_id = :userId AND pictures.digest IN (SELECT value FROM json_each(:digests))`,
  postgres: fragment`
    pictures.user_id = :userId
      AND pictures.digest = ANY (ARRAY(SELECT json_array_elements_text(cast(:digests AS json))))`,
};

const MARK_USED = fragment`
  DELETE FROM unused_pictures WHERE picture_id IN (SELECT pictures.id FROM pictures WHERE`;

// First, because it waits for a purge of the same picture on PostgreSQL, which then leaves it or is over.
const markUsed = {
  sqlite: sql<Own>`${MARK_USED} ${OWN.sqlite})`,
  postgres: sql<Own>`${MARK_USED} ${OWN.postgres})`,
};

type OfPost = Own & { postId: number };

const INSERT_USES_IN_POST = fragment`
  INSERT INTO picture_uses (picture_id, post_id)
  SELECT pictures.id, cast(:postId AS bigint) FROM pictures`;

const insertUsesInPost = {
  sqlite: sql<OfPost>`${INSERT_USES_IN_POST} WHERE ${OWN.sqlite} ON CONFLICT DO NOTHING`,
  postgres: sql<OfPost>`${INSERT_USES_IN_POST} WHERE ${OWN.postgres} ON CONFLICT DO NOTHING`,
};

type OfComment = Own & { commentId: number };

const INSERT_USES_IN_COMMENT = fragment`
  INSERT INTO picture_uses (picture_id, post_id, comment_id)
  SELECT pictures.id, comments.post_id, comments.id
  FROM pictures JOIN comments ON comments.id = :commentId`;

const insertUsesInComment = {
  sqlite: sql<OfComment>`${INSERT_USES_IN_COMMENT} WHERE ${OWN.sqlite} ON CONFLICT DO NOTHING`,
  postgres: sql<OfComment>`${INSERT_USES_IN_COMMENT} WHERE ${OWN.postgres} ON CONFLICT DO NOTHING`,
};

const insertUsesInNewPost = {
  sqlite: sql<Own>`
    INSERT INTO picture_uses (picture_id, post_id)
    SELECT pictures.id, ${NEW_POST_ID.sqlite} FROM pictures WHERE ${OWN.sqlite}
    ON CONFLICT DO NOTHING`,
  postgres: sql<Own>`
    INSERT INTO picture_uses (picture_id, post_id)
    SELECT pictures.id, ${NEW_POST_ID.postgres} FROM pictures WHERE ${OWN.postgres}
    ON CONFLICT DO NOTHING`,
};

const insertUsesInNewComment = {
  sqlite: sql<Own & { postId: number }>`
    INSERT INTO picture_uses (picture_id, post_id, comment_id)
    SELECT pictures.id, :postId, ${NEW_COMMENT_ID.sqlite} FROM pictures WHERE ${OWN.sqlite}
    ON CONFLICT DO NOTHING`,
  postgres: sql<Own & { postId: number }>`
    INSERT INTO picture_uses (picture_id, post_id, comment_id)
    SELECT pictures.id, cast(:postId AS bigint), ${NEW_COMMENT_ID.postgres}
    FROM pictures WHERE ${OWN.postgres}
    ON CONFLICT DO NOTHING`,
};

/** The SQL that notes that the pictures of some uses may be in no text from `:at` on. */
export function markingUnused(uses: Fragment): Fragment {
  // Noted again, so that a purge that looked at the picture before leaves it.
  return fragment`
    INSERT INTO unused_pictures (picture_id, since)
    SELECT DISTINCT uses.picture_id, cast(:at AS bigint) FROM picture_uses AS uses ${uses}
    ON CONFLICT (picture_id) DO UPDATE SET since = CASE
      WHEN excluded.since > unused_pictures.since THEN excluded.since ELSE unused_pictures.since END`;
}

/**
 * The two statements that take pictures out of texts that are to go, at most `:uses` at a time, the first of which
 * returns a row unless there are none. What a text has would go with it in one piece, and there can be a hundred
 * pictures in each of thousands of comments on a post. Those that are in no other text are left for the purge.
 */
export function takingOut(texts: Fragment): Record<'mark' | 'deletion', Fragment> {
  const next = fragment`SELECT id FROM picture_uses WHERE ${texts} LIMIT cast(:uses AS bigint)`;
  return {
    mark: fragment`${markingUnused(fragment`WHERE uses.id IN (${next})`)} RETURNING picture_id`,
    // Meanwhile, another process may have deleted those that were next when they were noted.
    deletion: fragment`
      DELETE FROM picture_uses WHERE id IN (${next})
        AND EXISTS (SELECT 1 FROM unused_pictures WHERE unused_pictures.picture_id = picture_uses.picture_id)`,
  };
}

const IS_LEFT_OUT = fragment`NOT EXISTS (
  SELECT 1 FROM pictures WHERE pictures.id = uses.picture_id AND :digests LIKE '%' || pictures.digest || '%')`;

const markLeftByPost = sql<{ postId: number; at: Timestamp; digests: string }>`
  ${markingUnused(fragment`WHERE uses.post_id = :postId AND uses.comment_id IS NULL AND ${IS_LEFT_OUT}`)}`;

const markLeftByComment = sql<{ commentId: number; at: Timestamp; digests: string }>`
  ${markingUnused(fragment`WHERE uses.comment_id = :commentId AND ${IS_LEFT_OUT}`)}`;

// A picture that an import brought in for another member stays, since the author can't bring it back.
const IS_OWN_LEFT_OUT = fragment`EXISTS (
  SELECT 1 FROM pictures
  WHERE pictures.id = picture_uses.picture_id AND pictures.user_id = :userId
    AND :digests NOT LIKE '%' || pictures.digest || '%')`;

const deleteUsesLeftByPost = sql<Own & { postId: number }>`
  DELETE FROM picture_uses WHERE post_id = :postId AND comment_id IS NULL AND ${IS_OWN_LEFT_OUT}`;

const deleteUsesLeftByComment = sql<Own & { commentId: number }>`
  DELETE FROM picture_uses WHERE comment_id = :commentId AND ${IS_OWN_LEFT_OUT}`;
