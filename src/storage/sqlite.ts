// The embedded database: one file, one writer, group commit.

import { chmodSync, closeSync, fsyncSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { type Database, type Outcome, StorageUnavailable, type Transaction } from './database.ts';
import { migrations } from './migrations/index.ts';
import type { Bound, Statement } from './statement.ts';

// Older versions can corrupt a WAL database when two connections write and checkpoint (fixed in 3.51.3).
const OLDEST_SOUND_VERSION = [3, 51, 3] as const;

// How long one attempt to become the writer may hold up the event loop, and how long attempts go on in all.
const BUSY_TIMEOUT_MS = 100;
const BUSY_PATIENCE_MS = 5_000;
const BUSY_PAUSE_MS = 5;

interface Waiting {
  transaction: Transaction;
  resolve(outcome: Outcome<never>): void;
  reject(error: Error): void;
}

/** Opens the database file, creating it and its folder. `:memory:` opens one that is forgotten when closed. */
export function openSqlite(path: string): Database {
  const inMemory = path === ':memory:';
  if (!inMemory) mkdirSync(dirname(path), { recursive: true });
  const connection = new DatabaseSync(path, { timeout: BUSY_TIMEOUT_MS, enableForeignKeyConstraints: true });
  try {
    prepareConnection(connection, inMemory);
    if (!inMemory) makeFileDurable(path);
  } catch (error) {
    connection.close();
    throw error;
  }

  const prepared = new Map<Statement, StatementSync>();
  let waiting: Waiting[] = [];
  let scheduled = false;
  let closed = false;

  function prepare(statement: Statement): StatementSync {
    let ready = prepared.get(statement);
    if (ready === undefined) {
      ready = connection.prepare(statement.text('sqlite'));
      prepared.set(statement, ready);
    }
    return ready;
  }

  function all<R>(query: Bound<R>): R[] {
    return prepare(query.statement).all(...values(query)) as R[];
  }

  function execute<R>(query: Bound<R>): { changes: number; rows: R[] } {
    if (query.statement.returnsRows) {
      const rows = all(query);
      return { changes: rows.length, rows };
    }
    return { changes: Number(prepare(query.statement).run(...values(query)).changes), rows: [] };
  }

  function perform<R>(transaction: Transaction<R>): Outcome<R> {
    const guard = execute(transaction.guard);
    const happened = guard.changes > 0;
    const followers = (happened ? transaction.effects : transaction.otherwise) ?? [];
    return { happened, rows: guard.rows, changes: followers.map((query) => execute(query).changes) };
  }

  // Group commit: all transactions that wait in one turn of the event loop share one commit and one fsync, each in
  // a savepoint of its own so that a failing one takes back only itself. Each is answered after the commit.
  function commitWaiting(batch: Waiting[], since: number): void {
    try {
      connection.exec('BEGIN IMMEDIATE');
    } catch (error) {
      // Another process is the writer. Waiting for it here would hold up readers, who need not wait.
      const patient = isBusy(error) && performance.now() - since < BUSY_PATIENCE_MS;
      if (patient) setTimeout(() => commitWaiting(batch, since), BUSY_PAUSE_MS);
      else rejectAll(batch, error);
      return;
    }
    const answers: (() => void)[] = [];
    try {
      for (const { transaction, resolve, reject } of batch) {
        connection.exec('SAVEPOINT one');
        try {
          const outcome = perform(transaction) as Outcome<never>;
          connection.exec('RELEASE one');
          answers.push(() => resolve(outcome));
        } catch (error) {
          connection.exec('ROLLBACK TO one; RELEASE one');
          answers.push(() => reject(isUnavailable(error) ? new StorageUnavailable(error) : (error as Error)));
        }
      }
      connection.exec('COMMIT');
    } catch (error) {
      if (connection.isTransaction) connection.exec('ROLLBACK');
      rejectAll(batch, error);
      return;
    }
    for (const answer of answers) answer();
  }

  function rejectAll(batch: Waiting[], error: unknown): void {
    for (const { reject } of batch) reject(new StorageUnavailable(error));
  }

  function commitSoon(): void {
    scheduled = false;
    const batch = waiting;
    waiting = [];
    commitWaiting(batch, performance.now());
  }

  return {
    dialect: 'sqlite',
    async rows(query) {
      return all(query);
    },
    async first(query) {
      return all(query)[0];
    },
    atomically<R>(transaction: Transaction<R>): Promise<Outcome<R>> {
      if (closed) return Promise.reject(new StorageUnavailable('closed'));
      return new Promise((resolve, reject) => {
        waiting.push({ transaction, resolve, reject });
        if (scheduled) return;
        scheduled = true;
        setImmediate(commitSoon);
      });
    },
    async migrate() {
      return migrate(connection);
    },
    async close() {
      // What was accepted is finished first.
      if (waiting.length > 0) commitSoon();
      closed = true;
      prepared.clear();
      if (connection.isOpen) connection.close();
    },
  };
}

function values(query: Bound<unknown>): SQLInputValue[] {
  return query.statement.parameters('sqlite', query.values) as SQLInputValue[];
}

function prepareConnection(connection: DatabaseSync, inMemory: boolean): void {
  const version = single(connection, 'SELECT sqlite_version() AS value') as string;
  if (!isSound(version)) throw new Error(`SQLite ${version} can lose data; 3.51.3 or newer is needed.`);
  if (!inMemory) {
    const mode = single(connection, 'PRAGMA journal_mode = WAL');
    if (mode !== 'wal') throw new Error(`The database can't use WAL here (journal mode "${mode}").`);
  }
  connection.exec('PRAGMA synchronous = FULL');
  if (single(connection, 'PRAGMA synchronous') !== 2) throw new Error('SQLite refused synchronous=FULL.');
  if (single(connection, 'PRAGMA foreign_keys') !== 1) throw new Error('SQLite refused foreign_keys=ON.');
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

// A new file's name is durable only when its folder has been synced; digests in it are the owner's alone.
function makeFileDurable(path: string): void {
  chmodSync(path, 0o600);
  const folder = openSync(dirname(path), 'r');
  fsyncSync(folder);
  closeSync(folder);
}

function migrate(connection: DatabaseSync): string[] {
  connection.exec('PRAGMA busy_timeout = 30000');
  connection.exec('BEGIN IMMEDIATE');
  try {
    connection.exec(
      'CREATE TABLE IF NOT EXISTS migrations (name text PRIMARY KEY, applied_at bigint NOT NULL)',
    );
    const applied = new Set(
      connection
        .prepare('SELECT name FROM migrations')
        .all()
        .map((row) => row.name),
    );
    const missing = migrations.filter(({ name }) => !applied.has(name));
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
// The primary result codes that mean "not now" rather than "wrong": busy, locked, no memory, read-only, I/O, full,
// can't open.
const UNAVAILABLE = new Set([5, 6, 7, 8, 10, 13, 14]);

function primaryCode(error: unknown): number {
  return ((error as { errcode?: number }).errcode ?? 0) & 0xff;
}

function isBusy(error: unknown): boolean {
  return primaryCode(error) === SQLITE_BUSY;
}

function isUnavailable(error: unknown): boolean {
  return UNAVAILABLE.has(primaryCode(error));
}
