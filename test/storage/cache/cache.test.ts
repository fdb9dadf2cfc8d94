// The cache never answers with a record that has changed: whichever process changed it, by whatever statement, the next
// read tells the truth.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { DatabaseSync } from 'node:sqlite';
import { describe, type TestContext, test } from 'node:test';
import { sql } from '../../../src/storage/engine/sql.ts';
import { openSqlite } from '../../../src/storage/engine/sqlite.ts';
import { signedIn } from '../house.ts';
import { NOON, newPersonalToken } from '../records.ts';
import {
  assertSeen,
  type CachedHouse,
  type Change,
  COLUMNS,
  cachedStoresOf,
  MEMBER,
  openCachedHouse,
  readAll,
  readFresh,
  STATEMENTS,
  VERBS,
} from './cached-house.ts';

const CHANGES: readonly Change[] = [...VERBS, ...STATEMENTS, ...MEMBER];

/** The same house through another connection of this process, with a cache of its own. */
async function otherConnection(house: CachedHouse, t: TestContext): Promise<CachedHouse> {
  const database = openSqlite(house.path);
  t.after(() => database.close());
  await database.migrate();
  return { ...house, ...cachedStoresOf(database) };
}

/** Another process with a connection of its own, which runs the SQL that it is given and answers when it is done. */
function otherProcess(house: CachedHouse, t: TestContext) {
  const script = `
    const connection = new (require('node:sqlite').DatabaseSync)(process.argv[1], { timeout: 5000 });
    require('node:readline').createInterface(process.stdin).on('line', (sql) => {
      connection.exec(sql);
      process.stdout.write('done\\n');
    });`;
  const child = spawn(process.execPath, ['-e', script, house.path], { stdio: ['pipe', 'pipe', 'inherit'] });
  t.after(() => child.kill('SIGKILL'));
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  return {
    begin: (sql: string) => void child.stdin.write(`${sql}\n`),
    async done(): Promise<void> {
      assert.equal((await lines.next()).value, 'done');
    },
  };
}

describe('while nothing changes', () => {
  test('each record is given again as the same object', async (t) => {
    const house = await openCachedHouse(t);
    const first = await readAll(house);

    await new Promise(setImmediate);
    const again = await readAll(house);

    for (const [name, record] of Object.entries(first)) {
      assert.notEqual(record, undefined, name);
      assert.equal(again[name as keyof typeof again], record, name);
    }
  });

  test('all tokens of a member carry one and the same member', async (t) => {
    const house = await openCachedHouse(t);
    const { oauth, alice } = house;
    const { accessToken } = await signedIn(house, alice, 'pocket');

    const members = [
      (await oauth.findAccessToken(house.accessKey))?.user,
      (await oauth.findAccessToken(accessToken.key))?.user,
      (await oauth.findPersonalToken(house.personalKey))?.user,
    ];

    assert.equal(members[0]?.id, alice);
    assert.equal(members[1], members[0]);
    assert.equal(members[2], members[0]);
  });

  test('records are still in the cache after writes that do not concern them', async (t) => {
    const house = await openCachedHouse(t);
    const { oauth, identity, alice, bob } = house;
    const first = await readAll(house);

    await identity.setBio(bob, 'Bakes bread');
    await signedIn(house, bob, 'pocket');
    // Locks alice's row, which writes what stands there already.
    await oauth.addPersonalToken(newPersonalToken(alice), 50);
    const again = await readAll(house);

    for (const [name, record] of Object.entries(first)) {
      assert.equal(again[name as keyof typeof again], record, name);
    }
  });
});

