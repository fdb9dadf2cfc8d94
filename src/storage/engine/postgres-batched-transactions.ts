// Transactions that wait together share a commit: those of one turn of the event loop that change one row under a
// condition, and insert given values if it was true, become one statement for all their values.

import pg from 'pg';
import { arraysOf, manyValues, partsOf, turns, typesOf } from './postgres-batches.ts';
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

// The condition of a guard begins at its first WHERE. No part of it before that may read.
const UPDATE = /^(\s*UPDATE (?:(?!\bSELECT\b|\bFROM\b|\bWHERE\b).)*)\b(WHERE\b.*)$/is;

// An insertion of given values. All parts of a statement see the database as it was before, so no part may read.
const INSERTION = /^(\s*INSERT INTO \w+ \([^()]*\))\s*VALUES \(([^()]*)\)\s*$/;

/**
 * Make the function that runs a guard with its insertions. It returns true once both are committed, and false if they
 * were not and must be run by themselves: the guard changed nothing, another one changed the same row before it, or the
 * server refused the statement. It returns undefined if they can't share a statement. Otherwise it throws.
 */
export function batchedTransactions(pool: pg.Pool) {
  const atEndOfTurn = turns<{ name: string; changes: Change[] }>((groups) => {
    for (const { name, changes } of groups) {
      for (const part of partsOf(changes, MOST_CHANGES)) void send(name, part);
    }
  });

  async function send(name: string, changes: readonly Change[]): Promise<void> {
    const [{ parts }] = changes as readonly [Change];
    const values = parts.flatMap((_, index) =>
      arraysOf(changes.map((change) => change.parts[index] as Part)),
    );
    try {
      const text = textsByName.get(name) ?? '';
      const { rows } = await pool.query({
        ...plain(text),
        name: shortNameOf(name),
        values: values.map(withoutNul),
      });
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
    const types = parts.map(typesOf);
    const name = parts.map(({ statement }, index) => `${statement.name}${types[index]}`).join('_');
    if (types.includes(undefined) || !isBatchable(name, parts)) return undefined;
    return new Promise((resolve, reject) => {
      atEndOfTurn(name, () => ({ name, changes: [] })).changes.push({ parts, resolve, reject });
    });
  };
}

// Empty if the parts can't share a statement.
const textsByName = new Map<string, string>();

function isBatchable(name: string, parts: readonly Part[]): boolean {
  let text = textsByName.get(name);
  if (text === undefined) {
    text = textOf(parts);
    textsByName.set(name, text);
  }
  return text !== '';
}

// The server cuts off a statement's name after 63 characters.
const shortNames = new Map<string, string>();

function shortNameOf(name: string): string {
  const short = shortNames.get(name) ?? `batched${shortNames.size}`;
  shortNames.set(name, short);
  return short;
}

function textOf(parts: readonly Part[]): string {
  const { arrays, columns, places } = manyValues(parts.map(typesOf).join(''));
  let index = 0;
  const textWithPlaces = (statement: Sql) => statement.textWith(() => places[index++] ?? '');
  const [guard, ...effects] = parts.map(({ statement }) => textWithPlaces(statement));
  const [, change, condition] = UPDATE.exec(guard ?? '') ?? [];
  if (change === undefined) return '';
  const names = [...columns, 'place'].join(', ');
  const texts = [
    `batch AS (SELECT * FROM unnest(${arrays.join(', ')}) WITH ORDINALITY AS batch(${names}))`,
    `guard AS (${change} FROM batch ${condition} RETURNING batch.place)`,
  ];
  for (const [number, effect] of effects.entries()) {
    const [, into, values] = INSERTION.exec(effect) ?? [];
    if (into === undefined) return '';
    texts.push(`effect${number} AS (${into} SELECT ${values} FROM batch JOIN guard USING (place))`);
  }
  return `WITH ${texts.join(', ')} SELECT place FROM guard`;
}
