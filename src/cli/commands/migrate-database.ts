// Moving from SQLite to PostgreSQL.

import { resolve } from 'node:path';
import { Refusal } from '../../lib/refusal.ts';
import { type Context, command, type Result } from '../command.ts';
import { WrongUsage } from '../options.ts';
import { withoutPassword } from '../portico.ts';

const migrateDatabase = command({
  name: 'migrate-database',
  summary: 'copy the SQLite database to an empty PostgreSQL database, and compare both',
  details:
    'Copies the SQLite file of DATABASE_URL as it is when the command starts. Works while the server runs, but ' +
    'later changes are not in the copy. You can interrupt the command and run it again at any time; it then writes ' +
    'only the differences. For a short downtime: run it while the server runs, stop the server, run it again, set ' +
    'DATABASE_URL to the new address, and start the server. Nothing else may use the PostgreSQL database ' +
    'meanwhile. After a server or a command has used the copy, --force is required to replace it.',
  options: {
    to: {
      kind: 'text',
      value: 'ADDRESS',
      summary: 'postgres://user:password@host/name; - reads it from standard input, to hide the password',
      required: true,
    },
    force: { kind: 'flag', summary: 'replace the data in the PostgreSQL database' },
  },
  async run({ to, force }, context) {
    const path = await databaseFile(context);
    const url = await readAddress(to, context);
    const { databaseMove } = await import('../../operations.ts');
    const { systemClock } = await import('../../lib/clock.ts');
    const { moveDatabase } = await databaseMove();
    const startedAt = new Date(systemClock()).toISOString();
    const { progress } = context;
    const { tables, writtenMeanwhile } = await moveDatabase(path, url, { force, progress });
    const target = withoutPassword(url);
    return {
      json: {
        from: resolve(path),
        to: target,
        as_of: startedAt,
        written_meanwhile: writtenMeanwhile,
        tables,
      },
      text: reportOf(target, startedAt, tables, writtenMeanwhile),
    } satisfies Result;
  },
});

export const migrateDatabaseCommands = [migrateDatabase];

async function databaseFile(context: Context): Promise<string> {
  const { database } = await context.config();
  if (database.kind === 'sqlite') return database.path;
  throw new Refusal(
    'not_sqlite',
    'DATABASE_URL must be the SQLite file to copy from, but it is a PostgreSQL database.',
  );
}

async function readAddress(to: string, context: Context): Promise<string> {
  const address = to === '-' ? (await context.readInput()).trim() : to;
  // The message doesn't repeat the address, which may contain a password.
  if (/^postgres(ql)?:\/\//.test(address) && URL.canParse(address)) return address;
  throw new WrongUsage(
    '--to must be an address such as postgres://user:password@host/name. Percent-encode @ and / in the password.',
  );
}

function reportOf(
  place: string,
  startedAt: string,
  tables: readonly { name: string; rows: number; written: number }[],
  writtenMeanwhile: boolean,
): string {
  const width = Math.max(...tables.map(({ name }) => name.length));
  const lines = tables.map(
    ({ name, rows, written }) =>
      `  ${name.padEnd(width)}  ${String(rows).padStart(10)} rows, ${written === 0 ? 'none' : written} written`,
  );
  return [
    `${place} is a copy of the file as of ${startedAt}. Every table was compared:`,
    ...lines,
    writtenMeanwhile
      ? 'The file has changed since then, and the changes are not in the copy. Stop the server and run this again.'
      : 'The file has not changed since then. If the server is stopped, set DATABASE_URL to the new address.',
  ].join('\n');
}
