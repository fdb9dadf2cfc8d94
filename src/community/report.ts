// Reports: members tell the operators of what does not belong here, and operators remove it or let it stand.

import type { Act } from '../identity/act.ts';
import type { Timestamp } from '../lib/clock.ts';
import type { Community } from './community.ts';
import { XP_FOR_COMMENT, XP_FOR_POST } from './level.ts';
import { paced, type TooFast } from './pace.ts';
import { HEAT_WEIGHT } from './popularity.ts';

export const REPORT_REASONS = ['spam', 'abuse', 'illegal', 'other'] as const;
export type ReportReason = (typeof REPORT_REASONS)[number];

const MOST_NOTE_CHARACTERS = 1000;

/** A post, or a comment on it. */
export interface ReportSubject {
  postId: number;
  commentId: number | undefined;
}

/** What can be reported: it is there for everyone to see. */
export interface Reportable extends ReportSubject {
  authorId: number;
  authorName: string;
  postTitle: string;
  /** The first part of it, in Markdown. */
  text: string;
}

export interface NewReport extends ReportSubject {
  reporterId: number;
  reason: ReportReason;
  note: string;
  at: Timestamp;
}

/** One member's report. */
export interface Report {
  reporterName: string;
  reason: ReportReason;
  note: string;
  createdAt: Timestamp;
}

/** All that members reported of one thing and nobody has decided yet. */
export interface OpenReports {
  subject: Reportable;
  /** Gone already, by its author's or an operator's hand. */
  isGone: boolean;
  reports: readonly Report[];
}

export interface ReportedRemoval {
  subject: Reportable;
  /** Points that are taken back from the author. */
  xp: number;
  /** As in `popularity.ts`. */
  weight: number;
  act: Act;
}

export interface ReportStore {
  /** A published post, or a comment on one. */
  findReportable(of: { postId: number } | { commentId: number }): Promise<Reportable | undefined>;
  /** False if the member has reported the same already, and nobody has decided yet. */
  addReport(report: NewReport): Promise<boolean>;
  /** Those who have waited longest first, gathered by what they are about. */
  openReports(most: number): Promise<OpenReports[]>;
  /** How many reports are open, counted up to `most`. */
  countOpenReports(most: number): Promise<number>;
  /** Removes what was reported, tells its author and closes every report of it. False if it is gone already. */
  removeReported(removal: ReportedRemoval): Promise<boolean>;
  /** Closes every open report of a thing, and does nothing else. False if none is open. */
  closeReports(subject: ReportSubject, resolution: 'kept' | 'removed', act: Act): Promise<boolean>;
}

export interface ReportText {
  reason: string;
  note: string;
}

export interface ReportProblems {
  reason?: 'unknown';
  note?: 'too_long';
}

/** Reports something to the operators. Says why it can't be done, undefined once it is, or was before. */
export async function report(
  community: Community,
  reporterId: number,
  { postId, commentId }: ReportSubject,
  text: ReportText,
): Promise<{ problems: ReportProblems } | TooFast | undefined> {
  const note = text.note.trim();
  const reason = REPORT_REASONS.find((known) => known === text.reason);
  const isTooLong = [...note].length > MOST_NOTE_CHARACTERS;
  if (reason === undefined || isTooLong) {
    return {
      problems: {
        ...(reason === undefined && { reason: 'unknown' as const }),
        ...(isTooLong && { note: 'too_long' as const }),
      },
    };
  }
  const tooFast = await paced(community, 'report', reporterId);
  if (tooFast !== undefined) return tooFast;
  await community.writes.addReport({ postId, commentId, reporterId, reason, note, at: community.clock() });
  return undefined;
}

/** Removes what was reported; if it is gone already, closes the reports of it. False if there was nothing to do. */
export async function removeReported(
  { reads, writes, clock }: Community,
  operatorId: number,
  subject: ReportSubject,
): Promise<boolean> {
  const act = { at: clock(), actorId: operatorId };
  const { postId, commentId } = subject;
  const found = await reads.findReportable(commentId === undefined ? { postId } : { commentId });
  if (found !== undefined) {
    const xp = commentId === undefined ? XP_FOR_POST : XP_FOR_COMMENT;
    if (await writes.removeReported({ subject: found, xp, weight: HEAT_WEIGHT, act })) return true;
  }
  return writes.closeReports(subject, 'removed', act);
}

/** Lets what was reported stand. False if no report of it is open. */
export function keepReported(
  { writes, clock }: Community,
  operatorId: number,
  subject: ReportSubject,
): Promise<boolean> {
  return writes.closeReports(subject, 'kept', { at: clock(), actorId: operatorId });
}
