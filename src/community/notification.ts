// Notifications of what other members and operators did to a member's posts and comments.

import type { MemberDoer } from '../audit/doer.ts';
import { DAY } from '../lib/clock.ts';
import { partOf } from '../lib/part.ts';
import type { Community } from './community.ts';
import type { Notification } from './notification-store.ts';

export type { Notification } from './notification-store.ts';

export interface NotificationPage {
  items: readonly Notification[];
  /** The start of the next page, undefined if there is none. */
  before: number | undefined;
}

/** The server deletes notifications of this age, read or not. */
export const NOTIFICATION_LIFETIME = 90 * DAY;

const PAGE_SIZE = 30;
const NEWEST = Number.MAX_SAFE_INTEGER;
/** Pages show a larger number as "99+". */
export const MOST_UNREAD = 99;

/** A page of a member's notifications, newest first, with ids below `before`. */
export async function notificationsOf(
  { reads }: Community,
  userId: number,
  before = NEWEST,
): Promise<NotificationPage> {
  const notifications = await reads.notificationsOf(userId, before, PAGE_SIZE + 1);
  const { items, last } = partOf(notifications, PAGE_SIZE);
  return { items, before: last?.id };
}

/** The number of a member's unread notifications. `MOST_UNREAD + 1` stands for any larger number. */
export function countUnread({ reads }: Community, userId: number): Promise<number> {
  return reads.countUnread(userId, MOST_UNREAD + 1);
}

/** Mark the notifications up to this id as read. Later ones stay unread. */
export async function markRead(by: MemberDoer, { writes }: Community, through: number): Promise<void> {
  await writes.markRead(by, through);
}
