// Transactions on PostgreSQL, in as few round trips as their guards allow.

import type { Writable } from 'node:stream';
import type pg from 'pg';
import type { Effects, Outcome, Transaction } from './database.ts';
import { changesOf, eventsOf, statementsAfterGuard } from './effects.ts';
import { batchedTransactions } from './postgres-batched-transactions.ts';
import { codeOf, config, isFromWriter, plain, rowsOf, translated } from './postgres-queries.ts';
import type { Bound } from './sql.ts';

const ATTEMPTS = 5;

/** Runs a transaction, and returns after it is durable. */
type Persist = <R, E extends Effects>(transaction: Transaction<R, E>) => Promise<Outcome<R, E>>;

/**
 * Make the function that runs transactions: each at first in one round trip if that is possible, and step by step after
 * the server has rolled it back because of a conflict with another.
 */
export function transactionsOn(pool: pg.Pool): Persist {
  const share = batchedTransactions(pool);
  return async (transaction) => {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await (attempt === 1 ? runShortest(pool, share, transaction) : runStepwise(pool, transaction));
      } catch (error) {
        if (attempt < ATTEMPTS && DEADLOCK_OR_SERIALIZATION.has(codeOf(error))) continue;
        throw translated(error);
      }
    }
  };
}

const DEADLOCK_OR_SERIALIZATION = new Set(['40P01', '40001']);

async function runShortest<R, E extends Effects>(
  pool: pg.Pool,
  share: ReturnType<typeof batchedTransactions>,
  transaction: Transaction<R, E>,
): Promise<Outcome<R, E>> {
  const { turn, otherwise = [], guard, isExpected = false } = transaction;
  const queries = statementsAfterGuard(transaction, true);
  const canExpect = isExpected && !guard.statement.returnsRows;
  if (canExpect && turn === undefined) {
    const isDone = await share(guard, queries);
    // The guard has changed a row, and each effect has inserted one.
    if (isDone)
      return outcomeOf(
        transaction,
        ONE_ROW,
        queries,
        queries.map(() => ONE_ROW),
      );
    if (isDone === false) return runStepwise(pool, transaction);
  }
  // A statement alone is a transaction.
  const isAlone = turn === undefined && otherwise.length === 0 && queries.length === 0;
  if (isAlone) return outcomeOf(transaction, await pool.query(config(guard)));
  const outcome = canExpect
    ? await withClient(pool, (client) => runAtOnce(client, transaction, queries))
    : undefined;
  return outcome ?? runStepwise(pool, transaction);
}

const ONE_ROW = { rowCount: 1, rows: [] };

function runStepwise<R, E extends Effects>(
  pool: pg.Pool,
  transaction: Transaction<R, E>,
): Promise<Outcome<R, E>> {
  return withClient(pool, (client) => steps(client, transaction));
}

async function withClient<T>(pool: pg.Pool, run: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  let connectionError: Error | undefined;
  try {
    return await run(client);
  } catch (error) {
    connectionError = await rolledBack(client, error as Error);
    throw error;
  } finally {
    client.release(connectionError);
  }
}

// Returns the error that makes the connection unusable, if it is.
async function rolledBack(client: pg.PoolClient, error: Error): Promise<Error | undefined> {
  // If the connection broke or doesn't answer, a ROLLBACK would take as long again.
  if (!isFromWriter(error)) return error;
  return client.query(plain('ROLLBACK')).then(
    () => undefined,
    (failure: Error) => failure,
  );
}

// In two round trips: the guard decides what is sent after it.
async function steps<R, E extends Effects>(
  client: pg.PoolClient,
  transaction: Transaction<R, E>,
): Promise<Outcome<R, E>> {
  const beginning = beginningOf(transaction);
  const answers = await together(client, [...beginning, config(transaction.guard)]);
  const guard = answers[beginning.length] as pg.QueryResult;
  const queries = statementsAfterGuard(transaction, hasRows(guard));
  return outcomeOf(transaction, guard, queries, await together(client, [...queries.map(config), COMMIT]));
}

// In one round trip, with a guard that fails if it changes nothing: the server then refuses everything after it, and
// treats COMMIT as a ROLLBACK. Undefined in that case.
async function runAtOnce<R, E extends Effects>(
  client: pg.PoolClient,
  transaction: Transaction<R, E>,
  queries: readonly Bound<unknown>[],
): Promise<Outcome<R, E> | undefined> {
  const beginning = beginningOf(transaction);
  const configs = [...beginning, orFail(transaction.guard), ...queries.map(config), COMMIT];
  try {
    const [guard, ...answers] = (await together(client, configs)).slice(beginning.length);
    // Its rows are not the guard's.
    return outcomeOf(transaction, { ...(guard as pg.QueryResult), rows: [] }, queries, answers);
  } catch (error) {
    // If it wasn't the guard's, the same error comes again step by step.
    if (codeOf(error) === INVALID_TEXT) return undefined;
    throw error;
  }
}

function beginningOf({ turn }: Transaction): pg.QueryConfig[] {
  // A guard that waited for another transaction must see its changes, whatever the server's default is.
  const begin = plain('BEGIN ISOLATION LEVEL READ COMMITTED');
  if (turn === undefined) return [begin];
  // A statement of its own, so that the guard, which runs next, sees what the transactions before have committed.
  return [begin, { ...plain('SELECT pg_advisory_xact_lock(1, hashtext($1))'), values: [turn] }];
}

const COMMIT = plain('COMMIT');

// The text for the failure is no constant, which the server would convert before it has run the guard.
function orFail(guard: Bound<unknown>): pg.QueryConfig {
  const { text, name, ...others } = config(guard);
  return {
    ...others,
    name: `${name}_or_fail`,
    text: `WITH guard AS (${text} RETURNING 1)
      SELECT cast(CASE WHEN count(*) > 0 THEN '1' ELSE 'the condition was no longer true' END AS integer) FROM guard`,
  };
}

const INVALID_TEXT = '22P02';

/** Send statements in one packet. Returns after all answers have arrived, and throws the first failure. */
async function together(
  client: pg.PoolClient,
  configs: readonly pg.QueryConfig[],
): Promise<pg.QueryResult[]> {
  const { stream } = (client as unknown as { connection: { stream: Writable } }).connection;
  stream.cork();
  const sent = configs.map((query) => client.query(query));
  stream.uncork();
  const results = await Promise.allSettled(sent);
  return results.map((result) => {
    if (result.status === 'rejected') throw result.reason;
    return result.value;
  });
}

function outcomeOf<R, E extends Effects>(
  transaction: Transaction<R, E>,
  guard: Answer,
  queries: readonly Bound<unknown>[] = [],
  answers: readonly Answer[] = [],
): Outcome<R, E> {
  const happened = hasRows(guard);
  const changes = happened ? queries.map((_, index) => answers[index]?.rowCount ?? 0) : [];
  const rows = rowsOf<R>(guard);
  return {
    happened,
    rows,
    changes: changesOf(transaction.effects, changes) as Outcome<R, E>['changes'],
    events: eventsOf([transaction.guard, ...queries], (index) => {
      const answer = answers[index - 1];
      return index === 0 || answer === undefined ? rows : rowsOf(answer);
    }),
  };
}

type Answer = Pick<pg.QueryResult, 'rows' | 'rowCount'>;

function hasRows({ rowCount }: Answer): boolean {
  return (rowCount ?? 0) > 0;
}
