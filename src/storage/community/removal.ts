// An operator's removal of a post or a comment: the text stays in its row, hidden from the pages.

import type { OperatorDoer } from '../../audit/doer.ts';
import type { ReportedRemoval } from '../../community/report-store.ts';
import type { Timestamp } from '../../lib/clock.ts';
import { entry } from '../audit/audit-trail.ts';
import type { AuditTrail } from '../engine/database.ts';
import { type Bound, fragment, sql } from '../engine/sql.ts';
import { deleteNotificationsOfComment } from './notifications.ts';
import { updatePopularity } from './popularity.ts';
import { deleteWords } from './post-words.ts';
import { LESS_XP } from './xp.ts';

interface RemovalStatements {
  audit: AuditTrail;
  guard: Bound<unknown>;
  effects: Bound<unknown>[];
}

/**
 * Remove a post or a comment. The guard locks it, and fails if an operator removed it already. The effects
 * hide a published one, notify its author and take back the points that it earned.
 */
export function removalOf(by: OperatorDoer, removal: ReportedRemoval): RemovalStatements {
  const { commentId } = removal.subject;
  return commentId === undefined ? removalOfPost(by, removal) : removalOfComment(by, removal, commentId);
}

function removalOfPost(by: OperatorDoer, { subject, xp }: ReportedRemoval): RemovalStatements {
  const { postId: id, authorId } = subject;
  return {
    audit: entry(by, { action: 'post.remove', subject: { kind: 'post', id: String(id) } }),
    guard: takeOverPost({ id, by: by.userId }),
    effects: [
      takeXpBackIfPostVisible({ userId: authorId, xp, id }),
      hidePost({ id, at: by.at }),
      deleteWords({ id }),
      insertRemovalNotification({ userId: authorId, postId: id, commentId: undefined, at: by.at }),
    ],
  };
}

function removalOfComment(
  by: OperatorDoer,
  { subject, xp, weight }: ReportedRemoval,
  id: number,
): RemovalStatements {
  const { postId, authorId } = subject;
  return {
    audit: entry(by, {
      action: 'comment.remove',
      subject: { kind: 'comment', id: String(id) },
      detail: { post: postId },
    }),
    guard: takeOverComment({ id, by: by.userId }),
    effects: [
      deleteNotificationsOfComment({ commentId: id }),
      takeXpBackIfCommentVisible({ userId: authorId, xp, id }),
      uncountIfVisible({ postId, id }),
      hideComment({ id, at: by.at }),
      insertRemovalNotification({ userId: authorId, postId, commentId: id, at: by.at }),
      updatePopularity({ postId, weight }),
    ],
  };
}

interface TakenOver {
  id: number;
  by: number;
}

// A removal by the author becomes the operator's. The row stays locked, so the author can't restore it meanwhile.
const OPEN_TO_OPERATORS = fragment`
  (status = 'published' OR (status = 'removed' AND (removed_by IS NULL OR removed_by = user_id)))`;

const takeOverPost = sql<TakenOver>`
  UPDATE posts SET removed_by = :by WHERE id = :id AND ${OPEN_TO_OPERATORS}`;

const takeOverComment = sql<TakenOver>`
  UPDATE comments SET removed_by = :by WHERE id = :id AND ${OPEN_TO_OPERATORS}`;

interface Hidden {
  id: number;
  at: Timestamp;
}

const hidePost = sql<Hidden>`
  UPDATE posts SET status = 'removed', removed_at = :at WHERE id = :id AND status = 'published'`;

const hideComment = sql<Hidden>`
  UPDATE comments SET status = 'removed', removed_at = :at WHERE id = :id AND status = 'published'`;

// No points if the author removed the text before: they were already taken back then.
interface LostPoints {
  userId: number;
  xp: number;
  id: number;
}

const takeXpBackIfPostVisible = sql<LostPoints>`
  UPDATE users SET xp = ${LESS_XP}
  WHERE id = :userId AND EXISTS (SELECT 1 FROM posts WHERE posts.id = :id AND posts.status = 'published')`;

const takeXpBackIfCommentVisible = sql<LostPoints>`
  UPDATE users SET xp = ${LESS_XP}
  WHERE id = :userId
    AND EXISTS (SELECT 1 FROM comments WHERE comments.id = :id AND comments.status = 'published')`;

const uncountIfVisible = sql<{ postId: number; id: number }>`
  UPDATE posts SET comment_count = comment_count - 1
  WHERE id = :postId
    AND EXISTS (SELECT 1 FROM comments WHERE comments.id = :id AND comments.status = 'published')`;

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
