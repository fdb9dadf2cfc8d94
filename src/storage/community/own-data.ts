// What a member wrote, for the export: read along indexes in pieces.

import type { OwnComment, OwnDataReads, OwnLike, OwnPost } from '../../community/own-data-store.ts';
import type { Timestamp } from '../../lib/clock.ts';
import type { Database } from '../engine/database.ts';
import { fragment, sql } from '../engine/sql.ts';

export function ownDataRows(database: Database): OwnDataReads {
  return {
    async ownPosts(userId, status, { at, id }, limit) {
      return (await database.rows(selectPosts[status]({ userId, at, id, limit }))).map(postOf);
    },
    async ownComments(userId, after, limit) {
      return (await database.rows(selectComments({ userId, after, limit }))).map(commentOf);
    },
    async ownLikes(userId, { at, id }, limit) {
      return (await database.rows(selectLikes({ userId, at, id, limit }))).map(likeOf);
    },
  };
}

/** A piece of a list whose rows come after the place of `at` and `id`. */
interface Piece {
  userId: number;
  at: number;
  id: number;
  limit: number;
}

interface PostRow {
  id: number;
  status: OwnPost['status'];
  title: string;
  body: string;
  created_at: Timestamp;
  updated_at: Timestamp;
  published_at: Timestamp | null;
  removed_at: Timestamp | null;
  like_count: number;
  comment_count: number;
  view_count: number;
  category_name: string;
}

const OWN_POSTS = fragment`
  SELECT posts.id, posts.status, posts.title, posts.body,
    posts.created_at, posts.updated_at, posts.published_at, posts.removed_at,
    posts.like_count, posts.comment_count, posts.view_count, categories.name AS category_name
  FROM posts JOIN categories ON categories.id = posts.category_id
  WHERE posts.user_id = :userId`;

// Each status has an index of its own, ordered by the moment at which posts enter it.
const selectPosts = {
  published: sql<Piece, PostRow>`
    ${OWN_POSTS} AND posts.status = 'published' AND (posts.published_at, posts.id) < (:at, :id)
    ORDER BY posts.published_at DESC, posts.id DESC
    LIMIT cast(:limit AS bigint)`,
  draft: sql<Piece, PostRow>`
    ${OWN_POSTS} AND posts.status = 'draft' AND (posts.updated_at, posts.id) < (:at, :id)
    ORDER BY posts.updated_at DESC, posts.id DESC
    LIMIT cast(:limit AS bigint)`,
  removed: sql<Piece, PostRow>`
    ${OWN_POSTS} AND posts.status = 'removed' AND (posts.removed_at, posts.id) < (:at, :id)
    ORDER BY posts.removed_at DESC, posts.id DESC
    LIMIT cast(:limit AS bigint)`,
};

interface CommentRow {
  id: number;
  post_id: number;
  parent_id: number | null;
  status: OwnComment['status'];
  body: string;
  created_at: Timestamp;
  edited_at: Timestamp | null;
  removed_at: Timestamp | null;
}

const selectComments = sql<{ userId: number; after: number; limit: number }, CommentRow>`
  SELECT id, post_id, parent_id, status, body, created_at, edited_at, removed_at
  FROM comments
  WHERE user_id = :userId AND id > :after
  ORDER BY id
  LIMIT cast(:limit AS bigint)`;

interface LikeRow {
  post_id: number;
  created_at: Timestamp;
  title: string;
}

// Only the author may still see the title of a post that is no longer public.
const selectLikes = sql<Piece, LikeRow>`
  SELECT likes.post_id, likes.created_at, posts.title
  FROM likes JOIN posts ON posts.id = likes.post_id
  WHERE likes.user_id = :userId
    AND posts.status = 'published'
    AND (likes.created_at, likes.post_id) < (:at, :id)
  ORDER BY likes.created_at DESC, likes.post_id DESC
  LIMIT cast(:limit AS bigint)`;

function postOf(row: PostRow): OwnPost {
  return {
    id: row.id,
    status: row.status,
    categoryName: row.category_name,
    title: row.title,
    body: row.body,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    publishedAt: row.published_at ?? undefined,
    removedAt: row.removed_at ?? undefined,
    likeCount: row.like_count,
    commentCount: row.comment_count,
    viewCount: row.view_count,
  };
}

function commentOf(row: CommentRow): OwnComment {
  return {
    id: row.id,
    postId: row.post_id,
    parentId: row.parent_id ?? undefined,
    status: row.status,
    body: row.body,
    createdAt: row.created_at,
    editedAt: row.edited_at ?? undefined,
    removedAt: row.removed_at ?? undefined,
  };
}

function likeOf(row: LikeRow): OwnLike {
  return { postId: row.post_id, postTitle: row.title, createdAt: row.created_at };
}
