// `npm run bench:scaling`: PostgreSQL and Redis beside one SQLite file, and two processes on one file beside one. The
// layouts take turns within each round. The load has the second core, which it shares with the databases and leaves to
// them while it waits. To compare databases, the server has the first core; to compare processes, servers have both.
// Arguments choose workloads by how their names begin: `npm run bench:scaling -- refresh` prints the rows of one, for the
// databases only, and writes no results.

import type { ChildProcess } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import pg from 'pg';
import { compose } from '../src/compose.ts';
import { readConfig } from '../src/config.ts';
import { findPostgres, findRedis, type Service } from '../test/support/services.ts';
import { median, ROUNDS, SECONDS, say, settingsFor, startArguments } from './measuring.ts';
import {
  ANY_CORE,
  canPin,
  load,
  moveToLoadCore,
  processorSeconds,
  SERVER_CORE,
  serve,
  stopAll,
} from './processes.ts';
import { addCommunity, addWorkloads, type Workload } from './workloads.ts';

const MEMBERS = Number(process.env.BENCH_MEMBERS ?? 20_000);
/** How many requests a round has, for workloads whose requests can't be repeated. */
const UNREPEATABLE_REQUESTS = Number(process.env.BENCH_ONCE ?? 10_000);
const CONNECTIONS = 64;
/** How the workloads' names begin, and the least share of SQLite's speed that PostgreSQL must reach, in percent. */
const WORKLOADS = new Map<string, number | undefined>([
  ['GET /me', 35],
  // On SQLite, memory has the lists of these members, and not of the next.
  ['GET /me/posts', 40],
  ['GET /me/posts from the database', 40],
  ['code exchange with PKCE', 45],
  ['refresh', 45],
  ['authorize', 40],
  ['revoke', undefined],
  ['post page', undefined],
  ['home page', undefined],
]);
const CHOSEN = process.argv.slice(2);
const isWhole = CHOSEN.length === 0;

interface Layout {
  name: string;
  port: number;
  server: ChildProcess;
  workloads: Workload[];
}

interface Figures {
  perSecond: number;
  /** Milliseconds. */
  p50: number;
  p99: number;
  /** Microseconds of processor time for each request. */
  node: number;
  postgres: number;
  redis: number;
}

const folder = mkdtempSync(join(tmpdir(), 'portico-scaling-'));
const services: Service[] = [];
let databasePids = { postgres: 0, redis: 0 };
const cleanups: (() => Promise<void>)[] = [];
try {
  const file = settingsFor(join(folder, 'portico.db'));
  const processLayouts = isWhole
    ? [
        await open('one process on all cores', 4313, file, ANY_CORE),
        await open('two workers on all cores', 4314, { ...file, WORKERS: '2' }, ANY_CORE),
      ]
    : [];
  // What this process starts from here on stays on its core, such as the databases.
  moveToLoadCore(process.pid);
  services.push(...(await Promise.all([findPostgres({ fsync: true }), findRedis()])));
  const [postgres, redis] = services.map((service) => ('value' in service ? service.value : ''));
  if (!postgres || !redis) throw new Error('PostgreSQL or Redis is missing.');
  databasePids = { postgres: await pidOfPostgres(postgres), redis: await pidOfRedis(redis) };
  const both = { ...file, DATABASE_URL: postgres, REDIS_URL: redis };
  const layouts = [
    await open('SQLite', 4311, file, SERVER_CORE),
    await open('PostgreSQL and Redis', 4312, both, SERVER_CORE),
    ...processLayouts,
  ];
  const databases: string[] = [];
  const processes: string[] = [];
  for (const [name, least] of WORKLOADS) {
    if (!isWhole && !CHOSEN.some((beginning) => name.startsWith(beginning))) continue;
    const [sqlite = [], shared = [], one = [], two = []] = await measureAll(layouts, name);
    databases.push(databaseRow(name, least, sqlite, shared));
    if (isWhole) processes.push(processRow(name, one, two));
  }
  const text = render(databases, processes);
  mkdirSync(join(import.meta.dirname, 'results'), { recursive: true });
  if (isWhole) writeFileSync(join(import.meta.dirname, 'results/scaling.md'), text);
  process.stdout.write(text);
} finally {
  await stopAll();
  for (const cleanUp of cleanups) await cleanUp();
  rmSync(folder, { recursive: true, force: true });
  for (const service of services) if ('stop' in service) await service.stop();
}
process.exit(0);

/** Seed the layout's database unless another layout has done so, and start its server. */
async function open(
  name: string,
  port: number,
  settings: Record<string, string>,
  core: number,
): Promise<Layout> {
  const own = { ...settings, PORT: String(port), BASE_URL: `http://127.0.0.1:${port}` };
  const portico = await compose(readConfig({ ...own, REDIS_URL: '' }));
  cleanups.push(() => portico.close());
  await portico.prepare();
  if ((await portico.identity.reads.findUser(1)) === undefined) {
    say(`seeding for ${name} …`);
    await addCommunity(portico, MEMBERS);
  }
  const workloads = await addWorkloads(portico, MEMBERS, UNREPEATABLE_REQUESTS);
  return { name, port, server: await serve(startArguments(), port, own, core), workloads };
}

/** Measure a workload in every layout. Returns the figures of the rounds for each. */
async function measureAll(layouts: readonly Layout[], name: string): Promise<Figures[][]> {
  const figuresOfLayouts = layouts.map((): Figures[] => []);
  for (let round = 0; round <= ROUNDS; round += 1) {
    for (const [index, layout] of layouts.entries()) {
      const figures = await measure(layout, name);
      // The first round only warms up.
      if (round > 0) figuresOfLayouts[index]?.push(figures);
      say(`${name}, ${layout.name}: ${Math.round(figures.perSecond)}/s`);
    }
  }
  return figuresOfLayouts;
}

