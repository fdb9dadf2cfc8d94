// `npm run bench:attacks`: how much attacks slow down other callers of a server of one process. Measures the time of
// /healthz, and the memory of the server with its children. Each attack has a server of its own. Takes at most three
// minutes.

import { type ChildProcess, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { compose } from '../src/compose.ts';
import { readConfig } from '../src/config.ts';
import { startSession } from '../src/identity/session.ts';
import { Browser, formIn } from '../test/support/browser.ts';
import { addMembers } from './community.ts';
import { median, SERVER_PORT, say, settingsFor, startArguments } from './measuring.ts';
import { ANY_CORE, serve, stopAll } from './processes.ts';

const MOST_SECONDS = 180;
/** An attack that takes longer is given up. */
const MOST_SECONDS_EACH = 15;
const HEALTH_EVERY = 10;
const MEMORY_EVERY = 25;

const ORIGIN = `http://127.0.0.1:${SERVER_PORT}`;
const PICTURE = '/settings/profile/picture';
/** 6300 × 6300 half-transparent pixels, in 1,585 bytes: `sharp({ create }).avif({ effort: 0, quality: 1 })`. */
const AVIF = new Uint8Array(readFileSync(join(import.meta.dirname, 'transparent-6300.avif')));

interface Attack {
  name: string;
  run(signal: AbortSignal): Promise<string>;
}

interface Effect {
  name: string;
  /** What the attacker saw. */
  answer: string;
  seconds: number;
  /** The answers of /healthz meanwhile, in milliseconds. */
  health: { median: number; worst: number };
  /** Megabytes before, and at most. */
  memory: { before: number; peak: number };
}

const folder = mkdtempSync(join(tmpdir(), 'portico-attacks-'));
const settings = { ...settingsFor(join(folder, 'portico.db')), LOG_LEVEL: 'error' };
const began = performance.now();
let sessions: string[] = [];
let posts: Record<'ordinary' | 'discussed' | 'long', string>;
try {
  sessions = await seed();
  posts = findPosts();
  const effects: Effect[] = [];
  for (const attack of attacks()) {
    if (performance.now() - began > (MOST_SECONDS - MOST_SECONDS_EACH - 5) * 1000) {
      say(`${attack.name}: no time left`);
      continue;
    }
    const effect = await measureEffect(attack);
    effects.push(effect);
    say(rowOf(effect));
  }
  const text = report(effects);
  mkdirSync(join(import.meta.dirname, 'results'), { recursive: true });
  writeFileSync(join(import.meta.dirname, 'results/attacks.md'), text);
  process.stdout.write(text);
} finally {
  await stopAll();
  rmSync(folder, { recursive: true, force: true });
}

function attacks(): Attack[] {
  const megabyte = (piece: string) => piece.repeat(Math.floor(1_000_000 / piece.length));
  return [
    { name: 'nothing', run: async (signal) => pause(2000, '', { signal }) },
    preview('`<b>` 100,000 times', '<b>'.repeat(100_000)),
    preview('1 MB of `<b>`', megabyte('<b>')),
    preview('1 MB of `<math><mi>`', megabyte('<math><mi>')),
    preview('1 MB of `<ul><li>`', megabyte('<ul><li>')),
    preview('1 MB of `![`', megabyte('![')),
    { name: 'two pictures of 39.7 million pixels at once', run: uploadTwice },
    view('an ordinary post, 5 times', () => posts.ordinary),
    view('a post with 1,050 comments of 5,000 characters `![`, 5 times', () => posts.discussed),
    view('a post of 99,998 characters `![`, 5 times', () => posts.long),
  ];
}

function preview(name: string, body: string): Attack {
  return {
    name: `preview of ${name}`,
    async run(signal) {
      const browser = browserOf(0);
      const form = formIn(await browser.read('/write'), '/write');
      const token = form.find(([field]) => field === 'form_token')?.[1] ?? '';
      // Not percent-encoded, so that more tags fit into the size that a form may have.
      const text = `form_token=${encodeURIComponent(token)}&title=x&category=1&action=preview&body=${body}`;
      const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
      const answer = await browser.open('/write', { method: 'POST', body: text, headers, signal });
      await answer.text();
      return String(answer.status);
    },
  };
}

async function uploadTwice(signal: AbortSignal): Promise<string> {
  const upload = async (member: number) => {
    const browser = browserOf(member);
    const form = new FormData();
    for (const [name, value] of formIn(await browser.read('/settings/profile'), PICTURE)) {
      if (name !== 'picture') form.append(name, value);
    }
    form.append('picture', new Blob([AVIF]), 'me.avif');
    const answer = await browser.open(PICTURE, { method: 'POST', body: form, signal });
    await answer.text();
    return answer.status;
  };
  return (await Promise.all([upload(0), upload(1)])).join(', ');
}

function view(name: string, path: () => string): Attack {
  return {
    name: `views of ${name}`,
    async run(signal) {
      const statuses: string[] = [];
      const times: number[] = [];
      for (let count = 0; count < 5; count += 1) {
        const start = performance.now();
        const answer = await fetch(ORIGIN + path(), { signal });
        await answer.text();
        statuses.push(String(answer.status));
        times.push(performance.now() - start);
      }
      return `${[...new Set(statuses)].join(', ')}; ${Math.round(median(times))} ms each`;
    },
  };
}

function browserOf(member: number): Browser {
  const browser = new Browser(ORIGIN);
  browser.setCookie('portico_session', sessions[member] ?? '');
  return browser;
}

async function measureEffect(attack: Attack): Promise<Effect> {
  const server = await serve(startArguments(), SERVER_PORT, settings, ANY_CORE);
  const ended = once(server, 'exit');
  // A blocked server may not react to SIGTERM for minutes, so it is killed.
  const timer = setTimeout(() => server.kill('SIGKILL'), 2 * MOST_SECONDS_EACH * 1000);
  try {
    return await watchAttack(attack, server);
  } finally {
    server.kill('SIGKILL');
    clearTimeout(timer);
    await ended;
  }
}

async function watchAttack({ name, run }: Attack, server: ChildProcess): Promise<Effect> {
  // The first requests load what pages need.
  await browserOf(0).read('/write');
  await fetch(ORIGIN + posts.ordinary).then((answer) => answer.text());
  const before = megabytesOf(server);
  const over = new AbortController();
  const watching = [watchHealth(over.signal), watchMemory(server, over.signal)] as const;
  await pause(500);
  const start = performance.now();
  const signal = AbortSignal.timeout(MOST_SECONDS_EACH * 1000);
  const answer = await run(signal).catch((error: Error) =>
    signal.aborted ? `none in ${MOST_SECONDS_EACH} s` : `connection lost (${error.message})`,
  );
  const seconds = (performance.now() - start) / 1000;
  over.abort();
  const [health, peak] = await Promise.all(watching);
  return { name, answer, seconds, health, memory: { before, peak: Math.max(peak, before) } };
}

// One request at a time: the next one begins when this one is answered, but not before its time.
async function watchHealth(over: AbortSignal): Promise<Effect['health']> {
  const times: number[] = [];
  while (!over.aborted) {
    const start = performance.now();
    // The end of the attack aborts this request; the time until then still counts.
    await fetch(`${ORIGIN}/healthz`, { signal: over }).then(
      (answer) => answer.text(),
      () => {},
    );
    times.push(performance.now() - start);
    await pause(HEALTH_EVERY);
  }
  return { median: median(times), worst: Math.max(...times) };
}

async function watchMemory(server: ChildProcess, over: AbortSignal): Promise<number> {
  let peak = 0;
  while (!over.aborted) {
    peak = Math.max(peak, megabytesOf(server));
    await pause(MEMORY_EVERY);
  }
  // The kernel's own maximum includes peaks between two samples.
  return Math.max(peak, statusOf(server.pid ?? 0, 'VmHWM'));
}

/** Resident memory of the server and its children. */
function megabytesOf({ pid = 0 }: ChildProcess): number {
  const children = readdirSync('/proc').filter((entry) => /^\d+$/.test(entry) && parentOf(entry) === pid);
  return [pid, ...children.map(Number)].reduce((sum, one) => sum + statusOf(one, 'VmRSS'), 0);
}

function parentOf(pid: string): number {
  return Number(/^PPid:\s+(\d+)/m.exec(processStatus(pid))?.[1]);
}

function statusOf(pid: number, field: 'VmRSS' | 'VmHWM'): number {
  const kilobytes = new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(processStatus(pid))?.[1];
  return (Number(kilobytes ?? 0) * 1024) / 1e6;
}

function processStatus(pid: number | string): string {
  try {
    return readFileSync(`/proc/${pid}/status`, 'utf8');
  } catch {
    // It has ended meanwhile.
    return '';
  }
}

/** Two members with sessions, and the posts, imported as an operator would. Returns the sessions' cookies. */
async function seed(): Promise<string[]> {
  say('seeding …');
  const portico = await compose(readConfig(settings));
  try {
    await portico.prepare();
    await addMembers(portico, 2);
    sessions = [
      await startSession(portico.identity, 1, { method: 'password', address: '192.0.2.7' }),
      await startSession(portico.identity, 2, { method: 'password', address: '192.0.2.7' }),
    ];
  } finally {
    await portico.close();
  }
  const file = join(folder, 'posts.jsonl');
  writeFileSync(file, lines().join('\n'));
  const command = ['bin/portico.js', 'import', file, '--json'];
  const { status, stdout } = spawnSync(process.execPath, command, {
    cwd: join(import.meta.dirname, '..'),
    env: { ...process.env, ...settings },
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`The import failed: ${stdout}`);
  return sessions;
}

function lines(): string[] {
  const post = (id: number, title: string, body: string) =>
    JSON.stringify({ type: 'post', id, author: 'member-1', title, body });
  const records = [
    post(1, 'ordinary', 'Some *words* about bread.'),
    post(2, 'discussed', 'Some *words* about bread.'),
    post(3, 'long', '!['.repeat(49_999)),
  ];
  // 50 threads of one comment with 20 replies: as many as a page may show.
  for (let thread = 0; thread < 50; thread += 1) {
    for (let reply = 0; reply < 21; reply += 1) {
      const id = `${thread}-${reply}`;
      records.push(
        JSON.stringify({
          type: 'comment',
          id,
          post: 2,
          author: 'member-2',
          // Each text is different, so that none is in a cache already.
          body: `${id} ${'!['.repeat(2495)}`,
          replyTo: reply === 0 ? undefined : `${thread}-0`,
        }),
      );
    }
  }
  return records;
}

// A new database numbers posts in the order of the import.
function findPosts(): typeof posts {
  return { ordinary: '/posts/1/ordinary', discussed: '/posts/2/discussed', long: '/posts/3/long' };
}

function rowOf({ name, answer, seconds, health, memory }: Effect): string {
  const ms = (value: number) => `${value < 10 ? value.toFixed(1) : Math.round(value)} ms`;
  const cells = [
    name,
    answer,
    `${seconds.toFixed(1)} s`,
    ms(health.median),
    ms(health.worst),
    `${Math.round(memory.before)} → ${Math.round(memory.peak)} MB`,
  ];
  return `| ${cells.join(' | ')} |`;
}

function report(effects: readonly Effect[]): string {
  return [
    '# Attacks',
    '',
    'Each attack on a server of one process that has just started, on SQLite. Meanwhile `/healthz` was asked again',
    'and again, and the memory of the server and its children was read. An attack that took longer than',
    `${MOST_SECONDS_EACH} s was given up; its \`/healthz\` times are lower bounds.`,
    '',
    '| Attack | Answer | Took | `/healthz` median | `/healthz` worst | Memory before → peak |',
    '|---|---|---|---|---|---|',
    ...effects.map(rowOf),
    '',
  ].join('\n');
}
