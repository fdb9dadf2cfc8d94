// Starts the service: settings, database, doors; and stops it in order.

import { compose, type Portico, startPurging } from './compose.ts';
import { type Config, InvalidSetting, readConfig } from './config.ts';
import { listen } from './http/server.ts';
import { SECOND } from './lib/clock.ts';
import { releaseMemory } from './lib/memory.ts';
import { StorageUnavailable } from './lib/storage-unavailable.ts';

/** Starts the service with these settings, or says in one line why it can't. Returns when it listens. */
export async function start(environment: Record<string, string | undefined>): Promise<void> {
  try {
    await open(readConfig(environment), environment);
  } catch (error) {
    fail(error);
  }
}

async function open(config: Config, environment: Record<string, string | undefined>): Promise<void> {
  const portico = await compose(config);
  try {
    await portico.prepare();
    const app = portico.app();
    releaseMemory();
    const server = await listen(app, config.host, config.port, portico.lookAnew);
    const purging = startPurging(portico.purge, portico.log);
    process.stdout.write(await welcome(portico));
    const stop = once(async () => {
      await server.close();
      await purging.stop();
      await portico.close();
    });
    stopOn(['SIGTERM', 'SIGINT'], stop);
    if (environment.npm_lifecycle_event !== undefined) stopWithParent(stop);
  } catch (error) {
    await portico.close();
    throw error;
  }
}

async function welcome({ config, identity, setupToken }: Portico): Promise<string> {
  const lines = [
    `${config.siteName} is open at ${config.baseUrl} (listening on ${config.host}:${config.port}).`,
  ];
  if (!(await identity.store.hasOperator())) {
    lines.push('There is no operator yet. Make the first account with this one-time link:');
    lines.push(`  ${config.baseUrl}/setup?token=${setupToken}`);
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
  process.stderr.write(`portico: ${explain(error)}\n`);
  process.exitCode = 1;
}

function explain(error: unknown): string {
  if (error instanceof InvalidSetting) return error.message;
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === 'EADDRINUSE') return 'PORT: another program listens there already';
  const cause = (error as Error).cause;
  const words = cause instanceof Error ? `${message} (${cause.message})` : message;
  return error instanceof StorageUnavailable ? `DATABASE_URL: ${words}` : words;
}
