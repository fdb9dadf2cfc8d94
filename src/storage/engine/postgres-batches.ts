// What waits together travels together: the reads of a statement in one turn of the event loop become one statement for
// all their values, which takes one round trip. `postgres-batched-transactions.ts` does the same for transactions.

import { groupsOf } from '../../lib/groups.ts';
import { codeOf } from './postgres-queries.ts';
import type { Bound, Sql } from './sql.ts';

type Row = Record<string, unknown>;

/** How the reads are sent. */
export interface Sending {
  /** Reads the rows of one query. */
  rows(query: Bound<unknown>): Promise<unknown[]>;
  /** Runs a text, which the server prepares under the name. */
  run(name: string, text: string, values: readonly unknown[]): Promise<Row[]>;
  /** Whether the server refused the statement, and did not lose the connection or run out of time or memory. */
  isRefusal(error: unknown): boolean;
}

/** The calls of a turn that have the same statement and the same values. */
interface Read {
  query: Bound<unknown>;
  calls: Call[];
}

interface Call {
  resolve(rows: unknown[]): void;
  reject(reason: unknown): void;
}

/** The reads of a turn that one statement can serve. */
interface Batch {
  name: string;
  /** By their values. */
  reads: Map<unknown, Read>;
}

// One read waits for the others, so there are limits. Larger batches save hardly more.
const MOST_ROWS = 32;
const MOST_LISTS = 8;

/**
 * Make the functions that read the rows of a query, and its first row. They send the reads of a turn after it, so each
 * sees every commit that was confirmed before its call. Nothing is kept from one turn to the next. Calls with the same
 * values get the same rows, which nobody may change.
 */
export function batchedReads({ rows, run, isRefusal }: Sending) {
  const atEndOfTurn = turns<Batch>(sendTurn);
  const unbatchable = new WeakSet<Sql>();

  function sendTurn(batches: Iterable<Batch>): void {
    for (const { name, reads } of batches) {
      const most = name.startsWith(LISTS) ? MOST_LISTS : MOST_ROWS;
      for (const group of groupsOf([...reads.values()], most)) {
        if (group.length === 1) sendEach(group);
        else void sendTogether(name, group);
      }
    }
  }

  async function sendTogether(name: string, reads: readonly Read[]): Promise<void> {
    const [{ query }] = reads as readonly [Read];
    try {
      const answer = await run(name, textForMany(query), arraysOf(reads.map((read) => read.query)));
      const rowsByRead = reads.map((): Row[] => []);
      for (const row of answer) {
        const index = (row[PLACE] as number) - 1;
        // The last column, which the runtime deletes without making the record slower.
        delete row[PLACE];
        rowsByRead[index]?.push(row);
      }
      for (const [index, read] of reads.entries()) resolve(read, rowsByRead[index] ?? []);
    } catch (error) {
      if (!isRefusal(error)) {
        for (const read of reads) reject(read, error);
        return;
      }
      // Perhaps the values of one read are at fault, and perhaps the server needs to know a value's type.
      if (codeOf(error).startsWith('42')) unbatchable.add(query.statement);
      sendEach(reads);
    }
  }

  function sendEach(reads: readonly Read[]): void {
    for (const read of reads) {
      rows(read.query).then(
        (list) => resolve(read, list),
        (error) => reject(read, error),
      );
    }
  }

  async function read(kind: string, query: Bound<unknown>): Promise<unknown[]> {
    const types = typesOf(query);
    if (types === undefined || unbatchable.has(query.statement)) return rows(query);
    return new Promise((resolve, reject) => {
      const name = `${kind}_${query.statement.name}_${types}`;
      const { reads } = atEndOfTurn(name, () => ({ name, reads: new Map<unknown, Read>() }));
      const key = keyOf(query);
      const same = reads.get(key);
      if (same === undefined) reads.set(key, { query, calls: [{ resolve, reject }] });
      else same.calls.push({ resolve, reject });
    });
  }

  return {
    rows: <R>(query: Bound<R>) => read(LISTS, query) as Promise<R[]>,
    first: async <R>(query: Bound<R>) => (await read('row', query))[0] as R | undefined,
  };
}

const LISTS = 'list';

/**
 * Gather what waits in one turn of the event loop: the returned function finds or makes the group with the key, and
 * `send` gets the groups of the turn after it.
 */
export function turns<G>(send: (groups: Iterable<G>) => void) {
  let groups = new Map<string, G>();

  function end(): void {
    const turn = groups;
    groups = new Map();
    send(turn.values());
  }

  return (key: string, make: () => G): G => {
    if (groups.size === 0) setImmediate(end);
    let group = groups.get(key);
    if (group === undefined) {
      group = make();
      groups.set(key, group);
    }
    return group;
  };
}

function resolve({ calls }: Read, rows: unknown[]): void {
  // A list of its own for each call: callers may reverse theirs.
  for (const [index, call] of calls.entries()) call.resolve(index === 0 ? rows : [...rows]);
}

function reject({ calls }: Read, reason: unknown): void {
  for (const call of calls) call.reject(reason);
}

const PLACE = 'place in batch';

// A column of an array needs a type. Keys, digests and times consist of these.
const TYPES = { t: 'text', b: 'bigint', y: 'bytea' } as const;

/**
 * Return the types of a query's values, a letter each, for the name of a statement that takes many of them. A missing
 * value is part of the text. Undefined if a value has another type.
 */
export function typesOf({ statement, values }: Bound<unknown>): string | undefined {
  let types = '';
  for (const name of statement.names) {
    const value = values[name];
    if (typeof value === 'string') types += 't';
    else if (Number.isSafeInteger(value)) types += 'b';
    else if (value instanceof Uint8Array) types += 'y';
    else if (value === undefined) types += 'n';
    else return undefined;
  }
  return types;
}

/** Return what to read the values of many queries from, as `batch`, and the text for each value of a query. */
export function manyValues(types: string): { batch: string; places: string[] } {
  const arrays: string[] = [];
  const columns: string[] = [];
  const places = [...types].map((type) => {
    if (type === 'n') return 'NULL';
    columns.push(`value${columns.length}`);
    arrays.push(`$${columns.length}::${TYPES[type as 't']}[]`);
    return `batch.${columns.at(-1)}`;
  });
  const names = [...columns, 'place'].join(', ');
  return { batch: `unnest(${arrays.join(', ')}) WITH ORDINALITY AS batch(${names})`, places };
}

// OFFSET 0 keeps the statement apart, so that the server plans it as it does for one query. A subquery that refers to
// the values before it can only be run for one after another, so rows come in their order.
function textForMany(query: Bound<unknown>): string {
  const { batch, places } = manyValues(typesOf(query) ?? '');
  let index = 0;
  const text = query.statement.textWith(() => places[index++] ?? '');
  return `SELECT found.*, batch.place AS "${PLACE}" FROM ${batch}
    CROSS JOIN LATERAL (SELECT * FROM (${text}) AS one OFFSET 0) AS found`;
}

/** The values of queries that have the same types, as an array for each value. */
export function arraysOf(queries: readonly Bound<unknown>[]): unknown[][] {
  const [first] = queries;
  const names = first?.statement.names.filter((name) => first.values[name] !== undefined) ?? [];
  return names.map((name) => queries.map(({ values }) => values[name]));
}

function keyOf({ statement, values }: Bound<unknown>): unknown {
  const { names } = statement;
  // Read much more often than all others.
  if (names.length === 1) return values[names[0] as string];
  return JSON.stringify(names.map((name) => values[name]));
}
