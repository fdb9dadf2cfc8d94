// Members report an application that deceives them, and operators deactivate it or close the reports.

import type { MemberDoer, OperatorDoer } from '../audit/doer.ts';
import type { AuthorizationServer } from './authorization-server.ts';
import { CLIENT_REPORT_REASONS } from './client-report-store.ts';

export {
  CLIENT_REPORT_REASONS,
  type ClientReport,
  type ClientReportReason,
  type OpenClientReports,
} from './client-report-store.ts';

const MOST_NOTE_CHARACTERS = 1000;

export interface ClientReportProblems {
  reason?: 'unknown';
  note?: 'too_long';
}

/** Report an application to the operators. Undefined if there is now a report by the member, new or older. */
export async function reportClient(
  by: MemberDoer,
  { writes }: AuthorizationServer,
  clientId: string,
  text: { reason: string; note: string },
): Promise<ClientReportProblems | undefined> {
  const note = text.note.trim();
  const reason = CLIENT_REPORT_REASONS.find((name) => name === text.reason);
  const isTooLong = [...note].length > MOST_NOTE_CHARACTERS;
  if (reason === undefined || isTooLong) {
    return { ...(reason === undefined && { reason: 'unknown' }), ...(isTooLong && { note: 'too_long' }) };
  }
  await writes.addClientReport(by, { clientId, reason, note });
  return undefined;
}

/** Close the open reports of an application. False if none is open. */
export function closeClientReports(
  by: OperatorDoer,
  { writes }: AuthorizationServer,
  clientId: string,
): Promise<boolean> {
  return writes.closeClientReports(by, clientId);
}
