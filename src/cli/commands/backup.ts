// Copies of the embedded database.

import { resolve } from 'node:path';
import { Refusal } from '../../lib/refusal.ts';
import { type Context, command } from '../command.ts';

const backup = command({
  name: 'backup',
  summary: 'write a copy of the database to a new file, also while the server runs',
  details:
    'For SQLite. The copy is checked before the command ends; a file that exists is never overwritten.',
  argument: { name: 'FILE', summary: 'the file to write' },
  options: {},
  async run(_, context, file) {
    const database = await databaseFile(context, 'pg_dump');
    const { backUp } = await import('../../compose.ts');
    await refusing(() => backUp(database, file));
    return { json: { file: resolve(file) }, text: `Wrote ${resolve(file)}` };
  },
});

const restoration = command({
  name: 'restore',
  summary: 'put a backup in the place of the database',
  details:
    'For SQLite, with the server stopped. The backup is checked first. What was changed since the backup is lost, ' +
    'revocations included: a token that was revoked since then works again until it is revoked again.',
  argument: { name: 'FILE', summary: 'the backup' },
  options: {
    force: { kind: 'flag', summary: 'replace a database that is there; it is kept under another name' },
  },
  async run({ force }, context, file) {
    const database = await databaseFile(context, 'pg_restore');
    const { restore } = await import('../../compose.ts');
    const { systemClock } = await import('../../lib/clock.ts');
    const { kept } = await refusing(() => restore(file, database, force, systemClock()));
    const aside = kept === undefined ? '' : `\nThe database that was there is kept as ${resolve(kept)}`;
    return {
      json: { database: resolve(database), kept: kept === undefined ? null : resolve(kept) },
      text: `Restored ${resolve(database)}${aside}`,
    };
  },
});

export const backupCommands = [backup];
export const restoreCommands = [restoration];

async function databaseFile(context: Context, tool: 'pg_dump' | 'pg_restore'): Promise<string> {
  const { database } = await context.config();
  if (database.kind === 'sqlite') return database.path;
  throw new Refusal('not_sqlite', `This command is for SQLite. The database is PostgreSQL: use ${tool}.`);
}

async function refusing<T>(work: () => T): Promise<T> {
  const { CopyRefused } = await import('../../compose.ts');
  try {
    return work();
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    if (error instanceof CopyRefused) {
      const hint = error.code === 'file_exists' ? HINT : '';
      throw new Refusal(error.code, error.message + hint);
    }
    // No space left, no such folder, not permitted: the system's own words say it best.
    throw new Refusal('file_unusable', error.message);
  }
}

const HINT = ' Choose another file; to replace a database, stop the server and restore with --force.';
