// The metrics of several processes as those of one. The first process asks the others each time it is read.

import cluster, { type Worker } from 'node:cluster';
import { AggregatorRegistry, type Registry } from 'prom-client';
import { SECOND } from './clock.ts';

// What the processes say to each other; other messages on the same channel are not looked at.
interface Question {
  wanted: 'metrics';
}
interface Answer {
  metrics: Numbers;
}
type Numbers = Awaited<ReturnType<Registry['getMetricsAsJSON']>>;

// A process that hangs is not waited for: it is then that somebody looks.
const PATIENCE = 1 * SECOND;

/** In a process that another one started: answers when that one asks. */
export function answerWithMetrics(registry: Registry): void {
  process.on('message', async (message: Question | object) => {
    if (!('wanted' in message)) return;
    const answer: Answer = { metrics: await registry.getMetricsAsJSON() };
    if (process.connected) process.send?.(answer);
  });
}

/**
 * In the first process: reads its own registry and those of the processes that it started, as a sum. What an ended
 * process had counted stays in the sum, as it was last read: a sum that falls would be taken for a start from nothing,
 * and everything the others have counted for new. `onEnd` is called for each process that ends.
 */
export function summedMetrics(registry: Registry, onEnd: () => void): () => Promise<string> {
  const latest = new Map<Worker, Numbers>();
  let ended: Numbers = [];
  let awaited = new Set<Worker>();
  let allAnswered = () => {};
  let underWay: Promise<string> | undefined;

  function isHeard(worker: Worker): void {
    if (awaited.delete(worker) && awaited.size === 0) allAnswered();
  }

  cluster.on('message', (worker, message: Answer | object) => {
    // What arrives after its process is in the sum of those that ended.
    if (!('metrics' in message) || worker.isDead()) return;
    latest.set(worker, message.metrics);
    isHeard(worker);
  });

  cluster.on('exit', (worker) => {
    ended = sum([ended, lasting(latest.get(worker) ?? [])]);
    latest.delete(worker);
    onEnd();
    isHeard(worker);
  });

  async function read(): Promise<string> {
    // Of one that does not answer this time, what it holds just now is not known.
    for (const [worker, numbers] of latest) latest.set(worker, lasting(numbers));
    await askAll();
    const own = await registry.getMetricsAsJSON();
    return AggregatorRegistry.aggregate([own, ended, ...latest.values()]).metrics();
  }

  async function askAll(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    allAnswered = resolve;
    const asked = Object.values(cluster.workers ?? {}).filter((worker) => worker?.isConnected());
    awaited = new Set(asked as Worker[]);
    const question: Question = { wanted: 'metrics' };
    // One that ends just now is told of by its exit, and not by an error here.
    for (const worker of awaited) worker.send(question, () => {});
    if (awaited.size === 0) return;
    const timer = setTimeout(resolve, PATIENCE);
    await promise;
    clearTimeout(timer);
  }

  return () => {
    underWay ??= read().finally(() => {
      underWay = undefined;
    });
    return underWay;
  };
}

function sum(parts: Numbers[]): Numbers {
  return AggregatorRegistry.aggregate(parts).getMetricsAsArray() as Numbers;
}

// Counts last, also in a histogram; what was at a moment (a gauge) is over with it.
function lasting(numbers: Numbers): Numbers {
  return numbers.filter(({ type }) => ['counter', 'histogram'].includes(String(type)));
}
