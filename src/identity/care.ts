// What an operator may do to members' accounts: suspend, reactivate, close, and say how long the membership lasts.

import type { Timestamp } from '../lib/clock.ts';
import { type Act, actNow } from './act.ts';
import type { Identity } from './identity.ts';
import type { AccountStatus, User } from './user.ts';
import { usernameKey } from './username.ts';

/** Which members are asked for. */
export type MemberFilter = 'all' | 'suspended' | 'closed' | 'operators';

export interface CareStore {
  /**
   * Suspends an account, which ends every session, or reactivates it. False if the account is closed or unknown, or
   * the last operator who can act.
   */
  setStatus(userId: number, status: 'active' | 'suspended', act?: Act): Promise<boolean>;
  /**
   * Closes an account for good: ends its sessions, takes what it wrote from everyone's sight, and deletes what tells
   * of the person. Its number and name stay. False as for `setStatus`. Without an act it is the member's own doing.
   */
  closeAccount(userId: number, at: Timestamp, act?: Act): Promise<boolean>;
  setMemberUntil(userId: number, until: Timestamp | undefined, act?: Act): Promise<void>;
  /** False if the account can't be used, or is the last operator who can act. */
  setOperator(userId: number, isOperator: boolean, act?: Act): Promise<boolean>;
  /** Whether another operator could act if this member could not. */
  hasOtherOperator(userId: number): Promise<boolean>;

  /** Members with smaller numbers than `before`, newest first. */
  newestMembers(filter: MemberFilter, before: number | undefined, limit: number): Promise<User[]>;
  /** Members whose name begins so, in the order of names, after the one with the key `after`. */
  membersNamed(prefixKey: string, after: string | undefined, limit: number): Promise<User[]>;
  /** Accounts that ever were made, and those that are suspended and closed now, counted up to `most`. */
  countMembers(most: number): Promise<{ made: number; suspended: number; closed: number }>;
}

export type CareProblem = 'self' | 'closed' | 'last_operator';

/** Lets an operator set the state of another's account. Says why it can't be done, undefined once it is. */
export async function setAccountStatus(
  { reads, writes, clock }: Identity,
  operatorId: number,
  user: User,
  status: AccountStatus,
): Promise<CareProblem | undefined> {
  // Who wants to go closes their own account, on the page for that; who wants a rest has one.
  if (operatorId === user.id) return 'self';
  const act = actNow(clock, operatorId);
  const done =
    status === 'closed'
      ? await writes.closeAccount(user.id, act.at, act)
      : await writes.setStatus(user.id, status, act);
  if (done) return undefined;
  return (await reads.findUser(user.id))?.status === 'closed' ? 'closed' : 'last_operator';
}

/** The members whose name begins with what was typed. */
export function membersBeginning(
  { reads }: Identity,
  typed: string,
  after: string | undefined,
  limit: number,
): Promise<User[]> {
  return reads.membersNamed(usernameKey(typed), after === undefined ? undefined : usernameKey(after), limit);
}
