// The port for the state of an account: its status, its membership, and whether it is an operator's. Each
// method is one atomic, durable step.

import type { Doer } from '../audit/doer.ts';
import type { Timestamp } from '../lib/clock.ts';

export interface AccountReads {
  /** Whether the site has an active operator besides this member. */
  hasOtherOperator(userId: number): Promise<boolean>;
}

export interface AccountWrites {
  /**
   * Suspends an active account, which ends its sessions, or reactivates a suspended one. False if nothing
   * changed: the account has the status already, is closed or does not exist, or the suspension would leave no
   * active operator.
   */
  setStatus(by: Doer, userId: number, status: 'active' | 'suspended'): Promise<boolean>;
  /**
   * Closes an account for good: ends its sessions, removes its posts and comments from every page, and
   * deletes its personal data. Its id and its username stay. False if it is closed already or does not exist, or
   * if no active operator would be left.
   */
  closeAccount(by: Doer, userId: number): Promise<boolean>;
  /** Sets the end of the membership. Undefined: the member has none. */
  setMemberUntil(by: Doer, userId: number, until: Timestamp | undefined): Promise<void>;
  /** False if the new operator's account is not active, or if no other active operator would be left. */
  setOperator(by: Doer, userId: number, isOperator: boolean): Promise<boolean>;
}
