// The backups that the server makes by itself: when the next one is due, and the thread that makes it.

import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { type Clock, MINUTE, type Timestamp } from '../../lib/clock.ts';
import { failureReason } from '../../lib/failure-reason.ts';
import type { Log } from '../../lib/log.ts';
import { type Rounds, startRounds } from '../../lib/rounds.ts';
import { DEFAULT_KEPT_DAYS, type FolderBackup, newestBackup } from './backup-folder.ts';

export interface BackupPlan {
  database: string;
  folder: string;
  everyMs: number;
}

const PAUSE = 1 * MINUTE;
const FIRST_PAUSE = 5_000;
const PAUSE_AFTER_FAILURE = 10 * MINUTE;

/** Wraps the making of a backup, so that operators see when the last one was made, and why the last one failed. */
type Recorded = (make: () => Promise<FolderBackup>) => () => Promise<FolderBackup>;

/** Make a backup whenever the newest one in the folder is old enough. Stopping waits for one in progress. */
export function startBackups(plan: BackupPlan, clock: Clock, log: Log, recorded: Recorded): Rounds {
  const make = recorded(() => backUpInThread(plan, clock()));
  return startRounds(async () => {
    try {
      const backup = isDue(plan, clock()) ? await make() : undefined;
      if (backup !== undefined) log.info({ file: backup.path, deleted: backup.deleted }, 'made a backup');
      return PAUSE;
    } catch (error) {
      const reason = `BACKUP_TO: cannot back up to ${plan.folder}: ${failureReason(error)}`;
      log.error({ reason }, 'could not make a backup; will try again');
      return PAUSE_AFTER_FAILURE;
    }
  }, FIRST_PAUSE);
}

/** Report whether a backup is due: by the names in the folder, so that a restart makes none too many. */
export function isDue({ folder, everyMs }: BackupPlan, now: Timestamp): boolean {
  // Without the folder, making the backup says what is missing.
  const newest = existsSync(folder) ? newestBackup(folder, now) : undefined;
  return newest === undefined || now - newest.at >= everyMs;
}

/** Make a backup now. */
export async function backUpInThread(
  { database, folder }: BackupPlan,
  now: Timestamp,
): Promise<FolderBackup> {
  // In a thread, since the check of a large backup takes seconds, during which this one answers requests.
  const thread = new Worker(new URL('backup-thread.ts', import.meta.url), {
    workerData: { database, folder, keptDays: DEFAULT_KEPT_DAYS, now },
  });
  const [backup] = await once(thread, 'message');
  await thread.terminate();
  if ('problem' in backup) throw new Error(backup.problem);
  return backup;
}
