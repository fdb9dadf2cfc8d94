// The hatch of this room: what accounts and sessions ask of storage. Each verb is one atomic, durable step.

import type { AttemptReads, AttemptWrites } from '../lib/attempt.ts';
import type { Timestamp } from '../lib/clock.ts';
import type { AvatarReads, AvatarWrites } from './avatar.ts';
import type { CareReads, CareWrites } from './care.ts';
import type { InvitationReads, InvitationWrites } from './invitation-store.ts';
import type { FirstMail, MailReads, MailWrites } from './mail-store.ts';
import type { OwnAccountReads, OwnAccountWrites } from './own-account-store.ts';
import type { User } from './user.ts';

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

export interface NewSession {
  key: string;
  digest: string;
  userId: number;
  authenticatedAt: Timestamp;
  lastSeenAt: Timestamp;
  /** The end of the session, however much it is used. */
  expiresAt: Timestamp;
}

export type Session = NewSession;

export interface IdentityReads
  extends AttemptReads,
    AvatarReads,
    CareReads,
    InvitationReads,
    MailReads,
    OwnAccountReads {
  hasOperator(): Promise<boolean>;
  findUser(id: number): Promise<User | undefined>;
  findUserByName(usernameKey: string): Promise<User | undefined>;
  findPasswordHash(userId: number): Promise<string | undefined>;
  /** A session with its member, read in one step. */
  findSession(key: string): Promise<{ session: Session; user: User } | undefined>;
}

export interface IdentityWrites
  extends AttemptWrites,
    AvatarWrites,
    CareWrites,
    InvitationWrites,
    MailWrites,
    OwnAccountWrites {
  /** The new account's number, or which of its names is taken. Of parallel calls for one name exactly one succeeds. */
  addUser(user: NewUser): Promise<number | 'username_taken' | 'email_taken'>;
  /** As `addUser`, but only while there is no operator; undefined if there is one. The mail is added with it. */
  addFirstOperator(
    user: NewUser,
    mail?: FirstMail,
  ): Promise<number | 'username_taken' | 'email_taken' | undefined>;
  setBio(userId: number, bio: string): Promise<void>;
  /**
   * False, and nothing added, unless the account is active and, with `passwordHash`, this is its password's hash still:
   * one that was changed while it was judged opens nothing.
   */
  addSession(session: NewSession, passwordHash?: string): Promise<boolean>;
  touchSession(key: string, at: Timestamp): Promise<void>;
  endSession(key: string): Promise<void>;
  forgetAttempts(subject: string): Promise<void>;
  /** Counts one attempt less: it was none. */
  takeAttemptBack(subject: string): Promise<void>;
}

export interface IdentityStore extends IdentityReads, IdentityWrites {}
