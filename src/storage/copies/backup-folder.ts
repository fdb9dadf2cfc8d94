// A folder of dated backups: their names, which ones are kept, and the newest one.

import { existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { DAY, HOUR, type Timestamp } from '../../lib/clock.ts';
import { Refusal } from '../../lib/refusal.ts';
import { backUp } from './sqlite-backup.ts';

/** The days whose last backup is kept, if nothing else is said. */
export const DEFAULT_KEPT_DAYS = 14;
const KEPT_WEEKS = 8;
const KEPT_MONTHS = 12;

export interface DatedBackup {
  path: string;
  at: Timestamp;
}

export interface FolderBackup {
  /** The new backup. */
  path: string;
  kept: number;
  /** The names of the old backups that were deleted. */
  deleted: string[];
}

/**
 * Back the database up to a new file in the folder, and delete the backups there that are no longer kept. Blocks, as
 * `backUp` does. Throws `Refusal`, and then deletes nothing.
 */
export function backUpInto(
  databasePath: string,
  folder: string,
  keptDays: number,
  now: Timestamp,
): FolderBackup {
  if (!existsSync(folder) || !statSync(folder).isDirectory()) {
    throw new Refusal('folder_missing', `There is no folder ${resolve(folder)}. Make it first.`);
  }
  const path = join(folder, nameOf(now));
  backUp(databasePath, path);
  const backups = datedBackups(folder).filter(({ path: file }) => file.endsWith('.db'));
  const kept = keptBackups(
    backups.map(({ at }) => at),
    keptDays,
  );
  const old = backups.filter(({ at }) => !kept.has(at));
  for (const { path: file } of old) rmSync(file);
  return { path, kept: backups.length - old.length, deleted: old.map(({ at }) => nameOf(at)) };
}

/**
 * Find the newest dated backup in a folder: of this program, or a dump of PostgreSQL with such a name. A time in the
 * future is from a machine whose clock was wrong, and doesn't count.
 */
export function newestBackup(folder: string, now: Timestamp): DatedBackup | undefined {
  return datedBackups(folder).find(({ at }) => at <= now + HOUR);
}

/**
 * Choose the backups to keep: all of the day before the newest one, and the last of each of the newest days (in UTC),
 * of 8 weeks (from Monday) and of 12 months. Days without a backup don't count.
 */
export function keptBackups(times: readonly Timestamp[], keptDays: number): Set<Timestamp> {
  const newestFirst = times.toSorted((a, b) => b - a);
  const newest = newestFirst[0] ?? 0;
  const lastOfEach = (periodOf: (at: Timestamp) => string | number, most: number) =>
    [...Map.groupBy(newestFirst, periodOf).values()].slice(0, most).flatMap(([last]) => last ?? []);
  return new Set([
    ...newestFirst.filter((at) => newest - at < DAY),
    ...lastOfEach((at) => Math.floor(at / DAY), keptDays),
    // 1970-01-01 was a Thursday.
    ...lastOfEach((at) => Math.floor((at / DAY + 3) / 7), KEPT_WEEKS),
    ...lastOfEach((at) => new Date(at).toISOString().slice(0, 7), KEPT_MONTHS),
  ]);
}

// portico-2026-11-23T06-00-00Z.db: no colons, which some file systems refuse.
const NAME = /^portico-(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d)Z\.(?:db|dump)$/;

function nameOf(at: Timestamp): string {
  return `portico-${new Date(at).toISOString().replace(/\.\d+/, '').replaceAll(':', '-')}.db`;
}

/** The newest first. Files with other names are none of ours. */
function datedBackups(folder: string): DatedBackup[] {
  return readdirSync(folder)
    .flatMap((name) => {
      const [, day, hour, minute, second] = NAME.exec(name) ?? [];
      const at = Date.parse(`${day}T${hour}:${minute}:${second}Z`);
      // An empty file is a backup that is being written, or was interrupted.
      const path = join(folder, name);
      return Number.isNaN(at) || statSync(path).size === 0 ? [] : [{ path, at }];
    })
    .sort((a, b) => b.at - a.at);
}
