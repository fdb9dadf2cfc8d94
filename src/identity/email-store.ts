// The port for email addresses. Each method is one atomic, durable step, with the mails that it causes.

import type { Doer, MemberDoer } from '../audit/doer.ts';
import type { Timestamp } from '../lib/clock.ts';
import type { ByOperator, MailToken } from './mail-store.ts';
import type { User } from './user.ts';

/** An address of an account. Two addresses with the same key are the same address. */
export interface AccountEmail {
  email: string;
  emailKey: string;
}

/** What an undone change of address leads to. */
export interface Restoration {
  emailKey: string;
  passwordHash: string;
  /** When the address was changed. Links that later changes have mailed become invalid. */
  changedAt: Timestamp;
  /** Second factors that were added since then may be someone else's. */
  factorsSince: Timestamp;
  /** The link that lets the browser of the undo set a new password. */
  reset: MailToken;
  language: string;
  at: Timestamp;
  /** The network address that it came from. */
  address?: string | undefined;
}

/** The notice to an address that is replaced or removed. */
export interface AddressNotice {
  language: string;
  /** An address that the account got later has no link that undoes the change. */
  youngSince: Timestamp;
}

export interface EmailReads {
  findUserByEmail(emailKey: string): Promise<User | undefined>;
}

export interface EmailWrites {
  /**
   * Uses up the token and gives its address to the account, unless another account has the address. Then
   * every other link that was mailed for the account is invalid, and the previous address gets a notice. The first
   * address of an account that joined after `joinedSince` counts as old at once.
   */
  confirmEmail(
    by: MemberDoer,
    tokenKey: string,
    email: AccountEmail,
    notice: AddressNotice & { joinedSince: Timestamp },
  ): Promise<'confirmed' | 'taken' | 'unusable'>;
  /**
   * Removes the address, invalidates the links that were mailed for the account, and sends the address a
   * notice. False if the account has another address.
   */
  removeEmail(by: MemberDoer, email: string, notice: AddressNotice): Promise<boolean>;
  /**
   * Gives the account this address, or none. Every link that was mailed for the account becomes invalid, and both
   * addresses get a notice. False if another account has the address, or if the account is closed, has another
   * address by now, or is an operator's unless `mayBeOperator`.
   */
  setEmail(
    by: Doer,
    user: Pick<User, 'id' | 'email'>,
    email: AccountEmail | undefined,
    options: ByOperator,
  ): Promise<boolean>;
  /**
   * Uses up an undo token and gives the account its previous address back, unless another account has it. Then
   * the password is replaced by `passwordHash`, every session ends, newer second factors and recovery codes go, every
   * link of the account becomes invalid except `reset` and the undo links of earlier changes, and the address that is
   * replaced gets a notice.
   */
  restoreEmail(undo: MailToken, restoration: Restoration): Promise<'restored' | 'taken' | 'unusable'>;
}
