// PostgreSQL as the target of a move: the checks before the copy, comparing and replacing ranges of rows, and
// the work at the end.

import pg from 'pg';
import { failureReason } from '../../lib/failure-reason.ts';
import { Refusal } from '../../lib/refusal.ts';
import { openPostgres } from '../engine/postgres.ts';
import { migrations } from '../migrations/index.ts';
import { type MoveNote, noteBegin, noteEnd, noteIn, notePostponed } from './move-note.ts';
import type { SourceTable } from './move-source.ts';
import {
  type Chunk,
  COLUMN_TYPES,
  type Column,
  digestInSql,
  keyInSql,
  type MovedTable,
  quoted,
} from './moved-rows.ts';

// An arbitrary number, always the same, so that only one move at a time uses a database.
const MOVE_LOCK = 7_067_842_602;
const SETTINGS =
  "SET statement_timeout = 0; SET idle_in_transaction_session_timeout = 0; SET lock_timeout = '30s'";
const LOCK_NOT_AVAILABLE = '55P03';

/** Connect, and lock the database against other moves. Throws `Refusal`. */
export async function connect(url: string): Promise<pg.Client> {
  let client: pg.Client | undefined;
  try {
    client = new pg.Client({
      connectionString: url,
      connectionTimeoutMillis: 10_000,
      application_name: 'portico migrate-database',
    });
    // After a broken connection the next query fails and reports the error.
    client.on('error', () => {});
    await client.connect();
    await client.query(SETTINGS);
    await client.query('SELECT pg_advisory_lock($1)', [MOVE_LOCK]);
  } catch (error) {
    await client?.end().catch(() => {});
    if ((error as { code?: string }).code === LOCK_NOT_AVAILABLE) {
      throw new Refusal('move_under_way', 'Another migrate-database is using this PostgreSQL database.');
    }
    throw new Refusal(
      'target_unavailable',
      `The PostgreSQL database is not available: ${failureReason(error)}.`,
    );
  }
  const encoding = (await client.query('SHOW server_encoding')).rows[0]?.server_encoding;
  if (encoding === 'UTF8') return client;
  await client.end();
  throw unusable(`The PostgreSQL database has the encoding ${encoding}; create one with UTF8.`);
}

/** Update the schema and note that a copy starts. Throws `Refusal` for a database with other data. */
export async function prepare(
  client: pg.Client,
  url: string,
  community: string,
  force: boolean,
): Promise<void> {
  const note = await noteIn(client);
  if (note !== undefined && note.community !== community && !force) {
    throw inUse('The PostgreSQL database has a copy of another community.');
  }
  if (note === undefined || note.finished) await migrate(url);
  else await checkMigrations(client);
  if (note === undefined && !force && (await hasCommunity(client))) {
    throw inUse('The PostgreSQL database already has a community.');
  }
  await noteBegin(client, community);
}

function inUse(reason: string): Refusal {
  return new Refusal('target_in_use', `${reason} Use --force to replace it.`);
}

async function migrate(url: string): Promise<void> {
  const database = openPostgres(url, 1);
  try {
    await database.migrate();
  } finally {
    await database.close();
  }
}

// The dropped constraints and indexes are those of the version that started the copy.
async function checkMigrations(client: pg.Client): Promise<void> {
  const { rows } = await client.query('SELECT name FROM migrations ORDER BY name');
  if (rows.map(({ name }) => name).join() === migrations.map(({ name }) => name).join()) return;
  throw unusable(
    'Another version started the unfinished copy in the PostgreSQL database. Create the database again.',
  );
}

// All other tables depend on these two, or get rows when the server first starts.
async function hasCommunity(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query(
    'SELECT EXISTS (SELECT FROM users) OR EXISTS (SELECT FROM clients) AS found',
  );
  return rows[0]?.found;
}

/** The table with the column types of PostgreSQL. Throws `Refusal` if the columns differ. */
export async function tableInTarget(client: pg.Client, source: SourceTable): Promise<MovedTable> {
  const { rows } = await client.query(
    `SELECT attname AS name, format_type(atttypid, atttypmod) AS type FROM pg_attribute
     WHERE attrelid = to_regclass($1) AND attnum > 0 AND NOT attisdropped AND attgenerated = ''`,
    [quoted(source.name)],
  );
  const types = new Map<string, Column['type']>(rows.map(({ name, type }) => [name, type]));
  const columns = source.columns.map((name) => ({ name, type: types.get(name) }));
  if (types.size !== columns.length || columns.some(({ type }) => !COLUMN_TYPES.includes(type))) {
    throw unusable(`The table ${source.name} has other columns in PostgreSQL.`);
  }
  return { name: source.name, key: source.key, columns: columns as Column[] };
}

/** The number and the digest of the target's rows in the key range of a chunk. */
export async function compareRange(
  client: pg.Client,
  table: MovedTable,
  chunk: Chunk,
): Promise<{ count: number; digest: Buffer }> {
  const { where, values } = rangeOf(table, chunk);
  const { rows } = await client.query(
    `SELECT count(*)::float8 AS count, ${digestInSql(table)} AS digest FROM ${quoted(table.name)} ${where}`,
    values,
  );
  return rows[0];
}

// Triggers that count posts and note deleted pictures. The rows of the copy have both already.
const SILENT_TRIGGERS: Readonly<Record<string, readonly string[]>> = {
  pictures: ['note_leftover_files'],
  posts: ['count_new_posts', 'uncount_deleted_posts'],
};

