// How often a member may do a thing. Beyond it they are told when to go on.

import { attempted, type TooFast } from '../lib/attempt.ts';
import { DAY, HOUR } from '../lib/clock.ts';
import type { Community } from './community.ts';

export type { TooFast } from '../lib/attempt.ts';

/** How many in how long, counted from the first. */
const MOST = {
  post: [10, HOUR],
  draft: [60, HOUR],
  comment: [30, HOUR],
  like: [200, HOUR],
  report: [20, DAY],
  export: [3, DAY],
} as const;

/** Counts one more of a member's doings, or tells how long they have to wait. */
export function paced(
  community: Community,
  doing: keyof typeof MOST,
  userId: number,
): Promise<TooFast | undefined> {
  const [most, window] = MOST[doing];
  const now = community.clock();
  return attempted(community, { subject: `${doing} ${userId}`, most, now, closesAt: now + window });
}
