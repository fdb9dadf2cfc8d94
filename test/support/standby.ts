// A PostgreSQL with a standby that receives its write-ahead log.

import { execFileSync } from 'node:child_process';
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { chmod } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { type TestScope, temporaryFolder } from './databases.ts';
import { postgresAt, postgresIn } from './embedded-postgres.ts';
import { type MovingAddress, openMovingAddress } from './moving-address.ts';
import { childrenOf, untilTrue } from './program.ts';
import { freePort } from './services.ts';

export interface Standby {
  /** The primary, until it is killed. */
  primary: string;
  standby: string;
  /** Cut or connect the standby's way to the primary. */
  link: MovingAddress;
  /** End all processes of the primary at once, as when its machine loses power. */
  killPrimary(): Promise<void>;
  /** Make the standby a primary. Returns after it accepts writes. */
  promote(): Promise<void>;
  /** Report whether the standby has received everything that the primary has written. */
  hasAll(): Promise<boolean>;
}

const NAME = 'standby';

/** Start both. With `isSynchronous`, the primary acknowledges a commit after the standby has it on its disk. */
export async function startWithStandby(scope: TestScope, isSynchronous: boolean): Promise<Standby> {
  const folder = await temporaryFolder(scope);
  // If this process is root's, the servers run as another user, who must be able to reach their files.
  await chmod(folder, 0o755);
  const [first, second] = [join(folder, 'first'), join(folder, 'second')];
  const [port, standbyPort] = [await freePort(), await freePort()];
  const synchronous = isSynchronous ? ['-c', `synchronous_standby_names=${NAME}`] : [];
  const primary = await serverIn(first, port, synchronous);
  await primary.initialise();
  // A copy of a server that isn't running is a base backup.
  execFileSync('cp', ['-a', first, second]);
  scope.after(() => primary.stop());
  await primary.start();

  const link = await openMovingAddress(scope, postgresAt(port));
  const upstream = new URL(link.url);
  const info = `host=${upstream.hostname} port=${upstream.port} user=postgres password=postgres application_name=${NAME}`;
  appendFileSync(join(second, 'postgresql.auto.conf'), `primary_conninfo = '${info}'\n`);
  writeFileSync(join(second, 'standby.signal'), '');
  const standby = await serverIn(second, standbyPort, ['-c', 'wal_retrieve_retry_interval=100ms']);
  scope.after(() => standby.stop());
  // Returns only when the server accepts writes, as a standby doesn't.
  standby.start().catch(() => {});
  const isStreaming = "SELECT FROM pg_stat_replication WHERE state = 'streaming'";
  await untilTrue(async () => (await query(postgresAt(port), isStreaming)).rowCount === 1);

  return {
    primary: postgresAt(port),
    standby: postgresAt(standbyPort),
    link,
    async killPrimary() {
      const [pid = 0] = readFileSync(join(first, 'postmaster.pid'), 'utf8').split('\n').map(Number);
      for (const process_ of [pid, ...childrenOf(pid)]) kill(process_);
      // Waits for the exit.
      await primary.stop();
    },
    async promote() {
      await query(postgresAt(standbyPort), 'SELECT pg_promote()');
    },
    async hasAll() {
      const text = 'SELECT FROM pg_stat_replication WHERE replay_lsn = pg_current_wal_lsn()';
      return (await query(postgresAt(port), text)).rowCount === 1;
    },
  };
}

function serverIn(folder: string, port: number, flags: readonly string[]) {
  return postgresIn(folder, port, {
    persistent: true,
    initdbFlags: ['--no-sync'],
    // A process that is killed loses nothing that the system has not yet written to the disk.
    postgresFlags: ['-c', 'fsync=off', ...flags],
  });
}

async function query(connectionString: string, text: string): Promise<pg.QueryResult> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    return await client.query(text);
  } finally {
    await client.end();
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended by itself, because its parent has.
  }
}
