// Fuzzing: has a thread try inputs, watches it, and shortens an input that breaks something as far as it can.

import { rmSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { type Order, type Problem, targetNamed, type Verdict } from './judging.ts';
import { minimised } from './minimising.ts';
import { inputAt } from './mutation.ts';
import { SCRATCH } from './scratch.ts';
import type { Target } from './target.ts';

export interface Plan {
  seed: number;
  inputs: number;
  targets: readonly Target[];
  /** How long one input may keep the thread, whatever else the machine does meanwhile. */
  mostSeconds?: number;
  /** How long an input that breaks something is made shorter. */
  minimisingSeconds?: number;
  onFinding?(finding: Finding): void;
  /** Called after each target. */
  onTarget?(name: string, inputs: number, seconds: number, slowest: Verdict['slowest']): void;
}

/** An input that breaks something. */
export interface Finding {
  target: string;
  seed: number;
  index: number;
  problem: Problem;
  /** The shortest input with the same kind of problem, in base64. */
  input: string;
  characters: number;
}

const MOST_SECONDS = 40;
/** The memory limit of the thread: what the program itself takes, and about 150 MB for one input. */
const MOST_MEGABYTES = 256;
/** What a target may keep after all of its inputs. */
const MOST_KEPT_MEGABYTES = 48;
const BATCH = 1000;
const MINIMISING_SECONDS = 30;

/** Feeds the targets with their shares of the inputs. Returns the first finding of each target. */
export async function fuzz(plan: Plan): Promise<Finding[]> {
  const { inputs, targets, mostSeconds = MOST_SECONDS, onFinding, onTarget } = plan;
  const thread = new Thread(mostSeconds);
  const findings: Finding[] = [];
  const shares = targets.reduce((sum, { share }) => sum + share, 0);
  try {
    for (const target of targets) {
      const start = performance.now();
      const count = Math.ceil((inputs * target.share) / shares);
      const { finding, slowest } = await fuzzTarget(thread, target, plan, count);
      if (finding !== undefined) {
        findings.push(finding);
        onFinding?.(finding);
      }
      onTarget?.(target.name, count, (performance.now() - start) / 1000, slowest);
    }
  } finally {
    await thread.end();
  }
  return findings;
}

/** Says what was found and how to see it again. */
export function describeFinding({ target, seed, index, problem, input, characters }: Finding): string {
  return [
    `${target} (seed ${seed}, input ${index}): ${problem.text}`,
    `minimised to ${characters} characters: ${input}`,
    `again: npm run fuzz -- --target ${target} --base64 ${input.length > 200 ? '…' : input}`,
  ].join('\n');
}

/** An input of a target from its base64, and back. */
export function decodeInput({ isBytes }: Target, text: string): string {
  return Buffer.from(text, 'base64').toString(isBytes ? 'latin1' : 'utf16le');
}

export function encodeInput({ isBytes }: Target, input: string): string {
  return Buffer.from(input, isBytes ? 'latin1' : 'utf16le').toString('base64');
}

/** Judges one input. */
export async function judgeInput(target: Target, input: string): Promise<Problem | undefined> {
  const thread = new Thread(MOST_SECONDS);
  try {
    return (await thread.judge({ kind: 'input', target: target.name, input })).problem;
  } finally {
    await thread.end();
  }
}

async function fuzzTarget(
  thread: Thread,
  target: Target,
  plan: Plan,
  count: number,
): Promise<{ finding: Finding | undefined; slowest: Verdict['slowest'] }> {
  const { seed } = plan;
  let slowest = { index: 0, ms: 0 };
  let kept: number | undefined;
  for (let from = 0; from < count; from += BATCH) {
    const to = Math.min(count, from + BATCH);
    const verdict = await thread.judge({ kind: 'numbers', target: target.name, seed, from, to });
    if (verdict.slowest.ms > slowest.ms) slowest = verdict.slowest;
    if (verdict.problem !== undefined) {
      return { finding: await findingFrom(thread, target, plan, verdict), slowest };
    }
    // Caches may fill with the first inputs.
    kept ??= verdict.megabytes;
    if (verdict.megabytes - kept > MOST_KEPT_MEGABYTES) {
      const text = `kept ${Math.round(verdict.megabytes - kept)} MB after inputs ${from} to ${to}`;
      const finding = { ...(await findingFrom(thread, target, plan, verdict)), problem: tooMuchMemory(text) };
      return { finding, slowest };
    }
  }
  return { finding: undefined, slowest };
}

async function findingFrom(
  thread: Thread,
  target: Target,
  { seed, minimisingSeconds = MINIMISING_SECONDS }: Plan,
  verdict: Verdict,
): Promise<Finding> {
  const { index, problem = tooMuchMemory('') } = verdict;
  const input = inputAt(target, seed, index);
  const hasProblem = async (shorter: string) => {
    const again = await thread.judge({ kind: 'input', target: target.name, input: shorter });
    return again.problem?.kind === problem.kind;
  };
  const shortest = await minimised(input, hasProblem, minimisingSeconds);
  const { length: characters } = shortest;
  return { target: target.name, seed, index, problem, input: encodeInput(target, shortest), characters };
}

function tooMuchMemory(text: string): Problem {
  return { kind: 'too_much_memory', text };
}

/** A thread that parses, started again when an input has ended it. */
class Thread {
  private worker: Worker | undefined;
  private readonly mostSeconds: number;
  private readonly position = new Int32Array(new SharedArrayBuffer(4));

  constructor(mostSeconds: number) {
    this.mostSeconds = mostSeconds;
  }

  async judge(order: Order): Promise<Verdict> {
    const worker = this.start();
    // Throws for an unknown name here, in the main thread, so that the caller gets the error.
    targetNamed(order.target);
    return new Promise((resolve) => {
      const done = (verdict: Verdict) => {
        worker.off('error', fail).off('message', done);
        clearInterval(watch);
        resolve(verdict);
      };
      const abandon = async (problem: Problem) => {
        this.worker = undefined;
        await worker.terminate();
        const index = Atomics.load(this.position, 0);
        done({ problem, index, slowest: { index, ms: 0 }, megabytes: 0 });
      };
      const fail = (error: NodeJS.ErrnoException) => {
        const isOutOfMemory = error.code === 'ERR_WORKER_OUT_OF_MEMORY';
        abandon(
          isOutOfMemory
            ? tooMuchMemory(error.message)
            : { kind: 'broken', text: error.stack ?? error.message },
        );
      };
      const watch = this.watch(() =>
        abandon({ kind: 'endless', text: `took more than ${this.mostSeconds} s` }),
      );
      worker.on('error', fail).on('message', done);
      Atomics.store(this.position, 0, -1);
      worker.postMessage(order);
    });
  }

  async end(): Promise<void> {
    await this.worker?.terminate();
    rmSync(SCRATCH, { recursive: true, force: true });
  }

  private start(): Worker {
    this.worker ??= new Worker(new URL('judging.ts', import.meta.url), {
      workerData: { position: this.position },
      resourceLimits: { maxOldGenerationSizeMb: MOST_MEGABYTES, maxYoungGenerationSizeMb: 32 },
    });
    return this.worker;
  }

  // Calls back when the thread stays at one input for too long.
  private watch(onEndless: () => void): NodeJS.Timeout {
    let last = -1;
    let since = performance.now();
    return setInterval(() => {
      const now = Atomics.load(this.position, 0);
      if (now !== last) since = performance.now();
      last = now;
      if (performance.now() - since > this.mostSeconds * 1000) onEndless();
    }, 500);
  }
}
