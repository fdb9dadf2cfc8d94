// What is mailed to members: answers to them, and a weekly digest. The records, and their reads and writes in storage.

import type { MemberDoer } from '../audit/doer.ts';
import type { NewsItem } from '../identity/mail-store.ts';
import type { Timestamp } from '../lib/clock.ts';
import type { StoredRendering } from './text-store.ts';

/** Which mails a member gets. */
export interface MailChoice {
  /** Replies, mentions, and comments on the member's own posts. */
  answers: boolean;
  /** The weekly digest. */
  digest: boolean;
}

/** A reply, a mention or a comment that the member has not seen yet. */
export interface Answer extends Omit<NewsItem, 'excerpt'>, StoredRendering {
  /** The Markdown of the comment. Its HTML can be cut off. Both are empty if the post mentions the member. */
  body: string;
  /** The excerpt of the post. */
  postExcerpt: string;
}

/** Some notifications, for which no mail was queued yet. */
export interface AnswersToMail {
  /** The id of the last notification before them. */
  after: number;
  /** The id of the last of them. */
  through: number;
  at: Timestamp;
  /** No member gets more than one mail about answers in this many milliseconds. */
  pace: number;
  /** A mail whose next attempt is later than this is not being sent now. */
  claimedUntil: Timestamp;
}

export interface DueDigest {
  userId: number;
  dueAt: Timestamp;
}

export interface NewsReads {
  /** Undefined if the member has not chosen. */
  mailChoice(userId: number): Promise<MailChoice | undefined>;
  /** The id of the last notification for which a mail was queued, and those after it, oldest first. */
  notificationsToMail(
    limit: number,
  ): Promise<{ after: number; next: { id: number; createdAt: Timestamp }[] }>;
  /**
   * A member's unread answers after this notification, up to the last one for which mails were queued, oldest first.
   * Only those that the member can still read, by active members, and mentions only while the text has them.
   */
  answersAfter(userId: number, after: number, limit: number): Promise<Answer[]>;
  /** The digests that are due, the longest waiting first. */
  digestsDue(now: Timestamp, limit: number): Promise<DueDigest[]>;
}

export interface NewsWrites {
  /** Saves the member's choice. `digestDueAt` is when the next digest is due, if they did not get it before. */
  chooseMails(by: MemberDoer, choice: MailChoice, digestDueAt: Timestamp): Promise<void>;
  /**
   * Queues one mail for each member with answers among these notifications, unless one waits already. False, and
   * nothing changed, if another process has queued them.
   */
  queueAnswers(answers: AnswersToMail): Promise<boolean>;
  /** Queues a digest and sets when the next one is due. False, and nothing changed, if another process has done so. */
  queueDigest(digest: DueDigest, next: Timestamp, at: Timestamp): Promise<boolean>;
}
