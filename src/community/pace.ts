// Limits on how often a member may do a thing. A refusal tells the member how long to wait.

import type { Doer, MemberDoer, Moderating } from '../audit/doer.ts';
import { attempted, type TooFast } from '../lib/attempt.ts';
import { DAY, HOUR, MINUTE } from '../lib/clock.ts';
import type { Community } from './community.ts';

export type { TooFast } from '../lib/attempt.ts';

/** How many acts are allowed, and within which time of the first one. */
const LIMITS = {
  post: [10, HOUR],
  draft: [60, HOUR],
  preview: [60, MINUTE],
  comment: [30, HOUR],
  edit: [60, HOUR],
  // The editor's script saves every few seconds while its author writes.
  save: [1500, HOUR],
  like: [200, HOUR],
  bookmark: [200, HOUR],
  follow: [200, HOUR],
  mention: [60, HOUR],
  unlike: [200, HOUR],
  report: [20, DAY],
  export: [3, DAY],
  moderate: [100, HOUR],
} as const;

/** Count an act of a person, or tell how long they have to wait. */
export function paced(
  by: MemberDoer | Moderating,
  community: Community,
  act: keyof typeof LIMITS,
): Promise<TooFast | undefined> {
  const [most, window] = LIMITS[act];
  const subject = `${act} ${by.userId}`;
  return attempted(community, { subject, most, now: by.at, closesAt: by.at + window });
}

/** Count a change that a moderator makes, unless they made too many. Each is in the audit log for good. */
export async function tooFastOf(by: Doer, community: Community): Promise<'too_fast' | undefined> {
  if (by.kind !== 'moderator') return undefined;
  return (await paced(by, community, 'moderate')) === undefined ? undefined : 'too_fast';
}
