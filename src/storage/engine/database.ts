// What the stores are built on: reads, and transactions that are data. Both databases keep these promises.

import type { Awaitable } from '../../lib/awaitable.ts';
import { type Bound, type Dialect, sql } from './sql.ts';

export { StorageUnavailable } from '../../lib/storage-unavailable.ts';

/** Statements of a transaction. They have names where the caller asks how many rows each changed. */
export type Effects =
  | readonly Bound<unknown>[]
  | Readonly<Record<string, Bound<unknown> | readonly Bound<unknown>[]>>;

/** What a transaction leaves in the audit log: written with the effects. `storage/audit/audit-trail.ts` makes them. */
export interface AuditTrail {
  readonly entries: readonly Bound<unknown>[];
}

/**
 * A whole transaction as data, so that no other statement can slip into it. The guard is one statement whose
 * WHERE holds the condition: if it changes a row (or returns one), the effects run, otherwise `otherwise`
 * runs, all in the same transaction.
 */
export interface Transaction<R = unknown, E extends Effects = Effects> {
  audit: AuditTrail;
  guard: Bound<R>;
  effects?: E;
  otherwise?: readonly Bound<unknown>[];
}

export interface Outcome<R, E extends Effects = Effects> {
  /** Whether the guard changed or returned a row. */
  happened: boolean;
  /** The guard's rows, where it returns any. */
  rows: R[];
  /** How many rows each named effect changed: 0 where it did not run. Effects in a list are not counted. */
  changes: E extends readonly unknown[] ? Record<never, number> : { [K in keyof E]: number };
}

export interface Database {
  readonly dialect: Dialect;
  /** Reads what is true now: every commit that was answered before the request arrived is seen. */
  rows<R>(query: Bound<R>): Awaitable<R[]>;
  /** As `rows`, for the first row. */
  first<R>(query: Bound<R>): Awaitable<R | undefined>;
  /**
   * Runs a transaction and answers after it is durable. Transactions on the same row run one after another.
   * Throws `StorageUnavailable` when it can't be made durable: then none of it has happened, unless the
   * connection to a server was lost before the server could confirm the commit.
   */
  atomically<R, const E extends Effects>(transaction: Transaction<R, E>): Promise<Outcome<R, E>>;
  /** Brings the schema up to date, also for several processes at once. Returns the migrations' names. */
  migrate(): Promise<string[]>;
  close(): Promise<void>;
}

/** Runs a transaction, and reports whether its guard changed or returned a row. */
export async function happens(database: Database, transaction: Transaction): Promise<boolean> {
  return (await database.atomically(transaction)).happened;
}

/** Reports whether the database answers. */
export async function isReachable(database: Database): Promise<boolean> {
  try {
    await database.rows(selectMigration());
    return true;
  } catch {
    return false;
  }
}

const selectMigration = sql<void, { name: string }>`SELECT name FROM migrations LIMIT 1`;
