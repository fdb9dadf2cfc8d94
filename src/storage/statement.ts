// A statement is SQL text that is built and compiled once, and bound to values at each use.

import {
  type Compilable,
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';
import type { Schema } from './schema.ts';

export type Dialect = 'sqlite' | 'postgres';

/** Stands in a query for a value that is bound later. Typed as that value, so that columns stay checked. */
export type Param<P> = <K extends keyof P & string>(name: K) => P[K];

/** SQL text for one dialect, with the values' places: a name to bind, or a constant. */
interface Compiled {
  sql: string;
  places: readonly (Placeholder | unknown)[];
}

/** What the database runs. `R` is the row that comes back. */
export interface Bound<R> {
  statement: Statement;
  values: Record<string, unknown>;
  readonly rowType?: R;
}

/** The compiled forms of one query; `name` is stable for the process and names it at the server. */
export class Statement {
  private static count = 0;
  readonly name = `s${Statement.count++}`;
  readonly returnsRows: boolean;
  private readonly compiled: Record<Dialect, Compiled | undefined> = {
    sqlite: undefined,
    postgres: undefined,
  };
  private readonly build: (sql: Kysely<Schema>) => Compilable<unknown>;

  constructor(build: (sql: Kysely<Schema>) => Compilable<unknown>) {
    this.build = build;
    this.returnsRows = /^\s*(select|with)\b|\breturning\b/i.test(this.text('sqlite'));
  }

  text(dialect: Dialect): string {
    return this.compile(dialect).sql;
  }

  parameters(dialect: Dialect, values: Record<string, unknown>): unknown[] {
    return this.compile(dialect).places.map((place) =>
      place instanceof Placeholder ? values[place.name] : place,
    );
  }

  private compile(dialect: Dialect): Compiled {
    const known = this.compiled[dialect];
    if (known !== undefined) return known;
    const query = this.build(compilers[dialect]).compile();
    const compiled = { sql: query.sql, places: query.parameters };
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

class Placeholder {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
}

const compilers: Record<Dialect, Kysely<Schema>> = {
  sqlite: new Kysely({
    dialect: {
      createAdapter: () => new SqliteAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (db) => new SqliteIntrospector(db),
      createQueryCompiler: () => new SqliteQueryCompiler(),
    },
  }),
  postgres: new Kysely({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (db) => new PostgresIntrospector(db),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  }),
};
