// `npm run bench:import`: the time and memory of importing a community from JSON lines, with the command killed twice
// on the way. BENCH_MEMBERS (default 10,000) and BENCH_POSTS (100,000) set its size; each post has a comment and a
// like.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pipeline } from 'node:stream/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { chanceFrom } from '../demo/random.ts';
import { chinese, english, writePost } from '../demo/writing.ts';
import { say, settingsFor } from './measuring.ts';

const MEMBERS = Number(process.env.BENCH_MEMBERS ?? 10_000);
const POSTS = Number(process.env.BENCH_POSTS ?? 100_000);
const FIRST_POST_AT = Date.UTC(2024, 0, 1);

interface Run {
  seconds: number;
  peakMegabytes: number;
}

const folder = mkdtempSync(join(tmpdir(), 'portico-import-'));
try {
  const file = join(folder, 'community.jsonl');
  const path = join(folder, 'portico.db');
  say(`writing ${MEMBERS} members and ${POSTS} posts with a comment and a like each …`);
  await pipeline(lines, createWriteStream(file));
  const runs: Run[] = [];
  for (const share of [0.3, 0.6, 2]) {
    runs.push(await runImport(file, path, share));
    say(`${count(path, 'posts')} posts after ${runs.at(-1)?.seconds.toFixed(1)} s`);
  }
  say('once more, with nothing new …');
  const again = await runImport(file, path, 2);
  check(path);
  const report = reportOf(file, runs, again);
  writeFileSync(join(import.meta.dirname, 'results/import.md'), report);
  process.stdout.write(report);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function* lines(): Generator<string> {
  const chance = chanceFrom(1);
  const name = (index: number) => `member-${index % MEMBERS}`;
  const line = (record: object) => `${JSON.stringify(record)}\n`;
  for (let index = 0; index < MEMBERS; index += 1) {
    yield line({ type: 'member', username: name(index), email: `${name(index)}@example.org`, bio: 'Reads' });
  }
  for (let index = 0; index < POSTS; index += 1) {
    const createdAt = new Date(FIRST_POST_AT + index * 500).toISOString();
    const post = writePost(chance, index % 2 === 0 ? english : chinese);
    const author = name(chance.below(MEMBERS));
    yield line({ type: 'post', id: index, author, ...post, createdAt });
    yield line({
      type: 'comment',
      post: index,
      author: name(chance.below(MEMBERS)),
      body: 'Thank you.',
      createdAt,
    });
    // By the next member, since authors can't like their own posts.
    yield line({ type: 'like', post: index, by: name(Number(author.slice(7)) + 1), createdAt });
  }
}

/** Run the command as an operator does, and kill it once this share of the posts is imported; above 1, never. */
async function runImport(file: string, path: string, share: number): Promise<Run> {
  const start = performance.now();
  const child = spawn(process.execPath, ['bin/portico.js', 'import', file, '--json'], {
    cwd: join(import.meta.dirname, '..'),
    env: { ...process.env, ...settingsFor(path) },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  let peakMegabytes = 0;
  const exit = once(child, 'exit');
  while (child.exitCode === null && child.signalCode === null) {
    await pause(100);
    peakMegabytes = Math.max(peakMegabytes, peakOf(child));
    if (share < 1 && count(path, 'posts') >= share * POSTS) child.kill('SIGKILL');
  }
  await exit;
  return { seconds: (performance.now() - start) / 1000, peakMegabytes };
}

/** Return the most memory that the process has ever held, in megabytes. */
function peakOf({ pid }: ChildProcess): number {
  try {
    const [, kilobytes] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return (Number(kilobytes ?? 0) * 1024) / 1e6;
  } catch {
    return 0;
  }
}

function count(path: string, table: string): number {
  try {
    using database = new DatabaseSync(path, { readOnly: true });
    return Number(database.prepare(`SELECT count(*) AS count FROM ${table}`).get()?.count);
  } catch {
    // The table doesn't exist yet.
    return 0;
  }
}

function check(path: string): void {
  const expected = { users: MEMBERS, posts: POSTS, post_words: POSTS, comments: POSTS, likes: POSTS };
  for (const [table, rows] of Object.entries(expected)) {
    if (count(path, table) !== rows) throw new Error(`${count(path, table)} rows in ${table}, not ${rows}`);
  }
}

function reportOf(file: string, runs: readonly Run[], again: Run): string {
  const sum = runs.reduce((total, { seconds }) => total + seconds, 0);
  const row = (name: string, { seconds, peakMegabytes }: Run) =>
    `| ${name} | ${seconds.toFixed(1)} s | ${Math.round(peakMegabytes)} MB |`;
  return [
    '# Importing a community',
    '',
    `\`import\` of ${MEMBERS} members and ${POSTS} posts with a comment and a like each, ${Math.round(statSync(file).size / 1e6)} MB of JSON lines, into SQLite.`,
    'Killed with SIGKILL twice and started again; in the end every row was there once.',
    '',
    '| Run | Time | Peak memory of the command |',
    '|---|---|---|',
    row('the first, killed', runs[0] as Run),
    row('the second, killed', runs[1] as Run),
    row('the third', runs[2] as Run),
    `| together | ${sum.toFixed(1)} s | |`,
    row('again, nothing new', again),
    '',
  ].join('\n');
}
