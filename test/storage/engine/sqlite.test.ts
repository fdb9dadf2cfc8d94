// SQLite keeps the promises of storage, and some more about its file.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { DatabaseSync } from 'node:sqlite';
import { describe, type TestContext, test } from 'node:test';
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import { NO_ENTRY } from '../../../src/storage/audit/audit-trail.ts';
import { communityStore } from '../../../src/storage/community/community-store.ts';
import { sql } from '../../../src/storage/engine/sql.ts';
import { openSqlite } from '../../../src/storage/engine/sqlite.ts';
import { migrate, openConnection } from '../../../src/storage/engine/sqlite-connection.ts';
import { identityStore } from '../../../src/storage/identity/identity-store.ts';
import { migrations } from '../../../src/storage/migrations/index.ts';
import { openFile, openMemory, temporaryFolder } from '../../support/databases.ts';
import { storageContract } from '../contract.ts';
import { asMember, SERVER } from '../doers.ts';
import { uncached } from '../fixture.ts';
import { newPost, newUser } from '../records.ts';

storageContract('SQLite in a file', uncached(openFile));
storageContract('SQLite in memory', uncached(openMemory));

// Some milliseconds, and a failure without a number.
const spendTime = sql<{ number: number | undefined }>`
  UPDATE users SET bio = :number WHERE (
    WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 50000)
    SELECT max(n) FROM numbers) > 0`;

const SCRIPT = join(import.meta.dirname, 'other-process.ts');

