// Starts the service: settings, database, doors; and stops it in order.

import { compose, type Portico, startPurging } from './compose.ts';
import { type Config, InvalidSetting, readConfig } from './config.ts';
import { listen } from './http/server.ts';
import { SECOND } from './lib/clock.ts';
import { releaseMemory } from './lib/memory.ts';
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
  const portico = isWorker
    ? await compose(config, undefined, undefined, counterOfFirst())
    : await compose(config);
  try {
    await portico.prepare();
    const service = config.workers > 1 && !isWorker ? await serveWithWorkers(portico) : await serve(portico);
    const purging = isWorker ? undefined : startPurging(portico.purge, portico.log);
    if (!isWorker) process.stdout.write(await welcome(portico));
    const stop = once(async () => {
      await service.stop();
      await purging?.stop();
      await portico.close();
      leave();
    });
    stopOn(['SIGTERM', 'SIGINT'], stop);
    if (environment.npm_lifecycle_event !== undefined) stopWithParent(stop);
  } catch (error) {
    await portico.close();
    leave();
    throw error;
  }
}

interface Service {
  stop(): Promise<void>;
}

async function serve(portico: Portico): Promise<Service> {
  const { host, port } = portico.config;
  const app = portico.app();
  releaseMemory();
  const server = await listen(app, host, port, portico.lookAnew);
  return { stop: server.close };
}

// This process serves nobody: it counts, and deletes what has had its time.
async function serveWithWorkers({ config, counter, log }: Portico): Promise<Service> {
  releaseMemory();
  return startWorkers(config.workers, counter, log);
}

async function welcome({ config, identity, setupToken }: Portico): Promise<string> {
  const lines = [
    `${config.siteName} is open at ${config.baseUrl} (listening on ${config.host}:${config.port}).`,
  ];
  if (!(await identity.store.hasOperator())) {
    lines.push('There is no operator yet. Make the first account with this one-time link:');
    lines.push(`  ${config.baseUrl}/setup?token=${await setupToken()}`);
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

// The second signal of an impatient operator is left to the system, which ends the process at once.
function stopOn(signals: NodeJS.Signals[], stop: () => Promise<void>): void {
  for (const signal of signals) {
    process.once(signal, () => {
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
