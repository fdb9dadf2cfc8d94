// Reads that arrive together share a round trip to PostgreSQL, and each gets its own rows.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import pg from 'pg';
import { type Database, StorageUnavailable } from '../../../src/storage/engine/database.ts';
import { openPostgres } from '../../../src/storage/engine/postgres.ts';
import { batchedReads } from '../../../src/storage/engine/postgres-batches.ts';
import { type Bound, sql } from '../../../src/storage/engine/sql.ts';
import { createPostgresDatabase, type TestScope } from '../../support/databases.ts';

const skip = process.env.TEST_POSTGRES_URL ? false : 'TEST_POSTGRES_URL is not set; run it with npm test';

interface Person {
  id: number;
  name: string;
  age: number | undefined;
}

const selectPerson = sql<{ name: string }, Person>`SELECT id, name, age FROM people WHERE name = :name`;
const selectById = sql<{ id: number; name: string }, Person>`
  SELECT id, name, age FROM people WHERE id = :id AND name = :name`;
const selectYounger = sql<{ age: number; limit: number }, Person>`
  SELECT id, name, age FROM people WHERE age < :age ORDER BY age DESC LIMIT cast(:limit AS bigint)`;
const selectByAge = sql<{ age: number | undefined }, Person>`
  SELECT id, name, age FROM people WHERE coalesce(age, 0) = coalesce(cast(:age AS bigint), 0)`;
const countStatements = sql<void, { count: number }>`SELECT count(*) AS count FROM pg_prepared_statements`;
const selectAll = sql<void, { id: number }>`SELECT id FROM people ORDER BY id`;
const selectNow = sql<{ name: string }, { at: string }>`SELECT clock_timestamp()::text || :name AS at`;
const selectShare = sql<{ parts: number }, { share: number }>`SELECT 60 / cast(:parts AS bigint) AS share`;
const selectLength = sql<{ list: string }, { length: number }>`SELECT json_array_length(:list) AS length`;
const selectProcess = sql<{ name: string }, { process: number; at: string }>`
  SELECT pg_backend_pid() AS process, statement_timestamp()::text || :name AS at`;
const sleepFor = sql<{ name: string }, { slept: string }>`
  SELECT pg_sleep(30)::text AS slept FROM people WHERE name = :name`;

