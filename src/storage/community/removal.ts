// An operator's removal of a post or a comment: the text stays in its row, hidden from the pages.

import type { Reportable } from '../../community/report.ts';
import type { Act } from '../../identity/act.ts';
import type { Timestamp } from '../../lib/clock.ts';
import { noteOf } from '../audit/audit-events.ts';
import { type Bound, sql } from '../engine/sql.ts';
import { uncountComment } from './comments.ts';
import { deleteNotificationsOfComment } from './notifications.ts';
import { updatePopularity } from './popularity.ts';
import { takeXpBack } from './xp.ts';

interface Removal {
  xp: number;
  weight: number;
  act: Act;
}

interface RemovalStatements {
  guard: Bound<unknown>;
  effects: Bound<unknown>[];
}

/**
 * Remove a post or a comment. The guard fails if it is removed already. The effects tell its author, take
 * back the points that it earned and write the audit log.
 */
export function removalOf(subject: Reportable, removal: Removal): RemovalStatements {
  const { postId, commentId } = subject;
  return commentId === undefined
    ? removalOfPost(postId, subject, removal)
    : removalOfComment(commentId, subject, removal);
}

function removalOfPost(id: number, subject: Reportable, removal: Removal): RemovalStatements {
  const { act } = removal;
  return {
    guard: removePost({ id, at: act.at, by: act.actorId ?? null }),
    effects: [
      ...effectsOnAuthor(subject, removal),
      ...noteOf(act, { action: 'post.remove', subjectKind: 'post', subjectId: id }),
    ],
  };
}

function removalOfComment(id: number, subject: Reportable, removal: Removal): RemovalStatements {
  const { postId } = subject;
  const { weight, act } = removal;
  return {
    guard: removeComment({ id, at: act.at, by: act.actorId ?? null }),
    effects: [
      deleteNotificationsOfComment({ commentId: id }),
      ...effectsOnAuthor(subject, removal),
      uncountComment({ postId }),
      updatePopularity({ postId, weight }),
      ...noteOf(act, {
        action: 'comment.remove',
        subjectKind: 'comment',
        subjectId: id,
        detail: { post: postId },
      }),
    ],
  };
}

function effectsOnAuthor(
  { postId, commentId, authorId }: Reportable,
  { xp, act }: Removal,
): Bound<unknown>[] {
  return [
    takeXpBack({ userId: authorId, xp }),
    insertRemovalNotification({ userId: authorId, postId, commentId: commentId ?? null, at: act.at }),
  ];
}

interface RemovedBy {
  id: number;
  at: Timestamp;
  /** Null for the command line. */
  by: number | null;
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
  commentId: number | null;
  at: Timestamp;
}

// Without an actor: the operators act for the community, so the author isn't told which of them it was.
const insertRemovalNotification = sql<RemovalNotification>`
  INSERT INTO notifications (user_id, kind, post_id, comment_id, created_at)
  VALUES (:userId, 'removal', :postId, :commentId, :at)
  ON CONFLICT DO NOTHING`;
