// Deleting expired rows in small steps, so that no request waits for long.

import { DAY, MINUTE, siteDayOf, type Timestamp } from '../../lib/clock.ts';
import type { Log } from '../../lib/log.ts';
import { type Rounds, roundOf, startRounds } from '../../lib/rounds.ts';
import { smallestKey } from '../../lib/secrets.ts';
import { NO_ENTRY } from '../audit/audit-trail.ts';
import { movePostsOfMergedCategory } from '../community/merged-categories.ts';
import { deleteUnusedPictures, keepUsedPictures } from '../community/pictures.ts';
import { movePostsOfMergedTag } from '../community/tag-changes.ts';
import { removeTextsOfClosedAccount } from '../community/texts-of-closed-account.ts';
import { type Database, isReachable } from '../engine/database.ts';
import type { Bound } from '../engine/sql.ts';
import { deleteDrawingsBeyond, deleteOldDrawings } from '../site/drawings.ts';
import {
  deleteAccessTokens,
  deleteAttempts,
  deleteClientHours,
  deleteClientUses,
  deleteCodes,
  deleteCommentsOfRemovedPosts,
  deleteDiaryHours,
  deleteDiaryLines,
  deleteExpiredFamilies,
  deleteExpiredPersonalTokens,
  deleteExpiredSessions,
  deleteGivenUpEvents,
  deleteIdleSessions,
  deleteInvitations,
  deleteMails,
  deleteMailTokens,
  deleteNotifications,
  deleteRemovedComments,
  deleteRemovedPosts,
  deleteReplacedPersonalTokens,
  deleteRequestLines,
  deleteRevokedFamilies,
  deleteRevokedPersonalTokens,
  deleteSecurityEvents,
  deleteUnredeemedCodes,
  deleteUnusedDocumentClients,
  deleteUnusedTags,
  deleteViews,
  deleteWordsOfRemovedPosts,
  eraseRemovedComments,
  type Step,
  takePicturesOutOfComments,
  takePicturesOutOfErased,
  takePicturesOutOfPosts,
} from './expired-rows.ts';

/** How long rows are kept, in milliseconds. The rules of the site set these. */
export interface Lifetimes {
  accessToken: number;
  /** The whole sign-in. */
  family: number;
  /** A session without a request. */
  sessionIdle: number;
  /** The time to restore a post, and to decide about reports of it. */
  removedPost: number;
  /** A picture that is in no text. */
  unusedPicture: number;
  notification: number;
  securityEvent: number;
  /** The access diary. */
  diary: number;
  /** What applications did. */
  clientNumbers: number;
  /** The requests of applications. */
  requestLine: number;
  /** An application that describes itself and that no member has allowed. */
  unusedDocument: number;
  /** A card or an icon that the server has drawn. */
  drawing: number;
}

// Clocks differ between machines. No machine deletes a row that another machine still accepts.
const CLOCK_MARGIN = 5 * MINUTE;
// Codes and sign-ins that have ended stay for a day, so that operators can look into an incident.
const ENDED_RETENTION = 1 * DAY;
const PERSONAL_TOKEN_RETENTION = 30 * DAY;
const INVITATION_RETENTION = 30 * DAY;
// The server draws a card again when someone asks for it. Each has about 30 kB.
const MOST_DRAWINGS = 2000;
// Counted from the last attempt. Operators see a mail that was given up for so long.
const UNSENT_MAIL_RETENTION = 3 * DAY;
// Operators see how many events were given up for so long.
const GIVEN_UP_EVENT_RETENTION = 30 * DAY;
// Deleting a post also deletes its words, likes and views, so a step deletes only a few posts.
const ROWS_OF_POST = 20;
// Deleting an application reads all codes and sign-ins, so a step deletes one.
const ROWS_OF_CLIENT = 500;
// The words of a long post take SQLite some milliseconds.
const ROWS_OF_WORDS = 100;
// A picture is looked for in the texts that it was in.
const TEXTS_OF_PICTURE = 10;
// Words that were left for longer go with their post.
const LEFT_WORDS = 1 * DAY;

/**
 * Delete expired rows, at most `limit` of each kind, each kind in a transaction of its own. Returns how many
 * rows were deleted or erased; 0 means that none is left. Throws the first failure, after all kinds.
 */
