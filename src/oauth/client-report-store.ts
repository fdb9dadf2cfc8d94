// Members' reports of applications: their records, and their reads and writes in storage.

import type { MemberDoer, OperatorDoer } from '../audit/doer.ts';
import type { Timestamp } from '../lib/clock.ts';
import type { Client } from './client-store.ts';

export const CLIENT_REPORT_REASONS = ['imitation', 'unexpected', 'misuse', 'other'] as const;
export type ClientReportReason = (typeof CLIENT_REPORT_REASONS)[number];

/** One member's report. */
export interface ClientReport {
  reporterName: string;
  reason: ClientReportReason;
  note: string;
  createdAt: Timestamp;
}

/** The open reports of one application. */
export interface OpenClientReports {
  clientId: string;
  clientName: string;
  clientStatus: Client['status'];
  newestAt: Timestamp;
  /** How many there are, counted up to a limit. */
  count: number;
  /** The newest of them, the newest first. */
  reports: readonly ClientReport[];
}

/** Where a page of reported applications begins: after the one with this newest report. */
export type ReportedBefore = Pick<OpenClientReports, 'newestAt' | 'clientId'>;

/** A report that a member sent. */
export interface OwnClientReport extends Omit<ClientReport, 'reporterName'> {
  clientId: string;
  closedAt: Timestamp | undefined;
}

export interface ClientReportReads {
  /** Applications with open reports, the most recently reported first. */
  openClientReports(
    before: ReportedBefore | undefined,
    most: { clients: number; reportsOfEach: number; counted: number },
  ): Promise<OpenClientReports[]>;
  /** The number of open reports, counted up to `most`. */
  countOpenClientReports(most: number): Promise<number>;
  findClientReport(userId: number, clientId: string): Promise<OwnClientReport | undefined>;
  /** The reports that a member sent, oldest first. */
  clientReportsBy(userId: number, most: number): Promise<OwnClientReport[]>;
}

export interface ClientReportWrites {
  /**
   * Adds a report in place of one that operators closed before `closedBefore`. False if the member has another report
   * of this application, or an account that is not active.
   */
  addClientReport(
    by: MemberDoer,
    report: { clientId: string; reason: ClientReportReason; note: string },
    closedBefore: Timestamp,
  ): Promise<boolean>;
  /** Closes all open reports of an application. False if none is open. */
  closeClientReports(by: OperatorDoer, clientId: string): Promise<boolean>;
}
