// What all kinds of records have in common when they are taken: some are there already, and others are refused.

import type { Brought, ImportedKind } from '../community/import-store.ts';
import type { ImportRecord, Person } from './record.ts';
import { RefusedText } from './record.ts';
import type { Taking } from './taking.ts';

type Kept = Extract<ImportRecord, { kind: ImportedKind }>;

/** The records that were not brought before; the others are counted. */
export async function missing<R extends Kept>(taking: Taking, records: readonly R[]): Promise<R[]> {
  const [first] = records;
  if (first === undefined) return [];
  const ids = records.map(({ id }) => id);
  const known = await taking.community.reads.importedRecords(taking.source, first.kind, ids);
  taking.report.there[first.kind] += records.filter(({ id }) => known.has(id)).length;
  return known.size === 0 ? [...records] : records.filter(({ id }) => !known.has(id));
}

export function refuse({ report }: Taking, { kind, id, place }: ImportRecord, reason: string): void {
  report.tell({ outcome: 'refused', ...place, kind, id, reason });
}

export function noteChange({ report }: Taking, { kind, id, place }: ImportRecord, reason: string): void {
  report.tell({ outcome: 'changed', ...place, kind, id, reason });
}

/** Counts what became of a record; `gone` says why it could not be taken. */
export function settle(taking: Taking, record: Kept, brought: Brought | undefined, gone: string): void {
  if (brought === 'added') taking.report.added[record.kind] += 1;
  else if (brought === 'there') taking.report.there[record.kind] += 1;
  else refuse(taking, record, gone);
}

/** Problems by fields, as one sentence. */
export function sentence(problems: object): string {
  return Object.entries(problems)
    .map(([field, problem]) => `${field}: ${String(problem).replaceAll('_', ' ')}`)
    .join('; ');
}

/** The text of a record. Undefined, and the record refused, if it can't be made into one. */
export function textOf(
  taking: Taking,
  record: Extract<ImportRecord, { body: () => string }>,
): string | undefined {
  try {
    return record.body();
  } catch (error) {
    if (!(error instanceof RefusedText)) throw error;
    refuse(taking, record, error.message);
    return undefined;
  }
}

/** When a record was made: now, if it does not say. Undefined, and the record refused, if that is yet to come. */
export function momentOf(
  taking: Taking,
  record: ImportRecord & { createdAt?: number | undefined },
): number | undefined {
  const now = taking.clock();
  const { createdAt = now } = record;
  if (createdAt <= now) return createdAt;
  if (taking.isForeign) return now;
  refuse(taking, record, 'createdAt: is in the future');
  return undefined;
}

/** The numbers here of what the same source brought. */
export function numbersOf({ community, source }: Taking, kind: 'post' | 'comment', ids: readonly string[]) {
  return community.reads.importedRecords(source, kind, [...new Set(ids)]);
}

/** Why a record is refused whose author can't be found. */
export function noAuthor(person: Person): string {
  return 'name' in person
    ? `author: there is no member named "${person.name}", or the record of that member was refused`
    : 'author: is not among the members of the file, or was refused';
}
