// The thread of `sqlite-checkpoints.ts`: makes a checkpoint for each message.
// Plain JavaScript, because loading TypeScript would take the thread several times as long, and more memory.

import { DatabaseSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';

// FULL waits for the writer and for reads that began before its last commit. It gives up rather than delay writers.
const PATIENCE_MS = 50;
// In pages. With a longer log, reads take longer.
const LONG_LOG = 2000;

const connection = new DatabaseSync(workerData, { timeout: PATIENCE_MS });
// The log is synced before its pages are copied, and the file before the log begins anew.
connection.exec('PRAGMA synchronous = FULL');
const copy = connection.prepare('PRAGMA wal_checkpoint(PASSIVE)');
const finish = connection.prepare('PRAGMA wal_checkpoint(FULL)');

// PASSIVE delays no one, but the log begins anew only if nothing was written meanwhile. FULL keeps writers out while
// it copies the last pages. If a long read kept PASSIVE from copying all, FULL would wait for it in vain.
parentPort.on('message', () => {
  const { log, checkpointed } = copy.get();
  if (log > LONG_LOG && checkpointed === log) finish.get();
  parentPort.postMessage('done');
});
parentPort.postMessage('ready');
