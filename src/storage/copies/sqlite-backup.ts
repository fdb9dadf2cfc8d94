// Copies of the embedded database: making one while it is in use, and putting one in its place.

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
} from 'node:fs';
import { dirname, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Timestamp } from '../../lib/clock.ts';
import { migrations } from '../migrations/index.ts';

/** Why a copy was not made or not put in place. Nothing was changed. The message is for the operator. */
export class CopyRefused extends Error {
  readonly code: 'file_exists' | 'file_missing' | 'file_unusable' | 'database_in_use';

  constructor(code: CopyRefused['code'], message: string) {
    super(message);
    this.code = code;
  }
}

const BUSY_TIMEOUT_MS = 5_000;

/**
 * Writes the database, as it is at one moment, to a new file that is checked and durable before this returns. Nobody
 * waits for it: readers and writers go on. Blocks this process meanwhile.
 */
export function backUp(databasePath: string, file: string): void {
  if (!existsSync(databasePath)) {
    throw new CopyRefused('file_missing', `There is no database at ${resolve(databasePath)}.`);
  }
  const part = `${file}.part`;
  // The name is taken first, so that of two backups to one file one is refused.
  createEmpty(file);
  try {
    rmSync(part, { force: true });
    createEmpty(part);
    snapshot(databasePath, part);
    const problem = problemWithDatabase(part);
    if (problem !== undefined) throw new CopyRefused('file_unusable', `Not copied: ${problem}.`);
    putInPlace(part, file);
  } catch (error) {
    rmSync(part, { force: true });
    rmSync(file, { force: true });
    throw error;
  }
}

export interface Restored {
  /** Where the database that was replaced is kept; undefined if there was none. */
  kept: string | undefined;
}

/**
 * Puts a copy in the place of the database, after checking it. A database that is there is replaced only if `replace`
 * is set, kept under another name, and never while a program uses it.
 */
export function restore(file: string, databasePath: string, replace: boolean, now: Timestamp): Restored {
  if (!existsSync(file)) throw new CopyRefused('file_missing', `There is no file ${resolve(file)}.`);
  if (existsSync(`${file}-wal`)) {
    // The newest transactions are in the log: the file alone is not the whole.
    throw new CopyRefused('file_unusable', `${resolve(file)} is a database in use, not a backup of one.`);
  }
  const exists = existsSync(databasePath);
  if (exists && !replace) {
    throw new CopyRefused('file_exists', `There is a database at ${resolve(databasePath)} already.`);
  }
  mkdirSync(dirname(databasePath), { recursive: true });
  const part = `${databasePath}.part`;
  rmSync(part, { force: true });
  try {
    createEmpty(part);
    // Copied first and checked then: what is checked is what is put in place.
    copyFileSync(file, part);
    const problem = problemWithDatabase(part);
    if (problem !== undefined) throw new CopyRefused('file_unusable', `${resolve(file)}: ${problem}.`);
    const kept = exists ? keep(databasePath, now) : undefined;
    // A log left behind by another database would be played into this one.
    removeLogs(databasePath);
    putInPlace(part, databasePath);
    return { kept };
  } catch (error) {
    rmSync(part, { force: true });
    throw error;
  } finally {
    removeLogs(part);
  }
}

/** Says in a few words what is wrong with a database file, undefined if it is sound and one of ours. */
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
    return `it can't be read as a database (${(error as Error).message})`;
  } finally {
    connection?.close();
  }
}

function problemWithMigrations(connection: DatabaseSync): string | undefined {
  const table = connection.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'migrations'").get();
  if (table === undefined) return 'it is not a database of Portico';
  const known = new Set(migrations.map(({ name }) => name));
  const applied = connection.prepare('SELECT name FROM migrations').all();
  const unknown = applied.find(({ name }) => !known.has(String(name)));
  return unknown && `it was written by a newer version (${unknown.name})`;
}

function snapshot(databasePath: string, part: string): void {
  const connection = new DatabaseSync(databasePath, { readOnly: true, timeout: BUSY_TIMEOUT_MS });
  try {
    // One read transaction: under a steady load of writes the page-by-page backup would begin again and again.
    connection.prepare('VACUUM INTO ?').run(part);
  } finally {
    connection.close();
  }
}

/** Keeps a copy of the database that is about to be replaced, all of it in one file. */
function keep(databasePath: string, now: Timestamp): string {
  leaveWal(databasePath);
  const moment = new Date(now).toISOString().replaceAll(/[-:]|\.\d+/g, '');
  const kept = `${databasePath}.replaced-${moment}`;
  copyFileSync(databasePath, kept, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
  sync(kept);
  return kept;
}

// Leaving WAL mode needs the database for oneself, which tells whether anyone else has it open.
function leaveWal(databasePath: string): void {
  const connection = new DatabaseSync(databasePath, { timeout: 0 });
  try {
    connection.exec('PRAGMA journal_mode = DELETE');
  } catch (error) {
    if (((error as { errcode?: number }).errcode ?? 0) % 256 === SQLITE_BUSY) {
      throw new CopyRefused('database_in_use', 'The database is in use. Stop the server first.');
    }
    // Too damaged to be opened: all the more reason to replace it.
  } finally {
    connection.close();
  }
}

const SQLITE_BUSY = 5;

// It holds e-mail addresses: for its owner alone, from the first moment.
function createEmpty(file: string): void {
  try {
    closeSync(openSync(file, 'wx', 0o600));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    throw new CopyRefused('file_exists', `There is a file ${resolve(file)} already.`);
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
