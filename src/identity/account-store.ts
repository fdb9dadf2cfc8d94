// The port for the state of an account: its status, its membership, and its role. Each
// method is one atomic, durable step.

import type { Doer, MemberDoer } from '../audit/doer.ts';
import type { Timestamp } from '../lib/clock.ts';
import type { Role } from './user.ts';

export interface AccountReads {
  /** Whether the site has an active operator besides this member. */
  hasOtherOperator(userId: number): Promise<boolean>;
  /** Why the account was suspended. Undefined without a reason. */
  suspensionReason(userId: number): Promise<string | undefined>;
}

export interface AccountWrites {
  /**
   * Suspends an active account, which ends its sessions, or reactivates a suspended one. A suspension is mailed
   * to the account's address, with its reason. False if nothing changed: the account has the status already, is
   * closed or does not exist, the suspension would leave no active operator, or a moderator is the doer and the
   * account is an operator's or a moderator's.
   */
  setStatus(by: Doer, userId: number, status: 'active' | 'suspended', reason?: string): Promise<boolean>;
  /**
   * Closes an account for good: ends its sessions, removes its posts and comments from every page, and
   * deletes its personal data. Its id and its username stay. False if it is closed already or does not exist, or
   * if no active operator would be left.
   */
  closeAccount(by: Doer, userId: number): Promise<boolean>;
  /** Sets the end of the membership. Undefined: the member has none. */
  setMemberUntil(by: Doer, userId: number, until: Timestamp | undefined): Promise<void>;
  /**
   * False if the account is closed, if a suspended one would get a role, or if no other active operator would be
   * left.
   */
  setRole(by: Doer, userId: number, role: Role): Promise<boolean>;
  /** Remembers the language of the member's pages, for mails that other people cause. */
  setLanguage(by: MemberDoer, language: string): Promise<void>;
}
