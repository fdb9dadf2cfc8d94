// The processes of a measurement: servers on one core, the load on another, and how they are ended.

import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import type { Orders, Report } from './load.ts';

const SERVER_CORE = 0;
const LOAD_CORE = 1;
const running = new Set<ChildProcess>();

/** Whether server and load have a core of their own. */
export const canPin = availableParallelism() > 1 && spawnSync('taskset', ['-V']).status === 0;

/** Starts a server on its core and waits until it answers. `environment` is added to this process's. */
export async function serve(
  words: string[],
  port: number,
  environment: Record<string, string> = {},
): Promise<ChildProcess> {
  const [command, all] = onCore(SERVER_CORE, words);
  const child = spawn(command, all, {
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  running.add(child);
  child.once('exit', () => running.delete(child));
  while (!(await answers(port))) {
    if (child.exitCode !== null) throw new Error(`${words[0]} ended at its start`);
    await pause(20);
  }
  return child;
}

/** Ends a server that was started here and waits for its end. */
export async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  await ended;
}

/** Ends every server that was started here. */
export async function stopAll(): Promise<void> {
  await Promise.all([...running].map(stop));
}

/** Lets the load run on its core. */
export function load(orders: Orders): Promise<Report> {
  return runJson(LOAD_CORE, [`${import.meta.dirname}/load.ts`], orders);
}

/** Runs a program on the servers' core that reads JSON and prints JSON. */
export function onServerCore<T>(words: string[], input: unknown): Promise<T> {
  return runJson(SERVER_CORE, words, input);
}

/** Resident memory of a process, in megabytes (million bytes). */
export function residentMegabytes(child: ChildProcess): number {
  const { stdout } = spawnSync('ps', ['-o', 'rss=', '-p', String(child.pid)], { encoding: 'utf8' });
  return (Number(stdout) * 1024) / 1e6;
}

function runJson<T>(core: number, words: string[], input: unknown): Promise<T> {
  return new Promise((resolve, reject) => {
    const [command, all] = onCore(core, words);
    const child = spawn(command, all, { stdio: ['pipe', 'pipe', 'inherit'] });
    running.add(child);
    let printed = '';
    child.stdout.on('data', (text) => {
      printed += text;
    });
    child.on('exit', (code) => {
      running.delete(child);
      if (code === 0) resolve(JSON.parse(printed));
      else reject(new Error(`${words[0]} failed`));
    });
    child.stdin.end(JSON.stringify(input));
  });
}

async function answers(port: number): Promise<boolean> {
  return fetch(`http://127.0.0.1:${port}/healthz`).then(
    () => true,
    () => false,
  );
}

function onCore(core: number, words: string[]): [string, string[]] {
  return canPin ? ['taskset', ['-c', String(core), process.execPath, ...words]] : [process.execPath, words];
}
