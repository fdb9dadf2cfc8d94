// Fresh databases for tests, of either kind, migrated and gone afterwards.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import type { Database } from '../../src/storage/engine/database.ts';
import { openPostgres } from '../../src/storage/engine/postgres.ts';
import { openSqlite } from '../../src/storage/engine/sqlite.ts';

/** Whatever a test can be ended with: `t` of `node:test`, or its module, whose `after` is for a whole file. */
export interface Scope {
  after(end: () => void | Promise<void>): void;
}

/** A database in memory, migrated. */
export async function openMemory(scope: Scope): Promise<Database> {
  return ready(openSqlite(':memory:'), scope);
}

/** A database in a file of its own, migrated. */
export async function openFile(scope: Scope): Promise<Database> {
  return ready(openSqlite(join(await temporaryFolder(scope), 'portico.db')), scope);
}

/** A database of its own on the PostgreSQL server for tests, migrated. */
export async function openFreshPostgres(scope: Scope): Promise<Database> {
  return ready(openPostgres(await createPostgresDatabase(scope)), scope);
}

/** Creates an empty database on the PostgreSQL server for tests. Returns its address. */
export async function createPostgresDatabase(scope: Scope): Promise<string> {
  const server = process.env.TEST_POSTGRES_URL;
  if (!server) throw new Error('TEST_POSTGRES_URL is not set; `npm test` starts a server and sets it.');
  const name = `portico_test_${process.pid}_${created}`;
  created += 1;
  await atServer(server, `CREATE DATABASE ${name}`);
  // Forced: a test that failed may have left connections behind.
  scope.after(() => atServer(server, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`));
  const url = new URL(server);
  url.pathname = `/${name}`;
  return url.href;
}

/** A folder that is removed with all that is in it. */
export async function temporaryFolder(scope: Scope): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'portico-test-'));
  scope.after(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

let created = 0;

async function ready(database: Database, scope: Scope): Promise<Database> {
  scope.after(() => database.close());
  await database.migrate();
  return database;
}

async function atServer(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
