// Measures a workload in several rounds, and a bare `node:http` server in the same minute as each.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Orders, Report } from './load.ts';
import { ANY_CORE, load, serve, stop } from './processes.ts';
import { get, type Workload } from './workloads.ts';

export const SECONDS = Number(process.env.BENCH_SECONDS ?? 2);
export const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 7);
export const CONNECTIONS = 32;
export const SERVER_PORT = 4301;
const BASELINE_PORT = 4302;

/** Return the settings of a server to measure. Rate limits are on, but too high to be reached. */
export function settingsFor(databasePath: string): Record<string, string> {
  return {
    HOST: '127.0.0.1',
    PORT: String(SERVER_PORT),
    BASE_URL: `http://127.0.0.1:${SERVER_PORT}`,
    DATABASE_URL: `file:${databasePath}`,
    RATE_LIMIT_PER_MINUTE: '1000000000',
    TOKEN_RATE_LIMIT_PER_MINUTE: '1000000000',
    LOG_LEVEL: 'warn',
  };
}

export interface Measurement {
  workload: Workload;
  /** Each round's share of the baseline measured beside it, in percent. */
  shares: number[];
  /** The round with the median speed. */
  middle: Report;
}

export async function serveBaseline(): Promise<void> {
  await serve([join(import.meta.dirname, 'baseline.ts'), String(BASELINE_PORT)], BASELINE_PORT);
}

/** Return the arguments that `npm start` gives to `node`. */
export function startArguments(): string[] {
  const { scripts } = JSON.parse(readFileSync(join(import.meta.dirname, '../package.json'), 'utf8'));
  return (scripts.start as string).split(' ').slice(1);
}

/** How many starts are timed; the median counts. */
export const STARTS = 7;

/** Measure the milliseconds from the program's start, on an existing database, to its first answer. */
export async function timeToFirstAnswer(settings: Record<string, string>): Promise<number> {
  const times: number[] = [];
  for (let start = 0; start < STARTS; start += 1) times.push(await timeOneStart(settings));
  return median(times);
}

async function timeOneStart(settings: Record<string, string>): Promise<number> {
  const start = performance.now();
  const child = await serve(startArguments(), SERVER_PORT, settings, ANY_CORE);
  const time = performance.now() - start;
  await stop(child);
  return time;
}

/** Measure a workload at the server on `SERVER_PORT`, after a round that only warms up. */
export async function measure(workload: Workload, rounds = ROUNDS, seconds = SECONDS): Promise<Measurement> {
  const shares: number[] = [];
  const reports: Report[] = [];
  const first = await workload.requests();
  await ask(workload, {
    requests: first,
    ...(workload.isRepeatable && first.length < FEW ? { seconds } : {}),
  });
  for (let round = 0; round < rounds; round += 1) {
    const requests = await workload.requests();
    const before = await askBaseline(seconds);
    const report = await ask(workload, { requests, ...(workload.isRepeatable ? { seconds } : {}) });
    // Before and after: a machine's speed changes from second to second.
    const baseline = (before + (await askBaseline(seconds))) / 2;
    reports.push(report);
    shares.push((100 * report.perSecond) / baseline);
    const share = shares.at(-1)?.toFixed(1);
    say(`${workload.name}: ${Math.round(report.perSecond)}/s, ${share} % of ${Math.round(baseline)}/s`);
  }
  const middle = reports.toSorted((a, b) => a.perSecond - b.perSecond)[Math.floor(rounds / 2)] as Report;
  return { workload, shares, middle };
}

async function askBaseline(seconds: number): Promise<number> {
  const report = await load({ ...orders(BASELINE_PORT), requests: [get('/')], seconds: seconds / 2 });
  return report.perSecond;
}

// Fewer requests than this don't get everything compiled.
const FEW = 20_000;

async function ask(workload: Workload, what: Pick<Orders, 'requests' | 'seconds'>): Promise<Report> {
  const { status, yieldsCore = false } = workload;
  const report = await load({ ...orders(SERVER_PORT), ...what, status, yieldsCore });
  if (report.wrong > 0) {
    throw new Error(`${workload.name}: ${report.wrong} wrong answers, such as\n${report.firstWrong}`);
  }
  return report;
}

function orders(port: number): Omit<Orders, 'requests'> {
  return { port, connections: CONNECTIONS, status: 200 };
}

export function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

export function say(line: string): void {
  process.stderr.write(`${line}\n`);
}
