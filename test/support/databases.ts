// Fresh, migrated databases for tests, of both kinds. They are deleted afterwards.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import type { Database } from '../../src/storage/engine/database.ts';
import { openPostgres } from '../../src/storage/engine/postgres.ts';
import { openSqlite } from '../../src/storage/engine/sqlite.ts';

/** What clean-up is attached to: a test's `t`, or the module `node:test`, whose `after` is for a whole file. */
export interface TestScope {
  after(end: () => void | Promise<void>): void;
}

/** Open a database in memory. */
export async function openMemory(scope: TestScope): Promise<Database> {
  return ready(openSqlite(':memory:'), scope);
}

/** Open a database in a file of its own. */
export async function openFile(scope: TestScope): Promise<Database> {
  return ready(openSqlite(join(await temporaryFolder(scope), 'portico.db')), scope);
}

/** Open a database on the PostgreSQL server for tests: a copy of the run's template, if there is one. */
export async function openFreshPostgres(scope: TestScope): Promise<Database> {
  const url = await createPostgresDatabase(scope, process.env[TEMPLATE]);
  return ready(openPostgres(url), scope);
}

/** Create an empty database on the PostgreSQL server for tests, or a copy of another one. Returns its address. */
export async function createPostgresDatabase(scope: TestScope, template = 'template1'): Promise<string> {
  const name = `portico_test_${process.pid}_${databaseCount}`;
  databaseCount += 1;
  await atServer(`CREATE DATABASE ${name} TEMPLATE ${template}`);
  scope.after(() => drop(name));
  return addressOf(name);
}

/**
 * Migrate a database for `openFreshPostgres` to copy, in this process and in those that it starts: copying takes a
 * fraction of the time of migrating. Returns a function that drops it.
 */
export async function createTemplate(): Promise<() => Promise<void>> {
  const name = `portico_template_${process.pid}`;
  await atServer(`CREATE DATABASE ${name}`);
  const database = openPostgres(addressOf(name), 1);
  await database.migrate();
  await database.close();
  process.env[TEMPLATE] = name;
  return () => drop(name);
}

/** Create a folder that is removed afterwards. */
export async function temporaryFolder(scope: TestScope): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'portico-test-'));
  scope.after(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

const TEMPLATE = 'TEST_POSTGRES_TEMPLATE';
let databaseCount = 0;

async function ready(database: Database, scope: TestScope): Promise<Database> {
  scope.after(() => database.close());
  await database.migrate();
  return database;
}

// Forced, because a test that failed may have left connections open.
function drop(name: string): Promise<void> {
  return atServer(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
}

function addressOf(name: string): string {
  const url = new URL(serverAddress());
  url.pathname = `/${name}`;
  return url.href;
}

function serverAddress(): string {
  const address = process.env.TEST_POSTGRES_URL;
  if (!address) throw new Error('TEST_POSTGRES_URL is not set; `npm test` starts a server and sets it.');
  return address;
}

async function atServer(sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: serverAddress() });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
