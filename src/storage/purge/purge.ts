// Deleting what has had its time: in small steps, so that nobody waits for it.

import { DAY, MINUTE, siteDayOf, type Timestamp } from '../../lib/clock.ts';
import type { Log } from '../../lib/log.ts';
import { type Rounds, restingAfter, startRounds } from '../../lib/rounds.ts';
import { smallestKey } from '../../lib/secrets.ts';
import type { Database } from '../engine/database.ts';
import type { Bound } from '../engine/statement.ts';
import {
  deleteAccessTokens,
  deleteAttempts,
  deleteCodes,
  deleteExpiredFamilies,
  deleteExpiredMailTokens,
  deleteExpiredSessions,
  deleteForgottenMails,
  deleteIdleSessions,
  deleteNotifications,
  deleteOldInvitations,
  deletePersonalTokens,
  deleteRemovedPosts,
  deleteRevokedFamilies,
  deleteUnredeemedCodes,
  deleteViews,
} from './expired-rows.ts';

/** How long the rules let things live, in milliseconds. Given by the composer: rules are not storage's. */
export interface Lifetimes {
  accessToken: number;
  /** A sign-in as a whole. */
  family: number;
  /** A session that nobody uses. */
  sessionIdle: number;
  /** A post that was removed, as long as it can be restored. */
  removedPost: number;
  notification: number;
}

// Machines' clocks differ a little, and none may delete what another still honours.
const CLOCK_MARGIN = 5 * MINUTE;
// What can serve nobody any more is kept for a day, for whoever looks into what happened.
const KEPT_AFTER_USE = 1 * DAY;
const REVOKED_PERSONAL_TOKEN_KEPT = 30 * DAY;
const INVITATION_KEPT = 30 * DAY;
// A post goes with its words and with all that readers added.
const ROWS_OF_POST = 20;
// Nobody sends mails, or somebody would have given it up.
const FORGOTTEN_MAIL_KEPT = 3 * DAY;

/**
 * Deletes what is over at this moment, at most `most` rows of each kind, each kind in a transaction of its own.
 * Returns how many rows went; 0 means that nothing is left to delete.
 */
export async function purgeExpired(
  database: Database,
  lifetimes: Lifetimes,
  now: Timestamp,
  most: number,
): Promise<number> {
  const kept = now - KEPT_AFTER_USE;
  const steps: Bound<unknown>[] = [
    deleteAccessTokens({
      before: smallestKey(now - lifetimes.accessToken - CLOCK_MARGIN),
      expiredBy: now - CLOCK_MARGIN,
      most,
    }),
    deleteUnredeemedCodes({ before: smallestKey(kept), most }),
    // A replay must be recognised as long as a token that came of the code can live.
    deleteCodes({ before: smallestKey(kept - lifetimes.family), most }),
    // After the access tokens, which refer to them.
    deleteRevokedFamilies({ by: kept, most }),
    deleteExpiredFamilies({ by: kept, most }),
    deleteExpiredSessions({ by: now - CLOCK_MARGIN, most }),
    deleteIdleSessions({ by: now - lifetimes.sessionIdle - CLOCK_MARGIN, most }),
    deleteAttempts({ by: now - CLOCK_MARGIN, most }),
    deletePersonalTokens({ by: now - REVOKED_PERSONAL_TOKEN_KEPT, most }),
    deleteRemovedPosts({
      by: now - lifetimes.removedPost - CLOCK_MARGIN,
      most: Math.ceil(most / ROWS_OF_POST),
    }),
    deleteNotifications({ by: now - lifetimes.notification, most }),
    deleteExpiredMailTokens({ by: now - CLOCK_MARGIN, most }),
    deleteForgottenMails({ by: now - FORGOTTEN_MAIL_KEPT, most }),
    deleteOldInvitations({
      before: smallestKey(now - INVITATION_KEPT),
      by: now - INVITATION_KEPT,
      most,
    }),
    deleteViews({ before: siteDayOf(now - CLOCK_MARGIN), most }),
  ];
  let deleted = 0;
  for (const guard of steps) deleted += (await database.atomically({ guard })).rows.length;
  return deleted;
}

/** As many rows of a kind as take a few milliseconds. */
export const PURGE_STEP = 500;

const PAUSE_WHILE_BUSY = 100;

/**
 * Calls `purge`, which tells how much it deleted, again and again until stopped. Does not keep the process alive.
 * Stopping waits for the step under way.
 */
export function startPurging(purge: () => Promise<number>, log: Log): Rounds {
  const tell = (error: unknown) => log.warn({ err: error }, 'Purging failed; it will be tried again.');
  return startRounds(restingAfter(purge, { more: PAUSE_WHILE_BUSY, done: MINUTE }, tell), PAUSE_WHILE_BUSY);
}