describe('the very next read sees what was changed by this connection:', () => {
  for (const change of CHANGES) {
    test(change.what, async (t) => {
      const house = await openCachedHouse(t);

      await assertSeen(house, change, () => change.make(house));
    });
  }

  test('each column of a member that a token carries is among these changes', async (t) => {
    const house = await openCachedHouse(t);
    const { user } = (await house.oauth.findAccessToken(house.accessKey)) ?? {};
    const fields = Object.keys(COLUMNS).map((column) =>
      column.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase()),
    );

    assert.deepEqual(['id', ...fields].sort(), Object.keys(user ?? {}).sort());
  });

  test('a member with a second token, whose record was read before the change', async (t) => {
    const house = await openCachedHouse(t);
    const { oauth, identity, alice } = house;
    const { accessToken } = await signedIn(house, alice, 'pocket');
    const bioOf = async (key: string) => (await oauth.findAccessToken(key))?.user.bio;
    const before = [await bioOf(house.accessKey), await bioOf(accessToken.key)];

    await identity.setBio(alice, 'Reads a lot');
    // The first read brings the changed member back; the second must not be satisfied that there is one.
    const after = [await bioOf(house.accessKey), await bioOf(accessToken.key)];
    const byPersonal = (await oauth.findPersonalToken(house.personalKey))?.user.bio;

    assert.deepEqual(before, ['', '']);
    assert.deepEqual([...after, byPersonal], ['Reads a lot', 'Reads a lot', 'Reads a lot']);
  });

  test('a personal token that is asked first after its member changed, and another after it', async (t) => {
    const house = await openCachedHouse(t);
    const { oauth, identity, alice } = house;
    const second = newPersonalToken(alice);
    await oauth.addPersonalToken(second, 50);
    for (const key of [house.personalKey, second.key]) await oauth.findPersonalToken(key);

    await identity.setStatus(alice, 'suspended');
    const seen = [];
    for (const key of [house.personalKey, second.key]) {
      seen.push((await oauth.findPersonalToken(key))?.user.status);
    }

    assert.deepEqual(seen, ['suspended', 'suspended']);
  });
});

describe('the very next read sees what was changed by another connection of this process:', () => {
  for (const change of CHANGES) {
    test(change.what, async (t) => {
      const house = await openCachedHouse(t);
      const other = await otherConnection(house, t);

      await assertSeen(house, change, () => change.make(other));
    });
  }

  test('a change that is answered in the turn in which it was asked, right after something was read', async (t) => {
    const house = await openCachedHouse(t);
    const other = await otherConnection(house, t);
    const statusRead = async () => (await house.oauth.findAccessToken(house.accessKey))?.user.status;
    await readAll(house);

    // Both at the end of this turn: first the read, then the commit, whose answer finds what was read still standing.
    const before = new Promise((resolve) => setImmediate(() => resolve(statusRead())));
    await other.identity.setStatus(house.alice, 'suspended');
    const after = await statusRead();

    assert.deepEqual([await before, after], ['active', 'suspended']);
  });
});

