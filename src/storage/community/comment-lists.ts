// Comments, as rows: the reads. A list begins at a comment's id.

import type {
  Comment,
  CommentInPlace,
  CommentReads,
  CommentSize,
  ReplySize,
} from '../../community/comment-store.ts';
import type { Database } from '../engine/database.ts';
import { fragment, sql } from '../engine/sql.ts';

export function commentLists(database: Database): CommentReads {
  return {
    findComment: async (id) => database.first(selectComment({ id })),
    findOwnComment: async (id, userId) => database.first(selectOwnComment({ id, userId })),
    findTopComment: async (id) => database.first(selectTopComment({ id })),
    topComments: async (postId, from, limit) => database.rows(selectTopComments({ postId, from, limit })),
    topCommentsBefore: async (postId, before, limit) =>
      database.rows(selectTopCommentsBefore({ postId, before, limit })),
    firstReplies: async (postId, first, last, each) =>
      database.rows(selectFirstReplies({ postId, first, last, each })),
    repliesTo: async (topId, from, limit) => database.rows(selectReplies({ topId, from, limit })),
    repliesBefore: async (topId, before, limit) =>
      database.rows(selectRepliesBefore({ topId, before, limit })),
    comments: async (ids) => database.rows(selectComments[database.dialect]({ ids: JSON.stringify(ids) })),
  };
}

// The row of a removed comment still has the text.
const COLUMNS = fragment`
  comments.id, comments.post_id AS "postId", comments.parent_id AS "parentId", comments.user_id AS "userId",
  users.username AS "authorName", users.avatar AS "authorAvatar", comments.status,
  CASE WHEN comments.status = 'removed' THEN '' ELSE comments.body END AS body,
  CASE WHEN comments.status = 'removed' THEN '' ELSE comments.html END AS html,
  comments.html_version AS "htmlVersion",
  comments.created_at AS "createdAt", comments.edited_at AS "editedAt"`;

// Both databases know the length in bytes without reading the text.
const SIZE = fragment`
  comments.id,
  CASE WHEN comments.status = 'removed' THEN 0
    ELSE coalesce(octet_length(comments.html), octet_length(comments.body)) END AS bytes`;

// A removed comment shows only above its replies. The subquery reads one value, because for EXISTS PostgreSQL
// may list all comments that have replies.
const IS_VISIBLE_TOP = fragment`
  comments.parent_id IS NULL AND (
    comments.status = 'published' OR (
      SELECT reply.id FROM comments AS reply
      WHERE reply.parent_id = comments.id AND reply.status = 'published'
      LIMIT 1
    ) IS NOT NULL
  )`;

const COMMENT_IN_PLACE = fragment`
  SELECT ${COLUMNS}, posts.title AS "postTitle", posts.locked_at AS "postLockedAt"
  FROM comments
  JOIN users ON users.id = comments.user_id
  JOIN posts ON posts.id = comments.post_id AND posts.status = 'published'`;

const selectComment = sql<{ id: number }, CommentInPlace>`
  ${COMMENT_IN_PLACE}
  WHERE comments.id = :id AND comments.status = 'published'`;

const selectOwnComment = sql<{ id: number; userId: number }, CommentInPlace>`
  ${COMMENT_IN_PLACE}
  WHERE comments.id = :id AND comments.user_id = :userId AND comments.status IN ('published', 'waiting')`;

const selectTopComment = sql<{ id: number }, CommentInPlace>`
  ${COMMENT_IN_PLACE}
  WHERE comments.id = :id AND ${IS_VISIBLE_TOP}`;

const selectTopComments = sql<{ postId: number; from: number; limit: number }, CommentSize>`
  SELECT ${SIZE}
  FROM comments
  WHERE comments.post_id = :postId AND comments.id >= :from AND ${IS_VISIBLE_TOP}
  ORDER BY comments.id LIMIT cast(:limit AS bigint)`;

const selectTopCommentsBefore = sql<{ postId: number; before: number; limit: number }, CommentSize>`
  SELECT ${SIZE}
  FROM comments
  WHERE comments.post_id = :postId AND comments.id < :before AND ${IS_VISIBLE_TOP}
  ORDER BY comments.id DESC LIMIT cast(:limit AS bigint)`;

// This goes from each top comment to its replies. Most ids between two comments of a post belong to comments
// on other posts, so a range of ids would read too much.
const selectFirstReplies = sql<{ postId: number; first: number; last: number; each: number }, ReplySize>`
  SELECT ${SIZE}, top.id AS "parentId"
  FROM comments
  JOIN comments AS top ON top.id = comments.parent_id
  WHERE top.post_id = :postId AND top.parent_id IS NULL AND top.id >= :first AND top.id <= :last
    AND comments.id IN (
      SELECT early.id FROM comments AS early
      WHERE early.parent_id = top.id AND early.status = 'published'
      ORDER BY early.id LIMIT cast(:each AS bigint)
    )
  ORDER BY comments.id`;

const selectReplies = sql<{ topId: number; from: number; limit: number }, CommentSize>`
  SELECT ${SIZE}
  FROM comments
  WHERE comments.parent_id = :topId AND comments.id >= :from AND comments.status = 'published'
  ORDER BY comments.id LIMIT cast(:limit AS bigint)`;

const selectRepliesBefore = sql<{ topId: number; before: number; limit: number }, CommentSize>`
  SELECT ${SIZE}
  FROM comments
  WHERE comments.parent_id = :topId AND comments.id < :before AND comments.status = 'published'
  ORDER BY comments.id DESC LIMIT cast(:limit AS bigint)`;

// The ids are a JSON array.
const selectComments = {
  sqlite: sql<{ ids: string }, Comment>`
    SELECT ${COLUMNS}
    FROM comments JOIN users ON users.id = comments.user_id
    WHERE comments.id IN (SELECT value FROM json_each(:ids))
    ORDER BY comments.id`,
  postgres: sql<{ ids: string }, Comment>`
    SELECT ${COLUMNS}
    FROM comments JOIN users ON users.id = comments.user_id
    WHERE comments.id = ANY (
      ARRAY(SELECT cast(json_array_elements_text(cast(:ids AS json)) AS bigint))
    )
    ORDER BY comments.id`,
};
