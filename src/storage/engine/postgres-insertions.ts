// A guard with the rows that are inserted if it changes one, as a single statement for PostgreSQL.

import type pg from 'pg';
import { plain, valuesOf } from './postgres-queries.ts';
import type { Bound, Sql } from './sql.ts';

// The server cuts off a statement's name after 63 characters.
const MOST_INSERTIONS = 4;

// An insertion of given values. All parts of a statement see the database as it was before, so no part may read.
const INSERTION = /^(\s*INSERT INTO \w+ \([^()]*\))\s*VALUES \(([^()]*)\)\s*$/;

// By the name of the whole. Empty if there is no such statement.
const texts = new Map<string, string>();

/**
 * Write a guard, which returns no rows, and its effects as one statement. It returns a row if the guard has changed
 * one, and then each effect has inserted one. Undefined if an effect is more than the insertion of values.
 */
export function withInsertions(
  guard: Bound<unknown>,
  effects: readonly Bound<unknown>[],
): pg.QueryConfig | undefined {
  if (effects.length > MOST_INSERTIONS) return undefined;
  const parts = [guard, ...effects];
  const name = parts.map(({ statement }) => statement.name).join('_');
  let text = texts.get(name);
  if (text === undefined) {
    text = textOf(parts.map(({ statement }) => statement));
    texts.set(name, text);
  }
  if (text === '') return undefined;
  return { ...plain(text), name, values: parts.flatMap(valuesOf) };
}

function textOf([guard, ...effects]: readonly Sql[]): string {
  let place = 0;
  const write = () => `$${++place}`;
  const parts = [`guard AS (${guard?.textWith(write)} RETURNING 1)`];
  for (const effect of effects) {
    const [, into, values] = INSERTION.exec(effect.textWith(write)) ?? [];
    if (into === undefined) return '';
    parts.push(`effect${parts.length} AS (${into} SELECT ${values} WHERE EXISTS (SELECT FROM guard))`);
  }
  return `WITH ${parts.join(', ')} SELECT 1 FROM guard LIMIT 1`;
}
