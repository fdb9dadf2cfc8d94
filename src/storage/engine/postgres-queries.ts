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
  const { statement } = query;
  return { ...plain(statement.text('postgres')), name: statement.name, values: valuesOf(query) };
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

// Connection lost, insufficient resources (disk full, too many connections), operator intervention, system
// error.
const UNAVAILABLE = /^(08|53|57|58)/;

/** Turn an error that means "not now" into `StorageUnavailable`. */
export function translated(error: unknown): Error {
  // Only the server itself causes a DatabaseError. Any other error comes from the connection or the pool.
  if (error instanceof pg.DatabaseError && !UNAVAILABLE.test(codeOf(error))) return error;
  return new StorageUnavailable(error);
}
