// The interface under the stores: reads, and transactions as data. Both databases implement it.

import type { Awaitable } from '../../lib/awaitable.ts';
import type { Timestamp } from '../../lib/clock.ts';
import { type Bound, type Dialect, sql } from './sql.ts';

export { ReadTooSlow, StorageUnavailable } from '../../lib/storage-unavailable.ts';

/** Statements of a transaction. They have names if the caller needs to know how many rows each changed. */
export type Effects =
  | readonly Bound<unknown>[]
  | Readonly<Record<string, Bound<unknown> | readonly Bound<unknown>[]>>;

/**
 * The audit entries of a transaction, written with the effects. `storage/audit/audit-trail.ts` makes them.
 */
export interface AuditTrail {
  readonly entries: readonly Bound<unknown>[];
}

/**
 * A whole transaction as data, so that no other statement can slip into it. The guard is a statement with the
 * condition in its WHERE. If it changes or returns a row, the effects run, and otherwise `otherwise`.
 */
export interface Transaction<R = unknown, E extends Effects = Effects> {
  audit: AuditTrail;
  /**
   * Transactions with the same turn run one after another. For a guard that counts rows: PostgreSQL lets
   * guards of different rows run at once. SQLite has one writer.
   */
  turn?: 'pins' | 'transfers' | 'tags' | 'categories' | 'operators' | `${'passkeys' | 'tokens'} ${number}`;
  guard: Bound<R>;
  /**
   * Whether the caller has just read that the guard's condition is true. PostgreSQL then gets everything in one round
   * trip, and if the condition has become false, in three. For a guard that returns no rows.
   */
  isExpected?: boolean;
  effects?: E;
  otherwise?: readonly Bound<unknown>[];
  /** The security events of the act, written after the effects. `storage/audit/security-events.ts` makes them. */
  events?: readonly Bound<unknown>[];
}

export interface Outcome<R, E extends Effects = Effects> {
  /** Whether the guard changed or returned a row. */
  happened: boolean;
  /** The guard's rows, if it returns any. */
  rows: R[];
  /** How many rows each named effect changed: 0 if it did not run. Effects in a list are not counted. */
  changes: E extends readonly unknown[] ? Record<never, number> : { [K in keyof E]: number };
  /** The rows of all statements that are marked as `isEvent`, in their order. */
  events: readonly unknown[];
}

export interface Database {
  readonly dialect: Dialect;
  /** Reads the current rows: it sees every commit that was confirmed before the request arrived. */
  rows<R>(query: Bound<R>): Awaitable<R[]>;
  /** As `rows`. PostgreSQL stops after so many milliseconds, and then this throws `ReadTooSlow`. */
  rowsWithin<R>(patienceMs: number, query: Bound<R>): Awaitable<R[]>;
  /** As `rows`, for the first row. */
  first<R>(query: Bound<R>): Awaitable<R | undefined>;
  /**
   * Runs a transaction, and returns after it is durable. Transactions on the same row run one after another.
   * Throws `StorageUnavailable` if nothing was committed, or if the server's confirmation was lost.
   */
  atomically<R, const E extends Effects>(transaction: Transaction<R, E>): Promise<Outcome<R, E>>;
  /**
   * Returns how many calls wait for each connection. They come in the order of their arrival, whoever they are for.
   * Missing where nothing waits.
   */
  waitingPerConnection?(): number;
  /** Reports whether a migration was ever applied: without one, this is no database of Portico. */
  isMigrated(): Promise<boolean>;
  /** Brings the schema up to date, also for several processes at once. Returns the migrations' names. */
  migrate(): Promise<string[]>;
  close(): Promise<void>;
}

/** Run a transaction, and report whether its guard changed or returned a row. */
export async function runGuarded(database: Database, transaction: Transaction): Promise<boolean> {
  return (await database.atomically(transaction)).happened;
}

/** Report whether the database answers. */
export async function isReachable(database: Database): Promise<boolean> {
  try {
    await database.rows(selectMigration());
    return true;
  } catch {
    return false;
  }
}

/** Read the clock of the machine that has the database. */
export async function timeOf(database: Database): Promise<Timestamp> {
  return (await database.first(selectTime[database.dialect]()))?.now ?? 0;
}

const selectTime = {
  sqlite: sql<void, { now: number }>`SELECT unixepoch() * 1000 AS now`,
  postgres: sql<void, { now: number }>`
    SELECT cast(extract(epoch FROM clock_timestamp()) * 1000 AS bigint) AS now`,
};

const selectMigration = sql<void, { name: string }>`SELECT name FROM migrations LIMIT 1`;
