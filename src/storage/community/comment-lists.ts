// Comments, as rows: the reads. A list begins at a comment's number.

import type { Comment, CommentInPlace, CommentReads } from '../../community/comment-store.ts';
import type { Timestamp } from '../../lib/clock.ts';
import type { Database } from '../engine/database.ts';
import { fragment, sql } from '../engine/sql.ts';

export function commentLists(database: Database): CommentReads {
  return {
    async findComment(id) {
      const row = await database.first(selectComment({ id }));
      return row && commentInPlaceOf(row);
    },
    async findTopComment(id) {
      const row = await database.first(selectTopComment({ id }));
      return row && commentInPlaceOf(row);
    },
    async topComments(postId, from, limit) {
      return (await database.rows(selectTopComments({ postId, from, limit }))).map(commentOf);
    },
    async topCommentsBefore(postId, before, limit) {
      return (await database.rows(selectTopCommentsBefore({ postId, before, limit }))).map(({ id }) => id);
    },
    async firstReplies(postId, first, last, each) {
      return (await database.rows(selectFirstReplies({ postId, first, last, each }))).map(commentOf);
    },
    async repliesTo(topId, from, limit) {
      return (await database.rows(selectReplies({ topId, from, limit }))).map(commentOf);
    },
    async repliesBefore(topId, before, limit) {
      return (await database.rows(selectRepliesBefore({ topId, before, limit }))).map(({ id }) => id);
    },
  };
}

interface CommentRow {
  id: number;
  post_id: number;
  parent_id: number | null;
  user_id: number;
  status: Comment['status'];
  body: string;
  created_at: Timestamp;
  edited_at: Timestamp | null;
  author_name: string;
  author_avatar: string | null;
}

const COLUMNS = fragment`
  comments.id, comments.post_id, comments.parent_id, comments.user_id, comments.status, comments.body,
  comments.created_at, comments.edited_at, users.username AS author_name, users.avatar AS author_avatar`;

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
  SELECT ${COLUMNS}, posts.title AS post_title
  FROM comments
  JOIN users ON users.id = comments.user_id
  JOIN posts ON posts.id = comments.post_id AND posts.status = 'published'`;

const selectComment = sql<{ id: number }, CommentRow & { post_title: string }>`
  ${COMMENT_IN_PLACE}
  WHERE comments.id = :id AND comments.status = 'published'`;

const selectTopComment = sql<{ id: number }, CommentRow & { post_title: string }>`
  ${COMMENT_IN_PLACE}
  WHERE comments.id = :id AND ${IS_VISIBLE_TOP}`;

const selectTopComments = sql<{ postId: number; from: number; limit: number }, CommentRow>`
  SELECT ${COLUMNS}
  FROM comments JOIN users ON users.id = comments.user_id
  WHERE comments.post_id = :postId AND comments.id >= :from AND ${IS_VISIBLE_TOP}
  ORDER BY comments.id
  LIMIT cast(:limit AS bigint)`;

const selectTopCommentsBefore = sql<{ postId: number; before: number; limit: number }, { id: number }>`
  SELECT comments.id
  FROM comments
  WHERE comments.post_id = :postId AND comments.id < :before AND ${IS_VISIBLE_TOP}
  ORDER BY comments.id DESC
  LIMIT cast(:limit AS bigint)`;

// This goes from each top comment to its replies. Most numbers between two comments of a post belong to
// comments on other posts, so a range of numbers would read too much.
const selectFirstReplies = sql<{ postId: number; first: number; last: number; each: number }, CommentRow>`
  SELECT ${COLUMNS}
  FROM comments
  JOIN users ON users.id = comments.user_id
  JOIN comments AS top ON top.id = comments.parent_id
  WHERE top.post_id = :postId
    AND top.parent_id IS NULL
    AND top.id >= :first
    AND top.id <= :last
    AND comments.id IN (
      SELECT early.id FROM comments AS early
      WHERE early.parent_id = top.id AND early.status = 'published'
      ORDER BY early.id
      LIMIT cast(:each AS bigint)
    )
  ORDER BY comments.id`;

const selectReplies = sql<{ topId: number; from: number; limit: number }, CommentRow>`
  SELECT ${COLUMNS}
  FROM comments JOIN users ON users.id = comments.user_id
  WHERE comments.parent_id = :topId AND comments.id >= :from AND comments.status = 'published'
  ORDER BY comments.id
  LIMIT cast(:limit AS bigint)`;

const selectRepliesBefore = sql<{ topId: number; before: number; limit: number }, { id: number }>`
  SELECT id
  FROM comments
  WHERE parent_id = :topId AND id < :before AND status = 'published'
  ORDER BY id DESC
  LIMIT cast(:limit AS bigint)`;

function commentOf(row: CommentRow): Comment {
  return {
    id: row.id,
    postId: row.post_id,
    parentId: row.parent_id ?? undefined,
    userId: row.user_id,
    authorName: row.author_name,
    authorAvatar: row.author_avatar ?? undefined,
    status: row.status,
    body: row.status === 'removed' ? '' : row.body,
    createdAt: row.created_at,
    editedAt: row.edited_at ?? undefined,
  };
}

function commentInPlaceOf(row: CommentRow & { post_title: string }): CommentInPlace {
  return { ...commentOf(row), postTitle: row.post_title };
}
