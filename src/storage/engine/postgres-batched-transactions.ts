// Transactions that wait together share a commit: those of one turn of the event loop that change one row under a
// condition, and insert given values if it was true, become one statement for all their values.

import pg from 'pg';
import { groupsOf } from '../../lib/groups.ts';
import { arraysOf, manyValues, turns, typesOf } from './postgres-batches.ts';
import { plain, translated, withoutNul } from './postgres-queries.ts';
import type { Bound, Sql } from './sql.ts';

type Part = Bound<unknown>;

interface Change {
  /** The guard, and the insertions that follow if it changes a row. */
  parts: readonly Part[];
  resolve(isDone: boolean): void;
  reject(reason: unknown): void;
}

// A failure makes all of them run again, one by one.
const MOST_CHANGES = 32;

// The condition of a guard begins at its first WHERE, with the key of the row. No part of it before that may read.
const UPDATE = /^(\s*UPDATE (?:(?!\bSELECT\b|\bFROM\b|\bWHERE\b).)*)\b(WHERE\b.*)$/is;

// An insertion of given values. All parts of a statement see the database as it was before, so no part may read.
const INSERTION = /^(\s*INSERT INTO \w+ \([^()]*\))\s*VALUES \(([^()]*)\)\s*$/;

/**
 * Make the function that runs a guard with its insertions. It returns true once both are committed, and false if they
 * were not and must be run by themselves: the guard changed nothing, another one changed the same row before it, or the
 * server refused the statement. It returns undefined if they can't share a statement. Otherwise it throws.
 */
export function batchedTransactions(pool: pg.Pool) {
  const atEndOfTurn = turns<{ statement: Statement; changes: Change[] }>((groups) => {
    for (const { statement, changes } of groups) {
      for (const group of groupsOf(changes, MOST_CHANGES)) void send(statement, group);
    }
  });

  async function send({ name, text }: Statement, changes: readonly Change[]): Promise<void> {
    const [{ parts }] = changes as readonly [Change];
    const values = parts.flatMap((_, index) =>
      arraysOf(changes.map((change) => change.parts[index] as Part)),
    );
    try {
      const { rows } = await pool.query({ ...plain(text), name, values: values.map(withoutNul) });
      const done = new Set(rows.map(({ place }) => place));
      for (const [index, change] of changes.entries()) change.resolve(done.has(index + 1));
    } catch (error) {
      const isRefusal = translated(error) instanceof pg.DatabaseError;
      for (const change of changes) {
        if (isRefusal) change.resolve(false);
        else change.reject(error);
      }
    }
  }

  return (guard: Part, effects: readonly Part[]): Promise<boolean> | undefined => {
    const parts = [guard, ...effects];
    const statement = statementFor(parts);
    if (statement === undefined) return undefined;
    return new Promise((resolve, reject) => {
      atEndOfTurn(statement.name, () => ({ statement, changes: [] })).changes.push({
        parts,
        resolve,
        reject,
      });
    });
  };
}

interface Statement {
  name: string;
  text: string;
}

// By the names of the parts and the types of their values. Undefined if the parts can't share a statement.
const statements = new Map<string, Statement | undefined>();

function statementFor(parts: readonly Part[]): Statement | undefined {
  const types = parts.map(typesOf);
  if (types.includes(undefined)) return undefined;
  const key = parts.map(({ statement }, index) => `${statement.name}${types[index]}`).join('_');
  if (!statements.has(key)) {
    const text = textOf(parts, types.join(''));
    // The server cuts off a name after 63 characters, and the key is longer.
    statements.set(key, text === undefined ? undefined : { name: `batched${statements.size}`, text });
  }
  return statements.get(key);
}

function textOf(parts: readonly Part[], types: string): string | undefined {
  const { batch, places } = manyValues(types);
  let index = 0;
  const textWithPlaces = (statement: Sql) => statement.textWith(() => places[index++] ?? '');
  const [guard, ...effects] = parts.map(({ statement }) => textWithPlaces(statement));
  const [, change, condition = ''] = UPDATE.exec(guard ?? '') ?? [];
  const [key] = /\bbatch\.\w+/.exec(condition) ?? [];
  if (change === undefined || key === undefined) return undefined;
  const texts = [
    // The rows are locked in the order of their keys, so two such statements never wait for each other.
    `batch AS (SELECT * FROM ${batch} ORDER BY ${key})`,
    `guard AS (${change} FROM batch ${condition} RETURNING batch.place)`,
  ];
  for (const [number, effect] of effects.entries()) {
    const [, into, values] = INSERTION.exec(effect) ?? [];
    if (into === undefined) return undefined;
    texts.push(`effect${number} AS (${into} SELECT ${values} FROM batch JOIN guard USING (place))`);
  }
  return `WITH ${texts.join(', ')} SELECT place FROM guard`;
}
