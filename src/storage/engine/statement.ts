// A statement is SQL text that is built and compiled once, and bound to values at each use.

import {
  type Compilable,
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type RawBuilder,
  sql as rawSql,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';
import type { Schema } from './schema.ts';

import type { Bound, Dialect, StatementText } from './sql.ts';

export type { Bound, Dialect } from './sql.ts';

/** Stands in a query for a value that is bound later. Typed as that value, so that columns stay checked. */
export type Param<P> = <K extends keyof P & string>(name: K) => P[K];

/** SQL text for one dialect, with the names of the values to bind, in the order of their places. */
interface Compiled {
  sql: string;
  names: readonly string[];
}

/** The compiled forms of one query; `name` is stable for the process and names it at the server. */
export class Statement implements StatementText {
  private static count = 0;
  readonly name = `s${Statement.count++}`;
  private readonly compiled: Record<Dialect, Compiled | undefined> = {
    sqlite: undefined,
    postgres: undefined,
  };
  private isReading: boolean | undefined;
  private readonly build: (sql: Kysely<Schema>) => Compilable<unknown>;

  constructor(build: (sql: Kysely<Schema>) => Compilable<unknown>) {
    this.build = build;
  }

  get returnsRows(): boolean {
    this.isReading ??= /^\s*(select|with)\b|\breturning\b/i.test(this.text('sqlite'));
    return this.isReading;
  }

  text(dialect: Dialect): string {
    return this.compile(dialect).sql;
  }

  parameters(dialect: Dialect, values: Readonly<Record<string, unknown>>): unknown[] {
    return this.compile(dialect).names.map((name) => values[name]);
  }

  private compile(dialect: Dialect): Compiled {
    const known = this.compiled[dialect];
    if (known !== undefined) return known;
    const query = this.build(compilers[dialect]).compile();
    const compiled = { sql: query.sql, names: (query.parameters as Placeholder[]).map(({ name }) => name) };
    this.compiled[dialect] = compiled;
    return compiled;
  }
}

/**
 * Makes a statement from a query built with Kysely. Values are named with `p('name')` and given later:
 *
 *     const findUser = statement((sql, p: Param<{ id: number }>) =>
 *       sql.selectFrom('users').selectAll().where('id', '=', p('id')));
 *     await database.first(findUser({ id: 7 }));
 */
export function statement<P, R>(
  build: (sql: Kysely<Schema>, p: Param<P>) => Compilable<R>,
): (values: P) => Bound<R> {
  const placeholder = ((name: string) => new Placeholder(name)) as unknown as Param<P>;
  const made = new Statement((sql) => build(sql, placeholder));
  return (values) => ({ statement: made, values: values as Record<string, unknown> });
}

/**
 * A bound number of rows, for LIMIT and OFFSET. Bare, SQLite would look at it for its plan, and make the plan anew at
 * each use: ten times the work of reading a few rows.
 */
export function rowCount(value: number): RawBuilder<number> {
  return rawSql<number>`cast(${value} as bigint)`;
}

class Placeholder {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
}

// Constants stand in the text itself: planners can't know that a bound value is the one that a partial index is for.
class SqliteCompiler extends SqliteQueryCompiler {
  protected override appendValue(value: unknown): void {
    if (value instanceof Placeholder) super.appendValue(value);
    else this.appendImmediateValue(value);
  }
}

class PostgresCompiler extends PostgresQueryCompiler {
  protected override appendValue(value: unknown): void {
    if (value instanceof Placeholder) super.appendValue(value);
    else this.appendImmediateValue(value);
  }
}

const compilers: Record<Dialect, Kysely<Schema>> = {
  sqlite: new Kysely({
    dialect: {
      createAdapter: () => new SqliteAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (db) => new SqliteIntrospector(db),
      createQueryCompiler: () => new SqliteCompiler(),
    },
  }),
  postgres: new Kysely({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (db) => new PostgresIntrospector(db),
      createQueryCompiler: () => new PostgresCompiler(),
    },
  }),
};
