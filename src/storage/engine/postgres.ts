// PostgreSQL, for communities on several machines. Each transaction takes a connection from a pool.

import pg from 'pg';
import { useCopy } from '../copies/move-note.ts';
import { migrations } from '../migrations/index.ts';
import { type Database, ReadTooSlow, StorageUnavailable } from './database.ts';
import { batchedReads } from './postgres-batches.ts';
import {
  codeOf,
  configAsIs,
  plain,
  prepareConnection,
  rowsOf,
  translated,
  withLimits,
  withoutNul,
} from './postgres-queries.ts';
import { transactionsOn } from './postgres-transactions.ts';
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

const CANCELED = '57014';

export interface PostgresDatabase extends Database {
  readonly dialect: 'postgres';
}

/** Open a pool. It connects with the first query, which fails if the server can't be reached. */
export function openPostgres(url: string, poolSize = 10): PostgresDatabase {
  const pool = openPool(url, poolSize);
  const gate = gateOf(pool);
  const persist = transactionsOn(pool);
  const reads = batchedReads({
    rows: (query) => select(pool, query),
    run: (name, text, values) => selectAs(pool, { ...plain(text), name, values: values.map(withoutNul) }),
    isRefusal: (error) => error instanceof pg.DatabaseError,
  });
  return {
    dialect: 'postgres',
    rows: (query) => gate.accept(() => reads.rows(withLimits(query))),
    rowsWithin: (patienceMs, query) => gate.accept(() => selectWithin(pool, patienceMs, query)),
    first: (query) => gate.accept(() => reads.first(withLimits(query))),
    atomically: (transaction) => gate.accept(() => persist(transaction)),
    waitingPerConnection: () => pool.waitingCount / poolSize,
    isMigrated: () => gate.accept(() => isMigrated(pool)),
    migrate: () => migrate(pool),
    close: gate.close,
  };
}

function openPool(url: string, poolSize: number): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    // Statements are sent without waiting for earlier answers, so a transaction takes two round trips or one.
    pipeline: true,
    max: poolSize,
    types: types as pg.CustomTypesConfig,
    connectionTimeoutMillis: 5_000,
    application_name: 'portico',
    onConnect: prepareConnection,
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
  return selectAs<R>(pool, configAsIs(query));
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
      // For a search the best plan depends on its words.
      client.query(plain('SET LOCAL plan_cache_mode = auto')),
      client.query(configAsIs(query)),
    ]);
    // After a failure, the server treats this as a ROLLBACK.
    const [end] = await Promise.allSettled([client.query(plain('COMMIT'))]);
    client.release(end.status === 'rejected' ? end.reason : undefined);
    const rows = answers.at(-1);
    for (const answer of answers) if (answer.status === 'rejected') throw answer.reason;
    return rows?.status === 'fulfilled' ? rowsOf<R>(rows.value) : [];
  } catch (error) {
    throw codeOf(error) === CANCELED ? new ReadTooSlow(error) : translated(error);
  }
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
