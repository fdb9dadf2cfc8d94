// A transaction on PostgreSQL takes as few round trips as its guard allows, and happens completely or not at all.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import pg from 'pg';
import { NO_ENTRY } from '../../../src/storage/audit/audit-trail.ts';
import { type Database, StorageUnavailable, type Transaction } from '../../../src/storage/engine/database.ts';
import { openPostgres } from '../../../src/storage/engine/postgres.ts';
import { type Bound, sql } from '../../../src/storage/engine/sql.ts';
import { createPostgresDatabase, type TestScope } from '../../support/databases.ts';
import { openWire, type Wire } from '../../support/wire.ts';

const skip = process.env.TEST_POSTGRES_URL ? false : 'TEST_POSTGRES_URL is not set; run it with npm test';

const takeSeat = sql<{ show: number }>`UPDATE shows SET taken = taken + 1 WHERE id = :show AND taken < seats`;
const insertTicket = sql<{ id: number; show: number }>`INSERT INTO tickets (id, show) VALUES (:id, :show)`;
const copyTicket = sql<{ id: number; show: number }>`
  INSERT INTO tickets (id, show) SELECT cast(:id AS integer), cast(:show AS integer)`;
const insertRefusal = sql<{ show: number }>`INSERT INTO refusals (show) VALUES (:show)`;
const selectShow = sql<{ show: number }, { taken: number }>`SELECT taken FROM shows WHERE id = :show`;

/** How PostgreSQL gets a transaction, and how many messages that takes on a fresh connection. */
const WAYS = { 'in one statement': 5, 'in one packet': 12, 'step by step': 12 } as const;
type Way = keyof typeof WAYS;
const ways = Object.keys(WAYS) as Way[];

