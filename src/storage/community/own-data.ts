// A member's own posts, comments, likes and reports for the download, read in pieces along indexes.

import type {
  OwnComment,
  OwnDataReads,
  OwnLike,
  OwnPost,
  OwnReport,
} from '../../community/own-data-store.ts';
import type { Database } from '../engine/database.ts';
import { fragment, sql } from '../engine/sql.ts';
import { IS_PUBLIC } from './visibility.ts';

export function ownDataRows(database: Database): OwnDataReads {
  return {
    ownPosts: async (userId, status, { at, id }, limit) =>
      database.rows(selectPosts[status]({ userId, at, id, limit })),
    ownComments: async (userId, after, limit) => database.rows(selectComments({ userId, after, limit })),
    ownLikes: async (userId, { at, id }, limit) => database.rows(selectLikes({ userId, at, id, limit })),
    ownReports: async (userId, after, limit) => database.rows(selectReports({ userId, after, limit })),
  };
}

/** The values of a query for the next `limit` rows after the row with this `at` and `id`. */
interface Piece {
  userId: number;
  at: number;
  id: number;
  limit: number;
}

const OWN_POSTS = fragment`
  SELECT posts.id, posts.status, categories.name AS "categoryName", posts.title, posts.body, posts.tags,
    posts.created_at AS "createdAt", posts.updated_at AS "updatedAt",
    posts.published_at AS "publishedAt", posts.removed_at AS "removedAt",
    posts.like_count AS "likeCount", posts.comment_count AS "commentCount", posts.view_count AS "viewCount"
  FROM posts JOIN categories ON categories.id = posts.category_id
  WHERE posts.user_id = :userId`;

// Each status has an index of its own, ordered by the moment at which posts enter it.
const selectPosts = {
  published: sql<Piece, OwnPost>`
    ${OWN_POSTS} AND posts.status = 'published' AND (posts.published_at, posts.id) < (:at, :id)
    ORDER BY posts.published_at DESC, posts.id DESC LIMIT cast(:limit AS bigint)`,
  draft: sql<Piece, OwnPost>`
    ${OWN_POSTS} AND posts.status = 'draft' AND (posts.updated_at, posts.id) < (:at, :id)
    ORDER BY posts.updated_at DESC, posts.id DESC LIMIT cast(:limit AS bigint)`,
  removed: sql<Piece, OwnPost>`
    ${OWN_POSTS} AND posts.status = 'removed' AND (posts.removed_at, posts.id) < (:at, :id)
    ORDER BY posts.removed_at DESC, posts.id DESC LIMIT cast(:limit AS bigint)`,
};

/** The values of a query for the next `limit` rows with larger ids. */
interface PieceById {
  userId: number;
  after: number;
  limit: number;
}

const selectComments = sql<PieceById, OwnComment>`
  SELECT id, post_id AS "postId", parent_id AS "parentId", status, body,
    created_at AS "createdAt", edited_at AS "editedAt", removed_at AS "removedAt"
  FROM comments
  WHERE user_id = :userId AND id > :after
  ORDER BY id LIMIT cast(:limit AS bigint)`;

const selectReports = sql<PieceById, OwnReport>`
  SELECT id, post_id AS "postId", comment_id AS "commentId", reason, note,
    created_at AS "createdAt", resolved_at AS "resolvedAt"
  FROM reports
  WHERE reporter_id = :userId AND id > :after
  ORDER BY id LIMIT cast(:limit AS bigint)`;

// Only the author may still see the title of a post that is no longer public.
const selectLikes = sql<Piece, OwnLike>`
  SELECT likes.post_id AS "postId", posts.title AS "postTitle", likes.created_at AS "createdAt"
  FROM likes JOIN posts ON posts.id = likes.post_id
  WHERE likes.user_id = :userId AND ${IS_PUBLIC}
    AND (likes.created_at, likes.post_id) < (:at, :id)
  ORDER BY likes.created_at DESC, likes.post_id DESC LIMIT cast(:limit AS bigint)`;
