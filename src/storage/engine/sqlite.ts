// The SQLite database: one file, synchronous reads, and one writer.

import type { DatabaseSync } from 'node:sqlite';
import type { Database } from './database.ts';
import { checkpointsOf } from './sqlite-checkpoints.ts';
import { isMigrated, migrate, openConnection } from './sqlite-connection.ts';
import { type Reader, readerOf } from './sqlite-reader.ts';
import { snapshotOf } from './sqlite-snapshot.ts';
import { statementsOf } from './sqlite-statements.ts';
import { writerOf } from './sqlite-writer.ts';

export interface SqliteDatabase extends Database, Reader {
  readonly dialect: 'sqlite';
  rows: Reader['rows'];
  first: Reader['first'];
}

/** Open the database file, creating it and its folder. `:memory:` opens one that is lost when closed. */
export function openSqlite(path: string): SqliteDatabase {
  return sqliteOn(openConnection(path));
}

/** Make the database of an open connection, and close it with the database. */
export function sqliteOn(connection: DatabaseSync): SqliteDatabase {
  const statements = statementsOf(connection);
  const snapshot = snapshotOf(connection);
  const reader = readerOf(connection, statements, snapshot);
  const checkpoints = checkpointsOf(connection);
  const writer = writerOf(connection, statements, snapshot, checkpoints);
  return {
    dialect: 'sqlite',
    rows: reader.rows,
    rowsWithin: (_, query) => reader.rows(query),
    first: reader.first,
    readVersion: reader.readVersion,
    atomically: writer.atomically,
    isMigrated: async () => isMigrated(connection),
    async migrate() {
      snapshot.drop();
      const names = migrate(connection);
      snapshot.noteCommit();
      return names;
    },
    async close() {
      await writer.finish();
      await checkpoints.end();
      snapshot.drop();
      if (connection.isOpen) connection.close();
    },
  };
}
