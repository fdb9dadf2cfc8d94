// Backups of the SQLite database: writing one while the database is in use, and restoring one.

import {
  closeSync,
  constants,
  copyFileSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { dirname, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Timestamp } from '../../lib/clock.ts';
import { failureReason } from '../../lib/failure-reason.ts';
import { Refusal } from '../../lib/refusal.ts';
import { isBusy, isMigrated } from '../engine/sqlite-connection.ts';
import { migrations } from '../migrations/index.ts';
import { hasCompromisedKeys, skipMemberIds } from './after-backup.ts';

const BUSY_TIMEOUT_MS = 5_000;

/**
 * Write a snapshot of the database to a new file, which is checked and durable on return. Blocks this
 * process, while others can read and write. Throws `Refusal`, and then leaves no file.
 */
export function backUp(databasePath: string, file: string): void {
  if (!existsSync(databasePath)) {
    throw new Refusal('file_missing', `There is no database at ${resolve(databasePath)}.`);
  }
  const part = `${file}.part`;
  // The file is created first, so that one of two backups to the same file is refused.
  createEmpty(file);
  try {
    rmSync(part, { force: true });
    createEmpty(part);
    snapshot(databasePath, part);
    const problem = problemWithDatabase(part);
    if (problem !== undefined) throw new Refusal('file_unusable', `The backup failed: ${problem}.`);
    putInPlace(part, file);
  } catch (error) {
    rmSync(part, { force: true });
    rmSync(file, { force: true });
    throw error;
  }
}

export interface Restoration {
  /** The path of the previous database, undefined if there was none. */
  previous: string | undefined;
  /** Whether keys are valid again that were replaced after a leak. Undefined if the previous database can't tell. */
  hasCompromisedKeys: boolean | undefined;
}

/**
 * Check a backup and put it in the place of the database. An existing database is replaced only with
 * `replace`, is kept under another name, and must not be in use. Throws `Refusal`, and then changes nothing.
 */
export function restore(file: string, databasePath: string, replace: boolean, now: Timestamp): Restoration {
  const stats = statSync(file, { throwIfNoEntry: false });
  if (stats === undefined) throw new Refusal('file_missing', `There is no file ${resolve(file)}.`);
  if (!stats.isFile()) throw new Refusal('file_unusable', `${resolve(file)} is a folder, not a backup.`);
  if (existsSync(`${file}-wal`)) {
    // The newest transactions are in the log beside the file.
    throw new Refusal('file_unusable', `${resolve(file)} is a database in use, not a backup.`);
  }
  const exists = existsSync(databasePath);
  if (exists && !replace) {
    throw new Refusal('file_exists', `There is a database at ${resolve(databasePath)} already.`);
  }
  mkdirSync(dirname(databasePath), { recursive: true });
  const part = `${databasePath}.part`;
  rmSync(part, { force: true });
  try {
    createEmpty(part);
    // The copy is checked, since the backup could change after a check.
    copyFileSync(file, part);
    const problem = problemWithDatabase(part);
    if (problem !== undefined) throw new Refusal('file_unusable', `${resolve(file)}: ${problem}.`);
    const previous = exists ? keepPrevious(databasePath, now) : undefined;
    skipMemberIds(part, previous);
    // SQLite would apply the log of the previous database to the restored one.
    removeLogs(databasePath);
    putInPlace(part, databasePath);
    return {
      previous,
      hasCompromisedKeys: previous === undefined ? undefined : hasCompromisedKeys(databasePath, previous),
    };
  } catch (error) {
    rmSync(part, { force: true });
    throw error;
  } finally {
    removeLogs(part);
  }
}

/** Check a database file. Returns the problem in a few words, or undefined for a sound Portico database. */
export function problemWithDatabase(path: string): string | undefined {
  let connection: DatabaseSync | undefined;
  try {
    connection = new DatabaseSync(path, { readOnly: true, timeout: BUSY_TIMEOUT_MS });
    const integrity = Object.values(connection.prepare('PRAGMA integrity_check(1)').get() ?? {})[0];
    if (integrity !== 'ok') return `it is damaged (${integrity})`;
    const orphan = connection.prepare('PRAGMA foreign_key_check').get();
    if (orphan !== undefined)
      return `a row of ${orphan.table} refers to one of ${orphan.parent} that is missing`;
    return problemWithMigrations(connection);
  } catch (error) {
    return `it can't be read as a database: ${failureReason(error)}`;
  } finally {
    connection?.close();
  }
}

/** How many rows the tables have that tell a community's size. */
export type TableCounts = Readonly<Record<string, number>>;

const COUNTED = { members: 'users', posts: 'posts', comments: 'comments', applications: 'clients' };

/** Count the rows of a database file. */
export function countsOf(path: string): TableCounts {
  const connection = new DatabaseSync(path, { readOnly: true, timeout: BUSY_TIMEOUT_MS });
  try {
    const count = (table: string) =>
      connection.prepare(`SELECT count(*) AS count FROM ${table}`).get()?.count;
    return Object.fromEntries(Object.entries(COUNTED).map(([name, table]) => [name, Number(count(table))]));
  } finally {
    connection.close();
  }
}

function problemWithMigrations(connection: DatabaseSync): string | undefined {
  if (!isMigrated(connection)) return 'it is not a database of Portico';
  const knownNames = new Set(migrations.map(({ name }) => name));
  const rows = connection.prepare('SELECT name FROM migrations').all();
  const unknownRow = rows.find(({ name }) => !knownNames.has(String(name)));
  return unknownRow && `it was written by a newer version (${unknownRow.name})`;
}

function snapshot(databasePath: string, part: string): void {
  const connection = new DatabaseSync(databasePath, { readOnly: true, timeout: BUSY_TIMEOUT_MS });
  try {
    // SQLite's backup API starts over after each write of another process; VACUUM INTO reads one snapshot.
    connection.prepare('VACUUM INTO ?').run(part);
  } finally {
    connection.close();
  }
}

/** Copy the database to one file under another name. */
function keepPrevious(databasePath: string, now: Timestamp): string {
  leaveWal(databasePath);
  const timestamp = new Date(now).toISOString().replaceAll(/[-:]|\.\d+/g, '');
  const previous = `${databasePath}.replaced-${timestamp}`;
  copyFileSync(databasePath, previous, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
  sync(previous);
  return previous;
}

// Only the sole user of a database can leave WAL mode, so this also tells whether the database is in use.
function leaveWal(databasePath: string): void {
  const connection = new DatabaseSync(databasePath, { timeout: 0 });
  try {
    connection.exec('PRAGMA journal_mode = DELETE');
  } catch (error) {
    if (isBusy(error)) throw new Refusal('database_in_use', 'The database is in use. Stop the server first.');
    // A database that is too damaged to open can be replaced.
  } finally {
    connection.close();
  }
}

// The file will contain email addresses, so only its owner may read it, from the start.
function createEmpty(file: string): void {
  try {
    closeSync(openSync(file, 'wx', 0o600));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    const isFolder = statSync(file, { throwIfNoEntry: false })?.isDirectory();
    if (isFolder) throw new Refusal('file_unusable', `${resolve(file)} is a folder. Name a file in it.`);
    throw new Refusal('file_exists', `There is a file ${resolve(file)} already.`);
  }
}

function removeLogs(path: string): void {
  for (const ending of ['-wal', '-shm', '-journal']) rmSync(path + ending, { force: true });
}

function putInPlace(part: string, path: string): void {
  sync(part);
  renameSync(part, path);
  sync(dirname(path));
}

function sync(path: string): void {
  const handle = openSync(path, 'r');
  fsyncSync(handle);
  closeSync(handle);
}
