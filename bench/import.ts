// `npm run bench:import`: how long it takes to bring a community from JSON lines, with the command killed twice on the
// way, and how much memory. BENCH_MEMBERS (10,000 if not set) and BENCH_POSTS (100,000) say how large; each post has a
// comment and a like.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { chanceFrom } from '../demo/random.ts';
import { chinese, english, writePost } from '../demo/writing.ts';
import { say, settingsFor } from './measuring.ts';

const MEMBERS = Number(process.env.BENCH_MEMBERS ?? 10_000);
const POSTS = Number(process.env.BENCH_POSTS ?? 100_000);
const BEGAN = Date.UTC(2024, 0, 1);

interface Life {
  seconds: number;
  peakMegabytes: number;
  printed: string;
}

const folder = mkdtempSync(join(tmpdir(), 'portico-import-'));
try {
  const file = join(folder, 'community.jsonl');
  const path = join(folder, 'portico.db');
  say(`writing ${MEMBERS} members and ${POSTS} posts with a comment and a like each …`);
  await pipeline(lines, createWriteStream(file));
  const lives: Life[] = [];
  for (const share of [0.3, 0.6, 2]) {
    lives.push(await live(file, path, share));
    say(`${count(path, 'posts')} posts after ${lives.at(-1)?.seconds.toFixed(1)} s`);
  }
  say('once more, with everything there …');
  const again = await live(file, path, 2);
  check(path);
  const report = reportOf(file, lives, again);
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
    const createdAt = new Date(BEGAN + index * 500).toISOString();
    const written = writePost(chance, index % 2 === 0 ? english : chinese);
    const author = name(chance.below(MEMBERS));
    yield line({ type: 'post', id: index, author, ...written, createdAt });
    yield line({
      type: 'comment',
      post: index,
      author: name(chance.below(MEMBERS)),
      body: 'Thank you.',
      createdAt,
    });
    // Anybody but the author.
    yield line({ type: 'like', post: index, by: name(Number(author.slice(7)) + 1), createdAt });
  }
}

/** Runs the command as an operator does, and kills it when this share of the posts is there. */
async function live(file: string, path: string, share: number): Promise<Life> {
  const start = performance.now();
  const child = spawn(process.execPath, ['bin/portico.js', 'import', file, '--json'], {
    cwd: join(import.meta.dirname, '..'),
    env: { ...process.env, ...settingsFor(path) },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let peakMegabytes = 0;
  const exited = once(child, 'exit');
  const printed = text(child.stdout);
  while (child.exitCode === null && child.signalCode === null) {
    await pause(100);
    peakMegabytes = Math.max(peakMegabytes, peakOf(child));
    if (share < 1 && count(path, 'posts') >= share * POSTS) child.kill('SIGKILL');
  }
  await exited;
  return { seconds: (performance.now() - start) / 1000, peakMegabytes, printed: await printed };
}

/** The most memory that a process ever had, as the system counts it. */
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
    // It is only being made.
    return 0;
  }
}

function check(path: string): void {
  const expected = { users: MEMBERS, posts: POSTS, post_words: POSTS, comments: POSTS, likes: POSTS };
  for (const [table, rows] of Object.entries(expected)) {
    if (count(path, table) !== rows) throw new Error(`${count(path, table)} rows in ${table}, not ${rows}`);
  }
}

function reportOf(file: string, lives: readonly Life[], again: Life): string {
  const sum = lives.reduce((total, { seconds }) => total + seconds, 0);
  const row = (name: string, { seconds, peakMegabytes }: Life) =>
    `| ${name} | ${seconds.toFixed(1)} s | ${Math.round(peakMegabytes)} MB |`;
  return [
    '# Bringing a community',
    '',
    `\`import\` of ${MEMBERS} members and ${POSTS} posts with a comment and a like each, ${Math.round(statSync(file).size / 1e6)} MB of JSON lines, into SQLite.`,
    'Killed with SIGKILL twice and begun again; in the end every row was there once.',
    '',
    '| Run | Time | Peak memory of the command |',
    '|---|---|---|',
    row('the first, killed', lives[0] as Life),
    row('the second, killed', lives[1] as Life),
    row('the third', lives[2] as Life),
    `| together | ${sum.toFixed(1)} s | |`,
    row('again, nothing new', again),
    '',
  ].join('\n');
}
