// Starts the server: settings, database, doors. Stops it in the reverse order.

import { compose, type Portico, startPurging } from './compose.ts';
import { type Config, InvalidSetting, problemWithTrustedProxies, readConfig } from './config.ts';
import type { Metrics } from './http/metrics.ts';
import { listen } from './http/server.ts';
import { SECOND, systemClock, type Timestamp } from './lib/clock.ts';
import { tryStore } from './lib/file-store.ts';
import { Refusal } from './lib/refusal.ts';
import { StorageUnavailable } from './lib/storage-unavailable.ts';
import { VERSION } from './lib/version.ts';
import { newestBackup, startScheduledBackups } from './operations.ts';
import { databaseFailure, listenFailure } from './setting-failures.ts';
import { settingsOf } from './site/site.ts';
import { disconnectWorker, isWorker, primaryCounter, startWorkers, WorkerFailed } from './workers.ts';

type Environment = Record<string, string | undefined>;

/**
 * Start the server with these settings, or write in one line why it can't start. Returns when it listens. `make` puts
 * the program together.
 */
export async function start(
  environment: Environment,
  settings: () => Config = () => readConfig(environment),
  make = compose,
): Promise<void> {
  try {
    await open(settings(), environment, make);
  } catch (error) {
    fail(error);
  }
}

async function open(config: Config, environment: Environment, make: typeof compose): Promise<void> {
  // Closes in the reverse order, also when something can't be opened.
  const openParts = new AsyncDisposableStack();
  try {
    openParts.defer(disconnectWorker);
    const metrics = await openMetrics(config);
    const servesItself = isWorker || config.workers === 1;
    const localCounter = isWorker ? primaryCounter() : undefined;
    // While Redis answers, the workers count in it themselves, so a primary process doesn't connect to it.
    const redisUrl = servesItself ? config.redisUrl : undefined;
    const onFallback = metrics?.countFallback;
    const portico = await openPortico(
      () => make({ ...config, redisUrl }, undefined, undefined, localCounter, onFallback),
      config,
      openParts,
    );
    // Says at once, and not at the first request, that Redis doesn't answer.
    if (redisUrl !== undefined) portico.counter.hit('start', 1, 1);
    if (isWorker) metrics?.shareWithPrimary();
    else if (metrics !== undefined) openParts.defer(await serveMetrics(config, metrics));
    const purgeStep = portico.recorded('purging', () => purge(portico, metrics));
    if (!isWorker) await checkFiles(portico);
    if (!isWorker) openParts.defer(startPurging(purgeStep, portico.log).stop);
    if (!isWorker) openParts.defer(portico.startMailing().stop);
    if (!isWorker) openParts.defer(portico.startTokenNotices().stop);
    if (!isWorker) openParts.defer(portico.startRendering().stop);
    if (!isWorker) openParts.defer(portico.startDiary().stop);
    if (!isWorker) openParts.defer(portico.startEvents().stop);
    const backups = isWorker ? undefined : startScheduledBackups(portico);
    if (backups !== undefined) openParts.defer(backups.stop);
    if (!isWorker) metrics?.watchBackups(() => lastBackup(config));
    openParts.defer(servesItself ? await serve(portico, metrics) : await serveWithWorkers(portico));
    if (!isWorker) await greet(portico);
  } catch (error) {
    await openParts.disposeAsync();
    throw error;
  }
  const stop = once(() => openParts.disposeAsync());
  stopOn(['SIGTERM', 'SIGINT'], stop);
  if (environment.npm_lifecycle_event !== undefined) stopWithParent(stop);
}

async function openPortico(
  make: () => Promise<Portico>,
  { database }: Config,
  openParts: AsyncDisposableStack,
): Promise<Portico> {
  try {
    const portico = await make();
    openParts.defer(portico.close);
    await portico.prepare();
    return portico;
  } catch (error) {
    if (error instanceof Refusal || !(error instanceof StorageUnavailable || isSystemError(error)))
      throw error;
    throw new InvalidSetting(databaseFailure(database, error));
  }
}

async function checkFiles({ community }: Portico): Promise<void> {
  const { files } = community.pictures;
  try {
    if (files !== undefined) await tryStore(files, 'FILES_URL');
  } catch (error) {
    throw new InvalidSetting((error as Error).message);
  }
}

// The system, SQLite and PostgreSQL give their errors a code. Bugs have none.
function isSystemError(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code !== undefined;
}

// Loaded only if the metrics are served, since the library takes time and memory.
async function openMetrics({ metricsPort }: Config): Promise<Metrics | undefined> {
  if (metricsPort === undefined) return undefined;
  const metrics = await import('./http/metrics.ts');
  return metrics.openMetrics();
}

/** Closes a part of the server. */
type Closing = () => Promise<void>;

async function serveMetrics({ host, metricsPort = 0 }: Config, metrics: Metrics): Promise<Closing> {
  try {
    const { close } = await metrics.serve(host, metricsPort);
    return close;
  } catch (error) {
    throw new InvalidSetting(listenFailure('METRICS_PORT', host, metricsPort, error));
  }
}

/** When the newest backup was made. Undefined if there is none, or no folder for it. */
function lastBackup({ backup: { folder } }: Config): Timestamp | undefined {
  try {
    return folder === undefined ? undefined : newestBackup(folder, systemClock())?.at;
  } catch {
    return undefined;
  }
}

async function purge(portico: Portico, metrics: Metrics | undefined): Promise<number> {
  const deleted = await portico.purge();
  metrics?.countPurgedRows(deleted);
  return deleted;
}

async function serve(portico: Portico, metrics: Metrics | undefined): Promise<Closing> {
  const { host, port } = portico.config;
  const handlers = portico.app();
  try {
    const server = await listen(handlers, host, port, metrics?.watch);
    return server.close;
  } catch (error) {
    throw new InvalidSetting(listenFailure('PORT', host, port, error));
  }
}

// The primary process answers no requests: it counts those of its workers, deletes expired rows and sends email.
async function serveWithWorkers({ config, counter, log }: Portico): Promise<Closing> {
  const workers = await startWorkers(config.workers, counter, log);
  return workers.stop;
}

async function greet(portico: Portico): Promise<void> {
  for (const line of portico.config.warnings) portico.log.warn(line);
  const problem = problemWithTrustedProxies(portico.config);
  if (problem !== undefined) portico.log.warn(problem);
  process.stdout.write(await welcome(portico));
}

async function welcome({ config, identity, site, setupToken }: Portico): Promise<string> {
  const { name } = await settingsOf(site);
  const lines = [
    `${name} is open at ${config.baseUrl} (listening on ${config.host}:${config.port}, Portico ${VERSION}).`,
  ];
  if (!(await identity.reads.hasOperator())) {
    lines.push('There is no operator yet. Create the first account with this one-time link:');
    lines.push(`  ${config.baseUrl}/setup?token=${await setupToken()}`);
  }
  if (config.metricsPort !== undefined) {
    lines.push(`Metrics: http://${config.host}:${config.metricsPort}/metrics`);
  }
  lines.push(`For developers: ${config.baseUrl}/docs   For operators: npm run -s portico -- --help`);
  return `${lines.join('\n')}\n`;
}

// npm sends a signal to its shell, and some shells don't pass it on. So the server stops when its parent
// ends.
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
  let result: Promise<void> | undefined;
  return () => {
    result ??= work();
    return result;
  };
}

// A second signal ends the primary process at once, for an impatient operator. A worker ignores further ones:
// the primary process and the process group may each send one, and the primary process decides when to kill.
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
  return (error as Error).message;
}
