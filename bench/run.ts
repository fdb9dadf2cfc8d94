// `npm run bench`: how much of what the runtime itself can do is left for the work. Each work is measured beside a
// baseline taken in the same minute, server and load on cores of their own, several times; medians count. Words after
// it choose works by a part of their names: `npm run bench -- refresh revoke`. BENCH_PROFILE names a folder for a
// profile of the server.

import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { compose, type Portico } from '../src/compose.ts';
import { readConfig } from '../src/config.ts';
import { addApplication, addMembers, addPosts, addSignIns } from './community.ts';
import type { Report } from './load.ts';
import { canPin, load, onServerCore, residentMegabytes, serve, stopAll } from './processes.ts';
import { get, RS256_EXCHANGE, type Work, worksOf } from './works.ts';

const MEMBERS = Number(process.env.BENCH_MEMBERS ?? 100_000);
const ONCE = Number(process.env.BENCH_ONCE ?? 20_000);
const SECONDS = Number(process.env.BENCH_SECONDS ?? 4);
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 3);
const AUTHORS = 100;
const POSTS_EACH = 200;
const CONNECTIONS = 32;
const SERVER_PORT = 4301;
const BASELINE_PORT = 4302;

interface Measured {
  work: Work;
  /** Shares of the baseline beside each round, in percent. */
  shares: number[];
  /** The round of median speed. */
  middle: Report;
  /** Resident memory of the server afterwards, in megabytes. */
  memory: number;
}

const folder = mkdtempSync(join(tmpdir(), 'portico-bench-'));
const settings = {
  HOST: '127.0.0.1',
  PORT: String(SERVER_PORT),
  BASE_URL: `http://127.0.0.1:${SERVER_PORT}`,
  DATABASE_URL: `file:${join(folder, 'portico.db')}`,
  RATE_LIMIT_PER_MINUTE: '1000000000',
  TOKEN_RATE_LIMIT_PER_MINUTE: '1000000000',
  LOG_LEVEL: 'warn',
};
const portico = await compose(readConfig(settings));
try {
  await portico.prepare();
  const works = await seed(portico);
  const server = await serve([...profiling(), ...startWords()], SERVER_PORT, settings);
  await serve(['bench/baseline.ts', String(BASELINE_PORT)], BASELINE_PORT);
  const atRest = residentMegabytes(server);
  const measured: Measured[] = [];
  for (const work of works) {
    const { shares, middle } = await measure(work);
    measured.push({ work, shares, middle, memory: residentMegabytes(server) });
  }
  const text = render(measured, atRest, await signaturesPerSecond());
  const results = join(import.meta.dirname, 'results');
  mkdirSync(results, { recursive: true });
  writeFileSync(join(results, 'latest.md'), text);
  process.stdout.write(text);
} finally {
  await stopAll();
  await portico.close();
  rmSync(folder, { recursive: true, force: true });
}

async function seed(portico: Portico): Promise<Work[]> {
  say(`seeding ${MEMBERS} members with ${MEMBERS} live tokens …`);
  await addMembers(portico, MEMBERS);
  await addPosts(portico, AUTHORS, POSTS_EACH);
  const application = await addApplication(portico);
  const signIns = await addSignIns(portico, application, MEMBERS);
  const works = worksOf({
    portico,
    application,
    signIns,
    authors: AUTHORS,
    postsEach: POSTS_EACH,
    once: ONCE,
  });
  const chosen = process.argv.slice(2);
  return works.filter(({ name }) => chosen.length === 0 || chosen.some((word) => name.includes(word)));
}

/** What `npm start` runs, after the runtime's name. */
function startWords(): string[] {
  const { scripts } = JSON.parse(readFileSync(join(import.meta.dirname, '../package.json'), 'utf8'));
  return (scripts.start as string).split(' ').slice(1);
}

function profiling(): string[] {
  const folder = process.env.BENCH_PROFILE;
  return folder === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${folder}`];
}

async function measure(work: Work): Promise<Pick<Measured, 'shares' | 'middle'>> {
  const shares: number[] = [];
  const reports: Report[] = [];
  await askServer(work, await work.requests());
  for (let round = 0; round < ROUNDS; round += 1) {
    const requests = await work.requests();
    const baseline = await load({
      port: BASELINE_PORT,
      connections: CONNECTIONS,
      requests: [get('/')],
      seconds: SECONDS,
      status: 200,
    });
    const report = await askServer(work, requests);
    reports.push(report);
    shares.push((100 * report.perSecond) / baseline.perSecond);
    say(
      `${work.name}: ${Math.round(report.perSecond)}/s, ${shares.at(-1)?.toFixed(1)} % of ${Math.round(baseline.perSecond)}/s`,
    );
  }
  const middle = reports.toSorted((a, b) => a.perSecond - b.perSecond)[Math.floor(ROUNDS / 2)] as Report;
  return { shares, middle };
}

async function askServer(work: Work, requests: string[]): Promise<Report> {
  const report = await load({
    port: SERVER_PORT,
    connections: CONNECTIONS,
    requests,
    status: work.status,
    ...(work.again ? { seconds: SECONDS } : {}),
  });
  if (report.wrong > 0)
    throw new Error(`${work.name}: ${report.wrong} wrong answers, such as\n${report.firstWrong}`);
  return report;
}

/** What the server's core can sign with RS256 when it does nothing else. */
async function signaturesPerSecond(): Promise<number> {
  const rounds: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    rounds.push(await onServerCore<number>(['bench/signing.ts'], { seconds: SECONDS / 2 }));
  }
  return median(rounds);
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

function render(measured: Measured[], atRest: number, signatures: number): string {
  const rows = measured.map(({ work, shares, middle, memory }) => {
    const isSigning = work.name === RS256_EXCHANGE;
    const must = isSigning ? '85 % of the signatures' : percent(work.must);
    const aim = isSigning ? 'off the core' : percent(work.aim);
    const share = isSigning
      ? `${median(shares).toFixed(1)} % (${((100 * middle.perSecond) / signatures).toFixed(0)} % of the signatures)`
      : `${median(shares).toFixed(1)} %`;
    const cells = [
      work.name,
      share,
      `${Math.min(...shares).toFixed(1)}–${Math.max(...shares).toFixed(1)} %`,
      must,
      aim,
      Math.round(middle.perSecond),
      `${middle.p50.toFixed(2)} / ${middle.p99.toFixed(2)}`,
      middle.bytes,
      `${Math.round(100 * middle.cpu)} %`,
      Math.round(memory),
    ];
    return `| ${cells.join(' | ')} |`;
  });
  return `# Measured

${cpus()[0]?.model.trim()}, ${availableParallelism()} cores${canPin ? ', server and load pinned to one each' : ', not pinned'}; Node ${process.versions.node}, SQLite on disk,
synchronous=FULL; ${MEMBERS} members, ${MEMBERS} live tokens; ${CONNECTIONS} connections; medians of ${ROUNDS} rounds, each beside a bare server of the
runtime that answers a small JSON, in the same minute. The core alone makes ${Math.round(signatures)} RS256 signatures a second.
At rest the server holds ${Math.round(atRest)} MB.

| Work | Share of a bare server | Least–most | Must | Aim | Per second | p50 / p99 ms | Bytes of the answer | Load's own core | MB after it |
|---|---|---|---|---|---|---|---|---|---|
${rows.join('\n')}
`;
}

function percent(share: number | undefined): string {
  return share === undefined ? '–' : `${share} %`;
}

function say(line: string): void {
  process.stderr.write(`${line}\n`);
}