describe('reads in one turn on PostgreSQL', { skip }, () => {
  test('each gets its own row, and undefined if there is none', async (t) => {
    const { database } = await openPeople(t);
    const names = ['alice', 'nobody', 'bob', 'alice', 'mallory', 'o\'b"r,{ien}\\', '', 'nul\0'];

    const rows = await Promise.all(names.map((name) => database.first(selectPerson({ name }))));

    assert.deepEqual(
      rows.map((row) => row?.name),
      ['alice', undefined, 'bob', 'alice', 'mallory', 'o\'b"r,{ien}\\', undefined, undefined],
    );
    assert.deepEqual(rows[0], { id: 1, name: 'alice', age: 30 });
    assert.deepEqual(rows[4], { id: 3, name: 'mallory', age: undefined });
  });

  test('more of them than fit into one statement all get their rows', async (t) => {
    const { database, client } = await openPeople(t);
    await client.query("INSERT INTO people SELECT n, 'person ' || n, n FROM generate_series(100, 399) n");
    const ids = Array.from({ length: 300 }, (_, index) => 399 - index);

    const rows = await Promise.all(ids.map((id) => database.first(selectById({ id, name: `person ${id}` }))));

    assert.deepEqual(
      rows.map((row) => row?.id),
      ids,
    );
  });

  test('statements with an order and a limit return their own first row', async (t) => {
    const { database } = await openPeople(t);

    const rows = await Promise.all(
      [50, 31, 25, 10].map((age) => database.first(selectYounger({ age, limit: 2 }))),
    );

    assert.deepEqual(
      rows.map((row) => row?.name),
      ['bob', 'alice', 'o\'b"r,{ien}\\', undefined],
    );
  });

  test('lists have all their rows, in their order', async (t) => {
    const { database } = await openPeople(t);

    const lists = await Promise.all(
      [50, 31, 10, 50].map((age) => database.rows(selectYounger({ age, limit: 2 }))),
    );

    assert.deepEqual(
      lists.map((rows) => rows.map(({ name }) => name)),
      [['bob', 'alice'], ['alice', 'o\'b"r,{ien}\\'], [], ['bob', 'alice']],
    );
  });

  test('calls with the same values are one read, each with a list of its own', async (t) => {
    const { database } = await openPeople(t);

    const lists = await Promise.all(
      Array.from({ length: 100 }, () => database.rows(selectNow({ name: 'a' }))),
    );
    const [first, ...others] = await Promise.all([database.rows(selectAll()), database.rows(selectAll())]);
    first.reverse();

    assert.equal(new Set(lists.map(([row]) => row?.at)).size, 1);
    assert.deepEqual(others, [first.toReversed()]);
  });

  test('values that can be missing, or are of a type that the server must infer, get their rows too', async (t) => {
    const { database } = await openPeople(t);

    const ages = [30, undefined, 40].map((age) => database.first(selectByAge({ age })));
    assert.deepEqual(
      (await Promise.all(ages)).map((row) => row?.name),
      ['alice', 'mallory', 'bob'],
    );
    for (let round = 0; round < 2; round += 1) {
      const lengths = ['[]', '[1]', '[1, 2]'].map((list) => database.first(selectLength({ list })));
      assert.deepEqual(
        (await Promise.all(lengths)).map((row) => row?.length),
        [0, 1, 2],
      );
    }
  });

  test('a read that fails fails alone', async (t) => {
    const { database } = await openPeople(t);

    const results = await Promise.allSettled(
      [1, 2, 0, 3].map((parts) => database.first(selectShare({ parts }))),
    );

    assert.deepEqual(
      results.map((result) => (result.status === 'fulfilled' ? result.value?.share : result.reason.code)),
      [60, 30, '22012', 20],
    );
  });

  test('one statement serves them all', async (t) => {
    const { database } = await openPeople(t);

    const [first, ...others] = await Promise.all(
      Array.from({ length: 32 }, () => database.first(selectProcess({ name: '' }))),
    );

    assert.ok(others.every((row) => row?.process === first?.process && row?.at === first?.at));
  });

  test('a read sees each commit that was confirmed before it was asked for, and nothing is kept', async (t) => {
    const { database, client } = await openPeople(t);
    const readTwice = () =>
      Promise.all([
        database.first(selectPerson({ name: 'alice' })),
        database.first(selectPerson({ name: 'bob' })),
      ]);

    for (let age = 100; age < 120; age += 1) {
      await client.query('UPDATE people SET age = $1', [age]);
      assert.deepEqual(
        (await readTwice()).map((row) => row?.age),
        [age, age],
      );
    }
  });

  test('reads whose connection breaks are reported as unavailable, and the next ones are answered', async (t) => {
    const { database, client } = await openPeople(t);
    const reads = Promise.allSettled(
      ['alice', 'bob', 'mallory'].map((name) => database.first(sleepFor({ name }))),
    );
    const breakOff = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE application_name = 'portico' AND datname = current_database() AND wait_event = 'PgSleep'`;
    while ((await client.query(breakOff)).rowCount === 0);

    for (const read of await reads) {
      assert.ok(read.status === 'rejected' && read.reason instanceof StorageUnavailable);
    }
    assert.equal((await database.first(selectPerson({ name: 'bob' })))?.id, 2);
  });

  test('the server keeps few statements, however many different limits are asked for', async (t) => {
    const { database } = await openPeople(t);

    for (let limit = 1; limit <= 400; limit += 1) {
      const rows = await database.rows(selectYounger({ age: 50, limit: limit % 200 }));
      assert.equal(rows.length, Math.min(limit % 200, 3));
      await database.rowsWithin(1000, selectYounger({ age: 50, limit: limit % 200 }));
    }

    const [kept] = await database.rows(countStatements());
    assert.ok(kept !== undefined && kept.count < 70, `${kept?.count}`);
  });

  test('closing waits for reads that have not been sent yet', async (t) => {
    const { database } = await openPeople(t);
    const reads = ['alice', 'bob'].map((name) => database.first(selectPerson({ name })));

    await database.close();

    assert.deepEqual(
      (await Promise.all(reads)).map((row) => row?.id),
      [1, 2],
    );
  });
});

describe('batches of reads', () => {
  test('the reads of a turn are sent after it, one statement for each kind, and alone as they are', async () => {
    const sent: string[] = [];
    const { first } = batchedReads({
      rows: async ({ values }: Bound<unknown>) => {
        sent.push(`alone: ${Object.values(values)}`);
        return [];
      },
      run: async (_name, _text, values) => {
        sent.push(`together: ${values.join(' and ')}`);
        return [];
      },
      isRefusal: () => true,
    });

    const reads = [
      first(selectPerson({ name: 'alice' })),
      first(selectById({ id: 1, name: 'alice' })),
      first(selectPerson({ name: 'bob' })),
    ];
    assert.deepEqual(sent, []);
    await Promise.all(reads);
    await first(selectPerson({ name: 'alice' }));

    assert.deepEqual(sent, ['together: alice,bob', 'alone: 1,alice', 'alone: alice']);
  });
});

async function openPeople(t: TestScope): Promise<{ database: Database; client: pg.Client }> {
  const url = await createPostgresDatabase(t);
  const client = new pg.Client({ connectionString: url });
  // Dropping the database ends the connection.
  client.on('error', () => {});
  await client.connect();
  await client.query('CREATE TABLE people (id integer PRIMARY KEY, name text NOT NULL, age integer)');
  await client.query(
    `INSERT INTO people VALUES (1, 'alice', 30), (2, 'bob', 40), (3, 'mallory', NULL), (4, 'o''b"r,{ien}\\', 20)`,
  );
  const database = openPostgres(url);
  t.after(async () => {
    await database.close();
    await client.end();
  });
  return { database, client };
}
