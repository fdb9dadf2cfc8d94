// Members report an application that deceives them, and operators deactivate it or close the reports.

import type { MemberDoer, OperatorDoer } from '../audit/doer.ts';
import {
  type AttemptReads,
  type AttemptWrites,
  attempted,
  dailyLimit,
  type TooFast,
} from '../lib/attempt.ts';
import { DAY, type Timestamp } from '../lib/clock.ts';
import type { AuthorizationServer } from './authorization-server.ts';
import { CLIENT_REPORT_REASONS, type OpenClientReports, type ReportedBefore } from './client-report-store.ts';

export {
  CLIENT_REPORT_REASONS,
  type ClientReport,
  type ClientReportReason,
  type OpenClientReports,
  type ReportedBefore,
} from './client-report-store.ts';

const MOST_NOTE_CHARACTERS = 1000;
const MOST_REPORTS_A_DAY = 20;
const MOST_REPORTS_SHOWN = 10;
/** The number of open reports of an application from which on they are not counted. */
export const MOST_COUNTED = 100;
// What operators decided stands for a while. Then the application may do something else.
const DECISION_STANDS = 7 * DAY;

export interface ClientReportProblems {
  reason?: 'unknown';
  note?: 'too_long';
}

/** Why a report was not sent. `againAt`: operators decided about an earlier one, and it can be sent again then. */
export type ReportRefusal =
  | { problems: ClientReportProblems }
  | TooFast
  | { decidedAt: Timestamp; againAt: Timestamp };

/** Report an application to the operators. Undefined if there is now an open report by the member, new or older. */
export async function reportClient(
  by: MemberDoer,
  { reads, writes }: AuthorizationServer,
  attempts: { reads: AttemptReads; writes: AttemptWrites },
  clientId: string,
  text: { reason: string; note: string },
): Promise<ReportRefusal | undefined> {
  const note = text.note.trim();
  const reason = CLIENT_REPORT_REASONS.find((name) => name === text.reason);
  const isTooLong = [...note].length > MOST_NOTE_CHARACTERS;
  if (reason === undefined || isTooLong) {
    return {
      problems: {
        ...(reason === undefined && { reason: 'unknown' }),
        ...(isTooLong && { note: 'too_long' }),
      },
    };
  }
  const tooFast = await attempted(
    attempts,
    dailyLimit(by.at, MOST_REPORTS_A_DAY, 'client report', by.userId),
  );
  if (tooFast !== undefined) return tooFast;
  if (await writes.addClientReport(by, { clientId, reason, note }, by.at - DECISION_STANDS)) return undefined;
  const decidedAt = (await reads.findClientReport(by.userId, clientId))?.closedAt;
  return decidedAt === undefined ? undefined : { decidedAt, againAt: decidedAt + DECISION_STANDS };
}

/** The applications with open reports, the most recently reported first, each with its newest reports. */
export function openClientReports(
  { reads }: AuthorizationServer,
  before: ReportedBefore | undefined,
  most: number,
): Promise<OpenClientReports[]> {
  const limits = { clients: most, reportsOfEach: MOST_REPORTS_SHOWN, counted: MOST_COUNTED };
  return reads.openClientReports(before, limits);
}

/** Close the open reports of an application. False if none is open. */
export function closeClientReports(
  by: OperatorDoer,
  { writes }: AuthorizationServer,
  clientId: string,
): Promise<boolean> {
  return writes.closeClientReports(by, clientId);
}