describe('a transaction on PostgreSQL', { skip }, () => {
  test('takes one round trip if its guard is alone or expected, and otherwise two', async (t) => {
    const { database, wire } = await openShows(t);
    const trips = async (transaction: Transaction) => wire.tripsOf(() => database.atomically(transaction));
    await database.atomically(booking({ id: 1, way: 'step by step' }));

    assert.equal(await trips({ audit: NO_ENTRY, guard: takeSeat({ show: 1 }) }), 1);
    assert.equal(await trips(booking({ id: 2, way: 'in one statement' })), 1);
    assert.equal(await trips(booking({ id: 3, way: 'in one packet' })), 1);
    assert.equal(await trips({ ...booking({ id: 4, way: 'in one statement' }), turn: 'tags' }), 1);
    assert.equal(await trips(booking({ id: 5, way: 'step by step' })), 2);
  });

  test('tells how many rows each effect changed, however it is sent', async (t) => {
    const { database } = await openShows(t);
    for (const [index, way] of ways.entries()) {
      const [one, ...others] = [1, 2, 3].flatMap((id) => effectsOf({ id: 10 * index + id, way }));
      const effects = { one: one as Bound<unknown>, none: [], others };
      const outcome = await database.atomically({ ...booking({ id: 0, way }), effects });

      const changes = { one: 1, none: 0, others: 2 };
      assert.deepEqual(outcome, { happened: true, rows: [], changes, events: [] }, way);
    }
  });

  test('of which the guard changes nothing has no effects, and what it does otherwise is done', async (t) => {
    const { database, client } = await openShows(t);
    for (const way of ways) {
      const outcome = await database.atomically(booking({ id: 1, show: SOLD_OUT, way }));

      assert.deepEqual(outcome, { happened: false, rows: [], changes: {}, events: [] }, way);
    }
    const { effects: _, ...withoutEffects } = booking({ id: 1, show: SOLD_OUT, way: 'step by step' });
    await database.atomically(withoutEffects);

    assert.deepEqual(await stateOf(client, SOLD_OUT), { taken: 2, tickets: 0, refusals: 4 });
    assert.equal((await database.atomically(booking({ id: 1, way: 'in one packet' }))).happened, true);
  });

  test('of which an effect fails has no effects, and fails with its error', async (t) => {
    const { database, client } = await openShows(t);
    await database.atomically(booking({ id: 7, way: 'step by step' }));
    for (const way of ways) {
      const effects = [8, 7, 9].flatMap((id) => effectsOf({ id, way }));

      const rejected = database.atomically({ ...booking({ id: 8, way }), effects });
      await assert.rejects(rejected, { code: '23505' });

      assert.deepEqual(await stateOf(client, 1), { taken: 1, tickets: 1, refusals: 0 });
    }
  });

  test('whose guard or effect has text that is no number fails with that error', async (t) => {
    const { database, client } = await openShows(t);
    const parse = sql<{ text: string }>`
      UPDATE shows SET taken = 0 WHERE id = cast(cast(:text AS text) AS integer)`;
    const wrong = parse({ text: 'seven' });

    for (const way of ways) {
      for (const change of [{ guard: wrong }, { effects: [wrong] }]) {
        await assert.rejects(database.atomically({ ...booking({ id: 1, way }), ...change }), /"seven"/);
      }
    }
    assert.deepEqual(await stateOf(client, 1), { taken: 0, tickets: 0, refusals: 0 });
  });

  for (const way of ways) {
    test(`${way}, of which the connection is cut at any message happens as a whole or not at all`, async (t) => {
      const { database, client, wire } = await openShows(t);
      let stages = 0;
      for (let id = 100; ; id += 1) {
        // Opens a connection, which has prepared nothing else.
        await database.first(selectShow({ show: 1 }));
        wire.cutAfter(id - 99);
        const [result] = await Promise.allSettled([database.atomically(booking({ id, way }))]);
        const isCut = wire.mend();
        if (result.status === 'fulfilled') break;
        assert.ok(isCut && result.reason instanceof StorageUnavailable, String(result.reason));
        stages += 1;
      }

      assert.equal(stages, WAYS[way]);
      await otherConnectionsEnd(client, wire);
      // One was confirmed, and of one only the confirmation was lost.
      assert.deepEqual(await stateOf(client, 1), { taken: 2, tickets: 2, refusals: 0 });
    });
  }

  test('gets none of the seats that others have taken at the same moment', async (t) => {
    const { database, client } = await openShows(t);

    const bookings = Array.from({ length: 120 }, (_, id) => booking({ id, way: ways[id % 3] as Way }));
    const outcomes = await Promise.all(bookings.map((transaction) => database.atomically(transaction)));

    assert.equal(outcomes.filter(({ happened }) => happened).length, SEATS);
    assert.deepEqual(await stateOf(client, 1), { taken: SEATS, tickets: SEATS, refusals: 120 - SEATS });
  });

  test('shares a statement with others of its turn, and each is as it would be alone', async (t) => {
    const { database, client } = await openShows(t);
    await client.query('INSERT INTO shows SELECT n, 1, 0 FROM generate_series(10, 49) n');
    await client.query('INSERT INTO tickets VALUES (20, 0)');

    const results = await Promise.allSettled(
      // Two for each show, which has one seat. The ticket 20 exists already.
      Array.from({ length: 80 }, (_, index) =>
        database.atomically(booking({ id: index, show: 10 + (index % 40), way: 'in one statement' })),
      ),
    );

    const bookingsOf = (show: number) => [results[show - 10], results[show + 30]];
    const isBooked = (result: PromiseSettledResult<{ happened: boolean }> | undefined) =>
      result?.status === 'fulfilled' && result.value.happened;
    for (let show = 10; show < 50; show += 1) {
      assert.equal(bookingsOf(show).filter(isBooked).length, 1, `show ${show}`);
      assert.equal((await stateOf(client, show)).taken, 1, `show ${show}`);
    }
    const failures = results.filter((result) => result.status === 'rejected');
    assert.ok(failures.every(({ reason }) => reason.code === '23505') && failures.length <= 1);
    assert.equal((await client.query('SELECT 1 FROM tickets WHERE show >= 10')).rowCount, 40);
  });

  test('without a conflict, 32 of one turn share a commit', async (t) => {
    const { database, client } = await openShows(t);
    await client.query('INSERT INTO shows SELECT n, 1, 0 FROM generate_series(10, 41) n');

    const outcomes = await Promise.all(
      Array.from({ length: 32 }, (_, index) =>
        database.atomically(booking({ id: index, show: 10 + index, way: 'in one statement' })),
      ),
    );

    assert.ok(outcomes.every(({ happened }) => happened));
    const { rows } = await client.query(
      'SELECT count(*)::integer AS tickets, count(DISTINCT xmin::text) AS commits FROM tickets',
    );
    assert.deepEqual(rows, [{ tickets: 32, commits: '1' }]);
  });

  test('of which values are missing or are bytes shares a statement, too', async (t) => {
    const { database, client } = await openShows(t);
    await client.query('CREATE TABLE stubs (show integer, digest bytea, note text, at bigint)');
    const insertStub = sql<{ show: number; digest: Uint8Array; note: string | undefined; at: undefined }>`
      INSERT INTO stubs (show, digest, note, at) VALUES (:show, :digest, :note, :at)`;

    const notes = ['a', undefined, '{,"\\\'}', undefined];
    await Promise.all(
      notes.map((note, index) => {
        const effects = [insertStub({ show: 1, digest: Uint8Array.of(0, index, 255), note, at: undefined })];
        return database.atomically({
          audit: NO_ENTRY,
          guard: takeSeat({ show: 1 }),
          isExpected: true,
          effects,
        });
      }),
    );

    const { rows } = await client.query(
      "SELECT encode(digest, 'hex') AS digest, note, at FROM stubs ORDER BY 1",
    );
    assert.deepEqual(
      rows.map(({ digest, note, at }) => [digest, note ?? undefined, at]),
      notes.map((note, index) => [`000${index}ff`, note, null]),
    );
    assert.equal((await stateOf(client, 1)).taken, 4);
  });

  test('with a turn waits for it, however it is sent', async (t) => {
    const { database, client } = await openShows(t);
    await client.query("SELECT pg_advisory_lock(1, hashtext('tags'))");
    const outcomes = Promise.all(
      ways.map((way, id) => database.atomically({ ...booking({ id, way }), turn: 'tags' })),
    );
    const waiting = `SELECT count(*)::integer AS count FROM pg_stat_activity
      WHERE application_name = 'portico' AND datname = current_database() AND wait_event = 'advisory'`;
    while ((await client.query(waiting)).rows[0].count < ways.length);
    assert.deepEqual(await stateOf(client, 1), { taken: 0, tickets: 0, refusals: 0 });
    await client.query('SELECT pg_advisory_unlock_all()');

    assert.ok((await outcomes).every(({ happened }) => happened));
  });

  test('alone runs again after a conflict, whatever isolation the server has by default', async (t) => {
    const { database, client } = await openShows(
      t,
      'ALTER DATABASE %I SET default_transaction_isolation = serializable',
    );

    const outcomes = await Promise.all(
      Array.from({ length: 20 }, () =>
        database.atomically({ audit: NO_ENTRY, guard: takeSeat({ show: 1 }) }),
      ),
    );

    assert.ok(outcomes.every(({ happened }) => happened));
    assert.equal((await stateOf(client, 1)).taken, 20);
  });
});

