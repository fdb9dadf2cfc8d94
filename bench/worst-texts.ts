// `npm run bench:worst-texts`: whether any text that a member can write slows the server down. Previews and pages of
// the worst texts are compared with an ordinary one, and the longest wait for /healthz meanwhile is measured. Takes a
// minute or two.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { compose } from '../src/compose.ts';
import { readConfig } from '../src/config.ts';
import { hashPassword } from '../src/identity/password.ts';
import { Browser, formIn } from '../test/support/browser.ts';
import { addMember } from '../test/support/seeding.ts';
import { median, SERVER_PORT, say, settingsFor, startArguments } from './measuring.ts';
import { ANY_CORE, serve, stopAll } from './processes.ts';

const LENGTH = 100_000;
const VIEWS = 400;
const PASSWORD = 'correct horse battery staple';
const ORIGIN = `http://127.0.0.1:${SERVER_PORT}`;

function filled(part: string, length = LENGTH): string {
  return part.repeat(Math.ceil(length / part.length)).slice(0, length);
}

const PROSE =
  'The dough *wants* time, and the oven wants to be **hot**. See [the book](https://a.example/).\n\n';
const QUOTED = '> '.repeat(90) + filled('a\n', LENGTH - 180);

const PREVIEWS: [name: string, text: string][] = [
  ['ordinary, 2,000 characters', filled(PROSE, 2_000)],
  ['`<b>`, 100,000 times', '<b>'.repeat(100_000)],
  ['`<b>`, 1 MB', filled('<b>', 330_000)],
  ['`<math><mi>`, 1 MB', filled('<math><mi>', 330_000)],
  ['`![`, 1 MB', filled('![', 330_000)],
  ['`![`, 100,000 characters', filled('![')],
  ['`<b>`, 100,000 characters', filled('<b>')],
  ['a deep quotation, 100,000 characters', QUOTED],
];

interface Page {
  name: string;
  body: string;
  comments: number;
  comment: string;
}

const PAGES: Page[] = [
  {
    name: 'ordinary: 2,000 characters, 20 comments',
    body: filled(PROSE, 2_000),
    comments: 20,
    comment: PROSE,
  },
  { name: '`![`, 100,000 characters', body: filled('!['), comments: 0, comment: '' },
  { name: 'a deep quotation, 100,000 characters', body: QUOTED, comments: 0, comment: '' },
  {
    name: '1,050 comments of 5,000 characters `![`',
    body: PROSE,
    comments: 1_050,
    comment: filled('![', 5_000),
  },
  {
    name: '1,050 comments of 5,000 characters `<a`',
    body: PROSE,
    comments: 1_050,
    comment: filled('<a@b.cd>', 5_000),
  },
  { name: '1,050 comments of one word', body: PROSE, comments: 1_050, comment: 'Bread!' },
];

const folder = mkdtempSync(join(tmpdir(), 'portico-worst-'));
try {
  const settings = settingsFor(join(folder, 'worst.db'));
  await seed(settings);
  await serve(startArguments(), SERVER_PORT, settings, ANY_CORE);
  await settleDown(settings.DATABASE_URL ?? '');
  const text = [
    '# The worst texts',
    '',
    'Milliseconds from request to answer, and the longest wait for /healthz meanwhile.',
    '',
    '| Preview | answer | ms | /healthz |',
    '|---|---|---|---|',
    ...(await previewRows()),
    '',
    `| Page (${VIEWS} views) | kB | first | median | p99 | p99 / ordinary | /healthz |`,
    '|---|---|---|---|---|---|---|',
    ...(await pageRows()),
    '',
  ].join('\n');
  mkdirSync(join(import.meta.dirname, 'results'), { recursive: true });
  writeFileSync(join(import.meta.dirname, 'results/worst-texts.md'), text);
  process.stdout.write(text);
} finally {
  await stopAll();
  rmSync(folder, { recursive: true, force: true });
}

// Straight into the tables, as an older version left them: the texts have no HTML.
async function seed(settings: Record<string, string>): Promise<void> {
  const portico = await compose(readConfig(settings));
  await portico.prepare();
  await addMember(portico, 'alice', { passwordHash: await hashPassword(PASSWORD) });
  await portico.close();
  const database = new DatabaseSync(join(folder, 'worst.db'));
  const post = database.prepare(
    `INSERT INTO posts (user_id, category_id, status, title, body, excerpt, created_at, updated_at, published_at, heat,
       comment_count) VALUES (1, 1, 'published', 'Worst', ?, '', 1, 1, 1, 1, ?)`,
  );
  const comment = database.prepare(
    'INSERT INTO comments (post_id, user_id, parent_id, body, created_at) VALUES (?, 1, ?, ?, 1)',
  );
  database.exec('BEGIN');
  for (const page of PAGES) {
    const { lastInsertRowid: id } = post.run(page.body, page.comments);
    let top: number | bigint | null = null;
    // Threads of a comment with twenty replies.
    for (let index = 0; index < page.comments; index += 1) {
      const row: { lastInsertRowid: number | bigint } = comment.run(
        id,
        index % 21 === 0 ? null : top,
        page.comment,
      );
      if (index % 21 === 0) top = row.lastInsertRowid;
    }
  }
  database.exec('COMMIT');
  database.close();
}

