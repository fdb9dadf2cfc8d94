// Moving a community from the embedded database to PostgreSQL. One loop over ranges of keys compares both sides and
// writes what differs: that is copying, going on after an interruption, and copying again all in one. A second loop
// compares everything once more.

import { createHash } from 'node:crypto';
import pg from 'pg';
import { StorageUnavailable } from '../engine/database.ts';
import { MoveRefused } from './move-refused.ts';
import { openSource, type Source } from './move-source.ts';
import { connect, finish, look, loosen, prepare, replace, tableInTarget, wordsOf } from './move-target.ts';
import { digestOfRows, type MovedTable } from './moved-rows.ts';

export { MoveRefused } from './move-refused.ts';

export interface MoveOptions {
  /** Replace whatever the target holds. */
  force?: boolean;
  /** Told how far it has come, from 0 to 1. */
  progress?(share: number): void;
}

export interface Move {
  tables: TableMove[];
  /** Whether the file was written to since it was read: that is not in the copy. */
  writtenMeanwhile: boolean;
}

export interface TableMove {
  name: string;
  rows: number;
  /** Rows that were written; the others were there already. */
  written: number;
  /** Of all its rows in the order of their key, the same on both sides. */
  digest: string;
}

/**
 * Copies the community as it is at one moment, and checks that every table has the same rows on both sides. Can be
 * interrupted and run again at any time, and then writes only what differs. The target must not be used meanwhile.
 * Throws `MoveRefused`.
 */
export async function moveDatabase(path: string, url: string, options: MoveOptions = {}): Promise<Move> {
  const source = openSource(path);
  try {
    const client = await connect(url);
    try {
      return await moveTo(client, url, source, options);
    } catch (error) {
      throw told(error);
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
  let done = 0;
  const advance = (rows: number) => {
    done += rows;
    // The end is when the indices are made.
    progress(Math.min(0.99, done / total));
  };
  const written = await copy(client, source, tables, advance);
  const digests = await verify(client, source, tables, advance);
  await finish(client, source.tables);
  progress(1);
  return {
    tables: source.tables.map(({ name, rows }) => ({
      name,
      rows,
      written: written.get(name) ?? 0,
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
  const written = new Map<string, number>();
  for (const table of tables) {
    for (const chunk of source.chunks(table)) {
      const found = await look(client, table, chunk);
      if (found.count !== chunk.rows.length || !found.digest.equals(digestOfRows(table, chunk.rows))) {
        if (written.size === 0) await loosen(client, tables);
        await replace(client, table, chunk);
        written.set(table.name, (written.get(table.name) ?? 0) + chunk.rows.length);
      }
      advance(chunk.rows.length);
    }
  }
  return written;
}

async function verify(
  client: pg.Client,
  source: Source,
  tables: readonly MovedTable[],
  advance: (rows: number) => void,
): Promise<Map<string, string>> {
  const digests = new Map<string, string>();
  const differing: string[] = [];
  for (const table of tables) {
    const [here, there] = [createHash('sha256'), createHash('sha256')];
    let [rows, count] = [0, 0];
    for (const chunk of source.chunks(table)) {
      // Both sides work at the same time.
      const looking = look(client, table, chunk);
      here.update(digestOfRows(table, chunk.rows));
      const found = await looking;
      there.update(found.digest);
      rows += chunk.rows.length;
      count += found.count;
      advance(chunk.rows.length);
    }
    const digest = here.digest('hex');
    digests.set(table.name, digest);
    if (rows !== count || digest !== there.digest('hex')) {
      differing.push(`${table.name} (${rows} rows in the file, ${count} in PostgreSQL)`);
    }
  }
  if (differing.length === 0) return digests;
  throw new MoveRefused(
    'copy_differs',
    `After the copying there are differences in ${differing.join(', ')}. ` +
      'Make sure that nothing else uses the PostgreSQL database, and run the command again.',
  );
}

// What a driver throws is for the operator; anything else is a mistake of ours and keeps its trace.
function told(error: unknown): unknown {
  if (error instanceof pg.DatabaseError || error instanceof StorageUnavailable || isBroken(error)) {
    return new MoveRefused('target_unusable', `PostgreSQL: ${wordsOf(error)}.`);
  }
  const { code, message } = error as NodeJS.ErrnoException;
  if (code !== 'ERR_SQLITE_ERROR') return error;
  return new MoveRefused('file_unusable', `The file of DATABASE_URL can't be read: ${message}.`);
}

// The driver has no names for these.
function isBroken(error: unknown): boolean {
  const { syscall, message } = error as NodeJS.ErrnoException;
  return syscall !== undefined || /\bconnection\b|^Client was closed/i.test(message);
}
