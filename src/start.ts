// Starts the service: settings, database, doors; and stops it in order.

import { compose, type Portico, startPurging } from './compose.ts';
import { type Config, InvalidSetting, readConfig } from './config.ts';
import type { Metrics } from './http/metrics.ts';
import { listen } from './http/server.ts';
import { SECOND } from './lib/clock.ts';
import { keepMemoryTight, releaseMemory } from './lib/memory.ts';
import { StorageUnavailable } from './lib/storage-unavailable.ts';
import { counterOfFirst, isWorker, leave, startWorkers, WorkerFailed } from './workers.ts';

/** Starts the service with these settings, or says in one line why it can't. Returns when it listens. */
export async function start(environment: Record<string, string | undefined>): Promise<void> {
  try {
    await open(readConfig(environment), environment);
  } catch (error) {
    fail(error);
  }
}

async function open(config: Config, environment: Record<string, string | undefined>): Promise<void> {
  // What is opened later is closed earlier, also when the rest can't be opened.
  const opened = new AsyncDisposableStack();
  try {
    opened.defer(leave);
    const metrics = await openMetrics(config);
    const servesItself = isWorker || config.workers === 1;
    const own = isWorker ? counterOfFirst() : undefined;
    // The first process counts for its workers what they can't count in the shared counter.
    const redisUrl = servesItself ? config.redisUrl : undefined;
    const onAway = metrics?.sharedCounterAway;
    const portico = await compose({ ...config, redisUrl }, undefined, undefined, own, onAway);
    opened.defer(portico.close);
    await portico.prepare();
    if (isWorker) metrics?.lend();
    else if (metrics !== undefined) opened.defer(await serveMetrics(config, metrics));
    if (!isWorker) opened.defer(startPurging(() => purge(portico, metrics), portico.log).stop);
    if (!isWorker) opened.defer(portico.startMailing().stop);
    opened.defer(servesItself ? await serve(portico, metrics) : await serveWithWorkers(portico));
    if (!isWorker) process.stdout.write(await welcome(portico));
  } catch (error) {
    await opened.disposeAsync();
    throw error;
  }
  const stop = once(() => opened.disposeAsync());
  stopOn(['SIGTERM', 'SIGINT'], stop);
  if (environment.npm_lifecycle_event !== undefined) stopWithParent(stop);
}

// Not loaded where nobody watches: it would cost start time and memory.
async function openMetrics({ metricsPort }: Config): Promise<Metrics | undefined> {
  if (metricsPort === undefined) return undefined;
  const metrics = await import('./http/metrics.ts');
  return metrics.openMetrics();
}

/** Something that was opened; calling it closes it. */
type Closing = () => Promise<void>;

async function serveMetrics({ host, metricsPort = 0 }: Config, metrics: Metrics): Promise<Closing> {
  try {
    const { close } = await metrics.serve(host, metricsPort);
    return close;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    throw new InvalidSetting('METRICS_PORT: another program listens there already');
  }
}

async function purge(portico: Portico, metrics: Metrics | undefined): Promise<number> {
  const deleted = await portico.purge();
  metrics?.purged(deleted);
  return deleted;
}

async function serve(portico: Portico, metrics: Metrics | undefined): Promise<Closing> {
  const { host, port } = portico.config;
  const served = portico.app();
  keepMemoryTight();
  releaseMemory();
  const server = await listen(served, host, port, portico.lookAnew, metrics?.watch);
  return server.close;
}

// This process serves nobody: it counts, and deletes what has had its time.
async function serveWithWorkers({ config, counter, log }: Portico): Promise<Closing> {
  releaseMemory();
  const workers = await startWorkers(config.workers, counter, log);
  return workers.stop;
}

async function welcome({ config, identity, setupToken }: Portico): Promise<string> {
  const lines = [
    `${config.siteName} is open at ${config.baseUrl} (listening on ${config.host}:${config.port}).`,
  ];
  if (!(await identity.reads.hasOperator())) {
    lines.push('There is no operator yet. Make the first account with this one-time link:');
    lines.push(`  ${config.baseUrl}/setup?token=${await setupToken()}`);
  }
  if (config.metricsPort !== undefined) {
    lines.push(`Metrics: http://${config.host}:${config.metricsPort}/metrics`);
  }
  lines.push(`For developers: ${config.baseUrl}/docs   For operators: npm run -s portico -- --help`);
  return `${lines.join('\n')}\n`;
}

// npm passes a signal to its shell, and some shells do not pass it on: when npm ends, so does what it started.
function stopWithParent(stop: () => Promise<void>): void {
  const parent = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    stop().catch(fail);
  }, SECOND);
  watch.unref();
}

function once(work: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | undefined;
  return () => {
    done ??= work();
    return done;
  };
}

// The second signal of an impatient operator is left to the system, which ends the process at once. A worker may well
// get two, its own and its group's: how long it may take is for the first process to say.
function stopOn(signals: NodeJS.Signals[], stop: () => Promise<void>): void {
  for (const signal of signals) {
    process[isWorker ? 'on' : 'once'](signal, () => {
      stop().catch(fail);
    });
  }
}

function fail(error: unknown): void {
  process.exitCode = 1;
  if (error instanceof WorkerFailed) return;
  process.stderr.write(`portico: ${explain(error)}\n`);
}

function explain(error: unknown): string {
  if (error instanceof InvalidSetting) return error.message;
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === 'EADDRINUSE') return 'PORT: another program listens there already';
  const cause = (error as Error).cause;
  const words = cause instanceof Error ? `${message} (${cause.message})` : message;
  return error instanceof StorageUnavailable ? `DATABASE_URL: ${words}` : words;
}
