// The note in a PostgreSQL database that a community is being copied into it, or was copied and has not been used yet.
// It tells an unfinished copy from a whole one, and a copy that may be made again from a database in use.

import type { ClientBase } from 'pg';

export interface MoveNote {
  /** What tells the copied community from others. */
  community: string;
  finished: boolean;
  /** Statements that make the constraints and indices again that were dropped for the time of the copying. */
  postponed: string[];
}

/** The note, undefined if there is none. */
export async function noteIn(client: ClientBase): Promise<MoveNote | undefined> {
  const table = await client.query("SELECT to_regclass('database_move') AS found");
  if (table.rows[0]?.found === null) return undefined;
  const { rows } = await client.query('SELECT community, finished, postponed FROM database_move');
  return rows[0];
}

/** Notes that a copy of this community has begun or begins again. What is postponed stays so. */
export async function noteBegin(client: ClientBase, community: string): Promise<void> {
  // One row: there is one copy.
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

/** To be called before a database is used: from then on a finished copy is one no more. Throws for an unfinished one. */
export async function useCopy(client: ClientBase): Promise<void> {
  const note = await noteIn(client);
  if (note === undefined) return;
  if (!note.finished) {
    throw new Error('A copy into this PostgreSQL database is unfinished: run migrate-database again.');
  }
  await client.query('DROP TABLE database_move');
}
