// Copies SQLite's log into the database file on a thread. SQLite itself does it inside the commit that makes the log
// too long, and that commit holds up every request of the process.

import { performance } from 'node:perf_hooks';
import type { DatabaseSync } from 'node:sqlite';
import { Worker } from 'node:worker_threads';

export interface Checkpoints {
  /** Counts a commit with its transactions, and asks the thread for a checkpoint if one is due. */
  noteCommit(transactions: number): void;
  /** Ends the thread. It must have ended before the connection is closed, so that closing removes the log. */
  end(): Promise<void>;
}

// So many transactions in a minute start the thread. Commands and small communities never need its 10 MB.
const BUSY_TRANSACTIONS = 500;
const BUSY_WINDOW_MS = 60_000;
// A busy process writes some hundred pages meanwhile. Each checkpoint syncs the disk, as the commits do.
const PAUSE_MS = 200;

// The pages of the log at which SQLite makes a checkpoint in a commit: its own default, and a limit that is reached
// only if the thread is too slow, or if a long read keeps all checkpoints from finishing.
const LIMIT_WITHOUT_THREAD = 1000;
const LIMIT_WITH_THREAD = 8000;

const MEMORY = { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 2 };

/**
 * Prepare to make checkpoints. The thread starts when the process writes much, and doesn't keep the process alive. If
 * the thread fails, SQLite makes the checkpoints again, and another thread starts in a later minute.
 */
export function checkpointsOf(connection: DatabaseSync): Checkpoints {
  const path = connection.location();
  let thread: Worker | undefined;
  let isIdle = false;
  let askedAt = 0;
  let windowStart = 0;
  let transactionsInWindow = 0;

  function start(): void {
    // The thread gets no settings, because they contain secrets.
    const program = new URL('./sqlite-checkpoints-thread.js', import.meta.url);
    const worker = new Worker(program, {
      workerData: path,
      resourceLimits: MEMORY,
      env: {},
      execArgv: [],
    });
    worker.once('message', () => limitLog(LIMIT_WITH_THREAD));
    worker.on('message', () => {
      isIdle = true;
    });
    // An error also ends the thread.
    worker.on('error', () => undefined);
    worker.once('exit', () => {
      thread = undefined;
      isIdle = false;
      limitLog(LIMIT_WITHOUT_THREAD);
    });
    worker.unref();
    thread = worker;
  }

  function limitLog(pages: number): void {
    if (connection.isOpen) connection.exec(`PRAGMA wal_autocheckpoint = ${pages}`);
  }

  function startIfBusy(now: number, transactions: number): void {
    if (now - windowStart > BUSY_WINDOW_MS) {
      windowStart = now;
      transactionsInWindow = 0;
    }
    transactionsInWindow += transactions;
    if (transactionsInWindow < BUSY_TRANSACTIONS) return;
    // A thread that fails at once is not started again in the same minute.
    transactionsInWindow = Number.NEGATIVE_INFINITY;
    try {
      start();
    } catch {
      // The system allows no more threads.
    }
  }

  return {
    noteCommit(transactions) {
      // A database in memory has no log.
      if (path === null) return;
      const now = performance.now();
      if (thread === undefined) return startIfBusy(now, transactions);
      if (!isIdle || now - askedAt < PAUSE_MS) return;
      isIdle = false;
      askedAt = now;
      thread.postMessage('checkpoint');
    },
    async end() {
      await thread?.terminate();
    },
  };
}
