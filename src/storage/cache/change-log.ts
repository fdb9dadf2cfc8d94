// Reads what has changed in the embedded database. Its triggers write the key of each changed row into the table
// `changes`, whichever process makes the change, so no statement can forget to.

import { sql } from '../engine/sql.ts';
import type { SqliteDatabase } from '../engine/sqlite.ts';

/** A change of a row, by the kind of record that is made from it. The kind `all` stands for any number of rows. */
export interface Change {
  kind: string;
  key: string | number | null;
}

export interface ChangeLog {
  /** Reads the changes since the last call. Undefined if the table no longer has all of them, or at the first call. */
  readChanges(): readonly Change[] | undefined;
}

export function changeLogOf(database: SqliteDatabase): ChangeLog {
  let newest: number | undefined;

  function readSince(seq: number): readonly Change[] | undefined {
    const [known, ...changes] = database.rows(selectChanges({ seq }));
    if (known?.seq !== seq) return undefined;
    newest = changes.at(-1)?.seq ?? seq;
    return changes;
  }

  return {
    readChanges() {
      const changes = newest === undefined ? undefined : readSince(newest);
      if (changes === undefined) newest = database.first(selectNewestChange())?.seq;
      return changes;
    },
  };
}

// Reads the newest known change again: if it is missing, changes after it may be missing too.
const selectChanges = sql<{ seq: number }, Change & { seq: number }>`
  SELECT seq, kind, key FROM changes WHERE seq >= :seq ORDER BY seq`;

const selectNewestChange = sql<void, { seq: number }>`SELECT seq FROM changes ORDER BY seq DESC LIMIT 1`;
