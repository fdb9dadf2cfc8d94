// The embedded database: one file, one writer, group commit, and one snapshot for reads that arrived together.

import type { SQLInputValue, SQLOutputValue, StatementSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import { type ChangeLog, changeLogOf } from '../cache/change-log.ts';
import { type Memory, memoryOf } from '../cache/recollection.ts';
import {
  type Database,
  type Effects,
  type Outcome,
  StorageUnavailable,
  type Transaction,
} from './database.ts';
import { changesOf, effectsOf } from './effects.ts';
import type { Bound, StatementText } from './sql.ts';
import { isBusy, isUnavailable, migrate, openConnection } from './sqlite-connection.ts';
import { snapshotOf } from './sqlite-snapshot.ts';

// How long attempts to become the writer go on, and the pause between two: short ones find the gaps between the
// commits of a busy process.
const BUSY_PATIENCE_MS = 5_000;
const BUSY_PAUSE_MS = 2;

/** A statement that is ready to run, and the names of its columns. */
interface Prepared {
  run: StatementSync;
  columns: readonly string[];
}

interface Waiting {
  transaction: Transaction;
  resolve(outcome: unknown): void;
  reject(error: Error): void;
}

/**
 * Opens the database file, creating it and its folder. `:memory:` opens one that is forgotten when closed. The records
 * of at most `tokensKept` tokens of each kind are kept in memory.
 */
export function openSqlite(path: string, tokensKept = 1000): Database {
  const connection = openConnection(path);
  const prepared = new Map<StatementText, Prepared>();
  const snapshot = snapshotOf(connection, () => changeLog?.follow());
  // A token with its member and what is made of them takes about 1 kB, a page of posts about 15 kB.
  const tokens = { access_token: tokensKept, personal_token: tokensKept, user: tokensKept };
  const limits = { ...tokens, client: 1000, signing_key: 2, posts: 1000, newest: 1 };
  const memory: Memory = memoryOf(limits, lookAtNow);
  let changeLog: ChangeLog | undefined;
  let waiting: Waiting[] = [];
  let scheduled = false;
  let retrying = 0;
  let closed = false;

  function prepare(statement: StatementText): Prepared {
    let ready = prepared.get(statement);
    if (ready === undefined) {
      const run = connection.prepare(statement.text('sqlite'));
      // Rows arrive as lists of values, which are cheaper than the driver's objects.
      run.setReturnArrays(true);
      ready = { run, columns: run.columns().map(({ name }) => name) };
      prepared.set(statement, ready);
    }
    return ready;
  }

  function all<R>(query: Bound<R>): R[] {
    const { run, columns } = prepare(query.statement);
    const lists = run.all(...values(query)) as unknown as SQLOutputValue[][];
    return lists.map((list) => rowOf<R>(columns, list));
  }

  function one<R>(query: Bound<R>): R | undefined {
    const { run, columns } = prepare(query.statement);
    const list = run.get(...values(query)) as unknown as SQLOutputValue[] | undefined;
    return list && rowOf<R>(columns, list);
  }

  function read<T>(look: () => T): T {
    try {
      snapshot.take();
      return look();
    } catch (error) {
      throw closed || isUnavailable(error) ? new StorageUnavailable(error) : error;
    }
  }

  function lookAtNow(): void {
    read(() => undefined);
  }

  function execute<R>(query: Bound<R>): { changes: number; rows: R[] } {
    if (query.statement.returnsRows) {
      const rows = all(query);
      return { changes: rows.length, rows };
    }
    return { changes: Number(prepare(query.statement).run.run(...values(query)).changes), rows: [] };
  }

  const control = {
    begin: connection.prepare('BEGIN IMMEDIATE'),
    commit: connection.prepare('COMMIT'),
    savepoint: connection.prepare('SAVEPOINT one'),
    release: connection.prepare('RELEASE one'),
  };

  function perform(transaction: Transaction): unknown {
    const guard = execute(transaction.guard);
    const happened = guard.changes > 0;
    const followers = effectsOf(happened ? transaction.effects : transaction.otherwise);
    const changed = followers.map((query) => execute(query).changes);
    return {
      happened,
      rows: guard.rows as never[],
      changes: changesOf(transaction.effects, happened ? changed : []),
    };
  }

  // All of them or nothing of any. One hardly ever fails; if one does, each is done in a savepoint of its own, so that the
  // failing one takes back only itself. A savepoint costs as much as a statement: they are not made beforehand.
  function performAll(batch: Waiting[]): (() => void)[] {
    control.savepoint.run();
    try {
      const answers = batch.map(({ transaction, resolve }) => {
        const outcome = perform(transaction);
        return () => resolve(outcome);
      });
      control.release.run();
      return answers;
    } catch (error) {
      // On a disk that fails, the database itself ends the whole transaction.
      if (!connection.isTransaction) throw error;
      connection.exec('ROLLBACK TO one; RELEASE one');
      if (batch.length > 1) return batch.flatMap((one) => performAll([one]));
      const reason = isUnavailable(error) ? new StorageUnavailable(error) : (error as Error);
      return batch.map(
        ({ reject }) =>
          () =>
            reject(reason),
      );
    }
  }

  // Group commit: all transactions that wait in one turn of the event loop share one commit and one fsync. Each is
  // answered after the commit.
  function commitWaiting(batch: Waiting[], since: number): void {
    try {
      snapshot.drop();
      control.begin.run();
    } catch (error) {
      // Another process is the writer. Waiting for it here would hold up readers, who need not wait.
      const patient = isBusy(error) && performance.now() - since < BUSY_PATIENCE_MS;
      if (patient) retrySoon(batch, since);
      else rejectAll(batch, error);
      return;
    }
    let answers: (() => void)[];
    try {
      answers = performAll(batch);
      control.commit.run();
      snapshot.noteCommit();
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
    recollection: memory,
    lookAnew: snapshot.drop,
    rows: (query) => read(() => all(query)),
    first: (query) => read(() => one(query)),
    atomically<R, const E extends Effects>(transaction: Transaction<R, E>): Promise<Outcome<R, E>> {
      if (closed) return Promise.reject(new StorageUnavailable('closed'));
      return new Promise((resolve, reject) => {
        waiting.push({ transaction, resolve: resolve as (outcome: unknown) => void, reject });
        if (scheduled) return;
        scheduled = true;
        setImmediate(commitSoon);
      });
    },
    async migrate() {
      snapshot.drop();
      const applied = migrate(connection);
      changeLog ??= changeLogOf(connection, memory);
      return applied;
    },
    async close() {
      closed = true;
      // What was accepted is finished first.
      if (waiting.length > 0) commitSoon();
      while (retrying > 0) await pause(BUSY_PAUSE_MS);
      snapshot.drop();
      prepared.clear();
      if (connection.isOpen) connection.close();
    },
  };
}

function rowOf<R>(columns: readonly string[], list: readonly SQLOutputValue[]): R {
  const row: Record<string, SQLOutputValue | undefined> = {};
  for (let index = 0; index < columns.length; index += 1) row[columns[index] as string] = list[index];
  return row as R;
}

function values(query: Bound<unknown>): SQLInputValue[] {
  return query.statement.parameters('sqlite', query.values) as SQLInputValue[];
}
