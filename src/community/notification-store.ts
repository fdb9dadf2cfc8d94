// Notifications: their records, and their reads and writes in storage. A comment, a like or a removal adds
// its notifications in the same step, so there is no write for them here.

import type { AboutCredential } from '../audit/credential-notice.ts';
import type { MemberDoer } from '../audit/doer.ts';
import type { Timestamp } from '../lib/clock.ts';

export interface Notification {
  id: number;
  /**
   * A comment on the post, a reply to the comment, a like of the post, a mention in the post or the comment, a
   * moderator's removal of either, the undoing of that removal, a moderator's decision on a text that waited for
   * approval, news of a credential, or the operators' decision on an application.
   */
  kind:
    | 'comment'
    | 'reply'
    | 'like'
    | 'mention'
    | 'removal'
    | 'restoration'
    | 'approval'
    | 'refusal'
    | 'api_token'
    | 'exposed'
    | 'application';
  /** Undefined for what moderators do in the name of the community. */
  actorName: string | undefined;
  /** Undefined for one about a credential or an application. */
  postId: number | undefined;
  /** Undefined if the post is no longer public, or there is none. */
  postTitle: string | undefined;
  commentId: number | undefined;
  /** Why a moderator removed or refused it, if a reason was given. */
  reason: string | undefined;
  /** The credential or the application, for news of one. */
  about: AboutCredential;
  createdAt: Timestamp;
  isRead: boolean;
}

export interface NotificationReads {
  /** A member's notifications with ids below `before`, newest first. */
  notificationsOf(userId: number, before: number, limit: number): Promise<Notification[]>;
  /** The number of unread notifications, counted up to `most`. */
  countUnread(userId: number, most: number): Promise<number>;
}

export interface NotificationWrites {
  /** Marks the notifications up to this id as read. */
  markRead(by: MemberDoer, through: number): Promise<void>;
}

export interface NotificationStore extends NotificationReads, NotificationWrites {}
