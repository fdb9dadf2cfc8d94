// A restore that replaces nothing: a copy of the backup is checked, counted, and served for one complete sign-in.

import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Portico } from '../compose.ts';
import type { Config } from '../config.ts';
import { failureReason } from '../lib/failure-reason.ts';
import { Refusal } from '../lib/refusal.ts';
import type { TableCounts } from '../operations.ts';
import { Checkup, resultOf } from './checkup.ts';
import type { Result } from './command.ts';
import { tryWholeSignIn } from './trial-sign-in.ts';

/** Try to restore a backup beside the database. Throws `Refusal` if the file can't be read. */
export async function tryRestore(config: Config, file: string): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), 'portico-restore-'));
  const copy = join(folder, 'portico.db');
  const checkup = new Checkup();
  try {
    copyBackup(file, copy);
    await check(config, copy, checkup);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return resultOf(checkup, 'The backup can be restored.', 'The backup can’t be restored.');
}

function copyBackup(file: string, copy: string): void {
  try {
    copyFileSync(file, copy);
  } catch (error) {
    throw new Refusal('file_unreadable', `${resolve(file)} can't be read: ${failureReason(error)}.`);
  }
}

async function check(config: Config, copy: string, checkup: Checkup): Promise<void> {
  const { compose } = await import('../compose.ts');
  const { countsOf, problemWithDatabase } = await import('../operations.ts');
  const sound = await checkup.step('integrity and references', () => {
    const problem = problemWithDatabase(copy);
    if (problem !== undefined) throw new Error(problem);
    return true;
  });
  if (sound === undefined) return;
  const { database } = config;
  const live = database.kind === 'sqlite' && existsSync(database.path) ? countsOf(database.path) : undefined;
  await checkup.step('rows', () => compare(countsOf(copy), live), String);
  const port = await freePort();
  const portico = await checkup.step('open with this version', async () => {
    const opened = await compose({
      ...config,
      database: { kind: 'sqlite', path: copy },
      baseUrl: `http://127.0.0.1:${port}`,
      trustedProxies: [],
      redisUrl: undefined,
      logLevel: 'silent',
    });
    try {
      await opened.prepare();
      return opened;
    } catch (error) {
      await opened.close();
      throw error;
    }
  });
  if (portico !== undefined) await signIn(portico, port, checkup);
}

function compare(copy: TableCounts, live: TableCounts | undefined): string {
  const problem =
    live !== undefined && Object.keys(copy).find((name) => copy[name] === 0 && live[name] !== 0);
  const text = Object.entries(copy)
    .map(([name, rows]) => `${rows} ${name}${live === undefined ? '' : ` (now ${live[name]})`}`)
    .join(', ');
  if (problem) throw new Error(`${text}: the backup has no ${problem}`);
  return text;
}

async function signIn(portico: Portico, port: number, checkup: Checkup): Promise<void> {
  const { httpServer } = await import('../operations.ts');
  const { listen } = await httpServer();
  const server = await listen(portico.app(), '127.0.0.1', port);
  try {
    await tryWholeSignIn(portico, checkup);
  } finally {
    await server.close(true);
    await portico.close();
  }
}

async function freePort(): Promise<number> {
  const server = createServer();
  const { promise, resolve: listening } = Promise.withResolvers<void>();
  server.listen(0, '127.0.0.1', listening);
  await promise;
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  await server[Symbol.asyncDispose]();
  return port;
}
