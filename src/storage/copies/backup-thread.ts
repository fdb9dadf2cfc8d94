// The thread that makes one backup, so that the server goes on answering.

import { parentPort, workerData } from 'node:worker_threads';
import { failureReason } from '../../lib/failure-reason.ts';
import { Refusal } from '../../lib/refusal.ts';
import { backUpInto } from './backup-folder.ts';

if (parentPort !== null) {
  const { database, folder, keptDays, now } = workerData;
  try {
    parentPort.postMessage(backUpInto(database, folder, keptDays, now));
  } catch (error) {
    const problem = error instanceof Refusal ? error.message : failureReason(error);
    parentPort.postMessage({ problem });
  }
}
