// `npm run bench:scaling`: one process and two on one SQLite file, and one process on PostgreSQL and Redis, in turn
// within each round. Servers and load share all cores, unlike in production, so compare the processor time of a
// request, and the layouts with each other.

import type { ChildProcess } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { compose } from '../src/compose.ts';
import { readConfig } from '../src/config.ts';
import { findPostgres, findRedis } from '../test/support/services.ts';
import { median, ROUNDS, SECONDS, say, settingsFor, startArguments } from './measuring.ts';
import { ANY_CORE, load, processorSeconds, serve, stopAll } from './processes.ts';
import { addCommunity, addWorkloads, type Workload } from './workloads.ts';

const MEMBERS = Number(process.env.BENCH_MEMBERS ?? 20_000);
/** How many requests a round has, for workloads whose requests can't be repeated. */
const UNREPEATABLE_REQUESTS = Number(process.env.BENCH_ONCE ?? 10_000);
const CONNECTIONS = 64;
const WORKLOADS = [
  'GET /me',
  'GET /me/posts',
  'code exchange with PKCE',
  'refresh',
  'authorize',
  'revoke',
  'post page',
];

interface Layout {
  name: string;
  port: number;
  server: ChildProcess;
  workloads: Workload[];
}

interface Figures {
  perSecond: number;
  /** Microseconds of processor time for each request. */
  node: number;
  database: number;
}

const folder = mkdtempSync(join(tmpdir(), 'portico-scaling-'));
const services = await Promise.all([findPostgres(), findRedis()]);
const [postgres, redis] = services.map((service) => ('value' in service ? service.value : ''));
if (!postgres || !redis) throw new Error('PostgreSQL or Redis is missing.');
const cleanups: (() => Promise<void>)[] = [];
try {
  const file = join(folder, 'portico.db');
  await makeDurable(postgres);
  const layouts = [
    await open('SQLite, one process', 4311, settingsFor(file)),
    await open('SQLite, two workers', 4312, { ...settingsFor(file), WORKERS: '2' }),
    await open('PostgreSQL and Redis, one process', 4313, {
      ...settingsFor(file),
      DATABASE_URL: postgres,
      REDIS_URL: redis,
    }),
  ];
  const rows: string[] = [];
  for (const name of WORKLOADS) {
    const figuresOfLayouts = layouts.map((): Figures[] => []);
    for (let round = 0; round <= ROUNDS; round += 1) {
      for (const [index, layout] of layouts.entries()) {
        const figures = await measure(layout, name);
        // The first round only warms up.
        if (round > 0) figuresOfLayouts[index]?.push(figures);
        say(`${name}, ${layout.name}: ${Math.round(figures.perSecond)}/s`);
      }
    }
    rows.push(row(name, figuresOfLayouts));
  }
  const text = render(rows);
  mkdirSync(join(import.meta.dirname, 'results'), { recursive: true });
  writeFileSync(join(import.meta.dirname, 'results/scaling.md'), text);
  process.stdout.write(text);
} finally {
  await stopAll();
  for (const cleanUp of cleanups) await cleanUp();
  rmSync(folder, { recursive: true, force: true });
  for (const service of services) if ('stop' in service) await service.stop();
}
process.exit(0);

/** Seed the layout's database unless another layout has done so, and start its server. */
async function open(name: string, port: number, settings: Record<string, string>): Promise<Layout> {
  const own = { ...settings, PORT: String(port), BASE_URL: `http://127.0.0.1:${port}` };
  const portico = await compose(readConfig({ ...own, REDIS_URL: '' }));
  cleanups.push(() => portico.close());
  await portico.prepare();
  if ((await portico.identity.reads.findUser(1)) === undefined) {
    say(`seeding for ${name} …`);
    await addCommunity(portico, MEMBERS);
  }
  const workloads = await addWorkloads(portico, MEMBERS, UNREPEATABLE_REQUESTS);
  return { name, port, server: await serve(startArguments(), port, own, ANY_CORE), workloads };
}

async function measure({ server, port, workloads }: Layout, name: string): Promise<Figures> {
  const workload = workloads.find((one) => one.name.startsWith(name)) as Workload;
  const requests = await workload.requests();
  const before = processorTimes(server);
  const orders = { port, connections: CONNECTIONS, requests, status: workload.status, yieldsCore: true };
  const report = await load(workload.isRepeatable ? { ...orders, seconds: SECONDS } : orders, ANY_CORE);
  if (report.wrong > 0) {
    throw new Error(`${workload.name}: ${report.wrong} wrong answers, such as\n${report.firstWrong}`);
  }
  const after = processorTimes(server);
  const perRequest = (seconds: number) => (seconds * 1e6) / report.answered;
  return {
    perSecond: report.perSecond,
    node: perRequest(after.node - before.node),
    database: perRequest(after.database - before.database),
  };
}

function processorTimes({ pid }: ChildProcess): { node: number; database: number } {
  return {
    node: processorSeconds((_, own, parent) => own === pid || parent === pid),
    database: processorSeconds((name) => /^(postgres|redis-server|valkey-server)/.test(name)),
  };
}

// The server for tests runs without fsync; here a commit must cost what it costs in production.
async function makeDurable(url: string): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  for (const sql of ['ALTER SYSTEM SET fsync = on', 'SELECT pg_reload_conf()']) await client.query(sql);
  const { rows } = await client.query('SHOW fsync');
  await client.end();
  if (rows[0]?.fsync !== 'on') say('PostgreSQL does not sync: its writes are cheaper than in production.');
}

function row(name: string, figuresOfLayouts: Figures[][]): string {
  const of = (index: number, figure: keyof Figures) =>
    median((figuresOfLayouts[index] ?? []).map((figures) => figures[figure]));
  const ratios = (figuresOfLayouts[1] ?? []).map(
    (two, round) => two.perSecond / (figuresOfLayouts[0]?.[round]?.perSecond ?? 1),
  );
  const cells = [
    name,
    Math.round(of(0, 'perSecond')),
    Math.round(of(1, 'perSecond')),
    `${median(ratios).toFixed(2)} (${Math.min(...ratios).toFixed(2)}–${Math.max(...ratios).toFixed(2)})`,
    `${Math.round(of(0, 'node'))} / ${Math.round(of(1, 'node'))}`,
    Math.round(of(2, 'perSecond')),
    `${Math.round(of(2, 'node'))} + ${Math.round(of(2, 'database'))}`,
  ];
  return `| ${cells.join(' | ')} |`;
}

function render(rows: string[]): string {
  return `# Several processes, and PostgreSQL

${cpus()[0]?.model.trim()}, ${availableParallelism()} cores, which servers, load and databases share without being pinned; Node
${process.versions.node}; ${MEMBERS} members, ${MEMBERS} live tokens; ${CONNECTIONS} connections; medians of ${ROUNDS} rounds, the layouts in turn within each.
SQLite and PostgreSQL both sync each commit. µs are processor time per request, of all processes of a kind.

| Work | SQLite, 1 process, per second | WORKERS=2, per second | Ratio | µs of Node, 1 / 2 | PostgreSQL and Redis, 1 process, per second | µs of Node + of PostgreSQL and Redis |
|---|---|---|---|---|---|---|
${rows.join('\n')}
`;
}
