// The membership: a mark with an end, which operators give and applications read. Here is when it ends, how its end
// is written, and how it is set.

import type { Doer } from '../audit/doer.ts';
import type { Timestamp } from '../lib/clock.ts';
import { dayIn, endOfDay } from '../lib/time-zone.ts';
import type { Identity } from './identity.ts';
import type { User } from './user.ts';

/** The end of a permanent membership: the last day of the calendar. */
export const MEMBER_FOREVER: Timestamp = Date.UTC(9999, 11, 31);

export function isMember({ memberUntil }: Pick<User, 'memberUntil'>, now: Timestamp): boolean {
  return memberUntil !== undefined && memberUntil > now;
}

/** The end of a membership, as an operator gave it. */
export interface MembershipChange {
  /** Undefined: the member has no membership. */
  until: Timestamp | undefined;
  /** The operator knows that the end is in the past: the membership was, and is over. */
  isPastMeant: boolean;
}

/** Set the end of a membership. Returns 'past', and changes nothing, if it is over already and that isn't meant. */
export async function setMembership(
  by: Doer,
  { writes }: Identity,
  userId: number,
  { until, isPastMeant }: MembershipChange,
): Promise<'past' | undefined> {
  if (until !== undefined && until <= by.at && !isPastMeant) return 'past';
  await writes.setMemberUntil(by, userId, until);
  return undefined;
}

/** Write the end of a membership as its last day in the site's time zone, `never` or `none`. */
export function membershipWord(until: Timestamp | undefined, timeZone: string): string {
  if (until === undefined) return 'none';
  return until >= MEMBER_FOREVER ? 'never' : dayIn(until - 1, timeZone);
}

/** Read what `membershipWord` writes. Undefined for any other word, or a day that does not exist. */
export function readMembership(word: string, timeZone: string): { until: Timestamp | undefined } | undefined {
  if (word === 'none') return { until: undefined };
  const until = word === 'never' ? MEMBER_FOREVER : endOfDay(word, timeZone);
  return until === undefined ? undefined : { until };
}
