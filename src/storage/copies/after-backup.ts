// What a backup can't know of the time after it, and a restore must not undo.

import { DatabaseSync } from 'node:sqlite';

// More members than any community gains between a backup and its restore.
const SKIPPED_IDS = 1_000_000;

/**
 * Make the ids of new members begin beyond all that were assigned after the backup. Applications know members by their
 * ids (`sub`), so another member with the same id would get into the accounts of the first.
 */
export function skipMemberIds(restored: string, replaced: string | undefined): void {
  const known = replaced === undefined ? 0 : (read(replaced, lastMemberId) ?? 0);
  const connection = new DatabaseSync(restored);
  try {
    const next = Math.max(lastMemberId(connection), known) + SKIPPED_IDS;
    // The table has no unique key. Its row is missing as long as there is no member.
    connection.exec("DELETE FROM sqlite_sequence WHERE name = 'users'");
    connection.prepare("INSERT INTO sqlite_sequence (name, seq) VALUES ('users', ?)").run(next);
  } finally {
    connection.close();
  }
}

/**
 * Report whether signing keys were replaced after a leak, according to the replaced database, that are valid again
 * according to the restored one. Undefined if the replaced one can't be read.
 */
export function hasCompromisedKeys(restored: string, replaced: string): boolean | undefined {
  const known = read(replaced, compromisedKeys);
  const kept = read(restored, compromisedKeys);
  return known && kept && known.some((kid) => !kept.includes(kid));
}

function lastMemberId(connection: DatabaseSync): number {
  return Number(connection.prepare("SELECT seq FROM sqlite_sequence WHERE name = 'users'").get()?.seq ?? 0);
}

function compromisedKeys(connection: DatabaseSync): string[] {
  const select = "SELECT subject_id AS kid FROM audit_events WHERE action = 'keys.replace_compromised'";
  return connection
    .prepare(select)
    .all()
    .map(({ kid }) => String(kid));
}

// A database that is too damaged to read can be replaced all the same.
function read<T>(path: string, work: (connection: DatabaseSync) => T): T | undefined {
  let connection: DatabaseSync | undefined;
  try {
    connection = new DatabaseSync(path, { readOnly: true });
    return work(connection);
  } catch {
    return undefined;
  } finally {
    connection?.close();
  }
}
