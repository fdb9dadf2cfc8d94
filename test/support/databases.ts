// Fresh, migrated databases for tests, of both kinds. They are deleted afterwards.

import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { lazily } from '../../src/lib/remember.ts';
import type { Database } from '../../src/storage/engine/database.ts';
import { openPostgres } from '../../src/storage/engine/postgres.ts';
import { openSqlite, type SqliteDatabase, sqliteOn } from '../../src/storage/engine/sqlite.ts';
import { migrate, openConnection } from '../../src/storage/engine/sqlite-connection.ts';

/** What clean-up is attached to: a test's `t`, or the module `node:test`, whose `after` is for a whole file. */
export interface TestScope {
  after(end: () => void | Promise<void>): void;
}

/** Open a database in memory. */
export async function openMemory(scope: TestScope): Promise<SqliteDatabase> {
  return ready(await migratedMemory(), scope);
}

/** Open a migrated database in memory, which the caller closes. */
export async function migratedMemory(): Promise<SqliteDatabase> {
  const connection = openConnection(':memory:');
  connection.deserialize(migratedImage());
  const database = sqliteOn(connection);
  await database.migrate();
  return database;
}

/** Open a database in a file of its own. */
export async function openFile(scope: TestScope): Promise<Database> {
  const path = join(await temporaryFolder(scope), 'portico.db');
  await writeMigrated(path);
  return ready(openSqlite(path), scope);
}

/** Write a migrated database without rows to a new file. */
export async function writeMigrated(path: string): Promise<void> {
  await writeFile(path, migratedImage(), { mode: 0o600 });
}

/**
 * Open a database on the PostgreSQL server for tests: a copy of the run's template, or one that another test of this
 * process has finished with, emptied. Without a template it is migrated.
 */
export async function openFreshPostgres(scope: TestScope): Promise<Database> {
  const template = process.env[TEMPLATE];
  if (template === undefined) return ready(openPostgres(await createPostgresDatabase(scope)), scope);
  const copy = unusedCopies.pop() ?? (await copyOf(template));
  const database = openPostgres(pooled(addressOf(copy.name)));
  scope.after(async () => {
    await database.close();
    await query(copy.name, copy.emptying);
    unusedCopies.push(copy);
  });
  await database.migrate();
  return database;
}

/** Create an empty database on the PostgreSQL server for tests. Returns its address. */
export async function createPostgresDatabase(scope: TestScope): Promise<string> {
  const name = `portico_test_${process.pid}_${databaseCount}`;
  databaseCount += 1;
  await atServer(`CREATE DATABASE ${name}`);
  scope.after(() => drop(name));
  return pooled(addressOf(name));
}

/**
 * Migrate a database for `openFreshPostgres` to copy, in this process and in those that it starts: copying takes a
 * fraction of the time of migrating. Returns a function that drops it and its copies.
 */
export async function createTemplate(): Promise<() => Promise<void>> {
  const name = `portico_template_${process.pid}`;
  await atServer(`CREATE DATABASE ${name}`);
  const database = openPostgres(addressOf(name), 1);
  await database.migrate();
  await database.close();
  process.env[TEMPLATE] = name;
  return async () => {
    const names = await atServer<{ datname: string }>(
      `SELECT datname FROM pg_database WHERE datname = '${name}' OR starts_with(datname, '${name}_')`,
    );
    for (const { datname } of names) await drop(datname);
  };
}

/** Create a folder that is removed afterwards. */
export async function temporaryFolder(scope: TestScope): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'portico-test-'));
  scope.after(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

const TEMPLATE = 'TEST_POSTGRES_TEMPLATE';
let databaseCount = 0;

interface Copy {
  name: string;
  /** SQL that brings the database back to the state of the template. */
  emptying: string;
}

// Creating and dropping a database takes much longer than most tests, since it has 300 files.
const unusedCopies: Copy[] = [];

async function copyOf(template: string): Promise<Copy> {
  const name = `${template}_${process.pid}_${databaseCount}`;
  databaseCount += 1;
  await atServer(`CREATE DATABASE ${name} TEMPLATE ${template}`);
  return { name, emptying: await emptyingOf(name) };
}

async function emptyingOf(name: string): Promise<string> {
  const tables = await query<{ tablename: string }>(
    name,
    "SELECT tablename FROM pg_tables WHERE schemaname = 'public'",
  );
  const sequences = await query<{ restart: string }>(
    name,
    `SELECT format('SELECT setval(%L, %s, %L);', sequencename, coalesce(last_value, start_value),
       last_value IS NOT NULL) AS restart FROM pg_sequences`,
  );
  // Without triggers and foreign keys, so the order of the tables doesn't matter.
  const statements = ['SET session_replication_role = replica;'];
  for (const { tablename } of tables) {
    statements.push(`DELETE FROM ${tablename};`);
    const [{ rows } = { rows: null }] = await query<{ rows: string | null }>(
      name,
      `SELECT quote_literal(json_agg(t)) AS rows FROM ${tablename} t`,
    );
    if (rows === null) continue;
    statements.push(`INSERT INTO ${tablename} OVERRIDING SYSTEM VALUE
      SELECT * FROM json_populate_recordset(NULL::${tablename}, ${rows});`);
  }
  return [...statements, ...sequences.map(({ restart }) => restart)].join('\n');
}

/**
 * Migrate a SQLite database that this process, and those that it starts, copy: migrating takes much longer than most
 * tests. Returns a function that deletes it.
 */
export async function createImage(): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'portico-test-'));
  const path = join(folder, 'migrated.db');
  await writeMigrated(path);
  process.env[IMAGE] = path;
  return () => rm(folder, { recursive: true });
}

const IMAGE = 'TEST_SQLITE_IMAGE';

// Without a run's image a process migrates once, and its databases are copies.
const migratedImage = lazily(() => {
  const path = process.env[IMAGE];
  if (path !== undefined) return readFileSync(path);
  const connection = openConnection(':memory:');
  migrate(connection);
  const image = connection.serialize();
  connection.close();
  return image;
});

async function ready<D extends Database>(database: D, scope: TestScope): Promise<D> {
  scope.after(() => database.close());
  await database.migrate();
  return database;
}

// Forced, because a test that failed may have left connections open.
async function drop(name: string): Promise<void> {
  await atServer(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
}

function addressOf(name: string): string {
  const url = new URL(serverAddress());
  url.pathname = `/${name}`;
  return url.href;
}

// `TEST_POSTGRES_POOLER` is the host and port of a PgBouncer that passes all databases on. The tests use the databases
// through it, and create and drop them without it.
function pooled(address: string): string {
  const url = new URL(address);
  url.host = process.env.TEST_POSTGRES_POOLER || url.host;
  return url.href;
}

function serverAddress(): string {
  const address = process.env.TEST_POSTGRES_URL;
  if (!address) throw new Error('TEST_POSTGRES_URL is not set; `npm test` starts a server and sets it.');
  return address;
}

function atServer<R extends pg.QueryResultRow>(sql: string): Promise<R[]> {
  return queryAt<R>(serverAddress(), sql);
}

function query<R extends pg.QueryResultRow>(name: string, sql: string): Promise<R[]> {
  return queryAt<R>(addressOf(name), sql);
}

async function queryAt<R extends pg.QueryResultRow>(connectionString: string, sql: string): Promise<R[]> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    const { rows } = await client.query<R>(sql);
    return rows;
  } finally {
    await client.end();
  }
}
