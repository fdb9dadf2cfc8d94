// Reports: their records, and their reads and writes in storage.

import type { MemberDoer, OperatorDoer } from '../audit/doer.ts';
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

export interface ReportedRemoval {
  subject: Reportable;
  /** Points that the author loses. */
  xp: number;
  /** As in `popularity.ts`. */
  weight: number;
}

export interface ReportReads {
  /** A post or a comment in any state: published or removed. */
  findReported(subject: ReportSubject): Promise<Reportable | undefined>;
  /** A published post, or a comment on one. */
  findReportable(of: { postId: number } | { commentId: number }): Promise<Reportable | undefined>;
  /** Open reports by their subject, longest waiting first. */
  openReports(most: number): Promise<OpenReports[]>;
  /** The number of open reports, counted up to `most`. */
  countOpenReports(most: number): Promise<number>;
}

export interface ReportWrites {
  /** Returns false if the member has an open report of the same subject, or an account that is not active. */
  addReport(by: MemberDoer, report: NewReport): Promise<boolean>;
  /**
   * Removes the subject, notifies its author and closes all its reports. If its author removed it already,
   * takes over the removal, so that the author can't restore it. False if an operator removed it already.
   */
  removeReported(by: OperatorDoer, removal: ReportedRemoval): Promise<boolean>;
  /** Closes all open reports of a subject, and does nothing else. Returns false if none is open. */
  closeReports(by: OperatorDoer, subject: ReportSubject, resolution: 'kept' | 'removed'): Promise<boolean>;
}

export interface ReportStore extends ReportReads, ReportWrites {}
