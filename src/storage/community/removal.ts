// An operator's removal of a post or a comment: the text stays in its row, hidden from the pages.

import type { OperatorDoer } from '../../audit/doer.ts';
import type { Reportable, ReportedRemoval } from '../../community/report-store.ts';
import type { Timestamp } from '../../lib/clock.ts';
import { entry } from '../audit/audit-trail.ts';
import type { AuditTrail } from '../engine/database.ts';
import { type Bound, sql } from '../engine/sql.ts';
import { uncountComment } from './comments.ts';
import { deleteNotificationsOfComment } from './notifications.ts';
import { updatePopularity } from './popularity.ts';
import { takeXpBack } from './xp.ts';

interface RemovalStatements {
  audit: AuditTrail;
  guard: Bound<unknown>;
  effects: Bound<unknown>[];
}

/**
 * Remove a post or a comment. The guard fails if it is removed already. The effects notify its author and
 * take back the points that it earned.
 */
export function removalOf(by: OperatorDoer, removal: ReportedRemoval): RemovalStatements {
  const { commentId } = removal.subject;
  return commentId === undefined ? removalOfPost(by, removal) : removalOfComment(by, removal, commentId);
}

function removalOfPost(by: OperatorDoer, { subject, xp }: ReportedRemoval): RemovalStatements {
  const { postId: id } = subject;
  return {
    audit: entry(by, { action: 'post.remove', subject: { kind: 'post', id: String(id) } }),
    guard: removePost({ id, at: by.at, by: by.userId }),
    effects: effectsOnAuthor(by, subject, xp),
  };
}

function removalOfComment(
  by: OperatorDoer,
  { subject, xp, weight }: ReportedRemoval,
  id: number,
): RemovalStatements {
  const { postId } = subject;
  return {
    audit: entry(by, {
      action: 'comment.remove',
      subject: { kind: 'comment', id: String(id) },
      detail: { post: postId },
    }),
    guard: removeComment({ id, at: by.at, by: by.userId }),
    effects: [
      deleteNotificationsOfComment({ commentId: id }),
      ...effectsOnAuthor(by, subject, xp),
      uncountComment({ postId }),
      updatePopularity({ postId, weight }),
    ],
  };
}

function effectsOnAuthor(
  { at }: OperatorDoer,
  { postId, commentId, authorId }: Reportable,
  xp: number,
): Bound<unknown>[] {
  return [
    takeXpBack({ userId: authorId, xp }),
    insertRemovalNotification({ userId: authorId, postId, commentId, at }),
  ];
}

interface RemovedBy {
  id: number;
  at: Timestamp;
  by: number;
}

const removePost = sql<RemovedBy>`
  UPDATE posts SET status = 'removed', removed_at = :at, removed_by = :by
  WHERE id = :id AND status = 'published'`;

const removeComment = sql<RemovedBy>`
  UPDATE comments SET status = 'removed', removed_at = :at, removed_by = :by
  WHERE id = :id AND status = 'published'`;

interface RemovalNotification {
  userId: number;
  postId: number;
  commentId: number | undefined;
  at: Timestamp;
}

// Without an actor: the operators act for the community, so the author isn't told which of them it was.
const insertRemovalNotification = sql<RemovalNotification>`
  INSERT INTO notifications (user_id, kind, post_id, comment_id, created_at)
  VALUES (:userId, 'removal', :postId, :commentId, :at)
  ON CONFLICT DO NOTHING`;
