// What happened to a member's posts and comments while they were away. Never of their own doing.

import { DAY, type Timestamp } from '../lib/clock.ts';
import { partOf } from '../lib/part.ts';
import type { Community } from './community.ts';

export interface Notification {
  id: number;
  /** Somebody commented on the post, answered the comment, liked the post; or an operator removed one of the two. */
  kind: 'comment' | 'reply' | 'like' | 'removal';
  /** Undefined for a removal: it is the community that does it. */
  actorName: string | undefined;
  postId: number;
  /** Undefined: the post is not to be seen any more. */
  postTitle: string | undefined;
  commentId: number | undefined;
  createdAt: Timestamp;
  isRead: boolean;
}

export interface NotificationPage {
  items: readonly Notification[];
  /** From where the next page goes on; undefined if there is none. */
  before: number | undefined;
}

/** Notifications are written by what they tell of, in the same step. */
export interface NotificationStore {
  /** A member's notifications with numbers below `before`, newest first. */
  notificationsOf(userId: number, before: number, limit: number): Promise<Notification[]>;
  /** How many are unread, counted up to `most`. */
  countUnread(userId: number, most: number): Promise<number>;
  /** Marks those up to this number as read. */
  markRead(userId: number, through: number, at: Timestamp): Promise<void>;
}

/** They go after this, read or not. */
export const NOTIFICATION_KEPT = 90 * DAY;

const ON_A_PAGE = 30;
const NONE_IS_LATER = Number.MAX_SAFE_INTEGER;
/** Beyond it nobody counts. */
export const MOST_UNREAD = 99;

/** A page of a member's notifications, newest first, below the given number. */
export async function notificationsOf(
  { reads }: Community,
  userId: number,
  before = NONE_IS_LATER,
): Promise<NotificationPage> {
  const found = await reads.notificationsOf(userId, before, ON_A_PAGE + 1);
  const { items, last } = partOf(found, ON_A_PAGE);
  return { items, before: last?.id };
}

/** How many a member has not read; `MOST_UNREAD + 1` stands for any number beyond. */
export function countUnread({ reads }: Community, userId: number): Promise<number> {
  return reads.countUnread(userId, MOST_UNREAD + 1);
}

/** Marks as read what a member has seen: what came later stays unread. */
export async function markRead({ writes, clock }: Community, userId: number, through: number): Promise<void> {
  await writes.markRead(userId, through, clock());
}
