// Starts the service: settings, database, doors; and stops it in order.

import { compose, type Portico, startPurging } from './compose.ts';
import { type Config, InvalidSetting, readConfig } from './config.ts';
import { listen } from './http/server.ts';
import { releaseMemory } from './lib/memory.ts';

/** Starts the service with these settings, or says in one line why it can't. Returns when it listens. */
export async function start(environment: Record<string, string | undefined>): Promise<void> {
  try {
    await open(readConfig(environment));
  } catch (error) {
    process.stderr.write(`portico: ${explain(error)}\n`);
    process.exitCode = 1;
  }
}

async function open(config: Config): Promise<void> {
  const portico = await compose(config);
  try {
    await portico.prepare();
    const app = portico.app();
    releaseMemory();
    const server = await listen(app, config.host, config.port);
    const purging = startPurging(portico.purge, portico.log);
    process.stdout.write(await welcome(portico));
    stopOn(['SIGTERM', 'SIGINT'], async () => {
      await server.close();
      await purging.stop();
      await portico.close();
    });
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

// The second signal of an impatient operator is left to the system, which ends the process at once.
function stopOn(signals: NodeJS.Signals[], stop: () => Promise<void>): void {
  for (const signal of signals) {
    process.once(signal, () => {
      stop().catch((error) => {
        process.stderr.write(`portico: ${explain(error)}\n`);
        process.exitCode = 1;
      });
    });
  }
}

function explain(error: unknown): string {
  if (error instanceof InvalidSetting) return error.message;
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === 'EADDRINUSE') return 'PORT: another program listens there already';
  const cause = (error as Error).cause;
  return cause instanceof Error ? `${message} (${cause.message})` : message;
}
