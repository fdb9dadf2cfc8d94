// How often something may be tried in a window, which opens with the first time.

import { HOUR, secondsUntil, type Timestamp } from './clock.ts';
import { digestOf } from './secrets.ts';

export interface AttemptLimit {
  subject: string;
  most: number;
  now: Timestamp;
  closesAt: Timestamp;
}

export interface AttemptStore {
  /**
   * Counts an attempt that is about to be judged. False, and nothing counted, if `most` were counted for the subject
   * in the window that is open. Of any number of parallel calls no more than `most` answer true.
   */
  countAttempt(subject: string, most: number, now: Timestamp, closesAt: Timestamp): Promise<boolean>;
  /** When the window of a subject closes, undefined if none is open. */
  attemptsCloseAt(subject: string): Promise<Timestamp | undefined>;
}

/** What somebody is told who tried too often. */
export interface TooFast {
  retryAfterSeconds: number;
}

/** Counts one more attempt, or tells how long to wait. Judged and counted in one step. */
export async function attempted(
  { reads, writes }: { store: AttemptStore },
  { subject, most, now, closesAt }: AttemptLimit,
): Promise<TooFast | undefined> {
  if (await writes.countAttempt(subject, most, now, closesAt)) return undefined;
  return { retryAfterSeconds: secondsUntil((await reads.attemptsCloseAt(subject)) ?? now, now) };
}

/** So often within an hour. The subject is kept as a digest, so that no address is. */
export function hourlyLimit(now: Timestamp, most: number, ...subject: (string | number)[]): AttemptLimit {
  return { subject: digestOf(subject.join('\n')), most, now, closesAt: now + HOUR };
}
