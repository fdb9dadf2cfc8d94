// Adds up the metrics of several processes. The primary process asks the others whenever its metrics are read.

import cluster, { type Worker } from 'node:cluster';
import { AggregatorRegistry, type Registry } from 'prom-client';
import { SECOND } from './clock.ts';

// The messages between the processes. Other messages use the same channel.
interface Question {
  wanted: 'metrics';
}
interface Answer {
  metrics: Numbers;
}
type Numbers = Awaited<ReturnType<Registry['getMetricsAsJSON']>>;

// Metrics matter most when a process hangs, so a reader doesn't wait for it longer than this.
const PATIENCE = 1 * SECOND;

/** In a worker: answer the primary process when it asks. */
export function answerWithMetrics(registry: Registry): void {
  process.on('message', async (message: Question | object) => {
    if (!('wanted' in message)) return;
    const answer: Answer = { metrics: await registry.getMetricsAsJSON() };
    if (process.connected) process.send?.(answer);
  });
}

/**
 * Add up the metrics of the primary process and its workers. The counts of workers that ended stay in the sum,
 * because Prometheus mistakes a falling sum for a restart. `onEnd` is called for each worker that ends.
 */
export function summedMetrics(registry: Registry, onEnd: () => void): () => Promise<string> {
  const latest = new Map<Worker, Numbers>();
  let sumOfEnded: Numbers = [];
  let silent = new Set<Worker>();
  let finishWaiting = () => {};
  let reading: Promise<string> | undefined;

  function stopWaitingFor(worker: Worker): void {
    if (silent.delete(worker) && silent.size === 0) finishWaiting();
  }

  cluster.on('message', (worker, message: Answer | object) => {
    // The counts of a dead worker are already in the sum of the ended ones.
    if (!('metrics' in message) || worker.isDead()) return;
    latest.set(worker, message.metrics);
    stopWaitingFor(worker);
  });

  cluster.on('exit', (worker) => {
    sumOfEnded = sum([sumOfEnded, countsOf(latest.get(worker) ?? [])]);
    latest.delete(worker);
    onEnd();
    stopWaitingFor(worker);
  });

  async function read(): Promise<string> {
    // The gauges of a worker that doesn't answer this time are unknown.
    for (const [worker, numbers] of latest) latest.set(worker, countsOf(numbers));
    await askAll();
    const ownNumbers = await registry.getMetricsAsJSON();
    return AggregatorRegistry.aggregate([ownNumbers, sumOfEnded, ...latest.values()]).metrics();
  }

  async function askAll(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    finishWaiting = resolve;
    const workers = Object.values(cluster.workers ?? {}).filter((worker) => worker?.isConnected());
    silent = new Set(workers as Worker[]);
    const question: Question = { wanted: 'metrics' };
    // An error of `send` means that the worker is ending; its exit is handled above.
    for (const worker of silent) worker.send(question, () => {});
    if (silent.size === 0) return;
    const timer = setTimeout(resolve, PATIENCE);
    await promise;
    clearTimeout(timer);
  }

  return () => {
    reading ??= read().finally(() => {
      reading = undefined;
    });
    return reading;
  };
}

function sum(parts: Numbers[]): Numbers {
  return AggregatorRegistry.aggregate(parts).getMetricsAsArray() as Numbers;
}

// Without the gauges, which describe only the moment when they were read.
function countsOf(numbers: Numbers): Numbers {
  return numbers.filter(({ type }) => ['counter', 'histogram'].includes(String(type)));
}
