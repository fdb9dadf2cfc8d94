// Fills PostgreSQL with a community that was seeded in SQLite.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { settingsFor } from './measuring.ts';
import { residentMegabytes } from './processes.ts';

export interface Move {
  seconds: number;
  peakMegabytes: number;
  rows: number;
  written: number;
  tables: number;
}

/** Move a community from a file of SQLite, as an operator does. */
export async function moveToPostgres(path: string, url: string): Promise<Move> {
  const args = ['bin/portico.js', 'migrate-database', '--to', url, '--json'];
  const start = performance.now();
  const child = spawn(process.execPath, args, {
    cwd: join(import.meta.dirname, '..'),
    env: { ...process.env, ...settingsFor(path) },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let peakMegabytes = 0;
  const watch = setInterval(() => {
    peakMegabytes = Math.max(peakMegabytes, residentMegabytes(child));
  }, 250);
  const [output, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')]);
  clearInterval(watch);
  const seconds = (performance.now() - start) / 1000;
  // The command itself compares every row on both sides, and fails where there is a difference.
  if (code !== 0) throw new Error(output);
  const { tables } = JSON.parse(output) as { tables: { rows: number; written: number }[] };
  const sum = (what: 'rows' | 'written') => tables.reduce((total, table) => total + table[what], 0);
  return { seconds, peakMegabytes, rows: sum('rows'), written: sum('written'), tables: tables.length };
}
