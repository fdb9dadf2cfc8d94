// Notifications, as rows. The transaction of an event writes them, and the member reads them.

import type { Notification, NotificationStore } from '../../community/notification-store.ts';
import type { AttemptLimit } from '../../lib/attempt.ts';
import type { Timestamp } from '../../lib/clock.ts';
import { ownAct } from '../audit/audit-trail.ts';
import type { Database } from '../engine/database.ts';
import { fragment, sql } from '../engine/sql.ts';
import { IS_WITHIN_LIMIT } from '../identity/attempts.ts';
import { IS_PUBLIC } from './visibility.ts';

export function notificationRows(database: Database): NotificationStore {
  return {
    async notificationsOf(userId, before, limit) {
      const rows = await database.rows(selectNotifications({ userId, before, limit }));
      return rows.map(({ readAt, about, ...row }) => ({
        ...row,
        about: JSON.parse(about),
        isRead: readAt !== undefined,
      }));
    },
    async countUnread(userId, most) {
      return (await database.first(countUnreadOf({ userId, most })))?.count ?? 0;
    },
    async markRead(by, through) {
      const { userId, at } = by;
      await database.atomically({ audit: ownAct(by), guard: updateRead({ userId, through, at }) });
    },
  };
}

interface PostEvent {
  postId: number;
  actorId: number;
  at: Timestamp;
}

// The comment that the actor adds to the post in this transaction. It is their newest there, because the lock
// on the post makes other comments wait.
const NEW_COMMENT = fragment`
  (SELECT id FROM comments WHERE user_id = :actorId AND post_id = :postId ORDER BY id DESC LIMIT 1)`;

/** Tell the post's author of the comment just inserted, unless it is a reply to a comment of theirs. */
export const insertCommentNotification = sql<PostEvent & { answeredAuthorId: number }>`
  INSERT INTO notifications (user_id, kind, actor_id, post_id, comment_id, created_at)
  SELECT posts.user_id, 'comment', :actorId, posts.id, ${NEW_COMMENT}, :at
  FROM posts JOIN users ON users.id = posts.user_id
  WHERE posts.id = :postId AND posts.user_id <> :actorId AND posts.user_id <> :answeredAuthorId
    AND users.status <> 'closed'
  ON CONFLICT DO NOTHING`;

/** Tell a comment's author of the reply just inserted. */
export const insertReplyNotification = sql<PostEvent & { answeredId: number }>`
  INSERT INTO notifications (user_id, kind, actor_id, post_id, comment_id, created_at)
  SELECT comments.user_id, 'reply', :actorId, comments.post_id, ${NEW_COMMENT}, :at
  FROM comments JOIN users ON users.id = comments.user_id
  WHERE comments.id = :answeredId AND comments.user_id <> :actorId AND users.status <> 'closed'
  ON CONFLICT DO NOTHING`;

/** Tell the post's author of a like, once however often the member takes it back and likes again. */
export const insertLikeNotification = sql<PostEvent>`
  INSERT INTO notifications (user_id, kind, actor_id, post_id, created_at)
  SELECT posts.user_id, 'like', :actorId, posts.id, :at
  FROM posts JOIN users ON users.id = posts.user_id
  WHERE posts.id = :postId AND posts.user_id <> :actorId AND users.status <> 'closed'
  ON CONFLICT DO NOTHING`;

/** Delete the notifications about a comment, except the one that moderators removed it. */
export const deleteNotificationsOfComment = sql<{ commentId: number }>`
  DELETE FROM notifications WHERE comment_id = :commentId AND kind <> 'removal'`;

/** The comment that a moderator has approved. */
interface ApprovedComment extends Omit<PostEvent, 'postId'> {
  commentId: number;
}

/** Tell the post's author of an approved comment, unless it is a reply to a comment of theirs. */
export const insertApprovedCommentNotification = sql<ApprovedComment>`
  INSERT INTO notifications (user_id, kind, actor_id, post_id, comment_id, created_at)
  SELECT posts.user_id, 'comment', :actorId, posts.id, comments.id, :at
  FROM comments
  JOIN posts ON posts.id = comments.post_id
  JOIN users ON users.id = posts.user_id
  LEFT JOIN comments AS parent ON parent.id = comments.parent_id
  WHERE comments.id = :commentId AND posts.user_id <> :actorId AND users.status <> 'closed'
    AND coalesce(parent.user_id, 0) <> posts.user_id
  ON CONFLICT DO NOTHING`;

