// How often a member may do a thing. Beyond it they are told when to go on.

import { HOUR, SECOND } from '../lib/clock.ts';
import type { Community } from './community.ts';

/** How many an hour, counted from the first. */
const MOST_AN_HOUR = { post: 10, draft: 60, comment: 30, like: 200 } as const;

/** What a member is told who went too fast. */
export interface TooFast {
  retryAfterSeconds: number;
}

/** Counts one more of a member's doings, or tells how long they have to wait. Judged and counted in one step. */
export async function paced(
  { store, clock }: Community,
  doing: keyof typeof MOST_AN_HOUR,
  userId: number,
): Promise<TooFast | undefined> {
  const now = clock();
  const subject = `${doing} ${userId}`;
  if (await store.countAttempt(subject, MOST_AN_HOUR[doing], now, now + HOUR)) return undefined;
  const closesAt = (await store.attemptsCloseAt(subject)) ?? now;
  return { retryAfterSeconds: Math.max(1, Math.ceil((closesAt - now) / SECOND)) };
}
