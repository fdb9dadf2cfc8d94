// Reads of one row that wait together travel together: the calls of a statement in one turn of the event loop become
// one statement for all their values, which takes one round trip.

import { codeOf } from './postgres-queries.ts';
import type { Bound, Sql } from './sql.ts';

type Row = Record<string, unknown>;

/** How the calls are sent. */
export interface Sending {
  /** Reads the rows of one call. */
  rows(query: Bound<unknown>): Promise<unknown[]>;
  /** Runs a text, which the server prepares under the name. */
  run(name: string, text: string, values: readonly unknown[]): Promise<Row[]>;
  /** Whether the server refused the statement, and did not lose the connection or run out of time or memory. */
  isRefusal(error: unknown): boolean;
}

interface Call {
  query: Bound<unknown>;
  resolve(row: unknown): void;
  reject(reason: unknown): void;
}

// One call waits for the others, so there is a limit. Larger batches save hardly more.
const MOST_CALLS = 32;

/**
 * Make the function that reads the first row of a query. It sends the calls of a turn after it, so each read sees every
 * commit that was confirmed before its call. Nothing is kept from one turn to the next.
 */
export function batchedFirst({ rows, run, isRefusal }: Sending) {
  // By the name of the statement for all of them.
  let batches = new Map<string, Call[]>();
  const unbatchable = new WeakSet<Sql>();

  function sendTurn(): void {
    const turn = batches;
    batches = new Map();
    for (const [name, calls] of turn) {
      for (let start = 0; start < calls.length; start += MOST_CALLS) {
        const batch = calls.slice(start, start + MOST_CALLS);
        if (batch.length === 1) sendEach(batch);
        else void sendTogether(name, batch);
      }
    }
  }

  async function sendTogether(name: string, calls: readonly Call[]): Promise<void> {
    const [{ query } = calls[0] as Call] = calls;
    try {
      const answer = await run(name, textForMany(query), columnsOf(calls));
      const rowsByCall = new Array<Row | undefined>(calls.length);
      for (const row of answer) {
        const index = (row[PLACE] as number) - 1;
        // The last column, which the runtime deletes without making the record slower.
        delete row[PLACE];
        rowsByCall[index] ??= row;
      }
      for (const [index, call] of calls.entries()) call.resolve(rowsByCall[index]);
    } catch (error) {
      if (!isRefusal(error)) {
        for (const call of calls) call.reject(error);
        return;
      }
      // Perhaps the values of one call are at fault, and perhaps the server needs to know a value's type.
      if (codeOf(error).startsWith('42')) unbatchable.add(query.statement);
      sendEach(calls);
    }
  }

  function sendEach(calls: readonly Call[]): void {
    for (const { query, resolve, reject } of calls) rows(query).then(([row]) => resolve(row), reject);
  }

  return async <R>(query: Bound<R>): Promise<R | undefined> => {
    const name = nameForMany(query);
    if (name === undefined || unbatchable.has(query.statement))
      return (await rows(query))[0] as R | undefined;
    return new Promise((resolve, reject) => {
      const call = { query, resolve: resolve as Call['resolve'], reject };
      if (batches.size === 0) setImmediate(sendTurn);
      const calls = batches.get(name);
      if (calls === undefined) batches.set(name, [call]);
      else calls.push(call);
    });
  };
}

const PLACE = 'place in batch';

// A column of an array needs a type. Text and whole numbers are all that keys consist of.
const TYPES = { string: 'text', number: 'bigint' } as const;

function nameForMany({ statement, values }: Bound<unknown>): string | undefined {
  let name = `${statement.name}_`;
  for (const key of statement.names) {
    const value = values[key];
    if (typeof value !== 'string' && !Number.isSafeInteger(value)) return undefined;
    name += typeof value === 'string' ? 't' : 'b';
  }
  return statement.names.length === 0 ? undefined : name;
}

// OFFSET 0 keeps the statement apart, so that the server plans it as it does for one call.
function textForMany({ statement, values }: Bound<unknown>): string {
  const arrays = statement.names.map(
    (name, index) => `$${index + 1}::${TYPES[typeof values[name] as 'string']}[]`,
  );
  const columns = statement.names.map((_, index) => `value${index}`);
  let index = 0;
  const text = statement.textWith(() => `batch.value${index++}`);
  return `SELECT found.*, batch.place AS "${PLACE}"
    FROM unnest(${arrays.join(', ')}) WITH ORDINALITY AS batch(${columns.join(', ')}, place)
    CROSS JOIN LATERAL (SELECT * FROM (${text}) AS one OFFSET 0) AS found`;
}

function columnsOf(calls: readonly Call[]): unknown[][] {
  const [first] = calls;
  const names = first?.query.statement.names ?? [];
  return names.map((name) => calls.map(({ query }) => query.values[name]));
}
