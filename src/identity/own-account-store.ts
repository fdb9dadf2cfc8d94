// What a member's own doings with their account ask of storage: joining, the address, the password. Each verb is one
// atomic, durable step, the mails that it causes included.

import type { Timestamp } from '../lib/clock.ts';
import type { FirstMail } from './mail-store.ts';
import type { NewUser } from './store.ts';
import type { User } from './user.ts';

export interface SignUpExtras {
  /** The key of the invitation that this account uses up. */
  invitation: string | undefined;
  mail: FirstMail | undefined;
}

export interface OwnAccountReads {
  findUserByEmail(emailKey: string): Promise<User | undefined>;
}

export interface OwnAccountWrites {
  /**
   * As `addUser`, for an account without an address. Of parallel calls with one invitation exactly one makes an
   * account; one that fails for another reason leaves the invitation as it was.
   */
  register(user: NewUser, extras: SignUpExtras): Promise<number | 'username_taken' | 'invitation_unusable'>;
  /**
   * Uses up the token and makes its address the account's, unless another account has it. Every other link that was
   * mailed for the account is worthless then, and the address before is told.
   */
  confirmEmail(
    tokenKey: string,
    email: { userId: number; email: string; emailKey: string },
    language: string,
    now: Timestamp,
  ): Promise<'confirmed' | 'taken' | 'unusable'>;
  /** False if it is not the account's address. Links that were mailed are worthless then, and the address is told. */
  removeEmail(userId: number, email: string, language: string, now: Timestamp): Promise<boolean>;
  /**
   * Replaces the password, ends every session, makes all mailed links worthless and tells the address. False if the
   * hash is no longer the one to be replaced.
   */
  changePassword(
    userId: number,
    from: string,
    to: string,
    language: string,
    now: Timestamp,
  ): Promise<boolean>;
  /** As `changePassword`, by a token that is used up. False if it, or what it was made for, no longer holds. */
  resetPassword(
    token: { key: string; userId: number; email: string },
    to: string,
    language: string,
    now: Timestamp,
  ): Promise<boolean>;
}

export interface OwnAccountStore extends OwnAccountReads, OwnAccountWrites {}
