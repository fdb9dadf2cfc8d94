// PostgreSQL keeps the promises of storage.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { describe, test } from 'node:test';
import pg from 'pg';
import { ReadTooSlow, StorageUnavailable } from '../../../src/storage/engine/database.ts';
import { openPostgres } from '../../../src/storage/engine/postgres.ts';
import { sql } from '../../../src/storage/engine/sql.ts';
import { identityStore } from '../../../src/storage/identity/identity-store.ts';
import { migrations } from '../../../src/storage/migrations/index.ts';
import { createPostgresDatabase, openFreshPostgres } from '../../support/databases.ts';
import { storageContract } from '../contract.ts';
import { asMember, COMMAND_LINE, SERVER } from '../doers.ts';
import { uncached } from '../fixture.ts';
import { newUser } from '../records.ts';

const skip = process.env.TEST_POSTGRES_URL ? false : 'TEST_POSTGRES_URL is not set; run it with npm test';

storageContract('PostgreSQL', uncached(openFreshPostgres), skip);

describe('PostgreSQL', { skip }, () => {
  test('many machines can migrate one fresh database at once', async (t) => {
    const url = await createPostgresDatabase(t);
    const databases = Array.from({ length: 4 }, () => openPostgres(url, 2));
    t.after(() => Promise.all(databases.map((database) => database.close())));

    const applied = await Promise.all(databases.map((database) => database.migrate()));

    assert.deepEqual(
      applied.flat(),
      migrations.map(({ name }) => name),
    );
  });

  test('of 64 attempts at once from several machines to create the first operator exactly one succeeds', async (t) => {
    const url = await createPostgresDatabase(t);
    const databases = Array.from({ length: 4 }, () => openPostgres(url, 5));
    t.after(() => Promise.all(databases.map((database) => database.close())));
    await databases[0]?.migrate();

    const answers = await Promise.all(
      Array.from({ length: 64 }, (_, index) => databases[index % 4])
        .filter((database) => database !== undefined)
        .map((database) => identityStore(database).addFirstOperator(COMMAND_LINE, newUser('olivia'))),
    );

    assert.equal(answers.filter((answer) => typeof answer === 'number').length, 1);
    assert.equal(answers.filter((answer) => answer === undefined).length, 63);
  });

  test('a read that takes longer than it may is stopped, and its connection serves others', async (t) => {
    const database = openPostgres(await createPostgresDatabase(t), 1);
    t.after(() => database.close());
    const sleep = sql<{ seconds: number }>`SELECT pg_sleep(cast(:seconds AS double precision))`;

    await assert.rejects(async () => database.rowsWithin(100, sleep({ seconds: 5 })), ReadTooSlow);
    assert.equal((await database.rowsWithin(1000, sleep({ seconds: 0.01 }))).length, 1);
    assert.equal((await database.rows(sleep({ seconds: 0.2 }))).length, 1);
  });

  test('it says how many calls wait for each connection', async (t) => {
    const database = openPostgres(await createPostgresDatabase(t), 2);
    t.after(() => database.close());
    const sleep = sql`SELECT pg_sleep(0.1)`;

    assert.equal(database.waitingPerConnection?.(), 0);
    const calls = Array.from({ length: 7 }, () => database.rowsWithin(5_000, sleep()));
    assert.equal(database.waitingPerConnection?.(), 2.5);
    await Promise.all(calls);
    assert.equal(database.waitingPerConnection?.(), 0);
  });

  test('a connection that breaks during a transaction fails that transaction only', async (t) => {
    const url = await createPostgresDatabase(t);
    const database = openPostgres(url);
    t.after(() => database.close());
    await database.migrate();
    const identity = identityStore(database);
    const alice = (await identity.addUser(SERVER, newUser('alice'))) as number;
    const other = new pg.Client(url);
    await other.connect();
    await other.query('BEGIN; UPDATE users SET bio = bio');

    const refused = assert.rejects(identity.setBio(asMember(alice), 'never written'), StorageUnavailable);
    const waits =
      "application_name = 'portico' AND datname = current_database() AND wait_event_type = 'Lock'";
    const breakOff = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE ${waits}`;
    while ((await other.query(breakOff)).rowCount === 0);
    await refused;
    await other.query('COMMIT');
    await other.end();
    await identity.setBio(asMember(alice), 'written');

    assert.equal((await identity.findUser(alice))?.bio, 'written');
  });

  test('a server that only reads is reported as unavailable, until it accepts writes', async (t) => {
    const url = await createPostgresDatabase(t);
    const [database, other] = [openPostgres(url), openPostgres(url)];
    t.after(() => Promise.all([database.close(), other.close()]));
    await database.migrate();
    const identity = identityStore(database);
    const alice = (await identity.addUser(SERVER, newUser('alice'))) as number;
    const server = new pg.Client(url);
    await server.connect();
    const makeReadOnly = (isOn: boolean) =>
      server.query(
        `ALTER DATABASE ${new URL(url).pathname.slice(1)} SET default_transaction_read_only = ${isOn}`,
      );

    await makeReadOnly(true);
    // What a standby has may be older than what was acknowledged.
    await assert.rejects(async () => other.rows(sql`SELECT name FROM migrations`()), StorageUnavailable);
    await server.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE application_name = 'portico' AND datname = current_database()`,
    );
    await assert.rejects(identity.setBio(asMember(alice), 'never written'), StorageUnavailable);
    await server.query('SET default_transaction_read_only = off');
    await makeReadOnly(false);
    await server.end();
    await identity.setBio(asMember(alice), 'written');

    assert.equal((await identity.findUser(alice))?.bio, 'written');
  });

  test('a connection whose server begins to only read is given up', async (t) => {
    const database = openPostgres(await createPostgresDatabase(t), 1);
    t.after(() => database.close());
    const beReadOnly = sql<
      void,
      { set: string }
    >`SELECT set_config('default_transaction_read_only', 'on', false) AS set`;
    const write = sql`CREATE TABLE written (name text)`;

    await database.rows(beReadOnly());
    await assert.rejects(database.atomically({ audit: { entries: [] }, guard: write() }), StorageUnavailable);
    await database.atomically({ audit: { entries: [] }, guard: write() });
  });

  test('a connection begins without the settings that PgBouncer refuses', async (t) => {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    t.after(() => server.close());
    const { port } = server.address() as AddressInfo;
    const database = openPostgres(`postgres://nobody@127.0.0.1:${port}/nothing`, 1);
    t.after(() => database.close());

    const refused = assert.rejects(async () => database.rows(sql`SELECT 1`()), StorageUnavailable);
    const [socket] = await once(server, 'connection');
    const [packet] = await once(socket, 'data');
    socket.destroy();
    await refused;

    const settings = packet.toString('latin1', 8).split('\0');
    assert.deepEqual(
      settings.filter((_: string, index: number) => index % 2 === 0 && settings[index]),
      ['user', 'database', 'application_name', 'client_encoding'],
    );
  });

  test('a server that can’t be reached is reported as unavailable', async (t) => {
    const database = openPostgres('postgres://nobody@127.0.0.1:1/nothing');
    t.after(() => database.close());
    const identity = identityStore(database);

    await assert.rejects(identity.addUser(SERVER, newUser('alice')), StorageUnavailable);
    await assert.rejects(identity.findUser(1), StorageUnavailable);
  });
});
