// Starts and stops the processes of a measurement: servers on one core, the load on another.

import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import type { Orders, Report } from './load.ts';
import type { OpenOrders, OpenReport } from './open-loop.ts';

/** The core of the server, unless it is told otherwise. */
export const SERVER_CORE = 0;
const LOAD_CORE = 1;
/** For `serve` and `load`: don't pin the process. */
export const ANY_CORE = -1;
const running = new Set<ChildProcess>();

/** Whether server and load have a core of their own. */
export const canPin = availableParallelism() > 1 && spawnSync('taskset', ['-V']).status === 0;

/** Move a process with all its threads to the core of the load. */
export function moveToLoadCore(pid: number | undefined): void {
  if (canPin) spawnSync('taskset', ['-a', '-p', '-c', String(LOAD_CORE), String(pid)]);
}

/** Start a server and wait until it answers. `environment` is added to this process's own. */
export async function serve(
  args: string[],
  port: number,
  environment: Record<string, string> = {},
  core = SERVER_CORE,
): Promise<ChildProcess> {
  const [command, allArgs] = onCore(core, args);
  const child = spawn(command, allArgs, {
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  running.add(child);
  child.once('exit', () => running.delete(child));
  while (!(await isOpen(port))) {
    if (child.exitCode !== null) throw new Error(`${args[0]} exited while it was starting`);
    await pause(5);
  }
  return child;
}

/** Stop a server that `serve` started, and wait for its exit. */
export async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  await exit;
}

/** Stop every server that `serve` started. */
export async function stopAll(): Promise<void> {
  await Promise.all([...running].map(stop));
}

/** Run the load, on its own core unless told otherwise. */
export function load(orders: Orders, core = LOAD_CORE): Promise<Report> {
  return runJson(core, [`${import.meta.dirname}/load.ts`], orders);
}

/** Run the load that doesn't wait for answers, on its own core. */
export function openLoad(orders: OpenOrders): Promise<OpenReport> {
  return runJson(LOAD_CORE, [`${import.meta.dirname}/open-loop.ts`], orders);
}

/** Run a program that reads JSON and prints JSON, on the servers' core. */
export function onServerCore<T>(args: string[], input: unknown): Promise<T> {
  return runJson(SERVER_CORE, args, input);
}

/** Resident memory of a process, in megabytes (million bytes). */
export function residentMegabytes(child: ChildProcess): number {
  const { stdout } = spawnSync('ps', ['-o', 'rss=', '-p', String(child.pid)], { encoding: 'utf8' });
  return (Number(stdout) * 1024) / 1e6;
}

/** Seconds of processor time that a process and its children took so far, also those that have ended. */
export function processorSeconds(pid: number | undefined): number {
  let ticks = 0;
  for (const entry of readdirSync('/proc')) {
    const stat = /^\d+$/.test(entry) ? readStat(Number(entry)) : undefined;
    if (stat !== undefined && (Number(entry) === pid || stat.parent === pid)) ticks += stat.ticks;
  }
  return ticks / TICKS_PER_SECOND;
}

const TICKS_PER_SECOND = 100;

function readStat(pid: number): { parent: number; ticks: number } | undefined {
  try {
    // After the name, which can contain anything.
    const [, rest = ''] = /.*\) (.*)/s.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? [];
    const fields = rest.split(' ').map(Number);
    // In the program and in the system, and the same of its children that have ended.
    const ticks = fields.slice(11, 15).reduce((sum, field) => sum + field, 0);
    return { parent: fields[1] ?? 0, ticks };
  } catch {
    // The process has exited meanwhile.
    return undefined;
  }
}

function runJson<T>(core: number, args: string[], input: unknown): Promise<T> {
  return new Promise((resolve, reject) => {
    const [command, allArgs] = onCore(core, args);
    const child = spawn(command, allArgs, { stdio: ['pipe', 'pipe', 'inherit'] });
    running.add(child);
    let output = '';
    child.stdout.on('data', (text) => {
      output += text;
    });
    child.on('exit', (code) => {
      running.delete(child);
      if (code === 0) resolve(JSON.parse(output));
      else reject(new Error(`${args[0]} failed`));
    });
    child.stdin.end(JSON.stringify(input));
  });
}

async function isOpen(port: number): Promise<boolean> {
  return fetch(`http://127.0.0.1:${port}/healthz`).then(
    () => true,
    () => false,
  );
}

function onCore(core: number, args: string[]): [string, string[]] {
  return canPin && core !== ANY_CORE
    ? ['taskset', ['-c', String(core), process.execPath, ...args]]
    : [process.execPath, args];
}
