// The cache of the SQLite database: records that were read before and have not changed since.

import { type Awaitable, andThen } from '../../lib/awaitable.ts';
import type { SqliteDatabase } from '../engine/sqlite.ts';
import { type CachedRecords, cachedRecords, forget, forgetAll } from './cached-records.ts';
import { changeLogOf } from './change-log.ts';

/** How a record is found in memory, read from the database, and put into memory. */
export interface Lookup<R> {
  find(): R | undefined;
  read(): Awaitable<R>;
  keep(record: NonNullable<R>): void;
}

export interface Cache {
  readonly records: CachedRecords;
  /** Returns a record from memory if it is there and up to date. Otherwise reads it from the database. */
  readThrough<R>(lookup: Lookup<R>): Awaitable<R>;
  /** The same for a record that one of the maps keeps by a key. */
  readKept<K, R>(kept: Map<K, NonNullable<R>>, key: K, read: () => Awaitable<R>): Awaitable<R>;
}

/** Open an empty cache for `tokens` tokens of each kind. The database must be migrated before a read. */
export function openCache(database: SqliteDatabase, tokens: number): Cache {
  const records = cachedRecords(tokens);
  const log = changeLogOf(database);
  // The version of the database that everything in memory agrees with.
  let version: number | undefined;

  function readChanges(): number {
    const current = database.readVersion();
    if (current === version) return current;
    const changes = log.readChanges();
    if (changes === undefined) forgetAll(records);
    else for (const change of changes) forget(records, change);
    version = current;
    return current;
  }

  function readThrough<R>({ find, read, keep }: Lookup<R>): Awaitable<R> {
    const before = readChanges();
    const cachedRecord = find();
    if (cachedRecord !== undefined) return cachedRecord;
    return andThen(read(), (record) => {
      // A change that the cache has read meanwhile may be a change of this record.
      if (record === undefined || record === null || version !== before) return record;
      keep(record);
      return find() ?? record;
    });
  }

  return {
    records,
    readThrough,
    readKept<K, R>(kept: Map<K, NonNullable<R>>, key: K, read: () => Awaitable<R>) {
      return readThrough<R>({ find: () => kept.get(key), read, keep: (record) => kept.set(key, record) });
    },
  };
}
