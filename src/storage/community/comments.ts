// Comments, as rows: what changes them. A removed one keeps its row, for its replies.

import type { CommentRemoval, CommentStore, NewComment } from '../../community/comment-store.ts';
import type { Timestamp } from '../../lib/clock.ts';
import type { Database } from '../engine/database.ts';
import { type Dialect, type Param, statement } from '../engine/statement.ts';
import {
  deleteNotificationsOfComment,
  insertCommentNotification,
  insertReplyNotification,
} from './notifications.ts';
import { reheat } from './popularity.ts';
import { addXp, takeXpBack } from './xp.ts';

export function commentRows(
  database: Database,
): Pick<CommentStore, 'addComment' | 'editComment' | 'removeComment'> {
  const { dialect } = database;
  return {
    async addComment(comment) {
      const { postId, userId, answers, xp, weight, at } = comment;
      const told = { postId, actorId: userId, at };
      const { rows } = await database.atomically({
        guard: insertionOf(comment, dialect),
        effects: [
          countComment({ postId }),
          addXp({ userId, xp }),
          ...(answers === undefined
            ? []
            : [
                insertReplyNotification({
                  ...told,
                  answeredId: answers.id,
                  answeredAuthorId: answers.userId,
                }),
              ]),
          insertCommentNotification({ ...told, answeredAuthorId: answers?.userId ?? 0 }),
          reheat({ postId, weight }),
        ],
      });
      return rows[0]?.id;
    },
    async editComment(id, userId, body, at) {
      return (await database.atomically({ guard: updateBody({ id, userId, body, at }) })).happened;
    },
    async removeComment(removal) {
      const { id, postId, authorId, xp, weight } = removal;
      const outcome = await database.atomically({
        guard: markRemoved(removal),
        effects: [
          uncountComment({ postId }),
          takeXpBack({ userId: authorId, xp }),
          deleteNotificationsOfComment({ id }),
          reheat({ postId, weight }),
        ],
      });
      return outcome.happened;
    },
  };
}

function insertionOf(comment: NewComment, dialect: Dialect) {
  const { answers } = comment;
  if (answers === undefined) return insertTop[dialect](comment);
  return insertReply[dialect]({ ...comment, answeredId: answers.id });
}

// On PostgreSQL the post is locked before its state is judged: else it could be removed between the two. What the
// effects ask of the comment that they are about (`ownNewComment`) counts on that lock too.
const insertTop = { sqlite: insertionOfTop(false), postgres: insertionOfTop(true) };
const insertReply = { sqlite: insertionOfReply(false), postgres: insertionOfReply(true) };

type TopText = Pick<NewComment, 'postId' | 'userId' | 'body' | 'at'>;

function insertionOfTop(locking: boolean) {
  return statement((sql, p: Param<TopText>) =>
    sql
      .insertInto('comments')
      .columns(['post_id', 'user_id', 'body', 'created_at'])
      .expression(
        sql
          .selectFrom('posts')
          .select((of) => [
            'posts.id',
            of.val(p('userId')).as('user_id'),
            of.val(p('body')).as('body'),
            of.val(p('at')).as('created_at'),
          ])
          .where('posts.id', '=', p('postId'))
          .where('posts.status', '=', 'published')
          .$if(locking, (query) => query.forNoKeyUpdate('posts')),
      )
      .returning('id'),
  );
}

function insertionOfReply(locking: boolean) {
  return statement((sql, p: Param<TopText & { answeredId: number }>) =>
    sql
      .insertInto('comments')
      .columns(['post_id', 'parent_id', 'user_id', 'body', 'created_at'])
      .expression(
        sql
          .selectFrom('posts')
          .innerJoin('comments as answered', 'answered.post_id', 'posts.id')
          .select((of) => [
            'posts.id',
            of.fn.coalesce('answered.parent_id', 'answered.id').as('parent_id'),
            of.val(p('userId')).as('user_id'),
            of.val(p('body')).as('body'),
            of.val(p('at')).as('created_at'),
          ])
          .where('posts.id', '=', p('postId'))
          .where('posts.status', '=', 'published')
          .where('answered.id', '=', p('answeredId'))
          .where('answered.status', '=', 'published')
          .$if(locking, (query) => query.forNoKeyUpdate(['posts', 'answered'])),
      )
      .returning('id'),
  );
}

const updateBody = statement((sql, p: Param<{ id: number; userId: number; body: string; at: Timestamp }>) =>
  sql
    .updateTable('comments')
    .set({ body: p('body'), edited_at: p('at') })
    .where('id', '=', p('id'))
    .where('user_id', '=', p('userId'))
    .where('status', '=', 'published')
    .where((of) =>
      of.exists(
        of
          .selectFrom('posts')
          .select('posts.id')
          .whereRef('posts.id', '=', 'comments.post_id')
          .where('posts.status', '=', 'published'),
      ),
    ),
);

const markRemoved = statement((sql, p: Param<CommentRemoval>) =>
  sql
    .updateTable('comments')
    .set({ status: 'removed', removed_at: p('at') })
    .where('id', '=', p('id'))
    .where('post_id', '=', p('postId'))
    .where('user_id', '=', p('authorId'))
    .where('status', '=', 'published'),
);

/** One more comment on a post. */
export const countComment = statement((sql, p: Param<{ postId: number }>) =>
  sql
    .updateTable('posts')
    .set((of) => ({ comment_count: of('comment_count', '+', 1) }))
    .where('id', '=', p('postId')),
);

/** One less. */
export const uncountComment = statement((sql, p: Param<{ postId: number }>) =>
  sql
    .updateTable('posts')
    .set((of) => ({ comment_count: of('comment_count', '-', 1) }))
    .where('id', '=', p('postId')),
);
