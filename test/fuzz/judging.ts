// The thread that parses. The main thread watches it, since an input may take for ever or exhaust its memory.

import { parentPort, workerData } from 'node:worker_threads';
import { collectGarbage } from '../support/garbage.ts';
import { inputAt } from './mutation.ts';
import { boundOf, type Target } from './target.ts';
import { FAULTY } from './targets/faulty.ts';
import { TARGETS } from './targets.ts';

/** Where the thread is, for the main thread to read at any moment: the number of the input. */
export interface ThreadData {
  position: Int32Array;
}

/** Inputs to parse: some by their numbers, or one that is given. */
export type Order =
  | { kind: 'numbers'; target: string; seed: number; from: number; to: number }
  | { kind: 'input'; target: string; input: string };

export type Problem = { kind: 'broken' | 'slow' | 'too_much_memory' | 'endless'; text: string };

/** What became of an order. */
export interface Verdict {
  /** Undefined if all is well. */
  problem: Problem | undefined;
  /** The number of the input with the problem. */
  index: number;
  slowest: { index: number; ms: number };
  /** Megabytes that are in use after the order, without garbage. */
  megabytes: number;
}

const WARM_UP = 20;

if (parentPort !== null) serve(parentPort, (workerData as ThreadData).position);

function serve(port: NonNullable<typeof parentPort>, position: Int32Array): void {
  const warm = new Set<string>();
  port.on('message', async (order: Order) => {
    const target = targetNamed(order.target);
    // The first calls load libraries and are compiled.
    if (!warm.has(target.name)) await warmUp(target);
    warm.add(target.name);
    port.postMessage(await judge(target, order, position));
  });
}

export function targetNamed(name: string): Target {
  const target = [...TARGETS, ...FAULTY].find((one) => one.name === name);
  if (target === undefined) {
    throw new Error(`There is no parser ${name}, but ${TARGETS.map((one) => one.name).join(', ')}.`);
  }
  return target;
}

async function warmUp(target: Target): Promise<void> {
  for (let round = 0; round < WARM_UP; round += 1) {
    for (const seed of target.seeds) await problemWith(target, seed);
  }
}

async function judge(target: Target, order: Order, position: Int32Array): Promise<Verdict> {
  const slowest = { index: 0, ms: 0 };
  const [from, to] = order.kind === 'numbers' ? [order.from, order.to] : [0, 1];
  for (let index = from; index < to; index += 1) {
    Atomics.store(position, 0, index);
    const input = order.kind === 'numbers' ? inputAt(target, order.seed, index) : order.input;
    const start = performance.now();
    let problem = await problemWith(target, input);
    let ms = performance.now() - start;
    if (problem === undefined && ms > boundOf(target, input)) {
      ms = await quickest(target, input);
      problem = slowness(target, input, ms);
    }
    if (ms > slowest.ms) Object.assign(slowest, { index, ms });
    if (problem !== undefined) return { problem, index, slowest, megabytes: 0 };
  }
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return { problem: undefined, index: to, slowest, megabytes: (heapUsed + external) / 1e6 };
}

async function problemWith(target: Target, input: string): Promise<Problem | undefined> {
  try {
    // Most parsers return at once, and waiting for them would take longer than some of them do.
    const pending = target.check(input);
    if (pending !== undefined) await pending;
    return undefined;
  } catch (error) {
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
    return { kind: 'broken', text };
  }
}

// Processor time of this thread, not time on the wall: other programs may have the core.
async function quickest(target: Target, input: string): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < 2; round += 1) {
    const before = process.threadCpuUsage();
    await problemWith(target, input);
    const { user, system } = process.threadCpuUsage(before);
    times.push((user + system) / 1000);
  }
  return Math.min(...times);
}

function slowness(target: Target, input: string, ms: number): Problem | undefined {
  const bound = boundOf(target, input);
  if (ms <= bound) return undefined;
  const text = `took ${Math.round(ms)} ms for ${input.length} characters; at most ${Math.round(bound)} ms`;
  return { kind: 'slow', text };
}
