// Several processes behind one address: the first one starts the others, counts for them, and replaces one that ends.

import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { SECOND } from './lib/clock.ts';
import type { Counter } from './lib/counter.ts';
import { type Answers, answerQuestions, distantCounter, type Questions } from './lib/distant-counter.ts';
import type { Log } from './lib/log.ts';

/** Whether this process is one that another one started to serve. */
export const { isWorker } = cluster;

// One that can't live at all must not keep a core busy with being born.
const PAUSE_BEFORE_REPLACING = 1 * SECOND;

// A worker gives what it has accepted ten seconds, and then needs a moment.
const PATIENCE_WITH_THE_LAST = 12 * SECOND;

export interface Workers {
  /** Lets each finish what it has accepted, and returns when all have ended. */
  stop(): Promise<void>;
}

/**
 * Starts so many processes that run this program and listen together. Fails if the first of them can't; it has then
 * said why. Requests are counted in `counter`.
 */
export async function startWorkers(count: number, counter: Counter, log: Log): Promise<Workers> {
  const living = new Set<Worker>();
  let stopping = false;

  function add(): Worker {
    const worker = cluster.fork();
    living.add(worker);
    worker.once('exit', () => living.delete(worker));
    worker.on('message', async (message: Questions | object) => {
      if (!('count' in message)) return;
      const answers = await answerQuestions(message, counter);
      if (worker.isConnected()) worker.send(answers);
    });
    return worker;
  }

  async function keepUp(worker: Worker): Promise<void> {
    const [code, signal] = await once(worker, 'exit');
    if (stopping) return;
    log.warn({ pid: worker.process.pid, code, signal }, 'a worker ended; another one takes its place');
    await pause(PAUSE_BEFORE_REPLACING);
    if (!stopping) keepUp(add());
  }

  async function begin(): Promise<void> {
    const worker = add();
    const isListening = await Promise.race([
      once(worker, 'listening').then(() => true),
      once(worker, 'exit').then(() => false),
    ]);
    if (!isListening) throw new WorkerFailed();
    keepUp(worker);
  }

  // The first one alone: what keeps it from listening is said once.
  await begin();
  await Promise.all(Array.from({ length: count - 1 }, begin));
  return {
    async stop() {
      stopping = true;
      const ends = [...living].map((worker) => once(worker, 'exit'));
      for (const worker of living) worker.process.kill('SIGTERM');
      // One that hangs does not hear it.
      const timer = setTimeout(() => {
        for (const worker of living) worker.process.kill('SIGKILL');
      }, PATIENCE_WITH_THE_LAST);
      await Promise.all(ends);
      clearTimeout(timer);
    },
  };
}

/** A worker ended before it served; it has told the reason itself. */
export class WorkerFailed extends Error {}

/** The counter of the process that started this one. */
export function counterOfFirst(): Counter {
  const counter = distantCounter((questions) => process.send?.(questions));
  process.on('message', (message: Answers | object) => {
    if ('counted' in message) counter.receive(message);
  });
  return counter;
}

/** Tells the process that started this one that it ends as it was asked to. */
export function leave(): void {
  cluster.worker?.disconnect();
}
