// What came of an import: counts, the first of what was refused or changed, and all of it in a file.

import { closeSync, openSync, writeSync } from 'node:fs';
import { Refusal } from '../lib/refusal.ts';
import type { Place, RecordKind } from './record.ts';

/** What is told of a record that was not taken as it was. */
export interface Told extends Place {
  outcome: 'refused' | 'changed' | 'skipped';
  kind?: RecordKind | undefined;
  id?: string | undefined;
  reason: string;
}

type Counts = Record<RecordKind, number>;

// More of them is no help on a screen.
const MOST_KEPT = 100;

export interface Report {
  /** Records that were brought now. */
  added: Counts;
  /** Records that had been brought before. */
  there: Counts;
  refusals: number;
  changes: number;
  /** The first of what was refused, and of what was changed. */
  refused: Told[];
  changed: Told[];
  skipped: Map<string, number>;
  tell(told: Told): void;
  close(): void;
}

/** Opens a report; with `path`, everything is written there as JSON lines. */
export function openReport(path: string | undefined): Report {
  const file = path === undefined ? undefined : opened(path);
  const report: Report = {
    added: noCounts(),
    there: noCounts(),
    refusals: 0,
    changes: 0,
    refused: [],
    changed: [],
    skipped: new Map(),
    tell(told) {
      if (file !== undefined) writeSync(file, `${JSON.stringify(told)}\n`);
      const { outcome, reason } = told;
      if (outcome === 'skipped') {
        report.skipped.set(reason, (report.skipped.get(reason) ?? 0) + 1);
      } else if (outcome === 'refused') {
        report.refusals += 1;
        if (report.refused.length < MOST_KEPT) report.refused.push(told);
      } else {
        report.changes += 1;
        if (report.changed.length < MOST_KEPT) report.changed.push(told);
      }
    },
    close() {
      if (file !== undefined) closeSync(file);
    },
  };
  return report;
}

function noCounts(): Counts {
  return { member: 0, category: 0, post: 0, comment: 0, like: 0 };
}

function opened(path: string): number {
  try {
    return openSync(path, 'w', 0o600);
  } catch (error) {
    throw new Refusal('report_unwritable', `The report can't be written: ${(error as Error).message}`);
  }
}
