// Backups of the SQLite database.

import { resolve } from 'node:path';
import { Refusal } from '../../lib/refusal.ts';
import { type Context, command } from '../command.ts';

const backup = command({
  name: 'backup',
  summary: 'back up the database to a new file',
  details:
    'For SQLite. Works while the server runs. The backup is checked before the command ends, and never ' +
    'overwrites a file.',
  argument: { name: 'FILE', summary: 'the file to write' },
  options: {},
  async run(_, context, file) {
    const database = await databaseFile(context, 'pg_dump');
    const { backUp } = await import('../../compose.ts');
    await withRefusals(() => backUp(database, file));
    return { json: { file: resolve(file) }, text: `Wrote ${resolve(file)}` };
  },
});

const restoration = command({
  name: 'restore',
  summary: 'replace the database with a backup',
  details:
    'For SQLite. Stop the server first. The backup is checked before it replaces anything. All changes since the ' +
    'backup are lost, including revocations: a token that was revoked since then works again until you revoke it ' +
    'again.',
  argument: { name: 'FILE', summary: 'the backup' },
  options: {
    force: { kind: 'flag', summary: 'replace an existing database, which is kept under another name' },
  },
  async run({ force }, context, file) {
    const database = await databaseFile(context, 'pg_restore');
    const { restore } = await import('../../compose.ts');
    const { systemClock } = await import('../../lib/clock.ts');
    const { previous } = await withRefusals(() => restore(file, database, force, systemClock()));
    const note = previous === undefined ? '' : `\nThe previous database is kept as ${resolve(previous)}`;
    return {
      json: { database: resolve(database), kept: previous === undefined ? null : resolve(previous) },
      text: `Restored ${resolve(database)}${note}`,
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

async function withRefusals<T>(work: () => T): Promise<T> {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    if (error instanceof Refusal) throw withHint(error);
    // No space left, no such folder, not permitted: the system's own message says it best.
    throw new Refusal('file_unusable', error.message);
  }
}

function withHint(refusal: Refusal): Refusal {
  if (refusal.code !== 'file_exists') return refusal;
  const hint = 'Choose another file. To replace a database, stop the server and restore with --force.';
  return new Refusal(refusal.code, `${refusal.message} ${hint}`);
}
