// The port for passwords. Each method is one atomic, durable step, with the mails that it causes.

import type { MemberDoer } from '../audit/doer.ts';
import type { Timestamp } from '../lib/clock.ts';

/** The old and the new hash, and the language of the notice. */
export interface PasswordReplacement {
  from: string;
  to: string;
  language: string;
}

export interface PasswordReads {
  findPasswordHash(userId: number): Promise<string | undefined>;
}

export interface PasswordWrites {
  /** Replaces the hash by another one of the same password, which changes nothing else. False as for a change. */
  renewPasswordHash(userId: number, from: string, to: string): Promise<boolean>;
  /**
   * Replaces the password, ends every session, invalidates all mailed links and sends the account's address a
   * notice. False if the current hash is not `from`.
   */
  changePassword(by: MemberDoer, replacement: PasswordReplacement): Promise<boolean>;
  /**
   * As `changePassword`, by a token, which is used up. False if the token expired, or if the account has
   * another address by now.
   */
  resetPassword(
    token: { key: string; userId: number; email: string },
    to: string,
    language: string,
    at: Timestamp,
    address?: string,
  ): Promise<boolean>;
}
