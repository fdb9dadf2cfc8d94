// The outcome of each record, counted and reported: added, already there, changed or refused.

import type { ImportRun } from '../import-run.ts';
import { picturesIn } from '../pictures-in-text.ts';
import { type ImportRecord, type Person, RefusedText } from '../record.ts';
import type { ImportedKind, ImportOutcome } from '../store.ts';

type StoredRecord = Extract<ImportRecord, { kind: ImportedKind }>;

/** Count the records that an earlier run imported, and return the others. All records are of one kind. */
export async function newRecords<R extends StoredRecord>(
  run: ImportRun,
  records: readonly R[],
): Promise<R[]> {
  const [first] = records;
  if (first === undefined) return [];
  const ids = records.map(({ id }) => id);
  const earlierIds = await run.reads.importedRecords(run.source, first.kind, ids);
  const rest = records.filter(({ id }) => !earlierIds.has(id));
  run.report.alreadyThere[first.kind] += records.length - rest.length;
  return rest;
}

export function refuse({ report }: ImportRun, { kind, id, place }: ImportRecord, reason: string): void {
  report.add({ outcome: 'refused', ...place, kind, id, reason });
}

export function reportChange({ report }: ImportRun, { kind, id, place }: ImportRecord, reason: string): void {
  report.add({ outcome: 'changed', ...place, kind, id, reason });
}

/** Count the outcome of adding a record. A record that can't be added is refused for this reason. */
export function countOutcome(
  run: ImportRun,
  record: StoredRecord,
  outcome: ImportOutcome | undefined,
  reason: string,
): void {
  if (outcome === 'added') run.report.added[record.kind] += 1;
  else if (outcome === 'already_there') run.report.alreadyThere[record.kind] += 1;
  else refuse(run, record, reason);
}

/** The problems of several fields in one sentence. */
export function sentenceOf(problems: object): string {
  return Object.entries(problems)
    .map(([field, problem]) => `${field}: ${String(problem).replaceAll('_', ' ')}`)
    .join('; ');
}

/**
 * The text of a record. If the text can't be converted, the record is refused and the result is undefined.
 */
export function bodyOf(
  run: ImportRun,
  record: Extract<ImportRecord, { body: () => string }>,
): string | undefined {
  try {
    return record.body();
  } catch (error) {
    if (!(error instanceof RefusedText)) throw error;
    refuse(run, record, error.message);
    return undefined;
  }
}

/**
 * When a record was created; by default now. A time in the future becomes now in a foreign file; otherwise
 * the record is refused and the result is undefined.
 */
export function createdAtOf(
  run: ImportRun,
  record: ImportRecord & { createdAt?: number | undefined },
): number | undefined {
  const now = run.clock();
  const { createdAt = now } = record;
  if (createdAt <= now) return createdAt;
  if (run.isForeign) return now;
  refuse(run, record, 'createdAt: is in the future');
  return undefined;
}

/** Map the records' ids in the file to their ids here. Leaves out records that were not imported. */
export function importedIds(
  { reads, source }: ImportRun,
  kind: 'post' | 'comment',
  ids: readonly string[],
): Promise<Map<string, number>> {
  return reads.importedRecords(source, kind, [...new Set(ids)]);
}

/** Count the pictures in the Markdown of a record that was added. */
export function countPictures(
  { report, site }: ImportRun,
  outcome: ImportOutcome | undefined,
  body: string,
): void {
  if (outcome !== 'added') return;
  report.pictures += body.match(PICTURE)?.length ?? 0;
  report.picturesToFetch += picturesIn(body, site).length;
}

const PICTURE = /!\[[^[\]\n]{0,300}\]\(/g;

/** The reason to refuse a record by a member who has no account here. */
export function unknownAuthor(person: Person): string {
  return 'name' in person
    ? `author: there is no member named "${person.name}", or the record of that member was refused`
    : 'author: is not among the members of the file, or was refused';
}
