// What commands and the start use besides the modules: copies of the database, its clock, and a server for a trial.

import type { Portico } from './compose.ts';
import type { Timestamp } from './lib/clock.ts';
import type { Rounds } from './lib/rounds.ts';
import { backgroundWorkWrites } from './storage/audit/background-work.ts';
import { startBackups } from './storage/copies/scheduled-backup.ts';
import { timeOf } from './storage/engine/database.ts';
import { openSqlite } from './storage/engine/sqlite.ts';

// Loaded on demand: the first needs the drivers of both databases, the second is for `restore --check`.
export const databaseMove = () => import('./storage/copies/database-move.ts');
export const httpServer = () => import('./http/server.ts');
export type { Probe } from './http/probe.ts';
export { backUpInto, DEFAULT_KEPT_DAYS, newestBackup } from './storage/copies/backup-folder.ts';
export {
  backUp,
  countsOf,
  problemWithDatabase,
  restore,
  type TableCounts,
} from './storage/copies/sqlite-backup.ts';

/** Keep making backups if BACKUP_EVERY is set. Undefined if not. Stopping waits for one in progress. */
export function startScheduledBackups({ config, clock, log, recorded }: Portico): Rounds | undefined {
  const { backup, database } = config;
  const { folder, everyMs } = backup;
  if (folder === undefined || everyMs === undefined || database.kind !== 'sqlite') return undefined;
  const plan = { database: database.path, folder, everyMs };
  return startBackups(plan, clock, log, (make) => recorded('backups', make));
}

/**
 * Note in the database that a command has made a backup, so that the operators' pages know. A database that can't be
 * written, or is of an older version, stays as it is: the backup is what counts.
 */
export async function noteBackup(path: string, at: Timestamp): Promise<void> {
  try {
    const database = openSqlite(path);
    await backgroundWorkWrites(database)
      .recordRun('backups', at)
      .finally(() => database.close());
  } catch {
    // As above.
  }
}

/** Read the clock of the machine that has the database. */
export function databaseTime({ database }: Portico): Promise<Timestamp> {
  return timeOf(database);
}