const SEATS = 50;
const SOLD_OUT = 2;

interface Booking {
  id: number;
  show?: number;
  way: Way;
}

function booking({ id, show = 1, way }: Booking): Transaction {
  return {
    audit: NO_ENTRY,
    guard: takeSeat({ show }),
    isExpected: way !== 'step by step',
    effects: effectsOf({ id, show, way }),
    otherwise: [insertRefusal({ show })],
  };
}

// Only insertions of values can be parts of one statement.
function effectsOf({ id, show = 1, way }: Booking): readonly Bound<unknown>[] {
  return [way === 'in one statement' ? insertTicket({ id, show }) : copyTicket({ id, show })];
}

async function stateOf(
  client: pg.Client,
  show: number,
): Promise<{ taken: number; tickets: number; refusals: number }> {
  const { rows } = await client.query(
    `SELECT taken, (SELECT count(*)::integer FROM tickets WHERE show = $1) AS tickets,
      (SELECT count(*)::integer FROM refusals WHERE show = $1) AS refusals
    FROM shows WHERE id = $1`,
    [show],
  );
  return rows[0];
}

// What the server received before a cut, it carries out.
async function otherConnectionsEnd(client: pg.Client, { url }: Wire): Promise<void> {
  const busy = `SELECT 1 FROM pg_stat_activity
    WHERE application_name = 'portico' AND datname = $1 AND state <> 'idle'`;
  while (((await client.query(busy, [new URL(url).pathname.slice(1)])).rowCount ?? 0) > 0);
}

async function openShows(
  t: TestScope,
  setting?: string,
): Promise<{ database: Database; client: pg.Client; wire: Wire }> {
  const url = await createPostgresDatabase(t);
  const client = new pg.Client({ connectionString: url });
  // Dropping the database ends the connection.
  client.on('error', () => {});
  await client.connect();
  await client.query(`
    CREATE TABLE shows (id integer PRIMARY KEY, seats integer NOT NULL, taken integer NOT NULL);
    CREATE TABLE tickets (id integer PRIMARY KEY, show integer NOT NULL);
    CREATE TABLE refusals (show integer NOT NULL);
    INSERT INTO shows VALUES (1, ${SEATS}, 0), (${SOLD_OUT}, 2, 2)`);
  if (setting !== undefined) {
    const { rows } = await client.query('SELECT format($1, current_database()) AS text', [setting]);
    await client.query(rows[0].text);
  }
  const wire = await openWire(t, url);
  const database = openPostgres(wire.url);
  t.after(async () => {
    await database.close();
    await client.end();
  });
  return { database, client, wire };
}
