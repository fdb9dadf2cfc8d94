// The port of src/identity: accounts, sign-ups, sessions and attempts. It includes the ports in the other
// `*-store.ts` files. Each method is one atomic, durable step.

import type { Doer, MemberDoer, SystemDoer } from '../audit/doer.ts';
import type { NewSecurityEventOf, SecurityEventWrites, SessionStart } from '../audit/security-event.ts';
import type { AttemptReads, AttemptWrites } from '../lib/attempt.ts';
import type { Timestamp } from '../lib/clock.ts';
import type { AccountReads, AccountWrites } from './account-store.ts';
import type { AvatarReads, AvatarWrites } from './avatar-store.ts';
import type { BrowserReads, BrowserWrites } from './browser-store.ts';
import type { DisowningWrites } from './disowning-store.ts';
import type { EmailReads, EmailWrites } from './email-store.ts';
import type { FactorReads, FactorResetReads, FactorResetWrites, FactorWrites } from './factor-store.ts';
import type { InvitationReads, InvitationWrites } from './invitation-store.ts';
import type { LinkReads, LinkWrites } from './link-store.ts';
import type { FirstMail, MailReads, MailWrites } from './mail-store.ts';
import type { MemberListReads } from './member-list-store.ts';
import type { PasskeyReads, PasskeyWrites } from './passkey-store.ts';
import type { PasswordReads, PasswordWrites } from './password-store.ts';
import type { NewSession, Session } from './session-record.ts';
import type { User } from './user.ts';
import type { UsernameReads, UsernameWrites } from './username-store.ts';

export interface NewUser {
  username: string;
  usernameKey: string;
  email: string | undefined;
  emailKey: string | undefined;
  passwordHash: string;
  bio: string;
  isOperator: boolean;
  createdAt: Timestamp;
}

export interface SignUpExtras {
  /** The key of the invitation that the new account uses up. */
  invitation: string | undefined;
  mail: FirstMail | undefined;
}

export interface TemporaryUserReads {
  /** The ids of the accounts that were made for a check, before this moment. */
  temporaryUsers(before: Timestamp): Promise<number[]>;
}

/** Writes about an account that exists for one check of `doctor`. They leave nothing in the audit log. */
export interface TemporaryUserWrites {
  addTemporaryUser(user: NewUser): Promise<number>;
  /** Deletes the account with all its rows. Does nothing to any other account. */
  deleteTemporaryUser(userId: number): Promise<void>;
}

export interface IdentityReads
  extends AttemptReads,
    AccountReads,
    AvatarReads,
    BrowserReads,
    EmailReads,
    FactorReads,
    FactorResetReads,
    InvitationReads,
    LinkReads,
    MailReads,
    MemberListReads,
    PasskeyReads,
    PasswordReads,
    TemporaryUserReads,
    UsernameReads {
  hasOperator(): Promise<boolean>;
  findUser(id: number): Promise<User | undefined>;
  findUserByName(usernameKey: string): Promise<User | undefined>;
  /** As `findUserByName`, also by an earlier username, which stays reserved for its member. */
  findUserByAnyName(usernameKey: string): Promise<User | undefined>;
  /** The accounts with these keys. Keys that no account has are left out. */
  membersByName(usernameKeys: readonly string[]): Promise<NamedMember[]>;
  /** How many of the account's sessions end after `now`, and were visited after `since`. */
  countSessions(userId: number, now: Timestamp, since: Timestamp): Promise<number>;
  /** A session with its member, read in one step. */
  findSession(key: string): Promise<{ session: Session; user: User } | undefined>;
}

export interface NamedMember extends Pick<User, 'id' | 'status'> {
  usernameKey: string;
}

export interface IdentityWrites
  extends AttemptWrites,
    AccountWrites,
    AvatarWrites,
    BrowserWrites,
    DisowningWrites,
    EmailWrites,
    FactorWrites,
    FactorResetWrites,
    InvitationWrites,
    LinkWrites,
    MailWrites,
    PasskeyWrites,
    PasswordWrites,
    SecurityEventWrites,
    TemporaryUserWrites,
    UsernameWrites {
  /** Returns the new account's id, or what is taken. Of parallel calls for one username one succeeds. */
  addUser(by: Doer, user: NewUser): Promise<number | 'username_taken' | 'email_taken'>;
  /** As `addUser`, with the mail, but only while the site has no operator. Undefined if it has one. */
  addFirstOperator(
    by: SystemDoer,
    user: NewUser,
    mail?: FirstMail,
  ): Promise<number | 'username_taken' | 'email_taken' | undefined>;
  /**
   * As `addUser`, for a visitor, without an address. Of parallel calls with one invitation exactly one
   * creates an account. A call that fails for another reason leaves the invitation unused.
   */
  register(user: NewUser, extras: SignUpExtras): Promise<number | 'username_taken' | 'invitation_unusable'>;
  /** Does nothing if the account is not active. */
  setBio(by: MemberDoer, bio: string): Promise<void>;
  /**
   * False, and no session added, if the account is not active. With `passwordHash` also if the account has
   * another hash: a password that was changed during the sign-in opens no session. A sign-in with nothing but the
   * password opens none if the account has a second factor.
   */
  addSession(session: NewSession, start: SessionStart, passwordHash?: string): Promise<boolean>;
  /** Records the time of a visit, and the network that it came from. */
  touchSession(key: string, at: Timestamp, network?: string): Promise<void>;
  /**
   * Ends a session, with the event that says how. Signing out sends logout tokens to the applications to which the
   * member signed in from it, and voids its codes. A session that takes its place, `nextKey`, voids them only if it is
   * another member's. Nothing is recorded if it has ended already.
   */
  endSession(
    session: Pick<Session, 'key' | 'authenticatedAt'>,
    event: NewSecurityEventOf<'signed_out' | 'session_ended'>,
    nextKey?: string,
  ): Promise<void>;
  /**
   * Ends every session of the account, and every sign-in to an application. False if the account is closed.
   */
  endSignIns(by: Doer, userId: number): Promise<boolean>;
  /** Takes one attempt off the count, because it didn't fail. */
  takeAttemptBack(subject: string): Promise<void>;
}

export interface IdentityStore extends IdentityReads, IdentityWrites {}
