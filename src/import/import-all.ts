// Importing the entries of a file in batches. The records of one kind in a batch share a commit.

import type { Destination } from './destination.ts';
import type { ImportOptions, ImportRun } from './import-run.ts';
import type { FileEntry, ImportFile, ImportRecord, RecordKind } from './record.ts';
import { authorsIn } from './records/authors.ts';
import { importCategories } from './records/import-categories.ts';
import { importComments } from './records/import-comments.ts';
import { importLikes } from './records/import-likes.ts';
import { importMembers } from './records/import-members.ts';
import { importPosts } from './records/import-posts.ts';
import { importOldAddresses } from './records/old-addresses.ts';

// Enough entries to make a shared commit pay, and few enough to fit into memory with texts of any size.
const BATCH_ENTRIES = 250;

/**
 * Import all entries of a file. `onBatch` is called when a batch is durable. Throws `DamagedFile` after the
 * entries before the damage were imported.
 */
export async function importAll(
  destination: Destination,
  { isForeign, entries }: ImportFile,
  options: ImportOptions,
  onBatch: () => void,
): Promise<void> {
  const { by, source, format } = options;
  await destination.writes.beginImport(by, { source, format });
  const authors = authorsIn(destination, source);
  const run: ImportRun = { ...destination, ...options, isForeign, authors, categoryIds: new Map() };
  let batch: FileEntry[] = [];
  try {
    for await (const entry of entries) {
      batch.push(entry);
      if (batch.length < BATCH_ENTRIES) continue;
      const complete = batch;
      batch = [];
      await importBatch(run, complete);
      onBatch();
    }
  } finally {
    await importBatch(run, batch);
    onBatch();
  }
}

async function importBatch(run: ImportRun, batch: readonly FileEntry[]): Promise<void> {
  for (const entry of batch) reportUnreadable(run, entry);
  await importCategories(run, ofKind(batch, 'category'));
  await importMembers(run, ofKind(batch, 'member'));
  await importPosts(run, ofKind(batch, 'post'));
  await importComments(run, ofKind(batch, 'comment'));
  await importLikes(run, ofKind(batch, 'like'));
  await importOldAddresses(run, batch);
}

function reportUnreadable({ report }: ImportRun, entry: FileEntry): void {
  if (entry.kind === 'skipped') report.add({ outcome: 'skipped', ...entry.place, reason: entry.sort });
  if (entry.kind !== 'refused') return;
  const { place, recordKind, id, reason } = entry;
  report.add({ outcome: 'refused', ...place, kind: recordKind, id, reason });
}

type RecordOf<K extends RecordKind> = Extract<ImportRecord, { kind: K }>;

function ofKind<K extends RecordKind>(batch: readonly FileEntry[], kind: K): RecordOf<K>[] {
  return batch.filter((entry): entry is RecordOf<K> => entry.kind === kind);
}
