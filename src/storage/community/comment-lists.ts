// Comments, as they are read: one in its place, or lists from a number on.

import { type ExpressionBuilder, type Kysely, sql as rawSql } from 'kysely';
import type { Comment, CommentInPlace } from '../../community/comment.ts';
import type { CommentStore } from '../../community/comment-store.ts';
import type { Database } from '../engine/database.ts';
import type { Schema } from '../engine/schema.ts';
import { type Param, rowCount, statement } from '../engine/statement.ts';

export function commentLists(
  database: Database,
): Omit<CommentStore, 'addComment' | 'editComment' | 'removeComment'> {
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
      return (await database.rows(selectTops({ postId, from, limit }))).map(commentOf);
    },
    async topCommentsBefore(postId, before, limit) {
      return (await database.rows(selectTopsBefore({ postId, before, limit }))).map(({ id }) => id);
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

const COLUMNS = [
  ...(['comments.id', 'comments.post_id', 'comments.parent_id', 'comments.user_id'] as const),
  ...(['comments.status', 'comments.body', 'comments.created_at', 'comments.edited_at'] as const),
  'users.username as author_name',
  'users.avatar as author_avatar',
] as const;

function selectComments(sql: Kysely<Schema>) {
  return sql.selectFrom('comments').innerJoin('users', 'users.id', 'comments.user_id').select(COLUMNS);
}

// A removed comment is there only for the replies below it. Asked for as a value, one by one: of `exists` PostgreSQL may
// make a list of all comments that have replies.
function isVisibleTop(of: ExpressionBuilder<Schema, 'comments'>) {
  const anyReply = of
    .selectFrom('comments as reply')
    .select('reply.id')
    .whereRef('reply.parent_id', '=', 'comments.id')
    .where('reply.status', '=', 'published')
    .limit(1);
  return of.or([of('comments.status', '=', 'published'), of(anyReply, 'is not', null)]);
}

function selectInPlace(sql: Kysely<Schema>) {
  return selectComments(sql)
    .innerJoin('posts', 'posts.id', 'comments.post_id')
    .select('posts.title as post_title')
    .where('posts.status', '=', 'published');
}

const selectComment = statement((sql, p: Param<{ id: number }>) =>
  selectInPlace(sql).where('comments.id', '=', p('id')).where('comments.status', '=', 'published'),
);

const selectTopComment = statement((sql, p: Param<{ id: number }>) =>
  selectInPlace(sql)
    .where('comments.id', '=', p('id'))
    .where('comments.parent_id', 'is', null)
    .where(isVisibleTop),
);

const selectTops = statement((sql, p: Param<{ postId: number; from: number; limit: number }>) =>
  selectComments(sql)
    .where('comments.post_id', '=', p('postId'))
    .where('comments.parent_id', 'is', null)
    .where('comments.id', '>=', p('from'))
    .where(isVisibleTop)
    .orderBy('comments.id')
    .limit(rowCount(p('limit'))),
);

const selectTopsBefore = statement((sql, p: Param<{ postId: number; before: number; limit: number }>) =>
  sql
    .selectFrom('comments')
    .select('comments.id')
    .where('comments.post_id', '=', p('postId'))
    .where('comments.parent_id', 'is', null)
    .where('comments.id', '<', p('before'))
    .where(isVisibleTop)
    .orderBy('comments.id', 'desc')
    .limit(rowCount(p('limit'))),
);

// From each comment to its replies: between the numbers of two comments of one post lie those of very many others.
const selectFirstReplies = statement(
  (sql, p: Param<{ postId: number; first: number; last: number; each: number }>) =>
    selectComments(sql)
      .innerJoin('comments as top', 'top.id', 'comments.parent_id')
      .where('top.post_id', '=', p('postId'))
      .where('top.parent_id', 'is', null)
      .where('top.id', '>=', p('first'))
      .where('top.id', '<=', p('last'))
      .where('comments.id', 'in', (of) =>
        of
          .selectFrom('comments as early')
          .select('early.id')
          .whereRef('early.parent_id', '=', 'top.id')
          .where('early.status', '=', 'published')
          .orderBy('early.id')
          .limit(rowCount(p('each'))),
      )
      .orderBy('comments.id'),
);

const selectReplies = statement((sql, p: Param<{ topId: number; from: number; limit: number }>) =>
  selectComments(sql)
    .where('comments.parent_id', '=', p('topId'))
    .where('comments.id', '>=', p('from'))
    .where('comments.status', '=', 'published')
    .orderBy('comments.id')
    .limit(rowCount(p('limit'))),
);

const selectRepliesBefore = statement((sql, p: Param<{ topId: number; before: number; limit: number }>) =>
  sql
    .selectFrom('comments')
    .select('id')
    .where('parent_id', '=', p('topId'))
    .where('id', '<', p('before'))
    .where('status', '=', 'published')
    .orderBy('id', 'desc')
    .limit(rowCount(p('limit'))),
);

/**
 * The comment that its author has just added to the post in this transaction: others on the post, also the author's
 * own, wait until it is over.
 */
export function ownNewComment(value: { userId: number; postId: number }) {
  return rawSql<number>`(select id from comments where user_id = ${value.userId} and post_id = ${value.postId}
    order by id desc limit 1)`;
}

type CommentRow = NonNullable<ReturnType<typeof selectTops>['rowType']>;

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
