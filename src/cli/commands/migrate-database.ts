// From the embedded database to PostgreSQL.

import { resolve } from 'node:path';
import { Refusal } from '../../lib/refusal.ts';
import { type Context, command, type Result } from '../command.ts';
import { WrongUsage } from '../options.ts';
import { withoutPassword } from '../portico.ts';

const migrateDatabase = command({
  name: 'migrate-database',
  summary: 'copy the community from SQLite to an empty PostgreSQL database, and compare both',
  details:
    'Copies everything in the file that DATABASE_URL names as it is when the command begins, also while the server ' +
    'runs. What is written to the file after that is not in the copy: for the move itself stop the server first. The ' +
    'command can be interrupted and run again at any time, and then writes only what differs. So there is little ' +
    'standstill if you run it while the server runs, stop the server, run it again, set DATABASE_URL to the new ' +
    'address, and start the server. Nothing may use the PostgreSQL database meanwhile. Once a server or a command ' +
    'has used the finished copy, replacing it is refused without --force.',
  options: {
    to: {
      kind: 'text',
      value: 'ADDRESS',
      summary: 'postgres://user:password@host/name; - reads it from standard input, which hides the password',
      required: true,
    },
    force: { kind: 'flag', summary: 'replace the community that the PostgreSQL database holds' },
  },
  async run({ to, force }, context) {
    const path = await databaseFile(context);
    const url = await readAddress(to, context);
    const { databaseMove } = await import('../../compose.ts');
    const { systemClock } = await import('../../lib/clock.ts');
    const { moveDatabase, MoveRefused } = await databaseMove();
    const began = new Date(systemClock()).toISOString();
    try {
      const { tables, writtenMeanwhile } = await moveDatabase(path, url, {
        force,
        progress: context.progress,
      });
      const places = { from: resolve(path), to: withoutPassword(url) };
      return {
        json: { ...places, as_of: began, written_meanwhile: writtenMeanwhile, tables },
        text: reportOf(places.to, began, tables, writtenMeanwhile),
      } satisfies Result;
    } catch (error) {
      if (error instanceof MoveRefused) throw new Refusal(error.code, error.message);
      throw error;
    }
  },
});

export const migrateDatabaseCommands = [migrateDatabase];

async function databaseFile(context: Context): Promise<string> {
  const { database } = await context.config();
  if (database.kind === 'sqlite') return database.path;
  throw new Refusal(
    'not_sqlite',
    'DATABASE_URL must name the SQLite file to copy from; it names PostgreSQL.',
  );
}

async function readAddress(given: string, context: Context): Promise<string> {
  const address = given === '-' ? (await context.readInput()).trim() : given;
  // What was given may hold a password: it is not repeated.
  if (/^postgres(ql)?:\/\//.test(address) && URL.canParse(address)) return address;
  throw new WrongUsage('--to must be an address that begins with postgres://');
}

function reportOf(
  place: string,
  began: string,
  tables: readonly { name: string; rows: number; written: number }[],
  writtenMeanwhile: boolean,
): string {
  const width = Math.max(...tables.map(({ name }) => name.length));
  const lines = tables.map(
    ({ name, rows, written }) =>
      `  ${name.padEnd(width)}  ${String(rows).padStart(10)} rows, ${written === 0 ? 'none' : written} written`,
  );
  return [
    `In ${place} is the community as it was at ${began}. Every table was compared:`,
    ...lines,
    writtenMeanwhile
      ? 'The file was written to meanwhile, which is not in the copy. Stop the server and run this again.'
      : 'Nothing was written to the file meanwhile. If the server is stopped, set DATABASE_URL to the new address.',
  ].join('\n');
}
