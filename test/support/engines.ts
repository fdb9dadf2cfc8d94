// A PostgreSQL and a Redis for one test, which it can stop, crash and start again.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { chmod } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type TestScope, temporaryFolder } from './databases.ts';
import { postgresAt, postgresIn } from './embedded-postgres.ts';
import { freePort, isListening } from './services.ts';

export interface Engine {
  url: string;
  start(): Promise<void>;
  /** Stop it in an orderly way. */
  stop(): Promise<void>;
  /** End it as a crash would: no client is notified, and nothing is tidied up. */
  crash(): Promise<void>;
}

/** Start a PostgreSQL that syncs its commits to the disk. */
export async function startPostgres(scope: TestScope): Promise<Engine> {
  const folder = await temporaryFolder(scope);
  // If this process is root's, the server runs as another user, who must be able to reach its files.
  await chmod(folder, 0o755);
  const data = join(folder, 'data');
  const port = await freePort();
  const postgres = await postgresIn(data, port, { persistent: true, postgresFlags: ['-c', 'fsync=on'] });
  await postgres.initialise();
  await postgres.start();
  scope.after(() => postgres.stop());
  return {
    url: postgresAt(port),
    start: () => postgres.start(),
    stop: () => postgres.stop(),
    async crash() {
      const [pid] = readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n').map(Number);
      // All its processes end at once; the next start recovers from the log.
      process.kill(pid ?? 0, 'SIGQUIT');
      await postgres.stop();
    },
  };
}

/** Start a Redis that stores nothing on the disk. Returns undefined if this machine has none. */
export async function startRedis(scope: TestScope): Promise<Engine | undefined> {
  const port = await freePort();
  for (const program of ['redis-server', 'valkey-server']) {
    const redis = redisAt(program, port);
    scope.after(() => redis.stop());
    const isRunning = await redis.start().then(
      () => true,
      () => false,
    );
    if (isRunning) return redis;
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
      const exit = once(child, 'exit');
      end = async (signal) => {
        child.kill(signal);
        await exit;
        process.off('exit', kill);
      };
      while (!(await isListening(port))) await pause(10);
    },
    stop: () => end('SIGTERM'),
    crash: () => end('SIGKILL'),
  };
}
