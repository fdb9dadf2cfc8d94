// Limits on how often an action may be tried within a window. The window opens with the first attempt.

import { DAY, HOUR, secondsUntil, type Timestamp } from './clock.ts';
import { digestOf } from './secrets.ts';

export interface AttemptLimit {
  subject: string;
  most: number;
  now: Timestamp;
  closesAt: Timestamp;
}

export interface AttemptReads {
  /** When the window of a subject closes, undefined if none is open. */
  attemptsCloseAt(subject: string): Promise<Timestamp | undefined>;
}

export interface AttemptWrites {
  /**
   * Counts an attempt before it is made. Returns false and counts nothing if the subject's open window
   * already has `most` attempts. Of any number of parallel calls, at most `most` return true.
   */
  countAttempt(subject: string, most: number, now: Timestamp, closesAt: Timestamp): Promise<boolean>;
}

/** The refusal of an attempt beyond the limit. */
export interface TooFast {
  retryAfterSeconds: number;
}

/** Count one more attempt, or tell how long to wait. Checking and counting are one step. */
export async function attempted(
  { reads, writes }: { reads: AttemptReads; writes: AttemptWrites },
  { subject, most, now, closesAt }: AttemptLimit,
): Promise<TooFast | undefined> {
  if (await writes.countAttempt(subject, most, now, closesAt)) return undefined;
  return { retryAfterSeconds: secondsUntil((await reads.attemptsCloseAt(subject)) ?? now, now) };
}

/**
 * Limit a subject to `most` attempts an hour. The store gets a digest of the subject, so it holds no address.
 */
export function hourlyLimit(now: Timestamp, most: number, ...subject: (string | number)[]): AttemptLimit {
  return { subject: digestOf(subject.join('\n')), most, now, closesAt: now + HOUR };
}

/** As `hourlyLimit`, for a day. */
export function dailyLimit(now: Timestamp, most: number, ...subject: (string | number)[]): AttemptLimit {
  return { ...hourlyLimit(now, most, ...subject), closesAt: now + DAY };
}
