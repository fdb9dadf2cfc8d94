// A moderator's removal of a post or a comment: the text stays in its row, hidden from the pages.

import type { Moderating } from '../../audit/doer.ts';
import type { Removal } from '../../community/moderation-store.ts';
import type { Timestamp } from '../../lib/clock.ts';
import { entry } from '../audit/audit-trail.ts';
import type { AuditTrail } from '../engine/database.ts';
import { type Bound, type Dialect, fragment, sql } from '../engine/sql.ts';
import { deleteNotificationsOfComment } from './notifications.ts';
import { updatePopularity } from './popularity.ts';
import { LOCKED_POST } from './post-lock.ts';
import { deleteWords } from './post-words.ts';
import { deleteTagsOf } from './tags.ts';
import { verdict } from './verdict.ts';
import { LESS_XP } from './xp.ts';

interface RemovalStatements {
  audit: AuditTrail;
  guard: Bound<unknown>;
  effects: Bound<unknown>[];
}

/**
 * Remove a post or a comment. The guard locks it, and fails if a moderator removed it already. The effects
 * hide a published one, tell its author and take back the points that it earned.
 */
export function removalOf(by: Moderating, removal: Removal, dialect: Dialect): RemovalStatements {
  const { commentId } = removal.subject;
  return commentId === undefined
    ? removalOfPost(by, removal, dialect)
    : removalOfComment(by, removal, { id: commentId, dialect });
}

function removalOfPost(
  by: Moderating,
  { subject, xp, reason }: Removal,
  dialect: Dialect,
): RemovalStatements {
  const { postId: id, authorId } = subject;
  return {
    audit: entry(by, {
      action: 'post.remove',
      subject: { kind: 'post', id: String(id) },
      detail: { reason },
    }),
    guard: takeOverPost({ id, by: by.userId }),
    effects: [
      takeXpBackIfPostVisible({ userId: authorId, xp, id }),
      hidePost({ id, at: by.at }),
      deleteWords({ id }),
      ...deleteTagsOf(dialect, id),
      ...verdict(subject, { isUndone: false, reason, at: by.at }),
    ],
  };
}

function removalOfComment(
  by: Moderating,
  { subject, xp, weight, reason }: Removal,
  { id, dialect }: { id: number; dialect: Dialect },
): RemovalStatements {
  const { postId, authorId } = subject;
  return {
    audit: entry(by, {
      action: 'comment.remove',
      subject: { kind: 'comment', id: String(id) },
      detail: { post: postId, reason },
    }),
    guard: takeOverComment[dialect]({ id, postId, by: by.userId }),
    effects: [
      deleteNotificationsOfComment({ commentId: id }),
      takeXpBackIfCommentVisible({ userId: authorId, xp, id }),
      uncountIfVisible({ postId, id }),
      hideComment({ id, at: by.at }),
      ...verdict(subject, { isUndone: false, reason, at: by.at }),
      ...updatePopularity({ postId, weight }),
    ],
  };
}

interface TakenOver {
  id: number;
  by: number;
}

// A removal by the author becomes the moderator's only while a report is open. Otherwise moderators have no business
// with the text. The row stays locked, so the author can't restore it meanwhile.
const REMOVED_BY_AUTHOR = fragment`status = 'removed' AND (removed_by IS NULL OR removed_by = user_id)`;

// If the removal is undone, the author's own removal counts again.
const BY_AUTHOR = fragment`removed_by_author = CASE WHEN status = 'removed' THEN 1 ELSE 0 END`;

const takeOverPost = sql<TakenOver>`
  UPDATE posts SET removed_by = :by, ${BY_AUTHOR}
  WHERE id = :id AND (status = 'published' OR (${REMOVED_BY_AUTHOR} AND published_at IS NOT NULL AND EXISTS (
    SELECT 1 FROM reports
    WHERE reports.post_id = posts.id AND reports.comment_id IS NULL AND reports.resolved_at IS NULL)))`;

const TAKE_OVER_COMMENT = fragment`UPDATE comments SET removed_by = :by, ${BY_AUTHOR}`;
const IS_MODERATORS = fragment`
  id = :id AND (status = 'published' OR (${REMOVED_BY_AUTHOR} AND EXISTS (
    SELECT 1 FROM reports
    WHERE reports.post_id = comments.post_id AND reports.comment_id = comments.id
      AND reports.resolved_at IS NULL)))`;

const takeOverComment = {
  sqlite: sql<TakenOver & { postId: number }>`
    ${TAKE_OVER_COMMENT} WHERE ${IS_MODERATORS} AND post_id = :postId`,
  postgres: sql<TakenOver & { postId: number }>`
    ${LOCKED_POST}
    ${TAKE_OVER_COMMENT} FROM post WHERE ${IS_MODERATORS} AND post_id = locked_id`,
};

interface Hidden {
  id: number;
  at: Timestamp;
}

const hidePost = sql<Hidden>`
  UPDATE posts SET status = 'removed', removed_at = :at, pinned_at = NULL WHERE id = :id AND status = 'published'`;

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