async function measure({ server, port, workloads }: Layout, name: string): Promise<Figures> {
  const workload = workloads.find((one) => one.name.startsWith(name)) as Workload;
  const requests = await workload.requests();
  const before = processorTimes(server);
  const orders = { port, connections: CONNECTIONS, requests, status: workload.status, yieldsCore: true };
  const report = await load(workload.isRepeatable ? { ...orders, seconds: SECONDS } : orders);
  if (report.wrong > 0) {
    throw new Error(`${workload.name}: ${report.wrong} wrong answers, such as\n${report.firstWrong}`);
  }
  const after = processorTimes(server);
  const perRequest = (kind: keyof typeof after) => ((after[kind] - before[kind]) * 1e6) / report.answered;
  return {
    perSecond: report.perSecond,
    p50: report.p50,
    p99: report.p99,
    node: perRequest('node'),
    postgres: perRequest('postgres'),
    redis: perRequest('redis'),
  };
}

function processorTimes({ pid }: ChildProcess): { node: number; postgres: number; redis: number } {
  return {
    node: processorSeconds(pid),
    postgres: processorSeconds(databasePids.postgres),
    redis: processorSeconds(databasePids.redis),
  };
}

async function pidOfPostgres(url: string): Promise<number> {
  const client = new pg.Client(url);
  await client.connect();
  const { rows } = await client
    .query(`SELECT current_setting('fsync') AS fsync, pg_read_file('postmaster.pid') AS file`)
    .finally(() => client.end());
  // A commit must cost what it costs in production.
  if (rows[0]?.fsync !== 'on') throw new Error('The PostgreSQL server must have fsync=on.');
  return Number.parseInt(rows[0].file, 10);
}

async function pidOfRedis(url: string): Promise<number> {
  const client = new Redis(url);
  const info = await client.info('server').finally(() => client.disconnect());
  return Number(/process_id:(\d+)/.exec(info)?.[1]);
}

function databaseRow(
  name: string,
  least: number | undefined,
  sqlite: readonly Figures[],
  shared: readonly Figures[],
): string {
  return rowOf([
    name,
    middle(sqlite, 'perSecond'),
    middle(shared, 'perSecond'),
    ...shares(sqlite, shared),
    least === undefined ? '–' : `${least} %`,
    middle(sqlite, 'node'),
    middle(shared, 'node'),
    `${middle(shared, 'postgres')} + ${middle(shared, 'redis')}`,
    latencies(sqlite),
    latencies(shared),
  ]);
}

function processRow(name: string, one: readonly Figures[], two: readonly Figures[]): string {
  return rowOf([
    name,
    middle(one, 'perSecond'),
    middle(two, 'perSecond'),
    ...shares(one, two),
    middle(one, 'node'),
    middle(two, 'node'),
    latencies(one),
    latencies(two),
  ]);
}

/** The median share of the first layout's speed that the second has in the same round, and the least and the most. */
function shares(first: readonly Figures[], second: readonly Figures[]): string[] {
  const list = second.map(({ perSecond }, round) => (100 * perSecond) / (first[round]?.perSecond ?? 1));
  const [least, most] = [Math.min(...list), Math.max(...list)].map((share) => share.toFixed(0));
  return [`${median(list).toFixed(0)} %`, `${least}–${most} %`];
}

function middle(rounds: readonly Figures[], figure: keyof Figures, digits = 0): string {
  return median(rounds.map((figures) => figures[figure])).toFixed(digits);
}

function latencies(rounds: readonly Figures[]): string {
  return `${middle(rounds, 'p50', 1)} / ${middle(rounds, 'p99', 1)}`;
}

function rowOf(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`;
}

function render(databases: readonly string[], processes: readonly string[]): string {
  return `# PostgreSQL and Redis, and several processes

${cpus()[0]?.model.trim()}, ${cpus().length} cores; Node ${process.versions.node}; ${MEMBERS} members, ${MEMBERS} live tokens; ${CONNECTIONS} connections; medians of ${ROUNDS} rounds, the layouts
in turn within each. SQLite and PostgreSQL both sync each commit. µs are processor time for each request, of all
processes of a kind.${canPin ? '' : ' **This system cannot pin processes, so all of them share all cores.**'}

## PostgreSQL and Redis beside SQLite

The server is pinned to the first core. PostgreSQL, Redis and the load share the second, so the load takes some of what
the databases could have.

| Work | SQLite, per second | PostgreSQL and Redis, per second | Share of SQLite | Least–most | Must | µs of Node, SQLite | µs of Node, PostgreSQL and Redis | µs of PostgreSQL + Redis | p50 / p99 ms, SQLite | p50 / p99 ms, PostgreSQL and Redis |
|---|---|---|---|---|---|---|---|---|---|---|
${databases.join('\n')}

${isWhole ? processTable(processes) : ''}`;
}

function processTable(rows: readonly string[]): string {
  return `## Two processes on one SQLite file

The servers may use both cores. The load shares the second with them, so no row reaches 200 %.

| Work | One process, per second | WORKERS=2, per second | Share of one process | Least–most | µs of Node, one process | µs of Node, WORKERS=2 | p50 / p99 ms, one process | p50 / p99 ms, WORKERS=2 |
|---|---|---|---|---|---|---|---|---|
${rows.join('\n')}
`;
}
