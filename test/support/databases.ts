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

/** A database of its own on the PostgreSQL server for tests, migrated: a copy of the run's template if there is one. */
export async function openFreshPostgres(scope: Scope): Promise<Database> {
  const url = await createPostgresDatabase(scope, process.env[TEMPLATE]);
  return ready(openPostgres(url), scope);
}

/** Creates an empty database on the PostgreSQL server for tests, or a copy of another one. Returns its address. */
export async function createPostgresDatabase(scope: Scope, template = 'template1'): Promise<string> {
  const name = `portico_test_${process.pid}_${created}`;
  created += 1;
  await atServer(`CREATE DATABASE ${name} TEMPLATE ${template}`);
  scope.after(() => drop(name));
  return addressOf(name);
}

/**
 * Migrates a database for `openFreshPostgres` to copy, in this process and in those that it starts: copying takes a
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

/** A folder that is removed with all that is in it. */
export async function temporaryFolder(scope: Scope): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'portico-test-'));
  scope.after(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

const TEMPLATE = 'TEST_POSTGRES_TEMPLATE';
let created = 0;

async function ready(database: Database, scope: Scope): Promise<Database> {
  scope.after(() => database.close());
  await database.migrate();
  return database;
}

// Forced: a test that failed may have left connections behind.
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
