// The statements of one connection: each is prepared once, and its rows become objects.

import type { DatabaseSync, SQLInputValue, SQLOutputValue, StatementSync } from 'node:sqlite';
import type { Bound, Sql } from './sql.ts';

export interface Statements {
  rows<R>(query: Bound<R>): R[];
  first<R>(query: Bound<R>): R | undefined;
  /** Runs a statement that writes. Returns how many rows it changed, and the rows that it returns, if any. */
  execute<R>(query: Bound<R>): { changes: number; rows: R[] };
}

/** A statement that is ready to run, and the names of its columns. */
interface PreparedStatement {
  run: StatementSync;
  columns: readonly string[];
}

export function statementsOf(connection: DatabaseSync): Statements {
  const statements = new Map<Sql, PreparedStatement>();

  function prepare(statement: Sql): PreparedStatement {
    let preparedStatement = statements.get(statement);
    if (preparedStatement === undefined) {
      const run = connection.prepare(statement.text('sqlite'));
      // Lists of values are faster than the objects that the driver makes.
      run.setReturnArrays(true);
      preparedStatement = { run, columns: run.columns().map(({ name }) => name) };
      statements.set(statement, preparedStatement);
    }
    return preparedStatement;
  }

  function rows<R>(query: Bound<R>): R[] {
    const { run, columns } = prepare(query.statement);
    const lists = run.all(...valuesOf(query)) as unknown as SQLOutputValue[][];
    return lists.map((list) => rowOf<R>(columns, list));
  }

  return {
    rows,
    first<R>(query: Bound<R>) {
      const { run, columns } = prepare(query.statement);
      const list = run.get(...valuesOf(query)) as unknown as SQLOutputValue[] | undefined;
      return list && rowOf<R>(columns, list);
    },
    execute<R>(query: Bound<R>) {
      if (query.statement.returnsRows) {
        const resultRows = rows(query);
        return { changes: resultRows.length, rows: resultRows };
      }
      const { changes } = prepare(query.statement).run.run(...valuesOf(query));
      return { changes: Number(changes), rows: [] };
    },
  };
}

function rowOf<R>(columns: readonly string[], list: readonly SQLOutputValue[]): R {
  const row: Record<string, SQLOutputValue | undefined> = {};
  for (let index = 0; index < columns.length; index += 1)
    row[columns[index] as string] = list[index] ?? undefined;
  return row as R;
}

function valuesOf(query: Bound<unknown>): SQLInputValue[] {
  return query.statement.parameters(query.values) as SQLInputValue[];
}
