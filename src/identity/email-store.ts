// The port for email addresses. Each method is one atomic, durable step, with the mails that it causes.

import type { MemberDoer } from '../audit/doer.ts';
import type { Timestamp } from '../lib/clock.ts';
import type { User } from './user.ts';

/** An address for an account. Two addresses with the same key are the same address. */
export interface AccountEmail {
  userId: number;
  email: string;
  emailKey: string;
}

export interface EmailReads {
  findUserByEmail(emailKey: string): Promise<User | undefined>;
}

export interface EmailWrites {
  /**
   * Uses up the token and gives its address to the account, unless another account has the address. Then
   * every other link that was mailed for the account is invalid, and the previous address gets a notice.
   */
  confirmEmail(
    tokenKey: string,
    email: AccountEmail,
    language: string,
    at: Timestamp,
  ): Promise<'confirmed' | 'taken' | 'unusable'>;
  /**
   * Removes the address, invalidates the links that were mailed for the account, and sends the address a
   * notice. False if the account has another address.
   */
  removeEmail(by: MemberDoer, email: string, language: string): Promise<boolean>;
}
