// The SQLite database as the source of a move: one snapshot, read in key order.

import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { DatabaseSync, type SQLOutputValue } from 'node:sqlite';
import { Refusal } from '../../lib/refusal.ts';
import { isMigrated } from '../engine/sqlite-connection.ts';
import { migrations } from '../migrations/index.ts';
import { type Chunk, keyOf, type MovedTable, quoted, type RowTexts, textsOf } from './moved-rows.ts';

/** The tables that belong to one database and are not copied. */
export const NOT_MOVED: readonly string[] = ['migrations', 'changes'];

// A chunk is compared and written as a whole. Posts can be long, so characters count too.
const CHUNK_ROWS = 2_000;
const CHUNK_CHARACTERS = 4_000_000;

/** A table without the column types of the target. */
export interface SourceTable {
  name: string;
  columns: readonly string[];
  key: readonly number[];
  rows: number;
  /** The largest id ever assigned, undefined if the table assigns none. */
  lastId: number | undefined;
}

export interface Source {
  tables: readonly SourceTable[];
  /** Identifies this community, and never changes. */
  community: string;
  chunks(table: MovedTable): Iterable<Chunk>;
  /** Whether the file has changed since the snapshot. */
  wasWritten(): boolean;
  close(): void;
}

const BUSY_TIMEOUT_MS = 5_000;

/** Open a snapshot, without blocking writers. Throws `Refusal`. */
export function openSource(path: string): Source {
  if (!existsSync(path)) throw new Refusal('file_missing', `There is no database at ${resolve(path)}.`);
  const options = { readOnly: true, timeout: BUSY_TIMEOUT_MS };
  const connection = new DatabaseSync(path, options);
  // A connection inside a snapshot doesn't see other commits, so a second one watches for them.
  const watch = new DatabaseSync(path, options);
  const close = () => {
    connection.close();
    watch.close();
  };
  const version = () => watch.prepare('PRAGMA data_version').get()?.data_version;
  try {
    const before = version();
    connection.exec('BEGIN');
    checkMigrations(connection);
    return {
      tables: tablesOf(connection),
      community: communityOf(connection),
      chunks: (table) => chunksOf(connection, table),
      wasWritten: () => version() !== before,
      close,
    };
  } catch (error) {
    close();
    if (error instanceof Refusal) throw error;
    throw unusable(`can't be read as a database (${(error as Error).message})`);
  }
}

function checkMigrations(connection: DatabaseSync): void {
  if (!isMigrated(connection)) throw unusable('is not a database of Portico');
  const rows = connection.prepare('SELECT name FROM migrations').all();
  const appliedNames = new Set(rows.map(({ name }) => String(name)));
  if (migrations.some(({ name }) => !appliedNames.has(name))) {
    throw unusable('was written by an older version; start the server once to update it');
  }
  if (appliedNames.size > migrations.length) throw unusable('was written by a newer version');
}

function unusable(reason: string): Refusal {
  return new Refusal('file_unusable', `The file of DATABASE_URL ${reason}.`);
}

function tablesOf(connection: DatabaseSync): SourceTable[] {
  const names = connection
    // The tables of a search index have other types. The target has an index of its own.
    .prepare(
      `SELECT name FROM pragma_table_list
       WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name`,
    )
    .all()
    .map(({ name }) => String(name))
    .filter((name) => !NOT_MOVED.includes(name));
  const selectLastId = connection.prepare('SELECT seq FROM sqlite_sequence WHERE name = ?');
  return names.map((name) => {
    const columns = connection.prepare('SELECT name, pk FROM pragma_table_info(?) ORDER BY cid').all(name);
    const key = columns
      .map(({ pk }, index) => ({ pk: Number(pk), index }))
      .filter(({ pk }) => pk > 0)
      .toSorted((a, b) => a.pk - b.pk);
    return {
      name,
      columns: columns.map((column) => String(column.name)),
      key: key.map(({ index }) => index),
      rows: Number(connection.prepare(`SELECT count(*) AS rows FROM ${quoted(name)}`).get()?.rows),
      lastId: selectLastId.get(name)?.seq as number | undefined,
    };
  });
}

// The times of the first migration and of the first sign-up. A restored backup keeps both.
function communityOf(connection: DatabaseSync): string {
  const createdAt = connection.prepare('SELECT min(applied_at) AS at FROM migrations').get()?.at;
  const joinedAt = connection.prepare('SELECT created_at AS at FROM users ORDER BY id LIMIT 1').get()?.at;
  return `${createdAt}/${joinedAt ?? 'nobody'}`;
}

function* chunksOf(connection: DatabaseSync, table: MovedTable): Generator<Chunk> {
  const columns = table.columns.map(({ name }) => quoted(name));
  const order = table.key.map((index) => columns[index]).join(', ');
  const select = connection.prepare(
    `SELECT ${columns.join(', ')} FROM ${quoted(table.name)} ORDER BY ${order}`,
  );
  select.setReturnArrays(true);
  let after: RowTexts | undefined;
  let rows: RowTexts[] = [];
  let characters = 0;
  for (const values of select.iterate() as Iterable<unknown> as Iterable<SQLOutputValue[]>) {
    const row = textsOf(table, values);
    rows.push(row);
    for (const text of row) characters += text?.length ?? 0;
    if (rows.length < CHUNK_ROWS && characters < CHUNK_CHARACTERS) continue;
    const upTo = keyOf(table, row);
    yield { rows, after, upTo };
    after = upTo;
    rows = [];
    characters = 0;
  }
  // The last chunk may be empty: the target must have no rows after the last key.
  yield { rows, after, upTo: undefined };
}