describe('the very next read sees what was changed by another process', () => {
  const LATER = NOON + 1;
  const WRITES: readonly (Pick<Change, 'what' | 'touches'> & { sql: string })[] = [
    ...Object.entries(COLUMNS).map(([column, value]) => ({
      what: `the column ${column} of a member`,
      touches: MEMBER.find(({ what }) => what.includes(` ${column} `))?.touches ?? [],
      sql: `UPDATE users SET ${column} = '${value}' WHERE username_key = 'alice'`,
    })),
    { what: 'an access token', touches: ['access'], sql: `UPDATE access_tokens SET revoked_at = ${LATER}` },
    { what: 'a sign-in', touches: ['access'], sql: `UPDATE token_families SET revoked_at = ${LATER}` },
    {
      what: 'an application',
      touches: ['access', 'client'],
      sql: "UPDATE clients SET status = 'deactivated'",
    },
    {
      what: 'a personal token',
      touches: ['personal'],
      sql: `UPDATE personal_tokens SET revoked_at = ${LATER}`,
    },
    { what: 'a post', touches: ['posts', 'newest'], sql: "UPDATE posts SET title = 'On domes'" },
    {
      what: 'the key that signs',
      touches: ['signing key'],
      sql: "DELETE FROM signing_keys WHERE kid = 'one'",
    },
  ];

  test('one after another: each column of a member, tokens, sign-ins, applications, posts, keys', async (t) => {
    const house = await openCachedHouse(t);
    const writer = otherProcess(house, t);

    for (const { sql, touches } of WRITES) {
      await assertSeen(house, { touches }, async () => {
        writer.begin(sql);
        await writer.done();
      });
    }
  });

  test('and forgets nothing that is as it was', async (t) => {
    const house = await openCachedHouse(t);
    const writer = otherProcess(house, t);
    const before = await readAll(house);

    writer.begin("UPDATE posts SET title = 'On domes'; INSERT INTO attempts VALUES ('x', 1, 2)");
    await writer.done();
    const after = await readAll(house);

    for (const name of ['access', 'personal', 'client', 'signing key'] as const) {
      assert.equal(after[name], before[name], name);
    }
  });

  test('also when it has changed more than the database names', async (t) => {
    const house = await openCachedHouse(t);
    const writer = otherProcess(house, t);

    await assertSeen(house, { touches: ['access', 'posts', 'newest'] }, async () => {
      const sql = `BEGIN; UPDATE access_tokens SET revoked_at = ${LATER};
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 12000)
        INSERT INTO posts (user_id, title, body, excerpt, category_id, status, created_at, updated_at, published_at)
        SELECT user_id, title, body, excerpt, category_id, status, created_at, updated_at, published_at
        FROM posts, n WHERE posts.status = 'published'; COMMIT`;
      writer.begin(sql.replaceAll('\n', ' '));
      await writer.done();
    });
    const kept = new DatabaseSync(house.path, { readOnly: true });
    t.after(() => kept.close());
    assert.ok((kept.prepare('SELECT count(*) AS n FROM changes').get()?.n as number) < 11_500);
  });

  // What arrived meanwhile is taken up next, before anything that was put off until the end of the turn.
  for (const [where, enter] of [
    ['a timer', setTimeout],
    ['the end of a turn', setImmediate],
  ] as const) {
    test(`that answered while this process was busy in ${where}, after it had read there`, async (t) => {
      const house = await openCachedHouse(t);
      const writer = otherProcess(house, t);
      const watcher = new DatabaseSync(house.path, { readOnly: true });
      t.after(() => watcher.close());
      const status = watcher.prepare("SELECT status FROM users WHERE username_key = 'alice'");
      await readAll(house);
      const statusRead = async () => (await house.oauth.findAccessToken(house.accessKey))?.user.status;

      const before = await new Promise((resolve) => {
        enter(() => {
          resolve(statusRead());
          writer.begin("UPDATE users SET status = 'suspended' WHERE username_key = 'alice'");
          while (status.get()?.status !== 'suspended') sleep(2);
          sleep(100);
        });
      });
      await writer.done();
      const after = await statusRead();

      assert.deepEqual([before, after], ['active', 'suspended']);
    });
  }
});

test('A transaction that fails leaves everything true, and so does one that shares its commit', async (t) => {
  const house = await openCachedHouse(t);
  const { database, identity, alice } = house;
  const before = await readAll(house);
  const spoiled = {
    guard: sql`UPDATE users SET bio = 'spoiled'`(),
    effects: [
      sql`UPDATE posts SET title = 'spoiled'`(),
      sql`UPDATE clients SET name = 'spoiled'`(),
      sql`INSERT INTO locks (name, taken) VALUES ('first-operator', 0)`(),
    ],
  };

  await assert.rejects(database.atomically(spoiled));
  const unchanged = await readAll(house);
  const [failed, done] = await Promise.allSettled([
    database.atomically(spoiled),
    identity.setBio(alice, 'Reads a lot'),
  ]);
  const after = await readAll(house);

  assert.deepEqual(unchanged, before);
  assert.deepEqual([failed.status, done.status], ['rejected', 'fulfilled']);
  assert.deepEqual(after, await readFresh(house));
  assert.equal((after.access as { user: { bio: string } }).user.bio, 'Reads a lot');
});

/** Holds this process up. */
function sleep(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}
