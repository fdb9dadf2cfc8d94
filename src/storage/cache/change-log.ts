// The log of changes in the SQLite database, which `cache.ts` reads before it trusts a record. Triggers write
// the key of each changed row into the table `changes`, whichever process changes the row.

import { sql } from '../engine/sql.ts';
import type { SqliteDatabase } from '../engine/sqlite.ts';

/**
 * A changed row: its key, and the kind of record that is made from it. `all`: any record may have changed.
 */
export interface Change {
  kind: string;
  key: string | number | undefined;
}

export interface ChangeLog {
  /** Reads the changes since the last call. Undefined if they are unknown: any record may have changed. */
  readChanges(): readonly Change[] | undefined;
}

export function changeLogOf(database: SqliteDatabase): ChangeLog {
  let newest: number | undefined;

  function readSince(seq: number): readonly Change[] | undefined {
    const [lastKnown, ...changes] = database.rows(selectChanges.sqlite({ seq }));
    if (lastKnown?.seq !== seq) return undefined;
    newest = changes.at(-1)?.seq ?? seq;
    return changes;
  }

  return {
    readChanges() {
      const changes = newest === undefined ? undefined : readSince(newest);
      if (changes === undefined) newest = database.first(selectNewestChange.sqlite())?.seq;
      return changes;
    },
  };
}

// Reads the newest known change again. If it was deleted as too old, later changes may have been, too.
const selectChanges = {
  sqlite: sql<{ seq: number }, Change & { seq: number }>`
    SELECT seq, kind, key FROM changes WHERE seq >= :seq ORDER BY seq`,
};

const selectNewestChange = {
  sqlite: sql<void, { seq: number }>`SELECT seq FROM changes ORDER BY seq DESC LIMIT 1`,
};
