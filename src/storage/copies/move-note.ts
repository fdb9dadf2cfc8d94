// A note in the PostgreSQL database that a copy into it is unfinished, or finished and not used yet. It keeps
// servers out of an unfinished copy, and protects a copy in use from being overwritten.

import type { ClientBase } from 'pg';

export interface MoveNote {
  /** Identifies the community that was copied. */
  community: string;
  finished: boolean;
  /** Statements that recreate the constraints and indexes that were dropped for the copy. */
  postponed: string[];
}

/** Read the note. Undefined if there is none. */
export async function noteIn(client: ClientBase): Promise<MoveNote | undefined> {
  const table = await client.query("SELECT to_regclass('database_move') AS found");
  if (table.rows[0]?.found === null) return undefined;
  const { rows } = await client.query('SELECT community, finished, postponed FROM database_move');
  return rows[0];
}

/** Note that a copy of this community starts or continues. Keeps the postponed statements. */
export async function noteBegin(client: ClientBase, community: string): Promise<void> {
  await client.query(
    `CREATE TABLE IF NOT EXISTS database_move (
       id integer PRIMARY KEY DEFAULT 1 CHECK (id = 1),
       community text NOT NULL,
       finished boolean NOT NULL,
       postponed text[] NOT NULL DEFAULT '{}'
     )`,
  );
  await client.query(
    `INSERT INTO database_move (community, finished) VALUES ($1, false)
     ON CONFLICT (id) DO UPDATE SET community = excluded.community, finished = false`,
    [community],
  );
}

export async function notePostponed(client: ClientBase, statements: readonly string[]): Promise<void> {
  await client.query('UPDATE database_move SET postponed = postponed || $1::text[]', [statements]);
}

export async function noteEnd(client: ClientBase): Promise<void> {
  await client.query("UPDATE database_move SET finished = true, postponed = '{}'");
}

/** Remove the note of a finished copy before the database is used. Throws for an unfinished copy. */
export async function useCopy(client: ClientBase): Promise<void> {
  const note = await noteIn(client);
  if (note === undefined) return;
  if (!note.finished) {
    throw new Error('The copy into this PostgreSQL database is unfinished: run migrate-database again.');
  }
  await client.query('DROP TABLE database_move');
}
