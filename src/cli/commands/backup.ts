// Backups of the SQLite database: writing, restoring and trying them.

import { rmSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Timestamp } from '../../lib/clock.ts';
import { failureReason } from '../../lib/failure-reason.ts';
import { Refusal } from '../../lib/refusal.ts';
import { type Context, command, type Result } from '../command.ts';
import { WrongUsage } from '../options.ts';

const MOST_KEPT_DAYS = 3650;

const backup = command({
  name: 'backup',
  summary: 'back up the database to a new file',
  details: [
    'For SQLite. Works while the server runs. The backup is checked before the command ends, and never overwrites ' +
      'a file.',
    'With --to, or BACKUP_TO and no FILE, the file is named after the time, such as ' +
      'portico-2026-11-23T06-00-00Z.db, and old backups with such names are deleted. These are kept: all of the 24 ' +
      'hours before the newest, and the last one of each of the newest 14 days (--keep), 8 weeks and 12 months that ' +
      'have one, in UTC.',
  ].join('\n'),
  argument: { name: 'FILE', summary: 'the file to write; - writes to standard output', optional: true },
  options: {
    to: {
      kind: 'text',
      value: 'FOLDER',
      summary: 'write a dated file into this folder, and delete old ones',
    },
    keep: {
      kind: 'integer',
      value: 'DAYS',
      summary: 'of how many days to keep the last backup, 14 if left out',
    },
  },
  async run({ to, keep }, context, file) {
    const { folder } = (await context.config()).backup;
    if (file !== '' && to !== undefined) throw new WrongUsage('Use either FILE or --to FOLDER, not both.');
    if (file === '' && to === undefined && folder === undefined) {
      throw new WrongUsage('FILE is missing. Name a file, or a folder with --to or the setting BACKUP_TO.');
    }
    if (keep !== undefined && file !== '')
      throw new WrongUsage('--keep is for --to FOLDER. One FILE replaces nothing.');
    if (keep !== undefined && (keep < 1 || keep > MOST_KEPT_DAYS)) {
      throw new WrongUsage(`--keep must be from 1 to ${MOST_KEPT_DAYS} days, not ${keep}.`);
    }
    const database = await databaseFile(context, 'pg_dump');
    if (file === '-') return toOutput(database, context);
    if (file !== '') return toFile(database, file);
    return toFolder(database, to ?? folder ?? '', keep);
  },
});

async function toFile(database: string, file: string): Promise<Result> {
  const { backUp, noteBackup } = await import('../../operations.ts');
  await withRefusals(file, () => backUp(database, file));
  await noteBackup(database, await now());
  return { json: { file: resolve(file) }, text: `Wrote ${resolve(file)}` };
}

async function toFolder(database: string, folder: string, keep: number | undefined): Promise<Result> {
  const { backUpInto, DEFAULT_KEPT_DAYS, noteBackup } = await import('../../operations.ts');
  const at = await now();
  const { path, kept, deleted } = await withRefusals(folder, () =>
    backUpInto(database, folder, keep ?? DEFAULT_KEPT_DAYS, at),
  );
  await noteBackup(database, at);
  const lines = [
    `Wrote ${resolve(path)}`,
    ...deleted.map((name) => `Deleted ${name}`),
    `The folder has ${kept}.`,
  ];
  return { json: { file: resolve(path), kept, deleted }, text: lines.join('\n') };
}

// Through a file, because the backup is checked before any of it is written.
async function toOutput(database: string, context: Context): Promise<Result> {
  if (context.asJson) throw new WrongUsage('- and --json both write to standard output. Use one of them.');
  const { backUp, noteBackup } = await import('../../operations.ts');
  const part = `${database}.output-${process.pid}`;
  try {
    await withRefusals(part, () => backUp(database, part));
    await context.writeOutput(part);
    await noteBackup(database, await now());
  } finally {
    rmSync(part, { force: true });
  }
  return { json: {}, text: '' };
}

const restoration = command({
  name: 'restore',
  summary: 'replace the database with a backup, or try one',
  details: [
    'For SQLite. Stop the server first. The backup is checked before it replaces anything. All changes since the ' +
      'backup are lost, including revocations: a token that was revoked since then works again until you revoke it ' +
      'again. Signing keys that were replaced after a leak are valid again too: run keys rotate --compromised again. ' +
      'Ids of new members begin a million later, so that no member gets the id of one who is lost.',
    '--check replaces nothing and works while the server runs. It copies the backup to the folder for temporary ' +
      'files, checks the copy, counts its rows beside those of the database, and signs a temporary member in to a ' +
      'temporary application at a server on the copy.',
  ].join('\n'),
  argument: { name: 'FILE', summary: 'the backup' },
  options: {
    force: { kind: 'flag', summary: 'replace an existing database, which is kept under another name' },
    check: { kind: 'flag', summary: 'only try whether the backup can be restored' },
  },
  async run({ force, check }, context, file) {
    if (force && check) throw new WrongUsage('--check replaces nothing. Use either --check or --force.');
    const database = await databaseFile(context, 'pg_restore');
    if (check) {
      const { tryRestore } = await import('../trial-restore.ts');
      return tryRestore(await context.config(), file);
    }
    const { restore } = await import('../../operations.ts');
    const at = await now();
    const { previous, hasCompromisedKeys } = await withRefusals(file, () =>
      restore(file, database, force, at),
    );
    const lines = [`Restored ${resolve(database)}`];
    if (previous !== undefined) lines.push(`The previous database is kept as ${resolve(previous)}`);
    if (hasCompromisedKeys !== false) lines.push(keysAdvice(hasCompromisedKeys));
    return {
      json: {
        database: resolve(database),
        kept: previous === undefined ? null : resolve(previous),
        has_compromised_keys: hasCompromisedKeys ?? null,
      },
      text: lines.join('\n'),
    };
  },
});

function keysAdvice(isKnown: true | undefined): string {
  return isKnown
    ? 'Signing keys that leaked are valid again. Replace them now: portico keys rotate --compromised'
    : 'If signing keys leaked after the backup, they are valid again: portico keys rotate --compromised';
}

export const backupCommands = [backup];
export const restoreCommands = [restoration];

async function databaseFile(context: Context, tool: 'pg_dump' | 'pg_restore'): Promise<string> {
  const { database } = await context.config();
  if (database.kind === 'sqlite') return database.path;
  throw new Refusal(
    'not_sqlite',
    `This command is for SQLite, and DATABASE_URL is a PostgreSQL database: use ${tool}.`,
  );
}

async function now(): Promise<Timestamp> {
  const { systemClock } = await import('../../lib/clock.ts');
  return systemClock();
}

async function withRefusals<T>(path: string, work: () => T): Promise<T> {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    if (error instanceof Refusal) throw withHint(error);
    throw new Refusal('file_unusable', `${resolve(path)}: ${failureReason(error)}.`);
  }
}

function withHint(refusal: Refusal): Refusal {
  if (refusal.code !== 'file_exists') return refusal;
  const hint = 'Choose another file. To replace a database, stop the server and restore with --force.';
  return new Refusal(refusal.code, `${refusal.message} ${hint}`);
}