/** Replace the target's rows in the key range of a chunk. */
export async function replace(client: pg.Client, table: MovedTable, chunk: Chunk): Promise<void> {
  const { where, values } = rangeOf(table, chunk);
  const arrays = table.columns.map(({ type }, index) =>
    chunk.rows.map((row) => (type === 'bytea' && row[index] !== null ? `\\x${row[index]}` : row[index])),
  );
  const names = table.columns.map(({ name }) => quoted(name)).join(', ');
  const sources = table.columns.map(({ type }, index) => `$${index + 1}::${type}[]`).join(', ');
  await atomically(client, async () => {
    const triggers = SILENT_TRIGGERS[table.name] ?? [];
    const switchAll = async (how: 'ENABLE' | 'DISABLE') => {
      for (const name of triggers)
        await client.query(`ALTER TABLE ${quoted(table.name)} ${how} TRIGGER ${name}`);
    };
    await switchAll('DISABLE');
    await client.query(`DELETE FROM ${quoted(table.name)} ${where}`, values);
    if (chunk.rows.length > 0) {
      await client.query(
        `INSERT INTO ${quoted(table.name)} (${names}) SELECT * FROM unnest(${sources})`,
        arrays,
      );
    }
    await switchAll('ENABLE');
  });
}

function rangeOf(table: MovedTable, { after, upTo }: Chunk): { where: string; values: unknown[] } {
  const key = `(${keyInSql(table).join(', ')})`;
  const values: unknown[] = [];
  const conditions = [['>', after] as const, ['<=', upTo] as const].flatMap(([comparison, bound]) => {
    if (bound === undefined) return [];
    const places = bound.map((text, index) => {
      values.push(text);
      return `$${values.length}::${table.columns[table.key[index] ?? 0]?.type}`;
    });
    return [`${key} ${comparison} (${places.join(', ')})`];
  });
  return { where: conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`, values };
}

/**
 * Drop the foreign keys, unique constraints and indexes until `finish`, so that rows can be copied in any
 * order and each index is built once. The same transaction notes how to create them again.
 */
export async function dropConstraints(client: pg.Client, tables: readonly MovedTable[]): Promise<void> {
  await atomically(client, async () => {
    const { rows } = await client.query(CONSTRAINTS, [tables.map(({ name }) => quoted(name))]);
    // Drop in the opposite order of creation.
    for (const { drop } of rows.toReversed()) await client.query(drop);
    const statements: string[] = rows.map(({ make }) => make);
    await notePostponed(client, statements);
  });
}

// Foreign keys are created last, since they need the unique indexes of other tables.
const CONSTRAINTS = `
  WITH moved AS (SELECT to_regclass(name)::oid AS relid FROM unnest($1::text[]) AS name)
  SELECT contype = 'f' AS last,
    format('ALTER TABLE %s ADD CONSTRAINT %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) AS make,
    format('ALTER TABLE %s DROP CONSTRAINT %I', conrelid::regclass, conname) AS drop
  FROM pg_constraint JOIN moved ON conrelid = relid WHERE contype IN ('f', 'u')
  UNION ALL
  SELECT false, pg_get_indexdef(indexrelid), format('DROP INDEX %s', indexrelid::regclass)
  FROM pg_index JOIN moved ON indrelid = relid
  WHERE NOT indisprimary AND NOT EXISTS (SELECT FROM pg_constraint WHERE conindid = indexrelid)
  ORDER BY last`;

/** Recreate constraints and indexes, continue ids after the last one, and note that the copy is finished. */
export async function finish(client: pg.Client, tables: readonly SourceTable[]): Promise<void> {
  for (const { name, lastId } of tables) await continueIds(client, name, lastId);
  await atomically(client, async () => {
    const { postponed } = (await noteIn(client)) as MoveNote;
    for (const statement of postponed) await client.query(statement);
    await noteEnd(client);
  });
  // Otherwise PostgreSQL would plan the first queries as for empty tables.
  for (const { name } of tables) await client.query(`VACUUM (ANALYZE) ${quoted(name)}`);
}

async function continueIds(client: pg.Client, table: string, lastId: number | undefined): Promise<void> {
  const { rows } = await client.query(
    "SELECT attname AS name FROM pg_attribute WHERE attrelid = to_regclass($1) AND attidentity <> ''",
    [quoted(table)],
  );
  for (const { name } of rows) {
    await client.query(
      `SELECT setval(sequence, number) FROM (
         SELECT sequence, greatest($1::bigint, pg_sequence_last_value(sequence),
           (SELECT max(${quoted(name)}) FROM ${quoted(table)})) AS number
         FROM (SELECT pg_get_serial_sequence($2, $3)::regclass AS sequence) AS its
       ) AS next WHERE number >= 1`,
      [lastId ?? null, quoted(table), name],
    );
  }
}

async function atomically(client: pg.Client, work: () => Promise<void>): Promise<void> {
  await client.query('BEGIN');
  try {
    await work();
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK').catch(() => {});
    throw error;
  }
}

function unusable(reason: string): Refusal {
  return new Refusal('target_unusable', reason);
}

/** The message of the server or the driver, which has no password. A refused connection has only a code. */
export function messageOf(error: unknown): string {
  const { message, code, detail, cause } = error as Error & { code?: string; detail?: string };
  if (cause instanceof Error) return messageOf(cause);
  const text = (message || code || 'it does not answer').split('\n')[0] ?? '';
  return detail === undefined ? text : `${text} (${detail.replace(/\.$/, '')})`;
}
