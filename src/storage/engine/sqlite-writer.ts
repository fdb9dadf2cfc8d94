// The writer of the SQLite database. The transactions of one turn of the event loop share one commit and one
// sync to the disk, unless they take so long that requests would wait.

import type { DatabaseSync } from 'node:sqlite';
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import { giveInSlices } from '../../lib/in-slices.ts';
import { type Effects, type Outcome, StorageUnavailable, type Transaction } from './database.ts';
import { changesOf, eventsOf, statementsAfterGuard } from './effects.ts';
import type { Checkpoints } from './sqlite-checkpoints.ts';
import { isBusy, isUnavailable } from './sqlite-connection.ts';
import type { Snapshot } from './sqlite-snapshot.ts';
import type { Statements } from './sqlite-statements.ts';

// How long to try to become the writer, and the pause between two attempts. Short pauses find the gaps
// between the commits of a busy process.
const BUSY_PATIENCE_MS = 5_000;
const BUSY_PAUSE_MS = 2;
// After so long, the process answers requests before it goes on with what is left.
const LONGEST_BATCH_MS = 10;

export interface Writer {
  atomically<R, const E extends Effects>(transaction: Transaction<R, E>): Promise<Outcome<R, E>>;
  /** Accepts no more transactions, and finishes the accepted ones. */
  finish(): Promise<void>;
}

/** A transaction whose caller waits for its outcome. */
interface QueuedTransaction {
  transaction: Transaction;
  resolve(outcome: unknown): void;
  reject(error: Error): void;
}

/** Gives a caller the outcome. Callers get it only after the commit. */
type Answer = () => void;

export function writerOf(
  connection: DatabaseSync,
  statements: Statements,
  snapshot: Snapshot,
  checkpoints: Checkpoints,
): Writer {
  const begin = connection.prepare('BEGIN IMMEDIATE');
  const commit = connection.prepare('COMMIT');
  const answersOf = batchRunner(connection, statements);
  let queue: QueuedTransaction[] = [];
  let committing: Promise<void> | undefined;
  let isFinishing = false;

  async function commitQueue(): Promise<void> {
    while (queue.length > 0) {
      await nextTurn();
      const batch = queue;
      queue = [];
      const count = await commitWhenFree(batch);
      if (count < batch.length) queue = [...batch.slice(count), ...queue];
    }
    committing = undefined;
  }

  // Commits transactions from the beginning of a batch, and returns how many were committed or failed. Nothing else may
  // run between `begin` and `commit`: a read would end the transaction.
  async function commitWhenFree(batch: readonly QueuedTransaction[]): Promise<number> {
    const since = performance.now();
    let answers: readonly Answer[];
    try {
      while (!tryToBegin(performance.now() - since < BUSY_PATIENCE_MS)) await pause(BUSY_PAUSE_MS);
      answers = answersOf(batch);
      commit.run();
      snapshot.noteCommit();
    } catch (error) {
      if (connection.isTransaction) connection.exec('ROLLBACK');
      for (const { reject } of batch) reject(new StorageUnavailable(error));
      return batch.length;
    }
    giveInSlices(answers);
    checkpoints.noteCommit(answers.length);
    return answers.length;
  }

  /** Try to begin writing. False if another process is writing: a blocking wait would hold up readers. */
  function tryToBegin(isPatient: boolean): boolean {
    try {
      snapshot.drop();
      begin.run();
      return true;
    } catch (error) {
      if (isPatient && isBusy(error)) return false;
      throw error;
    }
  }

  return {
    atomically<R, E extends Effects>(transaction: Transaction<R, E>): Promise<Outcome<R, E>> {
      if (isFinishing) return Promise.reject(new StorageUnavailable('closed'));
      return new Promise((resolve, reject) => {
        queue.push({ transaction, resolve: resolve as (outcome: unknown) => void, reject });
        committing ??= commitQueue();
      });
    },
    async finish() {
      isFinishing = true;
      await committing;
    },
  };
}

/**
 * Make a function that runs a batch in the open transaction, or as much of its beginning as there is time for, and
 * returns the answers to give after the commit.
 */
function batchRunner(
  connection: DatabaseSync,
  statements: Statements,
): (batch: readonly QueuedTransaction[]) => Answer[] {
  const savepoint = connection.prepare('SAVEPOINT batch');
  const release = connection.prepare('RELEASE batch');

  function runTogether(batch: readonly QueuedTransaction[]): Answer[] {
    savepoint.run();
    const answers = whileThereIsTime(batch, ({ transaction, resolve }) => {
      const outcome = outcomeOf(transaction, statements);
      return () => resolve(outcome);
    });
    release.run();
    return answers;
  }

  // If a transaction fails, each runs again in its own savepoint, so that only that one is rolled back.
  // Failures are rare and a savepoint takes as long as a statement, so the first attempt has one for all.
  return function runBatch(batch: readonly QueuedTransaction[]): Answer[] {
    try {
      return runTogether(batch);
    } catch (error) {
      // When the disk fails, the database itself ends the whole transaction.
      if (!connection.isTransaction) throw error;
      connection.exec('ROLLBACK TO batch; RELEASE batch');
      if (batch.length > 1) return whileThereIsTime(batch, (item) => runBatch([item])).flat();
      const reason = isUnavailable(error) ? new StorageUnavailable(error) : (error as Error);
      return batch.map((item) => () => item.reject(reason));
    }
  };
}

/** Run the first item, and further ones until the time of a batch is over. */
function whileThereIsTime<T, R>(items: readonly T[], run: (item: T) => R): R[] {
  const end = performance.now() + LONGEST_BATCH_MS;
  const results: R[] = [];
  for (const item of items) {
    results.push(run(item));
    if (performance.now() > end) break;
  }
  return results;
}

function outcomeOf(transaction: Transaction, statements: Statements): Outcome<unknown> {
  const guard = statements.execute(transaction.guard);
  const happened = guard.changes > 0;
  const queries = statementsAfterGuard(transaction, happened);
  const results = queries.map((query) => statements.execute(query));
  const changes = happened ? results.map((result) => result.changes) : [];
  return {
    happened,
    rows: guard.rows,
    changes: changesOf(transaction.effects, changes) as Outcome<unknown>['changes'],
    events: eventsOf([transaction.guard, ...queries], (index) =>
      index === 0 ? guard.rows : (results[index - 1]?.rows ?? []),
    ),
  };
}