export async function purgeExpired(
  database: Database,
  lifetimes: Lifetimes,
  now: Timestamp,
  limit: number,
): Promise<number> {
  const lastEnd = now - ENDED_RETENTION;
  const lastExpiry = now - CLOCK_MARGIN;
  const posts = { by: lastExpiry - lifetimes.removedPost, limit: Math.ceil(limit / ROWS_OF_POST) };
  const comments = { by: posts.by, limit };
  const pictures = { by: now - lifetimes.unusedPicture, limit: Math.ceil(limit / TEXTS_OF_PICTURE) };
  // Unused as long as its text is removed.
  const uses = { at: posts.by, uses: limit };
  // Texts wait for their pictures, and a post for its comments, because there could be tens of thousands.
  const texts: { first: Step[]; text: Bound<unknown> }[] = [
    {
      first: [
        takePicturesOutOfPosts({ ...posts, ...uses }),
        { guard: deleteCommentsOfRemovedPosts({ ...posts, comments: limit }) },
      ],
      text: deleteRemovedPosts(posts),
    },
    { first: [takePicturesOutOfComments({ ...comments, ...uses })], text: deleteRemovedComments(comments) },
    { first: [takePicturesOutOfErased({ ...comments, ...uses })], text: eraseRemovedComments(comments) },
  ];
  const steps: Bound<unknown>[] = [
    deleteAccessTokens({ before: smallestKey(lastExpiry - lifetimes.accessToken), by: lastExpiry, limit }),
    deleteUnredeemedCodes({ before: smallestKey(lastEnd), limit }),
    // A redeemed code must be recognised as long as a token that came from it can be valid.
    deleteCodes({ before: smallestKey(lastEnd - lifetimes.family), limit }),
    // Access tokens refer to their sign-in, so they go first.
    deleteRevokedFamilies({ by: lastEnd, limit }),
    deleteExpiredFamilies({ by: lastEnd, limit }),
    deleteExpiredSessions({ by: lastExpiry, limit }),
    deleteIdleSessions({ by: lastExpiry - lifetimes.sessionIdle, limit }),
    deleteAttempts({ by: lastExpiry, limit }),
    deleteRevokedPersonalTokens({ by: now - PERSONAL_TOKEN_RETENTION, limit }),
    deleteExpiredPersonalTokens({ by: now - PERSONAL_TOKEN_RETENTION, limit }),
    deleteReplacedPersonalTokens({ by: lastExpiry, limit }),
    deleteWordsOfRemovedPosts({ since: now - LEFT_WORDS, limit: Math.ceil(limit / ROWS_OF_WORDS) }),
    deleteUnusedTags({ limit }),
    keepUsedPictures(pictures),
    deleteUnusedPictures[database.dialect](pictures),
    deleteNotifications({ by: now - lifetimes.notification, limit }),
    deleteDiaryLines({ before: now - lifetimes.diary, limit }),
    deleteDiaryHours({ before: now - lifetimes.diary, limit }),
    deleteClientHours({ before: now - lifetimes.clientNumbers, limit }),
    deleteClientUses({ before: now - lifetimes.clientNumbers, limit }),
    deleteRequestLines({ before: now - lifetimes.requestLine, limit }),
    deleteUnusedDocumentClients({
      by: now - lifetimes.unusedDocument,
      limit: Math.ceil(limit / ROWS_OF_CLIENT),
    }),
    deleteSecurityEvents({ by: now - lifetimes.securityEvent, limit }),
    deleteOldDrawings({ by: now - lifetimes.drawing, limit }),
    deleteDrawingsBeyond({ most: MOST_DRAWINGS, limit }),
    deleteMailTokens({ by: lastExpiry, limit }),
    deleteMails({ by: now - UNSENT_MAIL_RETENTION, limit }),
    deleteGivenUpEvents({ by: now - GIVEN_UP_EVENT_RETENTION, limit }),
    deleteInvitations({
      before: smallestKey(now - INVITATION_RETENTION),
      by: now - INVITATION_RETENTION,
      limit,
    }),
    deleteViews({ beforeDay: siteDayOf(lastExpiry), limit }),
  ];
  const rowsOf = async (step: Step) => (await database.atomically({ audit: NO_ENTRY, ...step })).rows.length;
  return sumOfAll(database, [
    () => removeTextsOfClosedAccount(database),
    () => movePostsOfMergedTag(database),
    () => movePostsOfMergedCategory(database),
    ...texts.map(({ first, text }) => async () => {
      let deleted = 0;
      for (const step of [...first, { guard: text }]) deleted ||= await rowsOf(step);
      return deleted;
    }),
    ...steps.map((guard) => () => rowsOf({ guard })),
  ]);
}

/**
 * Do all of these, also if one fails, as it could again and again, unless the database is gone. Returns the sum of
 * their numbers, or throws the first failure.
 */
export async function sumOfAll(
  database: Database,
  kinds: readonly (() => Promise<number>)[],
): Promise<number> {
  let sum = 0;
  const failures: unknown[] = [];
  for (const deleteSome of kinds) {
    try {
      sum += await deleteSome();
    } catch (failure) {
      failures.push(failure);
      if (!(await isReachable(database))) break;
    }
  }
  if (failures.length > 0) throw failures[0];
  return sum;
}

/** How many rows of a kind one step deletes: a few milliseconds of work. */
export const PURGE_STEP = 500;

const PAUSE_WHILE_BUSY = 100;

/**
 * Call `purge`, which returns how many rows it deleted, again and again until stopped. Stopping waits for the
 * current call. The timer doesn't keep the process alive.
 */
export function startPurging(purge: () => Promise<number>, log: Log): Rounds {
  const warn = (error: unknown) => log.warn({ err: error }, 'could not delete expired rows; will try again');
  return startRounds(roundOf(purge, { more: PAUSE_WHILE_BUSY, done: MINUTE }, warn), PAUSE_WHILE_BUSY);
}
