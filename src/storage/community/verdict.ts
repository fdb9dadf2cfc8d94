// Telling the author that moderators removed a post or comment, or undid that: a notification and a mail.

import type { Reportable } from '../../community/report-store.ts';
import type { Timestamp } from '../../lib/clock.ts';
import { type Bound, sql } from '../engine/sql.ts';
import { insertMailTo } from '../identity/mails.ts';

/** The effects that tell the author. A notification of an earlier verdict is replaced. */
export function verdict(
  { authorId: userId, postId, commentId, postTitle: post }: Reportable,
  { isUndone, reason, at }: { isUndone: boolean; reason?: string | undefined; at: Timestamp },
): Bound<unknown>[] {
  const purpose = isUndone ? 'content_restored' : 'content_removed';
  const about = JSON.stringify({ post, isComment: commentId !== undefined, reason });
  return [
    deleteVerdict({ postId, commentKey: commentId ?? 0 }),
    insertVerdict({ userId, postId, commentId, reason, isUndone: isUndone ? 1 : 0, at }),
    insertMailTo({ userId, purpose, about, at }),
  ];
}

// A refusal of a comment is a removal too. The comment is compared as in the unique index.
const deleteVerdict = sql<{ postId: number; commentKey: number }>`
  DELETE FROM notifications
  WHERE post_id = :postId AND coalesce(comment_id, 0) = :commentKey
    AND (kind = 'removal' OR (kind = 'refusal' AND comment_id IS NOT NULL))`;

interface VerdictRow {
  userId: number;
  postId: number;
  commentId: number | undefined;
  reason: string | undefined;
  isUndone: number;
  at: Timestamp;
}

// Without an actor: moderators act for the community, so the author isn't told which of them it was.
const insertVerdict = sql<VerdictRow>`
  INSERT INTO notifications (user_id, kind, post_id, comment_id, reason, is_undone, created_at)
  VALUES (:userId, 'removal', :postId, :commentId, :reason, :isUndone, :at)
  ON CONFLICT DO NOTHING`;
