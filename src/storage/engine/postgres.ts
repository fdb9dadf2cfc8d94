// PostgreSQL, for communities on several machines. Each transaction takes a connection from a pool.

import pg from 'pg';
import { useCopy } from '../copies/move-note.ts';
import { migrations } from '../migrations/index.ts';
import {
  type Database,
  type Effects,
  type Outcome,
  ReadTooSlow,
  StorageUnavailable,
  type Transaction,
} from './database.ts';
import { changesOf, eventsOf, statementsAfterGuard } from './effects.ts';
import { batchedFirst } from './postgres-batches.ts';
import type { Bound } from './sql.ts';

// int8 arrives as text by default; all our 64-bit values (ids, milliseconds) are far below 2^53.
const INT8 = 20;
const types = {
  getTypeParser(oid: number, format?: 'text' | 'binary'): unknown {
    if (oid === INT8) return Number;
    return pg.types.getTypeParser(oid, format as 'text');
  },
};

// An arbitrary number, the same in all processes, so that only one process migrates at a time.
const MIGRATION_LOCK = 7_067_842_601;
const ATTEMPTS = 5;

// A server that neither answers nor closes the connection must not hold its callers for ever.
const PATIENCE_MS = 10_000;

export interface PostgresDatabase extends Database {
  readonly dialect: 'postgres';
}

/** Open a pool. It connects with the first query, which fails if the server can't be reached. */
export function openPostgres(url: string, poolSize = 10): PostgresDatabase {
  const pool = openPool(url, poolSize);
  const gate = gateOf(pool);
  const first = batchedFirst({
    rows: (query) => select(pool, query),
    run: (name, text, values) => selectAs(pool, { ...plain(text), name, values: values.map(withoutNul) }),
    isRefusal: (error) => error instanceof pg.DatabaseError,
  });
  return {
    dialect: 'postgres',
    rows: (query) => gate.accept(() => select(pool, query)),
    rowsWithin: (patienceMs, query) => gate.accept(() => selectWithin(pool, patienceMs, query)),
    first: (query) => gate.accept(() => first(query)),
    atomically: (transaction) => gate.accept(() => persist(pool, transaction)),
    isMigrated: () => gate.accept(() => isMigrated(pool)),
    migrate: () => migrate(pool),
    close: gate.close,
  };
}

function openPool(url: string, poolSize: number): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    // Statements are sent without waiting for earlier answers, so any transaction takes two round trips.
    pipeline: true,
    max: poolSize,
    types: types as pg.CustomTypesConfig,
    connectionTimeoutMillis: 5_000,
    // No caller waits longer, so PostgreSQL can cancel the statement. (Migrations remove this limit.)
    statement_timeout: PATIENCE_MS,
    application_name: 'portico',
  });
  // A broken connection must not end the process. The pool replaces an idle one; on one in use, the
  // statements that wait for an answer fail by themselves.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  return pool;
}

/**
 * Accept work until the pool closes. Closing waits for all of it, because a pool that ends drops its queue.
 */
function gateOf(pool: pg.Pool) {
  const underWay = new Set<Promise<unknown>>();
  let closing: Promise<void> | undefined;

  async function finish(): Promise<void> {
    await Promise.allSettled(underWay);
    await pool.end();
  }

  return {
    async accept<T>(work: () => Promise<T>): Promise<T> {
      if (closing !== undefined) throw new StorageUnavailable('closed');
      const result = work();
      underWay.add(result);
      try {
        return await result;
      } finally {
        underWay.delete(result);
      }
    },
    close(): Promise<void> {
      closing ??= finish();
      return closing;
    },
  };
}

async function select<R>(pool: pg.Pool, query: Bound<R>): Promise<R[]> {
  return selectAs<R>(pool, config(query));
}

async function selectAs<R>(pool: pg.Pool, query: pg.QueryConfig): Promise<R[]> {
  try {
    return rowsOf<R>(await pool.query(query));
  } catch (error) {
    throw translated(error);
  }
}

async function selectWithin<R>(pool: pg.Pool, patienceMs: number, query: Bound<R>): Promise<R[]> {
  try {
    const client = await pool.connect();
    const answers = await Promise.allSettled([
      client.query(plain('BEGIN READ ONLY')),
      client.query(plain(`SET LOCAL statement_timeout = ${Math.max(1, Math.ceil(patienceMs))}`)),
      client.query(config(query)),
    ]);
    // After a failure, the server treats this as a ROLLBACK.
    const [end] = await Promise.allSettled([client.query(plain('COMMIT'))]);
    client.release(end.status === 'rejected' ? end.reason : undefined);
    const [, , rows] = answers;
    for (const answer of answers) if (answer.status === 'rejected') throw answer.reason;
    return rows.status === 'fulfilled' ? rowsOf<R>(rows.value) : [];
  } catch (error) {
    throw (error as { code?: string }).code === CANCELED ? new ReadTooSlow(error) : translated(error);
  }
}

