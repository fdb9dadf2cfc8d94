// How a work is measured: beside a bare server of the runtime, in the same minute, several times.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Orders, Report } from './load.ts';
import { ANY_CORE, load, serve, stop } from './processes.ts';
import { get, type Work } from './works.ts';

export const SECONDS = Number(process.env.BENCH_SECONDS ?? 2);
export const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 7);
export const CONNECTIONS = 32;
export const SERVER_PORT = 4301;
const BASELINE_PORT = 4302;

/** Settings of a server that is measured; limits are on, and so high that nothing meets them. */
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

export interface Measured {
  work: Work;
  /** Shares of the baseline beside each round, in percent. */
  shares: number[];
  /** The round of median speed. */
  middle: Report;
}

export async function serveBaseline(): Promise<void> {
  await serve([join(import.meta.dirname, 'baseline.ts'), String(BASELINE_PORT)], BASELINE_PORT);
}

/** What `npm start` runs, after the runtime's name. */
export function startWords(): string[] {
  const { scripts } = JSON.parse(readFileSync(join(import.meta.dirname, '../package.json'), 'utf8'));
  return (scripts.start as string).split(' ').slice(1);
}

/** Starts of which the median counts. */
export const STARTS = 7;

/** Milliseconds from the start of the program, on a database that exists, to its first answer. */
export async function timeToFirstAnswer(settings: Record<string, string>): Promise<number> {
  const taken: number[] = [];
  for (let start = 0; start < STARTS; start += 1) taken.push(await timeOneStart(settings));
  return median(taken);
}

async function timeOneStart(settings: Record<string, string>): Promise<number> {
  const start = performance.now();
  const child = await serve(startWords(), SERVER_PORT, settings, ANY_CORE);
  const taken = performance.now() - start;
  await stop(child);
  return taken;
}

/** Measures a work at the server on `SERVER_PORT`, warm: all its requests have been sent at least once before. */
export async function measure(work: Work, rounds = ROUNDS, seconds = SECONDS): Promise<Measured> {
  const shares: number[] = [];
  const reports: Report[] = [];
  const first = await work.requests();
  await ask(work, { requests: first, ...(work.again && first.length < FEW ? { seconds } : {}) });
  for (let round = 0; round < rounds; round += 1) {
    const requests = await work.requests();
    const before = await askBaseline(seconds);
    const report = await ask(work, { requests, ...(work.again ? { seconds } : {}) });
    // On both sides: machines grow slower and faster by the second.
    const baseline = (before + (await askBaseline(seconds))) / 2;
    reports.push(report);
    shares.push((100 * report.perSecond) / baseline);
    const share = shares.at(-1)?.toFixed(1);
    say(`${work.name}: ${Math.round(report.perSecond)}/s, ${share} % of ${Math.round(baseline)}/s`);
  }
  const middle = reports.toSorted((a, b) => a.perSecond - b.perSecond)[Math.floor(rounds / 2)] as Report;
  return { work, shares, middle };
}

async function askBaseline(seconds: number): Promise<number> {
  const report = await load({ ...orders(BASELINE_PORT), requests: [get('/')], seconds: seconds / 2 });
  return report.perSecond;
}

// Fewer requests than it takes for everything to be compiled.
const FEW = 20_000;

async function ask(work: Work, what: Pick<Orders, 'requests' | 'seconds'>): Promise<Report> {
  const { status, sleepy = false } = work;
  const report = await load({ ...orders(SERVER_PORT), ...what, status, sleepy });
  if (report.wrong > 0) {
    throw new Error(`${work.name}: ${report.wrong} wrong answers, such as\n${report.firstWrong}`);
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
