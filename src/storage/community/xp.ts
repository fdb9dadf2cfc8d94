// Members' points, which never fall below 0.

import { fragment, sql } from '../engine/sql.ts';

interface OfMember {
  userId: number;
  xp: number;
}

interface OfAuthor {
  postId: number;
  xp: number;
}

/** The points that are left when `:xp` points are taken back. */
export const LESS_XP = fragment`CASE WHEN xp > :xp THEN xp - :xp ELSE 0 END`;

export const addXp = sql<OfMember>`
  UPDATE users SET xp = xp + :xp WHERE id = :userId`;

export const takeXpBack = sql<OfMember>`
  UPDATE users SET xp = ${LESS_XP} WHERE id = :userId`;

const AUTHOR = fragment`(SELECT user_id FROM posts WHERE posts.id = :postId)`;

export const addXpToAuthor = sql<OfAuthor>`
  UPDATE users SET xp = xp + :xp WHERE id = ${AUTHOR}`;

export const takeXpBackFromAuthor = sql<OfAuthor>`
  UPDATE users SET xp = ${LESS_XP} WHERE id = ${AUTHOR}`;

// A removed post keeps the time of its publication, if it ever was published.
const WAS_PUBLISHED = fragment`
  EXISTS (SELECT 1 FROM posts WHERE posts.id = :postId AND posts.published_at IS NOT NULL)`;

export const addXpIfPublished = sql<OfMember & { postId: number }>`
  UPDATE users SET xp = xp + :xp WHERE id = :userId AND ${WAS_PUBLISHED}`;

export const takeXpBackIfPublished = sql<OfMember & { postId: number }>`
  UPDATE users SET xp = ${LESS_XP} WHERE id = :userId AND ${WAS_PUBLISHED}`;
