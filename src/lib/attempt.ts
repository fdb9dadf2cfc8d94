// Limits on how often an action may be tried within a window. The window opens with the first attempt.

import { DAY, HOUR, secondsUntil, type Timestamp } from './clock.ts';
import { networkAround } from './network.ts';
import { digestOf } from './secrets.ts';

export interface AttemptLimit {
  subject: string;
  most: number;
  now: Timestamp;
  closesAt: Timestamp;
}

/** The attempts of one window. */
export interface Attempts {
  count: number;
  closesAt: Timestamp;
}

export interface AttemptReads {
  /** The attempts in the newest window of a subject, which may have closed. */
  findAttempts(subject: string): Promise<Attempts | undefined>;
}

export interface AttemptWrites {
  /**
   * Counts an attempt before it is made. Returns false and counts nothing if the subject's open window
   * already has `most` attempts. Of any number of parallel calls, at most `most` return true.
   */
  countAttempt(subject: string, most: number, now: Timestamp, closesAt: Timestamp): Promise<boolean>;
  /** Takes back an attempt that was counted. */
  takeAttemptBack(subject: string): Promise<void>;
}

/** The refusal of an attempt beyond the limit. */
export interface TooFast {
  retryAfterSeconds: number;
}

/** Count one more attempt, or tell how long to wait. Beyond the limit nothing is written. */
export async function attempted(
  stores: { reads: AttemptReads; writes: AttemptWrites },
  limit: AttemptLimit,
): Promise<TooFast | undefined> {
  return (await exhausted(stores, limit)) ?? counted(stores, limit);
}

/** Count one more attempt, or tell how long to wait. Checking and counting are one step. */
export async function counted(
  { reads, writes }: { reads: AttemptReads; writes: AttemptWrites },
  { subject, most, now, closesAt }: AttemptLimit,
): Promise<TooFast | undefined> {
  if (await writes.countAttempt(subject, most, now, closesAt)) return undefined;
  return { retryAfterSeconds: secondsUntil((await reads.findAttempts(subject))?.closesAt ?? now, now) };
}

/** Tell how long to wait if the limit is reached. Counts and writes nothing. */
export async function exhausted(
  { reads }: { reads: AttemptReads },
  { subject, most, now }: AttemptLimit,
): Promise<TooFast | undefined> {
  const attempts = await reads.findAttempts(subject);
  if (attempts === undefined || attempts.closesAt <= now || attempts.count < most) return undefined;
  return { retryAfterSeconds: secondsUntil(attempts.closesAt, now) };
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

/**
 * Count one more attempt of an hour from a network address, and from the /48 network around an IPv6 address, which one
 * person can have as well. Tells how long to wait if either limit is reached.
 */
export async function attemptedFrom(
  stores: { reads: AttemptReads; writes: AttemptWrites },
  now: Timestamp,
  subject: string,
  from: { address: string; most: number; mostOfNetwork: number },
): Promise<TooFast | undefined> {
  const limit = hourlyLimit(now, from.most, subject, from.address);
  const network = networkAround(from.address);
  if (network === undefined) return attempted(stores, limit);
  const limitOfNetwork = hourlyLimit(now, from.mostOfNetwork, subject, network);
  return (
    (await exhausted(stores, limitOfNetwork)) ??
    (await attempted(stores, limit)) ??
    counted(stores, limitOfNetwork)
  );
}