async function persist<R, E extends Effects>(
  pool: pg.Pool,
  transaction: Transaction<R, E>,
): Promise<Outcome<R, E>> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await runOnce(pool, transaction);
    } catch (error) {
      // The server rolled this transaction back because of a conflict with another, such as a deadlock.
      if (attempt < ATTEMPTS && canRunAgain(error)) continue;
      throw translated(error);
    }
  }
}

async function runOnce<R, E extends Effects>(
  pool: pg.Pool,
  transaction: Transaction<R, E>,
): Promise<Outcome<R, E>> {
  const client = await pool.connect();
  let connectionError: Error | undefined;
  try {
    return await runOn(client, transaction);
  } catch (error) {
    await client.query(plain('ROLLBACK')).catch((failure: Error) => {
      connectionError = failure;
    });
    throw error;
  } finally {
    client.release(connectionError);
  }
}

async function runOn<R, E extends Effects>(
  client: pg.PoolClient,
  transaction: Transaction<R, E>,
): Promise<Outcome<R, E>> {
  // A guard that waited for another transaction must see its changes, whatever the server's default is.
  const begin = client.query(plain('BEGIN ISOLATION LEVEL READ COMMITTED'));
  const turn = takeTurn(client, transaction);
  const [guard] = await Promise.all([client.query(config(transaction.guard)), begin, turn]);
  const happened = (guard.rowCount ?? 0) > 0;
  const queries = statementsAfterGuard(transaction, happened);
  const results = queries.map((query) => client.query(config(query)));
  // If one of them fails, the server treats this as a ROLLBACK.
  const commit = client.query(plain('COMMIT'));
  const answers = await Promise.all([...results, commit]);
  const changes = happened ? answers.slice(0, -1).map(({ rowCount }) => rowCount ?? 0) : [];
  const rows = rowsOf<R>(guard);
  return {
    happened,
    rows,
    changes: changesOf(transaction.effects, changes) as Outcome<R, E>['changes'],
    events: eventsOf([transaction.guard, ...queries], (index) => {
      const answer = answers[index - 1];
      return index === 0 || answer === undefined ? rows : rowsOf(answer);
    }),
  };
}

// A statement of its own, so that the guard, which runs next, sees what the transactions before have committed.
async function takeTurn(client: pg.PoolClient, { turn }: Transaction): Promise<void> {
  if (turn === undefined) return;
  await client.query({ ...plain('SELECT pg_advisory_xact_lock(1, hashtext($1))'), values: [turn] });
}

function plain(text: string): pg.QueryConfig {
  return { text, query_timeout: PATIENCE_MS } as pg.QueryConfig;
}

function config(query: Bound<unknown>): pg.QueryConfig {
  const { statement } = query;
  return {
    ...plain(statement.text('postgres')),
    name: statement.name,
    values: statement.parameters(query.values).map(withoutNul),
  };
}

// NULL is undefined in a row.
function rowsOf<R>({ rows }: pg.QueryResult): R[] {
  for (const row of rows) {
    for (const [name, value] of Object.entries(row)) if (value === null) row[name] = undefined;
  }
  return rows;
}

// PostgreSQL refuses text with NUL, where SQLite just finds no row. No stored text contains NUL.
function withoutNul(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNul);
  return typeof value === 'string' ? value.replaceAll('\0', '\uFFFD') : value;
}

async function isMigrated(pool: pg.Pool): Promise<boolean> {
  const { rows } = await pool.query("SELECT to_regclass('migrations') IS NOT NULL AS exists");
  return rows[0].exists;
}

async function migrate(pool: pg.Pool): Promise<string[]> {
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    await client.query('SET LOCAL statement_timeout = 0');
    await client.query('SELECT pg_advisory_xact_lock($1)', [MIGRATION_LOCK]);
    await useCopy(client);
    await client.query(
      'CREATE TABLE IF NOT EXISTS migrations (name text PRIMARY KEY, applied_at bigint NOT NULL)',
    );
    const { rows } = await client.query('SELECT name FROM migrations');
    const appliedNames = new Set(rows.map((row) => row.name));
    const missing = migrations.filter(({ name }) => !appliedNames.has(name));
    for (const { name, up } of missing) {
      for (const sql of up('postgres')) await client.query(sql);
      await client.query('INSERT INTO migrations VALUES ($1, extract(epoch from now()) * 1000)', [name]);
    }
    await client.query('COMMIT');
    return missing.map(({ name }) => name);
  } catch (error) {
    await client.query('ROLLBACK').catch(() => {});
    throw error;
  } finally {
    client.release();
  }
}

const CANCELED = '57014';
const DEADLOCK_OR_SERIALIZATION = new Set(['40P01', '40001']);
// Connection lost, insufficient resources (disk full, too many connections), operator intervention, system
// error.
const UNAVAILABLE = /^(08|53|57|58)/;

function canRunAgain(error: unknown): boolean {
  return DEADLOCK_OR_SERIALIZATION.has((error as { code?: string }).code ?? '');
}

function translated(error: unknown): Error {
  // Only the server itself causes a DatabaseError. Any other error comes from the connection or the pool.
  if (error instanceof pg.DatabaseError && !UNAVAILABLE.test(error.code ?? '')) return error;
  return new StorageUnavailable(error);
}
