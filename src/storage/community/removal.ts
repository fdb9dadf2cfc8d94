// An operator's removal of a post or a comment: the text stays in its row, and nobody sees it any more.

import { sql as rawSql } from 'kysely';
import type { Reportable } from '../../community/report.ts';
import type { Act } from '../../identity/act.ts';
import type { Timestamp } from '../../lib/clock.ts';
import { noteOf } from '../audit/audit-events.ts';
import { type Bound, type Param, statement } from '../engine/statement.ts';
import { uncountComment } from './comments.ts';
import { deleteNotificationsOfComment } from './notifications.ts';
import { reheat } from './popularity.ts';
import { takeXpBack } from './xp.ts';

interface Removal {
  xp: number;
  weight: number;
  act: Act;
}

/** The guard, which fails if it is gone already, and what else is done: its author is told, and loses what it earned. */
export function removalOf(
  { postId, commentId, authorId }: Reportable,
  { xp, weight, act }: Removal,
): { guard: Bound<unknown>; effects: Bound<unknown>[] } {
  const { at } = act;
  const by = act.actorId ?? null;
  const always = [
    takeXpBack({ userId: authorId, xp }),
    insertRemovalNotification({ userId: authorId, postId, commentId: commentId ?? null, at }),
  ];
  if (commentId === undefined) {
    return {
      guard: removePublishedPost({ id: postId, at, by }),
      effects: [...always, ...noteOf(act, { action: 'post.remove', subjectKind: 'post', subjectId: postId })],
    };
  }
  return {
    guard: removeComment({ id: commentId, at, by }),
    effects: [
      // First: what was told of the comment is forgotten, but not that it was removed.
      deleteNotificationsOfComment({ id: commentId }),
      ...always,
      uncountComment({ postId }),
      reheat({ postId, weight }),
      ...noteOf(act, {
        action: 'comment.remove',
        subjectKind: 'comment',
        subjectId: commentId,
        detail: { post: postId },
      }),
    ],
  };
}

const removePublishedPost = statement((sql, p: Param<{ id: number; at: Timestamp; by: number | null }>) =>
  sql
    .updateTable('posts')
    .set({ status: 'removed', removed_at: p('at'), removed_by: p('by') })
    .where('id', '=', p('id'))
    .where('status', '=', 'published'),
);

const removeComment = statement((sql, p: Param<{ id: number; at: Timestamp; by: number | null }>) =>
  sql
    .updateTable('comments')
    .set({ status: 'removed', removed_at: p('at'), removed_by: p('by') })
    .where('id', '=', p('id'))
    .where('status', '=', 'published'),
);

// Nobody is named: it is the operators' doing, whoever of them did it.
const insertRemovalNotification = statement(
  (sql, p: Param<{ userId: number; postId: number; commentId: number | null; at: Timestamp }>) =>
    sql
      .insertInto('notifications')
      .values({
        user_id: p('userId'),
        kind: rawSql.lit('removal'),
        post_id: p('postId'),
        comment_id: p('commentId'),
        created_at: p('at'),
      })
      .onConflict((conflict) => conflict.doNothing()),
);