/** Tell the author of the comment above an approved reply. */
export const insertApprovedReplyNotification = sql<ApprovedComment>`
  INSERT INTO notifications (user_id, kind, actor_id, post_id, comment_id, created_at)
  SELECT parent.user_id, 'reply', :actorId, parent.post_id, comments.id, :at
  FROM comments
  JOIN comments AS parent ON parent.id = comments.parent_id
  JOIN users ON users.id = parent.user_id
  WHERE comments.id = :commentId AND parent.user_id <> :actorId AND users.status <> 'closed'
  ON CONFLICT DO NOTHING`;

/** Tell the author of a post, or of a comment on it, what moderators have decided. */
export const insertVerdict = sql<{
  kind: 'approval' | 'refusal';
  postId: number;
  commentId: number | undefined;
  at: Timestamp;
}>`
  INSERT INTO notifications (user_id, kind, post_id, comment_id, created_at)
  SELECT coalesce(comments.user_id, posts.user_id), :kind, posts.id, comments.id, :at
  FROM posts LEFT JOIN comments ON comments.id = cast(:commentId AS bigint)
  WHERE posts.id = :postId
  ON CONFLICT DO NOTHING`;

/** Delete earlier verdicts on a post, so that its author hears of the next one. */
export const deleteVerdicts = sql<{ postId: number }>`
  DELETE FROM notifications
  WHERE post_id = :postId AND kind IN ('approval', 'refusal') AND comment_id IS NULL`;

interface NewsOfCredential {
  kind: 'api_token' | 'exposed';
  userId: number;
  /** `AboutCredential` as JSON. */
  about: string;
  at: Timestamp;
}

const INSERT_NEWS = fragment`
  INSERT INTO notifications (user_id, kind, about, created_at)
  SELECT id, :kind, :about, :at FROM users WHERE id = :userId AND status <> 'closed'`;

/** Tell a member of one of their credentials. */
export const insertCredentialNotification = sql<NewsOfCredential>`
  ${INSERT_NEWS}`;

/** Tell the owner of an application what operators decided about it, and why. */
export const insertReviewNotification = sql<{
  userId: number;
  about: string;
  reason: string | undefined;
  at: Timestamp;
}>`
  INSERT INTO notifications (user_id, kind, about, reason, created_at)
  SELECT id, 'application', :about, :reason, :at FROM users WHERE id = :userId AND status <> 'closed'`;

/** As `insertCredentialNotification`, if the attempts of this subject are within the limit. */
export const insertLimitedNotification = sql<NewsOfCredential & Pick<AttemptLimit, 'subject' | 'most'>>`
  ${INSERT_NEWS} AND ${IS_WITHIN_LIMIT}`;

interface NotificationRow extends Omit<Notification, 'isRead' | 'about'> {
  /** JSON. */
  about: string;
  readAt: Timestamp | undefined;
}

// The title of a post that is no longer public stays hidden, except in the notice of removal or refusal to its author.
const selectNotifications = sql<{ userId: number; before: number; limit: number }, NotificationRow>`
  SELECT notifications.id,
    CASE WHEN notifications.is_undone = 1 THEN 'restoration' ELSE notifications.kind END AS kind,
    actor.username AS "actorName",
    notifications.post_id AS "postId",
    CASE WHEN ${IS_PUBLIC} OR notifications.kind IN ('removal', 'refusal') THEN posts.title END
      AS "postTitle",
    notifications.comment_id AS "commentId",
    coalesce(notifications.reason, CASE WHEN notifications.kind = 'refusal'
      THEN CASE WHEN comments.id IS NULL THEN posts.review_note ELSE comments.review_note END
    END) AS reason,
    notifications.about,
    notifications.created_at AS "createdAt", notifications.read_at AS "readAt"
  FROM notifications
  LEFT JOIN posts ON posts.id = notifications.post_id
  LEFT JOIN users AS actor ON actor.id = notifications.actor_id
  LEFT JOIN comments ON comments.id = notifications.comment_id
  WHERE notifications.user_id = :userId AND notifications.id < :before
  ORDER BY notifications.id DESC LIMIT cast(:limit AS bigint)`;

const countUnreadOf = sql<{ userId: number; most: number }, { count: number }>`
  SELECT count(*) AS count FROM (
    SELECT id FROM notifications WHERE user_id = :userId AND read_at IS NULL LIMIT cast(:most AS bigint)
  ) AS unread`;

const updateRead = sql<{ userId: number; through: number; at: Timestamp }>`
  UPDATE notifications SET read_at = :at WHERE user_id = :userId AND id <= :through AND read_at IS NULL`;
