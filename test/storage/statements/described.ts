// How the two databases describe a statement when they prepare it, without running it.

import type { DatabaseSync } from 'node:sqlite';
import type pg from 'pg';
import type { Sql } from '../../../src/storage/engine/sql.ts';

/** The type that a value has in the program. */
export type Kind = 'number' | 'string' | 'Uint8Array';

export interface Column {
  name: string;
  /** Undefined where the database doesn't say. */
  kind: Kind | undefined;
  /** The table column that the value comes from; undefined for expressions, which may or may not be null. */
  origin: { table: string; isRequired: boolean } | undefined;
}

export interface Description {
  columns: readonly Column[];
  /** The kinds of the values, in the order of their places; undefined where the database doesn't say. */
  values: readonly (Kind | undefined)[];
}

/** Describe a statement as SQLite prepares it. */
export function describeOnSqlite(database: DatabaseSync, sql: Sql): Description {
  const columns = database.prepare(sql.text('sqlite')).columns();
  return {
    columns: columns.map(({ name, type, table, column }) => ({
      name,
      kind: kindOfDeclared(type),
      origin: originOnSqlite(database, sql, name, table, column),
    })),
    values: sql.names.map(() => undefined),
  };
}

function originOnSqlite(
  database: DatabaseSync,
  sql: Sql,
  name: string,
  table: string | null,
  column: string | null,
): Column['origin'] {
  // SQLite names an origin also for a subquery in the SELECT list, which is null without a row, and for the
  // first part of a UNION.
  const isPlain = !new RegExp(`\\)\\s+AS ${name}\\b|\\bUNION\\b`).test(sql.source);
  if (table === null || column === null || !isPlain) return undefined;
  const [info] = database
    .prepare('SELECT "notnull" OR pk > 0 AS is_required FROM pragma_table_info(?) WHERE name = ?')
    .all(table, column);
  return info && { table, isRequired: info.is_required === 1 };
}

function kindOfDeclared(type: string | null): Kind | undefined {
  if (type === null) return undefined;
  const kinds: Record<string, Kind> = {
    text: 'string',
    integer: 'number',
    bigint: 'number',
    blob: 'Uint8Array',
  };
  return kinds[type.toLowerCase()];
}

/** The meaning of PostgreSQL's numbers for columns and types. */
export interface Catalog {
  /** By table number and column number, as in `16385.2`. */
  columns: ReadonlyMap<string, { table: string; isRequired: boolean }>;
  types: ReadonlyMap<number, string>;
}

export async function readCatalog(client: pg.Client): Promise<Catalog> {
  const columns = await client.query(`
    SELECT attrelid || '.' || attnum AS key, relname AS table, attnotnull AS "isRequired"
    FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid
    WHERE attnum > 0`);
  const types = await client.query('SELECT oid, typname FROM pg_type');
  return {
    columns: new Map(columns.rows.map(({ key, table, isRequired }) => [key, { table, isRequired }])),
    types: new Map(types.rows.map(({ oid, typname }) => [oid, typname])),
  };
}

/** Describe a statement as PostgreSQL prepares it. */
export async function describeOnPostgres(
  client: pg.Client,
  catalog: Catalog,
  sql: Sql,
): Promise<Description> {
  const { promise, resolve, reject } = Promise.withResolvers<Described>();
  client.query(new DescribeStatement(sql.text('postgres'), resolve, reject));
  const { fields, parameters } = await promise;
  return {
    columns: fields.map(({ name, dataTypeID, tableID, columnID }) => ({
      name,
      kind: kindOfColumn(catalog.types.get(dataTypeID)),
      origin: catalog.columns.get(`${tableID}.${columnID}`),
    })),
    values: parameters.map((type) => kindOfValue(catalog.types.get(type))),
  };
}

const KINDS: Readonly<Record<string, Kind>> = {
  int4: 'number',
  int8: 'number',
  float8: 'number',
  text: 'string',
  bytea: 'Uint8Array',
};

// `pg` returns a `numeric`, such as the sum of a bigint, as text, and a `boolean` as true or false. SQLite
// returns numbers for both, so such a column needs a cast.
function kindOfColumn(type: string | undefined): Kind {
  const kind = KINDS[type ?? ''];
  if (kind === undefined) throw new Error(`A column of type ${type} is not the same on both databases.`);
  return kind;
}

// PostgreSQL reads values of all other types, such as `tsquery`, from text.
function kindOfValue(type: string | undefined): Kind {
  return KINDS[type ?? ''] ?? 'string';
}

interface Described {
  fields: readonly pg.FieldDef[];
  parameters: readonly number[];
}

/** A query of the extended protocol that ends before the statement would run. */
class DescribeStatement implements pg.Submittable {
  private readonly text: string;
  private readonly resolve: (described: Described) => void;
  private readonly reject: (error: Error) => void;
  private fields: readonly pg.FieldDef[] = [];
  private parameters: readonly number[] = [];

  constructor(text: string, resolve: (described: Described) => void, reject: (error: Error) => void) {
    this.text = text;
    this.resolve = resolve;
    this.reject = reject;
  }

  submit(connection: pg.Connection): void {
    connection.once('parameterDescription', ({ dataTypeIDs }: { dataTypeIDs: number[] }) => {
      this.parameters = dataTypeIDs;
    });
    connection.parse({ name: '', text: this.text, types: [] }, true);
    connection.describe({ type: 'S', name: '' }, true);
    connection.sync();
  }

  handleRowDescription({ fields }: { fields: readonly pg.FieldDef[] }): void {
    this.fields = fields;
  }

  handleReadyForQuery(): void {
    this.resolve({ fields: this.fields, parameters: this.parameters });
  }

  handleError(error: Error): void {
    this.reject(error);
  }
}
