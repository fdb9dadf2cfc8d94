// Moving the data from SQLite to PostgreSQL. A loop over ranges of keys writes the differences, whether the
// copy is new, interrupted or out of date. A second loop verifies every table.

import { createHash } from 'node:crypto';
import pg from 'pg';
import { Refusal } from '../../lib/refusal.ts';
import { StorageUnavailable } from '../engine/database.ts';
import { openSource, type Source } from './move-source.ts';
import {
  compareRange,
  connect,
  dropConstraints,
  finish,
  messageOf,
  prepare,
  replace,
  tableInTarget,
} from './move-target.ts';
import { digestOfRows, type MovedTable } from './moved-rows.ts';

export interface MoveOptions {
  /** Replace the data of another community, or of a copy in use. */
  force?: boolean;
  /** Called with the share of the work that is done, from 0 to 1. */
  progress?(share: number): void;
}

export interface Move {
  tables: TableMove[];
  /** Whether the file has changed since the snapshot. The copy doesn't have these changes. */
  writtenMeanwhile: boolean;
}

export interface TableMove {
  name: string;
  rows: number;
  /** The rows that were written; the others were equal already. */
  written: number;
  /** The digest of all rows in key order, equal in both databases. */
  digest: string;
}

/**
 * Copy a snapshot of the SQLite database, and check that every table has the same rows in both databases.
 * Nothing else may use the target meanwhile. Throws `Refusal`.
 */
export async function moveDatabase(path: string, url: string, options: MoveOptions = {}): Promise<Move> {
  const source = openSource(path);
  try {
    const client = await connect(url);
    try {
      return await moveTo(client, url, source, options);
    } catch (error) {
      throw asRefusal(error);
    } finally {
      await client.end().catch(() => {});
    }
  } finally {
    source.close();
  }
}

async function moveTo(
  client: pg.Client,
  url: string,
  source: Source,
  { force = false, progress = () => {} }: MoveOptions,
): Promise<Move> {
  await prepare(client, url, source.community, force);
  const tables: MovedTable[] = [];
  for (const table of source.tables) tables.push(await tableInTarget(client, table));
  const total = 2 * source.tables.reduce((sum, { rows }) => sum + rows, 0);
  let rowsDone = 0;
  const advance = (rows: number) => {
    rowsDone += rows;
    // The last percent is for creating the indexes.
    progress(Math.min(0.99, rowsDone / total));
  };
  const writtenRows = await copy(client, source, tables, advance);
  const digests = await verify(client, source, tables, advance);
  await finish(client, source.tables);
  progress(1);
  return {
    tables: source.tables.map(({ name, rows }) => ({
      name,
      rows,
      written: writtenRows.get(name) ?? 0,
      digest: digests.get(name) ?? '',
    })),
    writtenMeanwhile: source.wasWritten(),
  };
}

async function copy(
  client: pg.Client,
  source: Source,
  tables: readonly MovedTable[],
  advance: (rows: number) => void,
): Promise<Map<string, number>> {
  const writtenRows = new Map<string, number>();
  for (const table of tables) {
    for (const chunk of source.chunks(table)) {
      const target = await compareRange(client, table, chunk);
      if (target.count !== chunk.rows.length || !target.digest.equals(digestOfRows(table, chunk.rows))) {
        if (writtenRows.size === 0) await dropConstraints(client, tables);
        await replace(client, table, chunk);
        writtenRows.set(table.name, (writtenRows.get(table.name) ?? 0) + chunk.rows.length);
      }
      advance(chunk.rows.length);
    }
  }
  return writtenRows;
}

async function verify(
  client: pg.Client,
  source: Source,
  tables: readonly MovedTable[],
  advance: (rows: number) => void,
): Promise<Map<string, string>> {
  const digests = new Map<string, string>();
  const differences: string[] = [];
  for (const table of tables) {
    const sourceHash = createHash('sha256');
    const targetHash = createHash('sha256');
    let rows = 0;
    let count = 0;
    for (const chunk of source.chunks(table)) {
      // PostgreSQL computes its digest while this process computes the other one.
      const targetRange = compareRange(client, table, chunk);
      sourceHash.update(digestOfRows(table, chunk.rows));
      const target = await targetRange;
      targetHash.update(target.digest);
      rows += chunk.rows.length;
      count += target.count;
      advance(chunk.rows.length);
    }
    const digest = sourceHash.digest('hex');
    digests.set(table.name, digest);
    if (rows !== count || digest !== targetHash.digest('hex')) {
      differences.push(`${table.name} (${rows} rows in the file, ${count} in PostgreSQL)`);
    }
  }
  if (differences.length === 0) return digests;
  throw new Refusal(
    'copy_differs',
    `The copy differs in ${differences.join(', ')}. ` +
      'Make sure that nothing else uses the PostgreSQL database, and run the command again.',
  );
}

// An error of a driver is for the operator. Any other error is a bug and keeps its stack trace.
function asRefusal(error: unknown): unknown {
  if (error instanceof pg.DatabaseError || error instanceof StorageUnavailable || isBroken(error)) {
    return new Refusal('target_unusable', `PostgreSQL: ${messageOf(error)}.`);
  }
  const { code, message } = error as NodeJS.ErrnoException;
  if (code !== 'ERR_SQLITE_ERROR') return error;
  return new Refusal('file_unusable', `The file of DATABASE_URL can't be read: ${message}.`);
}

// The driver has no error class for a broken connection.
function isBroken(error: unknown): boolean {
  const { syscall, message } = error as NodeJS.ErrnoException;
  return syscall !== undefined || /\bconnection\b|^Client was closed/i.test(message);
}
