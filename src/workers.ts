// Several processes behind one address. The primary process starts the workers, counts their requests, and
// replaces a worker that ends.

import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { SECOND } from './lib/clock.ts';
import type { Counter } from './lib/counter.ts';
import type { Log } from './lib/log.ts';
import {
  answerCountRequests,
  type CountAnswers,
  type CountRequests,
  remoteCounter,
} from './lib/remote-counter.ts';

/** Whether this process is a worker. */
export const { isWorker } = cluster;

// A worker that fails at every start must not keep a core busy.
const PAUSE_BEFORE_REPLACING = 1 * SECOND;

// Longer than the ten seconds that a worker gives to its open requests.
const PATIENCE = 12 * SECOND;

export interface Workers {
  /** Stops all workers after their open requests, and returns when all have ended. */
  stop(): Promise<void>;
}

/**
 * Start `count` workers that listen together. Fails with `WorkerFailed` if one can't listen; the worker has
 * then written the reason. Requests are counted in `counter`.
 */
export async function startWorkers(count: number, counter: Counter, log: Log): Promise<Workers> {
  const workers = new Set<Worker>();
  let isStopping = false;

  function add(): Worker {
    const worker = cluster.fork();
    workers.add(worker);
    worker.once('exit', () => workers.delete(worker));
    worker.on('message', async (message: CountRequests | object) => {
      if (!('count' in message)) return;
      const answers = await answerCountRequests(message, counter);
      if (worker.isConnected()) worker.send(answers);
    });
    return worker;
  }

  async function replaceOnExit(worker: Worker): Promise<void> {
    const [code, signal] = await once(worker, 'exit');
    if (isStopping) return;
    log.warn({ pid: worker.process.pid, code, signal }, 'a worker ended; another one takes its place');
    await pause(PAUSE_BEFORE_REPLACING);
    if (!isStopping) replaceOnExit(add());
  }

  async function begin(): Promise<void> {
    const worker = add();
    const isListening = await Promise.race([
      once(worker, 'listening').then(() => true),
      once(worker, 'exit').then(() => false),
    ]);
    if (!isListening) throw new WorkerFailed();
    replaceOnExit(worker);
  }

  // The first worker starts alone: if no worker can listen, the reason is written only once.
  await begin();
  await Promise.all(Array.from({ length: count - 1 }, begin));
  return {
    async stop() {
      isStopping = true;
      const ends = [...workers].map((worker) => once(worker, 'exit'));
      for (const worker of workers) worker.process.kill('SIGTERM');
      // A worker that hangs doesn't handle SIGTERM.
      const timer = setTimeout(() => {
        for (const worker of workers) worker.process.kill('SIGKILL');
      }, PATIENCE);
      await Promise.all(ends);
      clearTimeout(timer);
    },
  };
}

/** A worker ended before it listened. It has written the reason itself. */
export class WorkerFailed extends Error {}

/** Open the counter of the primary process, for a worker. */
export function primaryCounter(): Counter {
  const counter = remoteCounter((requests) => process.send?.(requests));
  process.on('message', (message: CountAnswers | object) => {
    if ('counted' in message) counter.receive(message);
  });
  return counter;
}

/** Disconnect a worker from the primary process, so that its end counts as planned. */
export function disconnectWorker(): void {
  cluster.worker?.disconnect();
}
