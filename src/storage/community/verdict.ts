// Telling the author that moderators removed a post or comment, or undid that: a notification and a mail.

import type { Reportable } from '../../community/report-store.ts';
import { HOUR, type Timestamp } from '../../lib/clock.ts';
import { digestOf } from '../../lib/secrets.ts';
import { type Bound, sql } from '../engine/sql.ts';
import { upsertTurn } from '../identity/attempts.ts';
import type { MailAbout } from '../identity/mails.ts';

/**
 * The effects that tell the author: a notification, which replaces that of an earlier verdict on the same text, and a
 * mail, at most one an hour. A mail that waits for its hour is replaced too, and says where the other verdicts are.
 */
export function verdict(
  { authorId: userId, postId, commentId, postTitle: post }: Reportable,
  { isUndone, reason, at }: { isUndone: boolean; reason?: string | undefined; at: Timestamp },
): Bound<unknown>[] {
  const purpose = isUndone ? 'content_restored' : 'content_removed';
  const turn = digestOf(`mails about moderation\n${userId}`);
  const about = JSON.stringify({ post, isComment: commentId !== undefined, reason });
  return [
    deleteVerdict({ postId, commentKey: commentId ?? 0 }),
    insertVerdict({ userId, postId, commentId, reason, isUndone: isUndone ? 1 : 0, at }),
    upsertTurn({ subject: turn, now: at, pause: HOUR }),
    deleteWaitingMails({ userId, at }),
    insertMailInTurn({ userId, purpose, about, at, turn, pause: HOUR }),
  ];
}

const deleteWaitingMails = sql<{ userId: number; at: Timestamp }>`
  DELETE FROM mails
  WHERE user_id = :userId AND purpose IN ('content_removed', 'content_restored')
    AND attempts = 0 AND next_attempt_at > :at`;

const insertMailInTurn = sql<MailAbout & { turn: string; pause: number }>`
  INSERT INTO mails (purpose, user_id, email, language, about, created_at, next_attempt_at)
  SELECT :purpose, users.id, users.email, coalesce(users.language, 'en'), :about, :at,
    attempts.closes_at - cast(:pause AS bigint)
  FROM users JOIN attempts ON attempts.subject = :turn
  WHERE users.id = :userId AND users.email IS NOT NULL AND users.status <> 'closed'`;

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
