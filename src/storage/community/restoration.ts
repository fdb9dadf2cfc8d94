// Undoing a moderator's removal of a post or a comment.

import type { Moderating, SystemDoer } from '../../audit/doer.ts';
import type { CommentRestoration } from '../../community/moderation-store.ts';
import type { Publication } from '../../community/post-store.ts';
import type { Reportable } from '../../community/report-store.ts';
import type { Timestamp } from '../../lib/clock.ts';
import { entry } from '../audit/audit-trail.ts';
import type { Transaction } from '../engine/database.ts';
import { type Dialect, fragment, sql } from '../engine/sql.ts';
import { countComment } from './comments.ts';
import { updatePopularity } from './popularity.ts';
import { LOCKED_POST } from './post-lock.ts';
import { setWordsIfPublished } from './post-words.ts';
import { setTagsOf } from './tags.ts';
import { verdict } from './verdict.ts';

export function restorationOfPost(
  by: Moderating | SystemDoer,
  subject: Reportable,
  { version, words, xp }: Publication,
  dialect: Dialect,
): Transaction {
  const { postId: id } = subject;
  return {
    audit: entry(by, { action: 'post.restore', subject: { kind: 'post', id: String(id) } }),
    guard: markPostRestored({ id, version }),
    effects: [
      setWordsIfPublished({ id, words }),
      ...setTagsOf(dialect, id),
      returnXpForPost({ id, xp }),
      ...verdict(subject, { isUndone: true, at: by.at }),
    ],
  };
}

export function restorationOfComment(
  by: Moderating | SystemDoer,
  { subject, id, xp, weight }: CommentRestoration,
  dialect: Dialect,
): Transaction {
  const { postId } = subject;
  return {
    audit: entry(by, {
      action: 'comment.restore',
      subject: { kind: 'comment', id: String(id) },
      detail: { post: postId },
    }),
    guard: markCommentRestored[dialect]({ id, postId }),
    effects: [
      countComment({ postId }),
      returnXpForComment({ id, xp }),
      ...verdict(subject, { isUndone: true, at: by.at }),
      ...updatePopularity({ postId, weight }),
    ],
  };
}

/** For posts and comments: a moderator removed it, and its author's account is not closed. */
export const IS_REMOVED_BY_MODERATOR = fragment`
  status = 'removed' AND removed_by IS NOT NULL AND removed_by <> user_id
  AND NOT EXISTS (SELECT 1 FROM users AS author WHERE author.id = user_id AND author.status = 'closed')`;

// A draft, which closing an account removes, is nobody's to restore.
const markPostRestored = sql<{ id: number; version: Timestamp }>`
  UPDATE posts
  SET status = CASE WHEN removed_by_author = 1 THEN 'removed' ELSE 'published' END,
    removed_at = CASE WHEN removed_by_author = 1 THEN removed_at END,
    removed_by = NULL
  WHERE id = :id AND published_at IS NOT NULL AND updated_at = :version AND ${IS_REMOVED_BY_MODERATOR}`;

// Members can't restore their own comments, and neither can anybody else. A comment that was refused when it waited
// for approval is published, and the reason no longer applies.
const MARK_COMMENT_RESTORED = fragment`
  UPDATE comments SET status = 'published', removed_at = NULL, removed_by = NULL, review_note = NULL`;
const CAN_BE_RESTORED = fragment`
  id = :id AND removed_by_author = 0 AND body <> '' AND ${IS_REMOVED_BY_MODERATOR}`;

const markCommentRestored = {
  sqlite: sql<{ id: number; postId: number }>`
    ${MARK_COMMENT_RESTORED} WHERE ${CAN_BE_RESTORED} AND post_id = :postId`,
  postgres: sql<{ id: number; postId: number }>`
    ${LOCKED_POST}
    ${MARK_COMMENT_RESTORED} FROM post WHERE ${CAN_BE_RESTORED} AND post_id = locked_id`,
};

const returnXpForPost = sql<{ id: number; xp: number }>`
  UPDATE users SET xp = xp + :xp
  WHERE id = (SELECT user_id FROM posts WHERE posts.id = :id AND posts.status = 'published')`;

const returnXpForComment = sql<{ id: number; xp: number }>`
  UPDATE users SET xp = xp + :xp WHERE id = (SELECT user_id FROM comments WHERE comments.id = :id)`;
