// What mails and the links in them ask of storage. Each verb is one atomic, durable step.

import type { AttemptLimit } from '../lib/attempt.ts';
import type { Timestamp } from '../lib/clock.ts';

export type MailPurpose = 'confirm' | 'reset' | 'email_changed' | 'email_removed' | 'password_changed';

/** A mail that is to be sent. What is secret in it does not exist yet. */
export interface NewMail {
  purpose: MailPurpose;
  userId: number;
  email: string;
  /** The visitor's, as the pages call it. */
  language: string;
  createdAt: Timestamp;
}

/** A mail to somebody whose account is being made in the same step. */
export type FirstMail = Omit<NewMail, 'userId'>;

export interface WaitingMail extends NewMail {
  id: number;
  /** How often sending it was begun. */
  attempts: number;
  nextAttemptAt: Timestamp;
}

export interface MailToken {
  key: string;
  digest: string;
  purpose: 'confirm' | 'reset';
  userId: number;
  email: string;
  expiresAt: Timestamp;
}

export interface MailReads {
  /** Mails whose turn it is, the longest waiting first. */
  mailsDue(now: Timestamp, most: number): Promise<WaitingMail[]>;
  findMailToken(key: string): Promise<MailToken | undefined>;
  /** The address that a member was last asked to confirm, as long as that can be done. */
  emailToConfirm(userId: number, now: Timestamp): Promise<string | undefined>;
}

export interface MailWrites {
  /**
   * Counts as `countAttempt` does and, within the limit, adds the mail. Without a mail it takes as long. False beyond
   * the limit.
   */
  addMailWithin(limit: AttemptLimit, mail: NewMail | undefined): Promise<boolean>;
  /** Takes a mail for the caller alone until this moment; of parallel calls only one answers true. */
  claimMail(mail: WaitingMail, until: Timestamp): Promise<boolean>;
  postponeMail(id: number, until: Timestamp): Promise<void>;
  removeMail(id: number): Promise<void>;
  /** With the number of a waiting mail: false, and nothing added, if that does not wait any more. */
  addMailToken(token: MailToken, mailId?: number): Promise<boolean>;
}

export interface MailStore extends MailReads, MailWrites {}