/** Start another process on the database. `maxKilobytes` limits every file that it writes, like a full disk. */
function otherProcess(t: TestContext, task: string, path: string, maxKilobytes?: number) {
  const limit = maxKilobytes === undefined ? '' : `ulimit -f ${maxKilobytes}; `;
  const command = `${limit}exec "$0" "$@"`;
  const child = spawn('bash', ['-c', command, process.execPath, SCRIPT, task, path], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  t.after(() => child.kill('SIGKILL'));
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  return {
    async line(): Promise<string> {
      return String((await lines.next()).value);
    },
    proceed(): void {
      child.stdin.end('now\n');
    },
  };
}

describe('a database file', () => {
  test('uses WAL, is synced at every commit, has foreign keys, and is readable by its owner only', async (t) => {
    const path = join(await temporaryFolder(t), 'new folder', 'portico.db');

    const connection = openConnection(path);
    t.after(() => connection.close());
    migrate(connection);

    assert.deepEqual({ ...connection.prepare('PRAGMA journal_mode').get() }, { journal_mode: 'wal' });
    assert.deepEqual({ ...connection.prepare('PRAGMA synchronous').get() }, { synchronous: 2 });
    assert.deepEqual({ ...connection.prepare('PRAGMA foreign_keys').get() }, { foreign_keys: 1 });
    for (const suffix of ['', '-wal', '-shm']) assert.equal((await stat(path + suffix)).mode & 0o777, 0o600);
  });

  test('is migrated once when two processes open a fresh one at once, in each of 5 rounds', async (t) => {
    const folder = await temporaryFolder(t);

    for (let round = 0; round < 5; round += 1) {
      const path = join(folder, `${round}.db`);
      const processes = [otherProcess(t, 'migrate', path), otherProcess(t, 'migrate', path)];
      await Promise.all(processes.map((child) => child.line()));
      for (const child of processes) child.proceed();
      const applied = await Promise.all(processes.map((child) => child.line()));

      assert.deepEqual(applied.sort(), ['0', String(migrations.length)]);
    }
  });

  test('while another process writes, a write waits, a read does not, and nothing is lost', async (t) => {
    const path = join(await temporaryFolder(t), 'portico.db');
    const database = openSqlite(path);
    t.after(() => database.close());
    await database.migrate();
    const identity = identityStore(database);
    await identity.addUser(SERVER, newUser('bob'));
    const writer = otherProcess(t, 'hold', path);
    await writer.line();

    let isWritten = false;
    const write = identity.addUser(SERVER, newUser('alice')).then((id) => {
      isWritten = true;
      return id;
    });
    const start = performance.now();
    let reads = 0;
    let bioWhileHeld: string | undefined;
    for (; performance.now() - start < 300; reads += 1) {
      bioWhileHeld = (await identity.findUserByName('bob'))?.bio;
      await pause(1);
    }
    const isWrittenWhileHeld = isWritten;
    writer.proceed();
    await writer.line();
    const id = await write;

    // Each attempt to write delays readers by a millisecond or two. If it blocked, only three reads would fit.
    assert.ok(reads > 30);
    assert.equal(bioWhileHeld, '');
    assert.equal(isWrittenWhileHeld, false);
    assert.equal((await identity.findUserByName('alice'))?.id, id);
    assert.equal((await identity.findUserByName('bob'))?.bio, 'written by another process');
  });

  test('is read in one snapshot during a turn, and in a new one after it', async (t) => {
    const path = join(await temporaryFolder(t), 'portico.db');
    const database = openSqlite(path);
    t.after(() => database.close());
    await database.migrate();
    const { addUser, findUser } = identityStore(database);
    const alice = (await addUser(SERVER, newUser('alice'))) as number;
    const other = new DatabaseSync(path);
    t.after(() => other.close());
    const bio = async () => (await findUser(alice))?.bio;

    await bio();
    other.exec("UPDATE users SET bio = 'Changed'");
    const sameTurn = await bio();
    const endOfTurn = await new Promise((resolve) => setImmediate(() => resolve(bio())));

    assert.deepEqual([sameTurn, endOfTurn], ['', 'Changed']);
  });

  for (const failing of [undefined, 7]) {
    const what = failing === undefined ? '' : ', also after one of them has failed';
    test(`lets others have turns between writes that take long together${what}`, async (t) => {
      const path = join(await temporaryFolder(t), 'portico.db');
      const database = openSqlite(path);
      t.after(() => database.close());
      await database.migrate();
      await identityStore(database).addUser(SERVER, newUser('alice'));
      let turn = 0;
      const counting = setInterval(() => (turn += 1), 0);
      t.after(() => clearInterval(counting));
      const turns = new Set<number>();

      const written = await Promise.allSettled(
        Array.from({ length: 20 }, async (_, number) => {
          const guard = spendTime({ number: number === failing ? undefined : number });
          await database.atomically({ audit: NO_ENTRY, guard });
          turns.add(turn);
        }),
      );

      const failures = written.flatMap(({ status }, index) => (status === 'rejected' ? [index] : []));
      assert.deepEqual(failures, failing === undefined ? [] : [failing]);
      assert.ok(turns.size >= 4, `${turns.size} turns`);
    });
  }

  test('commits writes in the order in which it got them, also those of later turns', async (t) => {
    const path = join(await temporaryFolder(t), 'portico.db');
    const database = openSqlite(path);
    t.after(() => database.close());
    await database.migrate();
    await identityStore(database).addUser(SERVER, newUser('alice'));
    const committed: number[] = [];
    const write = async (number: number) => {
      await database.atomically({ audit: NO_ENTRY, guard: spendTime({ number }) });
      committed.push(number);
    };

    const written = [];
    for (let number = 0; number < 24; number += 1) {
      written.push(write(number));
      if (number % 8 === 7) await nextTurn();
    }
    await Promise.all(written);

    assert.deepEqual(
      committed,
      Array.from({ length: 24 }, (_, number) => number),
    );
  });

  test('waits for its accepted writes when it is closed while another process writes', async (t) => {
    const path = join(await temporaryFolder(t), 'portico.db');
    const database = openSqlite(path);
    await database.migrate();
    await identityStore(database).addUser(SERVER, newUser('bob'));
    const writer = otherProcess(t, 'hold', path);
    await writer.line();

    const accepted = identityStore(database).addUser(SERVER, newUser('alice'));
    await pause(20);
    const closing = database.close();
    writer.proceed();
    await closing;

    assert.equal(typeof (await accepted), 'number');
  });

  test('that can’t grow refuses writes as unavailable, and has exactly the writes that it confirmed', async (t) => {
    const path = join(await temporaryFolder(t), 'portico.db');
    const database = openSqlite(path);
    await database.migrate();
    await identityStore(database).addUser(SERVER, newUser('bob'));
    await communityStore(database).addPost(asMember(1), newPost(1, { xp: 1 }));
    await database.close();

    const filler = otherProcess(t, 'fill', path, 1024);
    const lines: string[] = [];
    while (lines.at(-1)?.startsWith('readable') !== true) lines.push(await filler.line());
    const acknowledged = lines.filter((line) => /^\d+$/.test(line)).map(Number);
    const reopened = openSqlite(path);
    t.after(() => reopened.close());
    const { items: posts } = await communityStore(reopened).publishedPostsOf(1, 0, 1000);

    assert.deepEqual(lines.slice(-2), ['unavailable', `readable: ${posts.length}`]);
    assert.ok(acknowledged.length > 5);
    assert.deepEqual(
      posts.map(({ id }) => id).sort((a, b) => a - b),
      [1, ...acknowledged],
    );
    assert.equal((await identityStore(reopened).findUser(1))?.xp, posts.length);
  });
});
