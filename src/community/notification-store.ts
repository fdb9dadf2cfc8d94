// What notifications ask of storage. They are written by what they tell of, in the same step.

import type { Timestamp } from '../lib/clock.ts';
import type { Notification } from './notification.ts';

export interface NotificationStore {
  /** A member's notifications with numbers below `before`, newest first. */
  notificationsOf(userId: number, before: number, limit: number): Promise<Notification[]>;
  /** How many are unread, counted up to `most`. */
  countUnread(userId: number, most: number): Promise<number>;
  /** Marks those up to this number as read. */
  markRead(userId: number, through: number, at: Timestamp): Promise<void>;
}