// Waits until the texts that have no HTML are rendered.
async function settleDown(databaseUrl: string): Promise<void> {
  const database = new DatabaseSync(databaseUrl.replace(/^file:/, ''), { readOnly: true });
  const hasVersions = database.prepare("SELECT 1 FROM pragma_table_info('posts') WHERE name = 'html'").get();
  const left =
    hasVersions && database.prepare('SELECT count(*) AS left FROM comments WHERE html_version = 0');
  for (let second = 0; left && second < 300; second += 1) {
    if (left.get()?.left === 0) break;
    await new Promise((resolve) => setTimeout(resolve, 1_000));
  }
  database.close();
}

async function previewRows(): Promise<string[]> {
  const browser = new Browser(ORIGIN);
  await browser.signIn('alice', PASSWORD);
  const form = formIn(await browser.read('/write'), '/write');
  const rows: string[] = [];
  for (const [name, body] of PREVIEWS) {
    const fields = new URLSearchParams(form);
    for (const [field, value] of Object.entries({ title: 'Worst', body, action: 'preview' }))
      fields.set(field, value);
    const { ms, health, answer } = await whileHealthy(async () => {
      const response = await browser.post('/write', fields).catch(() => undefined);
      await response?.text();
      return response?.status ?? 'connection lost';
    });
    say(`preview of ${name}: ${answer}, ${ms.toFixed(0)} ms, /healthz ${health.toFixed(0)} ms`);
    rows.push(`| ${name} | ${answer} | ${ms.toFixed(0)} | ${health.toFixed(0)} |`);
  }
  return rows;
}

/** The measured views of a page. */
interface Views {
  bytes: number;
  health: number;
  times: number[];
}

async function pageRows(): Promise<string[]> {
  const views: Views[] = [];
  for (const index of PAGES.keys()) views.push(await firstViews(index));
  // In turn, since the machine's speed changes from second to second. A page that takes 2 s or more is viewed once.
  for (let round = 0; round < VIEWS; round += 1) {
    for (const [index, { times }] of views.entries()) {
      if ((times[0] ?? 0) < 2_000) times.push((await view(index)).ms);
    }
  }
  const p99s = views.map(({ times }) => percentile(times, 0.99));
  return PAGES.map(({ name }, index) => {
    const { bytes, health, times } = views[index] as Views;
    const p99 = p99s[index] ?? 0;
    const figures = [times[0] ?? 0, median(times), p99].map((ms) => ms.toFixed(1)).join(' | ');
    const ratio = (p99 / (p99s[0] ?? 1)).toFixed(1);
    return `| ${name} | ${Math.round(bytes / 1000)} | ${figures} | ${ratio} | ${health.toFixed(0)} |`;
  });
}

async function firstViews(index: number): Promise<Views> {
  const times: number[] = [];
  const { answer, health } = await whileHealthy(async () => {
    const first = await view(index);
    times.push(first.ms);
    for (let warm = 0; warm < 10 && first.ms < 2_000; warm += 1) await view(index);
    return first;
  });
  say(`${PAGES[index]?.name}: first ${answer.ms.toFixed(1)} ms, /healthz ${health.toFixed(0)} ms`);
  return { bytes: answer.bytes, health, times };
}

async function view(index: number): Promise<{ ms: number; bytes: number }> {
  const start = performance.now();
  const answer = await fetch(`${ORIGIN}/posts/${index + 1}/worst`);
  const bytes = (await answer.arrayBuffer()).byteLength;
  return { ms: performance.now() - start, bytes };
}

function percentile(times: readonly number[], share: number): number {
  // The first view has a column of its own.
  const sorted = times.length > 1 ? times.slice(1).toSorted((one, other) => one - other) : [...times];
  return sorted.at(Math.ceil(share * sorted.length) - 1) ?? 0;
}

// Asks /healthz all the time while the work lasts.
async function whileHealthy<T>(work: () => Promise<T>): Promise<{ answer: T; ms: number; health: number }> {
  let isOver = false;
  let health = 0;
  const asking = (async () => {
    while (!isOver) {
      const start = performance.now();
      // A server that hangs resets connections.
      await fetch(`${ORIGIN}/healthz`)
        .then((answer) => answer.text())
        .catch(() => undefined);
      health = Math.max(health, performance.now() - start);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  })();
  const start = performance.now();
  const answer = await work();
  const ms = performance.now() - start;
  isOver = true;
  await asking;
  return { answer, ms, health };
}
