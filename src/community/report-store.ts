// Reports: their records, and their reads and writes in storage.

import type { MemberDoer, Moderating } from '../audit/doer.ts';
import type { Timestamp } from '../lib/clock.ts';

export const REPORT_REASONS = ['spam', 'abuse', 'illegal', 'other'] as const;
export type ReportReason = (typeof REPORT_REASONS)[number];

/** A post, or a comment on it. */
export interface ReportSubject {
  postId: number;
  commentId: number | undefined;
}

/** A published post or comment, which members can report. */
export interface Reportable extends ReportSubject {
  authorId: number;
  authorName: string;
  postTitle: string;
  /** The beginning of the text, in Markdown. */
  text: string;
}

export interface NewReport extends ReportSubject {
  reason: ReportReason;
  note: string;
}

/** One member's report. */
export interface Report {
  reporterName: string;
  reason: ReportReason;
  note: string;
  createdAt: Timestamp;
}

/** All open reports of one post or comment. */
export interface OpenReports {
  subject: Reportable;
  /** Whether its author or an operator removed it already. */
  isGone: boolean;
  reports: readonly Report[];
}

export interface ReportReads {
  /** A post or a comment in any state: published or removed. */
  findReported(subject: ReportSubject): Promise<Reportable | undefined>;
  /** A published post, or a comment on one. */
  findReportable(of: { postId: number } | { commentId: number }): Promise<Reportable | undefined>;
  /** Open reports by their subject, longest waiting first, without those of texts by one author. */
  openReports(most: number, withoutAuthor?: number): Promise<OpenReports[]>;
  /** The number of open reports, counted up to `most`. */
  countOpenReports(most: number): Promise<number>;
}

export interface ReportWrites {
  /**
   * Adds a report, which is mailed to operators and moderators, at most once an hour. Returns false if the member
   * has an open report of the same subject, or an account that is not active.
   */
  addReport(by: MemberDoer, report: NewReport): Promise<boolean>;
  /** Closes all open reports of a subject, and does nothing else. Returns false if none is open. */
  closeReports(by: Moderating, subject: ReportSubject, resolution: 'kept' | 'removed'): Promise<boolean>;
}

export interface ReportStore extends ReportReads, ReportWrites {}
