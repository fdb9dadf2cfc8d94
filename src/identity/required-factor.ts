// Who needs a second factor, and from when on: the operators decide. Whoever needs one has a week to set it up, from
// the first page that needs it.

import { byMember } from '../audit/doer.ts';
import { DAY, type Timestamp } from '../lib/clock.ts';
import type { Identity } from './identity.ts';
import { canModerate, type User } from './user.ts';

/** Who needs a second factor. Operators include moderators. */
export const FACTOR_MODES = ['nobody', 'operators', 'everyone'] as const;
export type FactorMode = (typeof FACTOR_MODES)[number];

/** How long members have to set a factor up. */
export const FACTOR_GRACE = 7 * DAY;

/** Report whether the member needs a second factor and has none. */
export function lacksFactor(user: User, mode: FactorMode): boolean {
  return !user.hasFactor && (mode === 'everyone' || (mode === 'operators' && canModerate(user)));
}

/** Return the time from which on the member can't go on without a factor. The first call sets it. */
export async function factorDue(identity: Identity, user: User): Promise<Timestamp> {
  const due = await identity.reads.factorDueAt(user.id);
  if (due !== undefined) return due;
  const by = byMember(user, identity.clock);
  await identity.writes.setFactorDue(by, by.at + FACTOR_GRACE);
  return by.at + FACTOR_GRACE;
}
