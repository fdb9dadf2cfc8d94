// Bookmarks, as rows.

import type { BookmarkedPost, BookmarkStore } from '../../community/bookmark-store.ts';
import type { Cursor } from '../../community/feed.ts';
import type { Timestamp } from '../../lib/clock.ts';
import { ownAct } from '../audit/audit-trail.ts';
import { type Database, runGuarded } from '../engine/database.ts';
import { sql } from '../engine/sql.ts';
import { IS_ACTIVE } from '../identity/users.ts';
import { SUMMARY_COLUMNS, SUMMARY_TABLES } from './post-summary.ts';

export function bookmarkRows(database: Database): BookmarkStore {
  return {
    async addBookmark(by, postId, most) {
      const { userId, at } = by;
      const guard = insertBookmark({ postId, userId, at, most });
      return runGuarded(database, { audit: ownAct(by), guard });
    },
    async removeBookmark(by, postId) {
      const guard = deleteBookmark({ postId, userId: by.userId });
      return runGuarded(database, { audit: ownAct(by), guard });
    },
    async hasBookmarked(postId, userId) {
      return (await database.first(selectBookmark({ postId, userId }))) !== undefined;
    },
    bookmarkedPosts: async (userId, after, limit) => database.rows(selectPosts({ userId, ...after, limit })),
  };
}

const insertBookmark = sql<{ postId: number; userId: number; at: Timestamp; most: number }>`
  INSERT INTO bookmarks (post_id, user_id, created_at)
  SELECT posts.id, :userId, :at
  FROM posts WHERE posts.id = :postId AND posts.status = 'published' AND ${IS_ACTIVE}
    AND (SELECT count(*) FROM bookmarks WHERE bookmarks.user_id = :userId) < :most
  ON CONFLICT DO NOTHING`;

const deleteBookmark = sql<{ postId: number; userId: number }>`
  DELETE FROM bookmarks WHERE post_id = :postId AND user_id = :userId`;

const selectBookmark = sql<{ postId: number; userId: number }, { post_id: number }>`
  SELECT post_id FROM bookmarks WHERE post_id = :postId AND user_id = :userId`;

const selectPosts = sql<Cursor & { userId: number; limit: number }, BookmarkedPost>`
  SELECT ${SUMMARY_COLUMNS}, bookmarks.created_at AS "bookmarkedAt"
  FROM ${SUMMARY_TABLES}
  JOIN bookmarks ON bookmarks.post_id = posts.id
  WHERE bookmarks.user_id = :userId AND posts.status = 'published'
    AND (bookmarks.created_at, bookmarks.post_id) < (:at, :id)
  ORDER BY bookmarks.created_at DESC, bookmarks.post_id DESC LIMIT cast(:limit AS bigint)`;

/** Delete the bookmarks of an account. */
export const deleteBookmarksOf = sql<{ userId: number }>`
  DELETE FROM bookmarks WHERE user_id = :userId`;
