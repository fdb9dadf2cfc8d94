// Reports: members report a post or a comment that doesn't belong here, and operators remove it or keep it.

import type { MemberDoer, OperatorDoer } from '../audit/doer.ts';
import type { Community } from './community.ts';
import { XP_FOR_COMMENT, XP_FOR_POST } from './level.ts';
import { paced, type TooFast } from './pace.ts';
import { POPULARITY_WEIGHT } from './popularity.ts';
import { REPORT_REASONS, type ReportSubject } from './report-store.ts';

export {
  type OpenReports,
  REPORT_REASONS,
  type Report,
  type Reportable,
  type ReportReason,
  type ReportSubject,
} from './report-store.ts';

const MOST_NOTE_CHARACTERS = 1000;

export interface ReportText {
  reason: string;
  note: string;
}

export interface ReportProblems {
  reason?: 'unknown';
  note?: 'too_long';
}

/**
 * Report a subject to the operators. Returns undefined if there is now a report by the member, new or older.
 */
export async function report(
  by: MemberDoer,
  community: Community,
  { postId, commentId }: ReportSubject,
  text: ReportText,
): Promise<{ problems: ReportProblems } | TooFast | undefined> {
  const note = text.note.trim();
  const reason = REPORT_REASONS.find((name) => name === text.reason);
  const problems: ReportProblems = {};
  if (reason === undefined) problems.reason = 'unknown';
  if ([...note].length > MOST_NOTE_CHARACTERS) problems.note = 'too_long';
  if (reason === undefined || problems.note !== undefined) return { problems };
  const tooFast = await paced(by, community, 'report');
  if (tooFast !== undefined) return tooFast;
  await community.writes.addReport(by, { postId, commentId, reason, note });
  return undefined;
}

/**
 * Remove a reported subject, also if its author removed it already: the author can't restore it. Returns false
 * if there was nothing to do.
 */
export async function removeReported(
  by: OperatorDoer,
  { reads, writes }: Community,
  subject: ReportSubject,
): Promise<boolean> {
  const reported = await reads.findReported(subject);
  if (reported === undefined) return false;
  const xp = reported.commentId === undefined ? XP_FOR_POST : XP_FOR_COMMENT;
  if (await writes.removeReported(by, { subject: reported, xp, weight: POPULARITY_WEIGHT })) return true;
  // Another operator removed it, and a report arrived at the same moment.
  return writes.closeReports(by, subject, 'removed');
}

/** Keep a reported subject and close its reports. Returns false if none is open. */
export function keepReported(
  by: OperatorDoer,
  { writes }: Community,
  subject: ReportSubject,
): Promise<boolean> {
  return writes.closeReports(by, subject, 'kept');
}
