// Reads from the SQLite database: synchronous, and up to date at the moment of the call.

import type { DatabaseSync } from 'node:sqlite';
import { StorageUnavailable } from './database.ts';
import type { Bound } from './sql.ts';
import { isUnavailable } from './sqlite-connection.ts';
import type { Snapshot } from './sqlite-snapshot.ts';
import type { Statements } from './sqlite-statements.ts';

export interface Reader {
  rows<R>(query: Bound<R>): R[];
  first<R>(query: Bound<R>): R | undefined;
  /** Reads the version of the database, a number that changes with every commit by any process. */
  readVersion(): number;
}

export function readerOf(connection: DatabaseSync, statements: Statements, snapshot: Snapshot): Reader {
  function translated(error: unknown): unknown {
    return !connection.isOpen || isUnavailable(error) ? new StorageUnavailable(error) : error;
  }

  function readVersion(): number {
    try {
      return snapshot.take();
    } catch (error) {
      throw translated(error);
    }
  }

  function read<T>(look: () => T): T {
    readVersion();
    try {
      return look();
    } catch (error) {
      throw translated(error);
    }
  }

  return {
    rows: (query) => read(() => statements.rows(query)),
    first: (query) => read(() => statements.first(query)),
    readVersion,
  };
}
