// What the stores stand on: reads, and transactions that are data. Two implementations keep the same promises.

import type { Awaitable } from '../../lib/awaitable.ts';
import { type Bound, type Dialect, sql } from './sql.ts';

export { StorageUnavailable } from '../../lib/storage-unavailable.ts';

/** Statements of a transaction. Those whose number of changed rows is asked for have names. */
export type Effects =
  | readonly Bound<unknown>[]
  | Readonly<Record<string, Bound<unknown> | readonly Bound<unknown>[]>>;

/** What a transaction leaves in the audit log: written with the effects. `storage/audit/audit-trail.ts` makes them. */
export interface AuditTrail {
  readonly entries: readonly Bound<unknown>[];
}

/**
 * A whole transaction, given at once so that nothing can slip into an open one. The guard is one statement whose
 * WHERE holds the condition: if it changes a row (or returns one), the effects run, otherwise `otherwise` runs,
 * all in the same transaction.
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
  /** How many rows each named effect changed: 0 where it did not run. */
  changes: E extends readonly unknown[] ? number[] : { [K in keyof E]: number };
}

export interface Database {
  readonly dialect: Dialect;
  /** Reads what is true now: every commit that was answered before the request arrived is seen. */
  rows<R>(query: Bound<R>): Awaitable<R[]>;
  /** As `rows`, for the first row. */
  first<R>(query: Bound<R>): Awaitable<R | undefined>;
  /**
   * Runs a transaction and answers after it is durable. Transactions on the same row run one after another.
   * Throws `StorageUnavailable` when that is not certain: then nothing of it has happened, unless a server was lost
   * before it could confirm the commit.
   */
  atomically<R, const E extends Effects>(transaction: Transaction<R, E>): Promise<Outcome<R, E>>;
  /** Brings the schema up to date. Safe when several processes do it at once. Returns the names applied. */
  migrate(): Promise<string[]>;
  close(): Promise<void>;
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
