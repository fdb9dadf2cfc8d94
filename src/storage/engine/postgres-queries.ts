// What is sent to PostgreSQL for a query, and what its answers and errors mean.

import pg from 'pg';
import { StorageUnavailable } from './database.ts';
import type { Bound } from './sql.ts';

// A server that neither answers nor closes the connection must not hold its callers for ever.
export const PATIENCE_MS = 10_000;

/** A text without values, or one whose caller adds them. */
export function plain(text: string): pg.QueryConfig {
  return { text, query_timeout: PATIENCE_MS } as pg.QueryConfig;
}

export function config(query: Bound<unknown>): pg.QueryConfig {
  return configAsIs(withLimits(query));
}

/** As `config`, for a query that is planned for its values. */
export function configAsIs(query: Bound<unknown>): pg.QueryConfig {
  const { statement } = query;
  return { ...plain(statement.text('postgres')), name: statement.name, values: valuesOf(query) };
}

/** Return the query with its LIMITs in the text. Each statement is planned once, so they must be known then. */
export function withLimits<R>(query: Bound<R>): Bound<R> {
  const statement = query.statement.withLimits(query.values);
  return statement === query.statement ? query : { ...query, statement };
}

/** Return the values of a query in the order of their places. */
export function valuesOf({ statement, values }: Bound<unknown>): unknown[] {
  return statement.parameters(values).map(withoutNul);
}

/** Return the rows of an answer. NULL is undefined in a row. */
export function rowsOf<R>({ rows }: Pick<pg.QueryResult, 'rows'>): R[] {
  for (const row of rows) {
    for (const [name, value] of Object.entries(row)) if (value === null) row[name] = undefined;
  }
  return rows;
}

/** Replace NUL, which PostgreSQL refuses, where SQLite just finds no row. No stored text contains NUL. */
export function withoutNul(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNul);
  return typeof value === 'string' ? value.replaceAll('\0', '\uFFFD') : value;
}

export function codeOf(error: unknown): string {
  return (error as { code?: string }).code ?? '';
}

// Such as a standby, or a primary that an operator has fenced.
const READ_ONLY = '25006';

// Connection lost, insufficient resources (disk full, too many connections), operator intervention, system
// error, and a server that only reads.
const UNAVAILABLE = new RegExp(`^(08|53|57|58|${READ_ONLY})`);

/** Report whether the error came from a server that accepts writes, so that its connection can go on. */
export function isFromWriter(error: unknown): boolean {
  return error instanceof pg.DatabaseError && codeOf(error) !== READ_ONLY;
}

/**
 * Prepare a new connection. Throws if its server only reads: what it has may be older than what was acknowledged.
 *
 * These settings are no parameters of the connection, because PgBouncer refuses such parameters.
 */
export async function prepareConnection(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query(plain(PREPARATION));
  if (rows[0]?.reads_only === 'on') throw new Error('it is a standby, or read-only');
}

// No caller waits longer than the timeout, so PostgreSQL can cancel the statement. (Migrations remove this limit.)
// Each statement is planned once for a connection. Otherwise a batch is planned at each use: its arrays are known then.
const PREPARATION = `SELECT set_config('statement_timeout', '${PATIENCE_MS}', false),
  set_config('plan_cache_mode', 'force_generic_plan', false), current_setting('transaction_read_only') AS reads_only`;

/** Turn an error that means "not now" into `StorageUnavailable`. */
export function translated(error: unknown): Error {
  // Only the server itself causes a DatabaseError. Any other error comes from the connection or the pool.
  if (error instanceof pg.DatabaseError && !UNAVAILABLE.test(codeOf(error))) return error;
  return new StorageUnavailable(error);
}
