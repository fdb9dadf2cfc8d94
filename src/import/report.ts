// The report of an import: counts, the first refusals and changes, and all of them in a file.

import { closeSync, openSync, writeSync } from 'node:fs';
import { resolve } from 'node:path';
import { failureReason } from '../lib/failure-reason.ts';
import { escapeHidden } from '../lib/one-line.ts';
import { Refusal } from '../lib/refusal.ts';
import type { Place, RecordKind } from './record.ts';
import type { TextWithPictures } from './store.ts';

/** An entry of the file that was not imported, or not imported unchanged, or a picture that stays a link. */
export interface ReportLine extends Place {
  outcome: 'refused' | 'changed' | 'skipped' | 'linked';
  kind?: RecordKind | undefined;
  id?: string | undefined;
  reason: string;
}

type Counts = Record<RecordKind, number>;

// A file of a million refusals must not fill the memory.
const MOST_LINES = 100;

export interface Report {
  added: Counts;
  /** Records that an earlier import added. */
  alreadyThere: Counts;
  refusals: number;
  changes: number;
  firstRefusals: ReportLine[];
  firstChanges: ReportLine[];
  /** How many pictures the imported texts have. Texts link to those that are not downloaded. */
  pictures: number;
  /** How many of them `fetchPictures` would try. */
  picturesToFetch: number;
  fetchedPictures: number;
  /** How many pictures stay links, by the reason. */
  pictureProblems: Map<string, number>;
  /** How many entries were skipped, by kind, such as "private messages". */
  skipped: Map<string, number>;
  add(line: ReportLine): void;
  addPictureProblem(text: TextWithPictures, address: string, reason: string): void;
  close(): void;
}

/**
 * Open a report. Hidden characters of the file appear as numbers. With a path, every line is also written there
 * as JSON lines. Throws `Refusal`.
 */
export function openReport(path: string | undefined): Report {
  const file = path === undefined ? undefined : openFile(path);
  const report: Report = {
    added: noCounts(),
    alreadyThere: noCounts(),
    refusals: 0,
    changes: 0,
    firstRefusals: [],
    firstChanges: [],
    pictures: 0,
    picturesToFetch: 0,
    fetchedPictures: 0,
    pictureProblems: new Map(),
    skipped: new Map(),
    add(added) {
      const { id, reason } = added;
      const visibleId = id === undefined ? undefined : escapeHidden(id);
      const line = { ...added, id: visibleId, reason: escapeHidden(reason) };
      if (file !== undefined) writeSync(file, `${JSON.stringify(line)}\n`);
      count(report, line);
    },
    addPictureProblem({ kind, externalId: id }, address, reason) {
      report.add({ outcome: 'linked', kind, id, reason: `${address}: ${reason}` });
      report.pictureProblems.set(reason, (report.pictureProblems.get(reason) ?? 0) + 1);
    },
    close() {
      if (file !== undefined) closeSync(file);
    },
  };
  return report;
}

function count(report: Report, line: ReportLine): void {
  const { outcome, reason } = line;
  if (outcome === 'skipped') {
    report.skipped.set(reason, (report.skipped.get(reason) ?? 0) + 1);
  } else if (outcome === 'refused') {
    report.refusals += 1;
    if (report.firstRefusals.length < MOST_LINES) report.firstRefusals.push(line);
  } else if (outcome === 'changed') {
    report.changes += 1;
    if (report.firstChanges.length < MOST_LINES) report.firstChanges.push(line);
  }
}

function noCounts(): Counts {
  return { member: 0, category: 0, post: 0, comment: 0, like: 0 };
}

function openFile(path: string): number {
  try {
    return openSync(path, 'w', 0o600);
  } catch (error) {
    throw new Refusal(
      'report_unwritable',
      `--report: ${resolve(path)} can't be written: ${failureReason(error)}.`,
    );
  }
}
