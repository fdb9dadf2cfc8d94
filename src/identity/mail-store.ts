// The port for mails and the links in them. Each write is one atomic, durable step.

import type { AboutCredential } from '../audit/credential-notice.ts';
import type { Doer } from '../audit/doer.ts';
import type { NewSecurityEvent } from '../audit/security-event.ts';
import type { AttemptLimit } from '../lib/attempt.ts';
import type { Timestamp } from '../lib/clock.ts';
import type { Role } from './user.ts';

export type MailPurpose =
  | 'confirm'
  | 'reset'
  | 'email_changed'
  | 'email_removed'
  | 'email_restored'
  | 'password_changed'
  | 'token_created'
  | 'email_added'
  | 'email_replaced'
  | 'reset_link_created'
  | 'factor_reset_asked'
  | 'renamed'
  | 'role_changed'
  | 'account_suspended'
  | 'content_removed'
  | 'content_restored'
  | 'new_reports'
  | 'api_token'
  | 'credential_exposed'
  | 'endpoint_disabled'
  | 'callbacks_changed'
  | 'application_reviewed'
  | 'new_browser'
  | 'application_allowed'
  | 'application_widened'
  | 'replay_detected'
  | 'factor_added'
  | 'factor_removed'
  | 'codes_guessed'
  | 'answers'
  | 'digest';

/**
 * What a mailed link does. `undo` gives the account its previous address back, `keep_factors` cancels the removal of
 * its factors, `disown` says "This wasn't me". The last two end mails about answers, and the digest.
 */
export type LinkPurpose =
  | 'confirm'
  | 'reset'
  | 'undo'
  | 'keep_factors'
  | 'disown'
  | 'stop_answers'
  | 'stop_digest';

/** What a mail about the security of the account tells. */
export interface SecurityFacts {
  at?: Timestamp;
  /** The network address. */
  address?: string | undefined;
  /** The short name of the browser. */
  program?: string | undefined;
  /** The application, and its name when the mail is sent. */
  clientId?: string | undefined;
  application?: string | undefined;
  /** The API token. */
  tokenId?: number | undefined;
  /** The second factor that was added or removed: a detail of the event. */
  factor?: string | undefined;
}

/** What a link "This wasn't me" is about: the mail, and what it revokes. */
export interface DisownedMail {
  purpose?: MailPurpose;
  /** When that happened. */
  since?: Timestamp;
  clientId?: string | undefined;
  tokenId?: number | undefined;
}

/** What a mail says about moderation, a credential, an application or security. Texts may be missing. */
export interface MailSubject extends AboutCredential {
  /** Why a person removed the text, suspended the account, or refused the application. */
  reason?: string | undefined;
  /** The title of the post. */
  post?: string;
  /** Whether it is about a comment on that post. */
  isComment?: boolean;
  /** The member's new role. */
  role?: Role;
  /** The name of the member's own application. */
  application?: string;
  /** Open reports. */
  reports?: number;
  security?: SecurityFacts;
  /** Of a change of address: the previous one was too young for a link that undoes it. */
  isYoung?: boolean;
  /** Of a mail about answers: it lists notifications with higher ids. */
  after?: number;
  news?: News;
}

/** What a mail about answers, or a digest, lists. */
export interface News {
  items: readonly NewsItem[];
  /** Whether there are more than the mail lists. */
  hasMore: boolean;
}

export interface NewsItem {
  /** A comment on the member's post, a reply to their comment, a mention of them, or a post for the digest. */
  kind: 'comment' | 'reply' | 'mention' | 'post';
  authorName: string;
  postId: number;
  postTitle: string;
  commentId: number | undefined;
  /** Plain text. */
  excerpt: string;
}

/** A mail to be sent. The secret of its link is created when the mail is sent. */
export interface NewMail {
  purpose: MailPurpose;
  userId: number;
  email: string;
  /** The visitor's language, as the pages name it. */
  language: string;
  createdAt: Timestamp;
}

/** An operator's change of an account that could give the account to someone else. */
export interface ByOperator {
  /** Whether the account may be an operator's. */
  mayBeOperator: boolean;
  /** The language of the notices. */
  language: string;
}

/** A mail for an account that the same step creates. */
export type FirstMail = Omit<NewMail, 'userId'>;

export interface WaitingMail extends NewMail {
  id: number;
  about: MailSubject;
  /** How many attempts to send it have begun. */
  attempts: number;
  nextAttemptAt: Timestamp;
}

/** A mail that was not sent yet, as operators see it. */
export interface UnsentMail extends Omit<WaitingMail, 'about'> {
  username: string;
  /** Why the last attempt failed: a code. */
  problem: string | undefined;
  /** Undefined while it waits for its next attempt. */
  givenUpAt: Timestamp | undefined;
}

export interface MailToken {
  key: string;
  digest: string;
  purpose: LinkPurpose;
  userId: number;
  /** Empty for a reset link of an account without an address, which an operator passes on. */
  email: string;
  /** Of a link "This wasn't me". */
  disowned?: DisownedMail;
  expiresAt: Timestamp;
}

export interface MailReads {
  /** Mails that are due: those with links first, and of each the longest waiting first. */
  mailsDue(now: Timestamp, most: number): Promise<WaitingMail[]>;
  /** Mails that wait or were given up, newest first, with ids below `before`. */
  unsentMails(before: number, most: number): Promise<UnsentMail[]>;
  findUnsentMail(id: number): Promise<UnsentMail | undefined>;
  /** The number of open reports, counted up to `most`. */
  countOpenReports(most: number): Promise<number>;
  applicationName(clientId: string): Promise<string | undefined>;
  findMailToken(key: string): Promise<MailToken | undefined>;
  /** The address that the member was last asked to confirm. Undefined if no link can confirm one any more. */
  emailToConfirm(userId: number, now: Timestamp): Promise<string | undefined>;
}

export interface MailWrites {
  /**
   * Counts an attempt as `countAttempt` does, and adds the mail and the event within the limit. False beyond the limit.
   * A call without a mail counts too, so that the response time doesn't show whether a mail is sent. A mail
   * with a confirmation link replaces the member's earlier ones: their links die, and those that wait aren't sent.
   */
  addMailWithin(limit: AttemptLimit, mail: NewMail | undefined, event?: NewSecurityEvent): Promise<boolean>;
  /** Reserves a mail for the caller until this moment. Of parallel calls only one returns true. */
  claimMail(mail: WaitingMail, until: Timestamp): Promise<boolean>;
  postponeMail(id: number, until: Timestamp, problem: string): Promise<void>;
  /** The mail is not due any more, and stays for operators until it is purged. */
  giveUpMail(id: number, at: Timestamp, problem: string): Promise<void>;
  /**
   * Makes a mail due now that was given up, or whose next attempt is after `claimedUntil`. False, and nothing
   * changed, for any other: a process may be sending it.
   */
  sendMailAgain(by: Doer, mail: UnsentMail, claimedUntil: Timestamp): Promise<boolean>;
  removeMail(id: number): Promise<void>;
  /** If `mailId` is passed and that mail is no longer waiting, adds no token and returns false. */
  addMailToken(token: MailToken, mailId?: number): Promise<boolean>;
  /**
   * Adds a reset link that an operator passes on. Earlier reset links of the account become invalid, and its
   * address gets a notice. The token has the empty email if the account has none. False if the account has another
   * address, is closed, or is an operator's unless `mayBeOperator`.
   */
  addResetLink(by: Doer, token: MailToken, options: ByOperator): Promise<boolean>;
}
