// The embedded database: one file, one writer, group commit.

import type { SQLInputValue, StatementSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import { type Database, type Outcome, StorageUnavailable, type Transaction } from './database.ts';
import { isBusy, isUnavailable, migrate, openConnection } from './sqlite-connection.ts';
import type { Bound, Statement } from './statement.ts';

// How long attempts to become the writer go on, and the pause between two: short ones find the gaps between the
// commits of a busy process.
const BUSY_PATIENCE_MS = 5_000;
const BUSY_PAUSE_MS = 2;

interface Waiting {
  transaction: Transaction;
  resolve(outcome: Outcome<never>): void;
  reject(error: Error): void;
}

/** Opens the database file, creating it and its folder. `:memory:` opens one that is forgotten when closed. */
export function openSqlite(path: string): Database {
  const connection = openConnection(path);
  const prepared = new Map<Statement, StatementSync>();
  let waiting: Waiting[] = [];
  let scheduled = false;
  let retrying = 0;
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

  function read<R>(query: Bound<R>): R[] {
    try {
      return all(query);
    } catch (error) {
      throw closed || isUnavailable(error) ? new StorageUnavailable(error) : error;
    }
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
      if (patient) retrySoon(batch, since);
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

  function retrySoon(batch: Waiting[], since: number): void {
    retrying += 1;
    setTimeout(() => {
      retrying -= 1;
      commitWaiting(batch, since);
    }, BUSY_PAUSE_MS);
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
      return read(query);
    },
    async first(query) {
      return read(query)[0];
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
      closed = true;
      // What was accepted is finished first.
      if (waiting.length > 0) commitSoon();
      while (retrying > 0) await pause(BUSY_PAUSE_MS);
      prepared.clear();
      if (connection.isOpen) connection.close();
    },
  };
}

function values(query: Bound<unknown>): SQLInputValue[] {
  return query.statement.parameters('sqlite', query.values) as SQLInputValue[];
}
