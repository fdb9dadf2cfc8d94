// The cache of one process, and changes by another: an operator's command, or an SQL shell.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { DatabaseSync } from 'node:sqlite';
import { describe, type TestContext, test } from 'node:test';
import { NOON } from '../records.ts';
import { type CachedFixture, openCachedFixture, readAll } from './cached-fixture.ts';
import { assertSeen, type Change, COLUMNS, LISTS, MEMBER_CHANGES } from './changes.ts';

/**
 * Start another process with a connection of its own, which runs the SQL that it gets and reports when it is done.
 */
function otherProcess(fixture: CachedFixture, t: TestContext) {
  const script = `
    const connection = new (require('node:sqlite').DatabaseSync)(process.argv[1], { timeout: 5000 });
    require('node:readline').createInterface(process.stdin).on('line', (sql) => {
      connection.exec(sql);
      process.stdout.write('done\\n');
    });`;
  const child = spawn(process.execPath, ['-e', script, fixture.path], { stdio: ['pipe', 'pipe', 'inherit'] });
  t.after(() => child.kill('SIGKILL'));
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  return {
    begin: (sql: string) => void child.stdin.write(`${sql}\n`),
    async done(): Promise<void> {
      assert.equal((await lines.next()).value, 'done');
    },
  };
}

describe('the next read sees a change by another process', () => {
  const LATER = NOON + 1;
  const WRITES: readonly (Pick<Change, 'what' | 'touches'> & { sql: string })[] = [
    ...Object.entries(COLUMNS).map(([column, value]) => ({
      what: `the column ${column} of a member`,
      touches: MEMBER_CHANGES.find(({ what }) => what.includes(` ${column} `))?.touches ?? [],
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
    { what: 'a post', touches: LISTS, sql: "UPDATE posts SET title = 'On domes'" },
    {
      what: 'the active signing key',
      touches: ['signing key'],
      sql: "DELETE FROM signing_keys WHERE kid = 'one'",
    },
  ];

  test('to each column of a member, to tokens, sign-ins, applications, posts and keys, one after another', async (t) => {
    const fixture = await openCachedFixture(t);
    const writer = otherProcess(fixture, t);

    for (const { sql, touches } of WRITES) {
      await assertSeen(fixture, { touches }, async () => {
        writer.begin(sql);
        await writer.done();
      });
    }
  });

  test('and the records that did not change stay in the cache', async (t) => {
    const fixture = await openCachedFixture(t);
    const writer = otherProcess(fixture, t);
    const before = await readAll(fixture);

    writer.begin("UPDATE posts SET title = 'On domes'; INSERT INTO attempts VALUES ('x', 1, 2)");
    await writer.done();
    const after = await readAll(fixture);

    for (const name of ['access', 'personal', 'client', 'signing key'] as const) {
      assert.equal(after[name], before[name], name);
    }
  });

  test('even if it changed more rows than the database can list', async (t) => {
    const fixture = await openCachedFixture(t);
    const writer = otherProcess(fixture, t);

    await assertSeen(fixture, { touches: ['access', 'posts', 'newest', 'of a category'] }, async () => {
      const sql = `BEGIN; UPDATE access_tokens SET revoked_at = ${LATER};
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 12000)
        INSERT INTO posts (user_id, title, body, excerpt, category_id, status, created_at, updated_at, published_at)
        SELECT user_id, title, body, excerpt, category_id, status, created_at, updated_at, published_at
        FROM posts, n WHERE posts.status = 'published'; COMMIT`;
      writer.begin(sql.replaceAll('\n', ' '));
      await writer.done();
    });
    const file = new DatabaseSync(fixture.path, { readOnly: true });
    t.after(() => file.close());
    assert.ok((file.prepare('SELECT count(*) AS n FROM changes').get()?.n as number) < 11_500);
  });

  // The event loop handles the other process's report next, before the `setImmediate` that ends the snapshot.
  for (const [where, enter] of [
    ['a timer', setTimeout],
    ['the end of a turn', setImmediate],
  ] as const) {
    test(`that reports it while this process is busy in ${where}, right after a read`, async (t) => {
      const fixture = await openCachedFixture(t);
      const writer = otherProcess(fixture, t);
      const watcher = new DatabaseSync(fixture.path, { readOnly: true });
      t.after(() => watcher.close());
      const status = watcher.prepare("SELECT status FROM users WHERE username_key = 'alice'");
      await readAll(fixture);
      const statusRead = async () => (await fixture.oauth.findAccessToken(fixture.accessKey))?.user.status;

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

/** Keep this process busy. */
function sleep(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}
