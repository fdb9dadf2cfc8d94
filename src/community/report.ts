// Reports: members report a post or a comment that doesn't belong here, and moderators remove it or keep it.

import type { Doer, MemberDoer, Moderating } from '../audit/doer.ts';
import type { Community } from './community.ts';
import { paced, type TooFast } from './pace.ts';
import { type OpenReports, REPORT_REASONS, type Reportable, type ReportSubject } from './report-store.ts';

export {
  type OpenReports,
  REPORT_REASONS,
  type Report,
  type Reportable,
  type ReportReason,
  type ReportSubject,
} from './report-store.ts';

const MOST_NOTE_CHARACTERS = 1000;
/** Pages show a larger number of open reports as "99+". */
export const MOST_REPORTS_SHOWN = 99;

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

/** Report whether a moderator wrote the text. Then others decide about it. */
export function isOwn(by: Doer, { authorId }: Pick<Reportable, 'authorId'>): boolean {
  return by.kind === 'moderator' && by.userId === authorId;
}

/** The open reports that a person decides about. Moderators aren't told who reported their own texts. */
export function openReportsFor(by: Moderating, { reads }: Community, most: number): Promise<OpenReports[]> {
  return reads.openReports(most, by.kind === 'moderator' ? by.userId : undefined);
}

/** Keep a reported subject and close its reports. Returns false if none is open, or a moderator wrote it. */
export async function keepReported(
  by: Moderating,
  { reads, writes }: Community,
  subject: ReportSubject,
): Promise<boolean> {
  const content = await reads.findReported(subject);
  if (content === undefined || isOwn(by, content)) return false;
  return writes.closeReports(by, subject, 'kept');
}

/** The number of open reports. `MOST_REPORTS_SHOWN + 1` stands for any larger number. */
export function countOpenReports({ reads }: Community): Promise<number> {
  return reads.countOpenReports(MOST_REPORTS_SHOWN + 1);
}
