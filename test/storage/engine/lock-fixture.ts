// Acts that happen while others wait for the same rows of PostgreSQL, and how often that was a deadlock.

import pg from 'pg';
import { lazily } from '../../../src/lib/remember.ts';
import { openPostgres } from '../../../src/storage/engine/postgres.ts';
import { createPostgresDatabase, type TestScope } from '../../support/databases.ts';
import { type Fixture, openFixture, storesOf } from '../fixture.ts';

export interface Opened extends Fixture {
  client: pg.Client;
  /** Close the database, and return how often its transactions were in a deadlock. */
  deadlocks(): Promise<number>;
}

/** Open a fixture on PostgreSQL. */
export async function open(t: TestScope): Promise<Opened> {
  const ends: (() => Promise<void>)[] = [];
  t.after(async () => {
    for (const end of ends) await end();
  });
  const address = await createPostgresDatabase(t);
  const client = new pg.Client(address);
  await client.connect();
  const database = openPostgres(address);
  const close = lazily(() => database.close());
  ends.push(close, () => client.end());
  await database.migrate();
  const fixture = await openFixture(async () => storesOf(database), t);
  return {
    ...fixture,
    client,
    async deadlocks() {
      // A server process reports its deadlocks when it ends.
      await close();
      await until(
        client,
        `SELECT count(*) = 1 AS done FROM pg_stat_activity WHERE datname = current_database()`,
      );
      const { rows } = await client.query(
        'SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()',
      );
      return Number(rows[0].deadlocks);
    },
  };
}

async function until(client: pg.Client, question: string): Promise<void> {
  for (let attempt = 0; attempt < 500; attempt += 1) {
    // Within a transaction, the statistics stay as they were first read.
    await client.query('SELECT pg_stat_clear_snapshot()');
    if ((await client.query(question)).rows[0].done) return;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  throw new Error(`This never became true: ${question}`);
}

/** Run two acts while another transaction has locked a row, the second after the first waits. Then both go on. */
export async function inTurn(
  { client }: Opened,
  lock: string,
  first: () => Promise<unknown>,
  second: () => Promise<unknown>,
): Promise<unknown[]> {
  await client.query('BEGIN');
  await client.query(lock);
  const acts = [first()];
  await until(client, waiting(1));
  acts.push(second());
  await until(client, waiting(2));
  await client.query('COMMIT');
  return Promise.all(acts);
}

const waiting = (count: number) => `
  SELECT count(*) = ${count} AS done FROM pg_stat_activity
  WHERE datname = current_database() AND wait_event_type = 'Lock'`;
