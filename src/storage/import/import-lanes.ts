// How an import runs many transactions: as fast as the database takes them, and in order where order matters.

import type { Dialect } from '../engine/sql.ts';

// Fewer than the 10 connections of the default pool. With a smaller pool, lanes wait for a free connection.
const LANES = 6;

/**
 * Run every record, and return the results in the records' order. SQLite runs the records in order, in one
 * commit. PostgreSQL runs them in parallel, except that records with the same `orderKey` keep their order.
 */
export async function inLanes<T, R>(
  dialect: Dialect,
  records: readonly T[],
  orderKey: (record: T) => unknown,
  run: (record: T) => Promise<R>,
): Promise<R[]> {
  if (dialect === 'sqlite') return Promise.all(records.map(run));
  const results: R[] = [];
  const queues = Map.groupBy(records.entries(), ([, record]) => orderKey(record)).values();
  const runQueues = async () => {
    for (const queue of queues) {
      for (const [index, record] of queue) results[index] = await run(record);
    }
  };
  await Promise.all(Array.from({ length: LANES }, runQueues));
  return results;
}
