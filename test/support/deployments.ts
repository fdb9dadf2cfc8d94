// The ways to deploy the service. Several processes must behave as if they were one.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { compose, type Portico } from '../../src/compose.ts';
import { readConfig } from '../../src/config.ts';
import { createPostgresDatabase, type TestScope, temporaryFolder } from './databases.ts';
import { type Program, startProgram } from './program.ts';
import { startRoundRobin } from './round-robin.ts';
import { traceOf } from './traces.ts';

/** One process on SQLite or on PostgreSQL; two workers on one SQLite file; two machines on PostgreSQL and Redis. */
export type DeploymentKind = 'sqlite' | 'postgres' | 'two workers' | 'two machines';

export interface Deployment {
  /** Its public address. Several processes share the requests that come here. */
  url: string;
  /**
   * Addresses of single processes, behind the proxy. Two workers have the same one twice: they share connections, so
   * of two connections each worker usually gets one.
   */
  addresses: readonly string[];
  programs: readonly Program[];
  /** The same database, opened in this process. A change here is like one by an operator's command. */
  portico: Portico;
  /** Run an operator's command next to it. Returns the JSON that it prints. */
  command: Program['portico'];
  /** Everything that its processes have printed. */
  output(): string;
  /** Stop it. This also happens when its scope ends. */
  close(): Promise<void>;
}

/** For a test's `skip`: the reason why this deployment can't be tested here, or false. */
export function withoutDeployment(kind: DeploymentKind): string | false {
  const { TEST_POSTGRES_URL, TEST_REDIS_URL } = process.env;
  if (isOnPostgres(kind) && !TEST_POSTGRES_URL) return 'no PostgreSQL';
  return kind === 'two machines' && !TEST_REDIS_URL && 'no Redis';
}

/**
 * Start the service on a fresh database, all its processes at once. With `bornAt`, the database and its keys were
 * created at that time.
 */
export async function openDeployment(
  kind: DeploymentKind,
  scope: TestScope,
  settings: Record<string, string> = {},
  bornAt?: number,
): Promise<Deployment> {
  const ends: (() => unknown)[] = [];
  let closing: Promise<void> | undefined;
  const close = () => {
    closing ??= endAll(ends);
    return closing;
  };
  scope.after(close);
  const within: TestScope = { after: (end) => void ends.push(end) };

  const database = await freshDatabase(kind, within);
  const trace = traceOf();
  const common = {
    LOG_LEVEL: trace === undefined ? 'warn' : 'trace',
    ...settings,
    DATABASE_URL: database,
  };
  const silent = { DATABASE_URL: database, LOG_LEVEL: 'silent' };
  if (bornAt !== undefined) {
    const earlier = await compose(readConfig(silent), () => bornAt);
    await earlier.prepare();
    await earlier.close();
  }
  const { url, programs } = await startProcesses(kind, common, within);
  const output = () => programs.map((program) => program.output()).join('');
  if (trace !== undefined) ends.push(() => writeFileSync(trace.log, output()));
  const portico = await compose(readConfig({ ...silent, BASE_URL: url }));
  ends.push(() => portico.close());
  await portico.database.migrate();
  const [first] = programs;
  if (first === undefined) throw new Error('Nothing was started.');
  return {
    url,
    addresses: kind === 'two workers' ? [first.url, first.url] : programs.map((program) => program.url),
    programs,
    portico,
    command: first.portico,
    output,
    close,
  };
}

/** Create an empty database of the kind that this deployment uses. Returns its address. */
export async function freshDatabase(kind: DeploymentKind, scope: TestScope): Promise<string> {
  if (isOnPostgres(kind)) return createPostgresDatabase(scope);
  return `file:${join(await temporaryFolder(scope), 'portico.db')}`;
}

async function startProcesses(
  kind: DeploymentKind,
  settings: Record<string, string>,
  scope: TestScope,
): Promise<{ url: string; programs: Program[] }> {
  const start = async (more: Record<string, string> = {}) => {
    const program = await startProgram({ ...settings, ...more });
    scope.after(() => program.stop());
    await program.opened();
    return program;
  };
  if (kind === 'sqlite' || kind === 'postgres') {
    const program = await start();
    return { url: program.url, programs: [program] };
  }
  const proxy = await startRoundRobin();
  scope.after(() => proxy.close());
  const behind = { BASE_URL: proxy.url, TRUST_PROXY: '127.0.0.1' };
  const programs =
    kind === 'two workers'
      ? [await start({ ...behind, WORKERS: '2' })]
      : await Promise.all(
          [1, 2].map(() => start({ ...behind, REDIS_URL: process.env.TEST_REDIS_URL ?? '' })),
        );
  proxy.passTo(programs.map(({ url }) => url));
  return { url: proxy.url, programs };
}

function isOnPostgres(kind: DeploymentKind): boolean {
  return kind === 'postgres' || kind === 'two machines';
}

// In reverse order: a database is deleted after the processes that use it have ended.
async function endAll(ends: (() => unknown)[]): Promise<void> {
  for (const end of ends.reverse()) await end();
}
