// Notifications, as rows: written by what they tell of, and read by the one whom they are for.

import { sql as rawSql } from 'kysely';
import type { Notification, NotificationStore } from '../../community/notification.ts';
import type { Timestamp } from '../../lib/clock.ts';
import type { Database } from '../engine/database.ts';
import { type Param, rowCount, statement } from '../engine/statement.ts';
import { ownNewComment } from './comment-lists.ts';

export function notificationRows(database: Database): NotificationStore {
  return {
    async notificationsOf(userId, before, limit) {
      return (await database.rows(selectNotifications({ userId, before, limit }))).map(notificationOf);
    },
    async countUnread(userId, most) {
      return Number((await database.first(countUnreadOf({ userId, most })))?.count ?? 0);
    },
    async markRead(userId, through, at) {
      await database.atomically({ guard: updateRead({ userId, through, at }) });
    },
  };
}

interface Told {
  postId: number;
  actorId: number;
  at: Timestamp;
}

/** Tells the post's author of the comment that has just been added, unless the answered comment is theirs. */
export const insertCommentNotification = statement((sql, p: Param<Told & { answeredAuthorId: number }>) =>
  sql
    .insertInto('notifications')
    .columns(['user_id', 'kind', 'actor_id', 'post_id', 'comment_id', 'created_at'])
    .expression(
      sql
        .selectFrom('posts')
        .innerJoin('users', 'users.id', 'posts.user_id')
        .select((of) => [
          'posts.user_id',
          rawSql.lit('comment').as('kind'),
          of.val(p('actorId')).as('actor_id'),
          'posts.id as post_id',
          ownNewComment({ userId: p('actorId'), postId: p('postId') }).as('comment_id'),
          of.val(p('at')).as('created_at'),
        ])
        .where('posts.id', '=', p('postId'))
        .where('posts.user_id', '<>', p('actorId'))
        .where('posts.user_id', '<>', p('answeredAuthorId'))
        .where('users.status', '<>', 'closed'),
    )
    .onConflict((conflict) => conflict.doNothing()),
);

/** Tells the author of a comment of the answer to it that has just been added. */
export const insertReplyNotification = statement(
  (sql, p: Param<Told & { answeredId: number; answeredAuthorId: number }>) =>
    sql
      .insertInto('notifications')
      .columns(['user_id', 'kind', 'actor_id', 'post_id', 'comment_id', 'created_at'])
      .expression(
        sql
          .selectFrom('comments')
          .innerJoin('users', 'users.id', 'comments.user_id')
          .select((of) => [
            'comments.user_id',
            rawSql.lit('reply').as('kind'),
            of.val(p('actorId')).as('actor_id'),
            'comments.post_id',
            ownNewComment({ userId: p('actorId'), postId: p('postId') }).as('comment_id'),
            of.val(p('at')).as('created_at'),
          ])
          .where('comments.id', '=', p('answeredId'))
          .where('comments.user_id', '<>', p('actorId'))
          .where('users.status', '<>', 'closed'),
      )
      .onConflict((conflict) => conflict.doNothing()),
);

/** Tells the post's author that it is liked. Who takes it back and likes it again is told of once. */
export const insertLikeNotification = statement((sql, p: Param<Told>) =>
  sql
    .insertInto('notifications')
    .columns(['user_id', 'kind', 'actor_id', 'post_id', 'created_at'])
    .expression(
      sql
        .selectFrom('posts')
        .innerJoin('users', 'users.id', 'posts.user_id')
        .select((of) => [
          'posts.user_id',
          rawSql.lit('like').as('kind'),
          of.val(p('actorId')).as('actor_id'),
          'posts.id as post_id',
          of.val(p('at')).as('created_at'),
        ])
        .where('posts.id', '=', p('postId'))
        .where('posts.user_id', '<>', p('actorId'))
        .where('users.status', '<>', 'closed'),
    )
    .onConflict((conflict) => conflict.doNothing()),
);

/** Forgets what was told of a comment, but not why it was removed. */
export const deleteNotificationsOfComment = statement((sql, p: Param<{ id: number }>) =>
  sql.deleteFrom('notifications').where('comment_id', '=', p('id')).where('kind', '<>', 'removal'),
);

const selectNotifications = statement((sql, p: Param<{ userId: number; before: number; limit: number }>) =>
  sql
    .selectFrom('notifications')
    .innerJoin('posts', 'posts.id', 'notifications.post_id')
    .leftJoin('users as actor', 'actor.id', 'notifications.actor_id')
    .select([
      ...(['notifications.id', 'notifications.kind', 'notifications.post_id'] as const),
      ...(['notifications.comment_id', 'notifications.created_at', 'notifications.read_at'] as const),
      'actor.username as actor_name',
      'posts.title as post_title',
      'posts.status as post_status',
    ])
    .where('notifications.user_id', '=', p('userId'))
    .where('notifications.id', '<', p('before'))
    .orderBy('notifications.id', 'desc')
    .limit(rowCount(p('limit'))),
);

const countUnreadOf = statement((sql, p: Param<{ userId: number; most: number }>) =>
  sql
    .selectFrom(
      sql
        .selectFrom('notifications')
        .select('notifications.id')
        .where('notifications.user_id', '=', p('userId'))
        .where('notifications.read_at', 'is', null)
        .limit(rowCount(p('most')))
        .as('unread'),
    )
    .select((of) => of.fn.countAll<number>().as('count')),
);

const updateRead = statement((sql, p: Param<{ userId: number; through: number; at: Timestamp }>) =>
  sql
    .updateTable('notifications')
    .set({ read_at: p('at') })
    .where('user_id', '=', p('userId'))
    .where('id', '<=', p('through'))
    .where('read_at', 'is', null),
);

type NotificationRow = NonNullable<ReturnType<typeof selectNotifications>['rowType']>;

function notificationOf(row: NotificationRow): Notification {
  // A member may well know what a post of their own was called that is gone, but the others need not.
  const isToBeSeen = row.post_status === 'published' || row.kind === 'removal';
  return {
    id: row.id,
    kind: row.kind,
    actorName: row.actor_name ?? undefined,
    postId: row.post_id,
    postTitle: isToBeSeen ? row.post_title : undefined,
    commentId: row.comment_id ?? undefined,
    createdAt: row.created_at,
    isRead: row.read_at !== null,
  };
}
