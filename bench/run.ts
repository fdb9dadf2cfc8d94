// `npm run bench`: the speed of each workload as a share of a bare `node:http` server, in medians of several rounds
// (see README.md). Arguments choose workloads by a part of their names: `npm run bench -- refresh revoke`.
// BENCH_PROFILE names a folder for a CPU profile of the server.

import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { compose, type Portico } from '../src/compose.ts';
import { readConfig } from '../src/config.ts';
import {
  CONNECTIONS,
  type Measurement,
  measure,
  median,
  ROUNDS,
  SECONDS,
  SERVER_PORT,
  say,
  serveBaseline,
  settingsFor,
  startArguments,
  timeToFirstAnswer,
} from './measuring.ts';
import { canPin, onServerCore, residentMegabytes, serve, stopAll } from './processes.ts';
import { addCommunity, addWorkloads, RS256_EXCHANGE, RS256_ON_ONE_CORE, type Workload } from './workloads.ts';

const MEMBERS = Number(process.env.BENCH_MEMBERS ?? 100_000);
/** How many requests a round has, for workloads whose requests can't be repeated. */
const UNREPEATABLE_REQUESTS = Number(process.env.BENCH_ONCE ?? 20_000);

type Row = Measurement & {
  /** Resident memory of the server afterwards, in megabytes. */
  memory: number;
};

const folder = mkdtempSync(join(tmpdir(), 'portico-bench-'));
const settings = settingsFor(join(folder, 'portico.db'));
const portico = await compose(readConfig(settings));
try {
  await portico.prepare();
  const workloads = await seed(portico);
  const startDuration = await timeToFirstAnswer(settings);
  const server = await serve([...profiling(), ...startArguments()], SERVER_PORT, settings);
  await serveBaseline();
  const atRest = residentMegabytes(server);
  const rows: Row[] = [];
  for (const workload of workloads) {
    if (workload.name === RS256_EXCHANGE) letThreadsLeave(server.pid ?? 0);
    rows.push({ ...(await measure(workload)), memory: residentMegabytes(server) });
  }
  await stopAll();
  const text = render(rows, startDuration, atRest, await signaturesPerSecond());
  const results = join(import.meta.dirname, 'results');
  mkdirSync(results, { recursive: true });
  writeFileSync(join(results, 'latest.md'), text);
  process.stdout.write(text);
} finally {
  await stopAll();
  await portico.close();
  rmSync(folder, { recursive: true, force: true });
}

async function seed(portico: Portico): Promise<Workload[]> {
  say(`seeding ${MEMBERS} members with ${MEMBERS} live tokens …`);
  await addCommunity(portico, MEMBERS);
  const workloads = await addWorkloads(portico, MEMBERS, UNREPEATABLE_REQUESTS);
  const chosen = process.argv.slice(2);
  return workloads.filter(({ name }) => chosen.length === 0 || chosen.some((part) => name.includes(part)));
}

function profiling(): string[] {
  const folder = process.env.BENCH_PROFILE;
  return folder === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${folder}`];
}

/** Let the server's threads run on any core, except its main thread, which stays where it was. */
function letThreadsLeave(pid: number): void {
  if (!canPin) return;
  spawnSync('taskset', ['-a', '-p', '-c', `0-${availableParallelism() - 1}`, String(pid)]);
  spawnSync('taskset', ['-p', '-c', '0', String(pid)]);
}

/** Measure how often the server's core can sign with RS256 when it does nothing else. */
async function signaturesPerSecond(): Promise<number> {
  const rounds: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    rounds.push(await onServerCore<number>(['bench/signing.ts'], { seconds: SECONDS / 2 }));
  }
  return median(rounds);
}

function render(rows: Row[], startDuration: number, atRest: number, signatures: number): string {
  const lines = rows.map(({ workload, shares, middle, memory }) => {
    const isSigning = workload.name === RS256_EXCHANGE || workload.name === RS256_ON_ONE_CORE;
    const ofSigningRate = ` (${((100 * middle.perSecond) / signatures).toFixed(0)} % of the core's signing rate)`;
    const cells = [
      workload.name,
      `${median(shares).toFixed(1)} %${isSigning ? ofSigningRate : ''}`,
      `${Math.min(...shares).toFixed(1)}–${Math.max(...shares).toFixed(1)} %`,
      workload.name === RS256_EXCHANGE ? "85 % of the core's signing rate" : percent(workload.must),
      workload.name === RS256_EXCHANGE ? 'signing on other cores' : percent(workload.aim),
      Math.round(middle.perSecond),
      `${middle.p50.toFixed(2)} / ${middle.p99.toFixed(2)}`,
      middle.bytes,
      `${Math.round(100 * middle.cpu)} %`,
      Math.round(memory),
    ];
    return `| ${cells.join(' | ')} |`;
  });
  return `# Measurement

${cpus()[0]?.model.trim()}, ${availableParallelism()} cores${canPin ? ', server and load pinned to one each' : ', not pinned'}; Node ${process.versions.node}, SQLite on disk,
synchronous=FULL; ${MEMBERS} members, ${MEMBERS} live tokens; ${CONNECTIONS} connections; medians of ${ROUNDS} rounds. In the same minute as
each round, a bare \`node:http\` server that returns a small JSON is measured. A core that does nothing else makes
${Math.round(signatures)} RS256 signatures a second: its signing rate.
The first answer comes ${Math.round(startDuration)} ms after the start; at rest the server holds ${Math.round(atRest)} MB. The load keeps its core busy even while it waits, so that no core has to be woken.

| Work | Share of a bare server | Least–most | Must | Aim | Per second | p50 / p99 ms | Bytes of the answer | CPU of the load | MB after it |
|---|---|---|---|---|---|---|---|---|---|
${lines.join('\n')}
`;
}

function percent(share: number | undefined): string {
  return share === undefined ? '–' : `${share} %`;
}
