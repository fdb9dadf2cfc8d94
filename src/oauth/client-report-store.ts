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

/** All open reports of one application, oldest first. */
export interface OpenClientReports {
  clientId: string;
  clientName: string;
  clientStatus: Client['status'];
  reports: readonly ClientReport[];
}

/** A report that a member sent. */
export interface OwnClientReport extends Omit<ClientReport, 'reporterName'> {
  clientId: string;
  closedAt: Timestamp | undefined;
}

export interface ClientReportReads {
  /** Open reports by their application, longest waiting first. */
  openClientReports(): Promise<OpenClientReports[]>;
  /** The number of open reports, counted up to `most`. */
  countOpenClientReports(most: number): Promise<number>;
  /** The reports that a member sent, oldest first. */
  clientReportsBy(userId: number, most: number): Promise<OwnClientReport[]>;
}

export interface ClientReportWrites {
  /**
   * Adds a report. False if the member has an open report of this application, or an account that is not active.
   */
  addClientReport(
    by: MemberDoer,
    report: { clientId: string; reason: ClientReportReason; note: string },
  ): Promise<boolean>;
  /** Closes all open reports of an application. False if none is open. */
  closeClientReports(by: OperatorDoer, clientId: string): Promise<boolean>;
}
