// A durable connection to the SQLite database: WAL, synced at every commit, foreign keys, a private file.

import { chmodSync, closeSync, fsyncSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { searchWords } from '../../lib/words.ts';
import { migrations } from '../migrations/index.ts';

// Older versions can corrupt a WAL database when two connections write and checkpoint (fixed in 3.51.3).
const OLDEST_SOUND_VERSION = [3, 51, 3] as const;

// How long one attempt to become the writer may hold up the event loop, and with it all readers.
const BUSY_TIMEOUT_MS = 1;

// Of the database's pages. With SQLite's 2 MB, a search among a million posts reads the inner pages of its index anew.
const CACHE_KIB = 16 * 1024;
// No request is served while the file is opened and migrated, so these waits may block.
const OPENING_PATIENCE_MS = 30_000;
const OPENING_PAUSE_MS = 5;

/** Open the file, creating it and its folder. Throws if commits would not be durable. */
export function openConnection(path: string): DatabaseSync {
  const inMemory = path === ':memory:';
  if (!inMemory) mkdirSync(dirname(path), { recursive: true });
  const connection = new DatabaseSync(path, {
    timeout: OPENING_PATIENCE_MS,
    enableForeignKeyConstraints: true,
  });
  try {
    prepareConnection(connection, inMemory);
    if (!inMemory) makeFileDurable(path);
  } catch (error) {
    connection.close();
    throw error;
  }
  return connection;
}

function prepareConnection(connection: DatabaseSync, inMemory: boolean): void {
  const version = single(connection, 'SELECT sqlite_version() AS value') as string;
  if (!isSound(version)) throw new Error(`SQLite ${version} can lose data; 3.51.3 or newer is needed.`);
  if (!inMemory) {
    const mode = switchToWal(connection);
    if (mode !== 'wal') throw new Error(`The database can't use WAL here (journal mode "${mode}").`);
  }
  connection.exec('PRAGMA synchronous = FULL');
  if (single(connection, 'PRAGMA synchronous') !== 2) throw new Error('SQLite refused synchronous=FULL.');
  if (single(connection, 'PRAGMA foreign_keys') !== 1) throw new Error('SQLite refused foreign_keys=ON.');
  connection.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
  connection.exec(`PRAGMA cache_size = -${CACHE_KIB}`);
}

// SQLite doesn't wait while another process switches the same fresh file, whatever the busy timeout says.
function switchToWal(connection: DatabaseSync): unknown {
  for (const since = performance.now(); ; ) {
    try {
      return single(connection, 'PRAGMA journal_mode = WAL');
    } catch (error) {
      if (!isBusy(error) || performance.now() - since > OPENING_PATIENCE_MS) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, OPENING_PAUSE_MS);
    }
  }
}

function single(connection: DatabaseSync, sql: string): unknown {
  return Object.values(connection.prepare(sql).get() ?? {})[0];
}

function isSound(version: string): boolean {
  const parts = version.split('.').map(Number);
  for (const [index, oldest] of OLDEST_SOUND_VERSION.entries()) {
    const part = parts[index] ?? 0;
    if (part !== oldest) return part > oldest;
  }
  return true;
}

// A new file's name is durable only after its folder is synced. Only the owner may read the file's digests.
function makeFileDurable(path: string): void {
  chmodSync(path, 0o600);
  const folder = openSync(dirname(path), 'r');
  fsyncSync(folder);
  closeSync(folder);
}

/** Report whether a migration was ever applied. */
export function isMigrated(connection: DatabaseSync): boolean {
  return single(connection, "SELECT 1 FROM sqlite_schema WHERE name = 'migrations'") === 1;
}

/** Bring the schema up to date. Of several processes, one applies the migrations and the others wait. */
export function migrate(connection: DatabaseSync): string[] {
  connection.exec(`PRAGMA busy_timeout = ${OPENING_PATIENCE_MS}`);
  connection.exec('BEGIN IMMEDIATE');
  try {
    connection.exec(
      'CREATE TABLE IF NOT EXISTS migrations (name text PRIMARY KEY, applied_at bigint NOT NULL)',
    );
    const rows = connection.prepare('SELECT name FROM migrations').all();
    const appliedNames = new Set(rows.map((row) => row.name));
    // Some migrations call this function in their SQL.
    connection.function('search_words', (text) => searchWords(String(text)));
    const missing = migrations.filter(({ name }) => !appliedNames.has(name));
    for (const { name, up } of missing) {
      for (const sql of up('sqlite')) connection.exec(sql);
      connection.prepare('INSERT INTO migrations VALUES (?, unixepoch() * 1000)').run(name);
    }
    connection.exec('COMMIT');
    return missing.map(({ name }) => name);
  } catch (error) {
    if (connection.isTransaction) connection.exec('ROLLBACK');
    throw error;
  } finally {
    connection.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
  }
}

const SQLITE_BUSY = 5;
// The primary result codes that mean "not now" rather than "wrong": busy, locked, no memory, read-only, I/O,
// full, can't open.
const UNAVAILABLE = new Set([5, 6, 7, 8, 10, 13, 14]);

function primaryCode(error: unknown): number {
  return ((error as { errcode?: number }).errcode ?? 0) & 0xff;
}

/** Report whether another process is the writer. */
export function isBusy(error: unknown): boolean {
  return primaryCode(error) === SQLITE_BUSY;
}

/** Report whether the database can't be used now. Any other error means that the statement is wrong. */
export function isUnavailable(error: unknown): boolean {
  return UNAVAILABLE.has(primaryCode(error));
}
