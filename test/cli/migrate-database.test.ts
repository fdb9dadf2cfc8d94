import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { createPostgresDatabase, type TestScope } from '../support/databases.ts';
import {
  change,
  contentsOfFile,
  contentsOfPostgres,
  fillAccounts,
  inPostgres,
  migrate,
  stopAtPost,
} from '../support/moving.ts';
import { type Cli, cliIn } from './run-cli.ts';

const skip = process.env.TEST_POSTGRES_URL ? false : 'TEST_POSTGRES_URL is not set; run it with npm test';
const MAIN = new URL('../../bin/portico.js', import.meta.url).pathname;

describe('migrate-database', { skip }, () => {
  test('copies the community while it is in use, and reports each table', async (t) => {
    const { cli, url, path } = await openFullCli(t);

    const { code, document } = await cli.json(['migrate-database', '--to', url]);

    assert.equal(code, 0);
    assert.deepEqual(await contentsOfPostgres(url), contentsOfFile(path));
    const { as_of, tables, ...rest } = document;
    assert.match(as_of, /^20\d\d-\d\d-\d\dT/);
    assert.deepEqual(rest, { from: path, to: withoutUser(url), written_meanwhile: false });
    const users = tables.find(({ name }: { name: string }) => name === 'users');
    assert.match(users.digest, /^[0-9a-f]{64}$/);
    assert.deepEqual(users, { name: 'users', rows: 2, written: 2, digest: users.digest });
  });

  test('reports the same in words, without a progress bar outside a terminal', async (t) => {
    const { cli, url } = await openFullCli(t);
    await cli.run(['migrate-database', '--to', url]);

    const { code, stdout, stderr } = await cli.run(['migrate-database', '--to', '-'], `${url}\n`);

    assert.equal(code, 0, stderr);
    assert.equal(stderr, '');
    assert.match(stdout, new RegExp(`^${withoutUser(url)} is a copy of the file as of 20`));
    assert.match(stdout, /^ {2}users +2 rows, none written$/m);
    assert.match(stdout, /The file has not changed since then\. If the server is stopped, set DATABASE_URL/);
  });

  test('killed in the middle leaves a database that refuses to open, and continues when run again', async (t) => {
    const { cli, url, path } = await openFullCli(t);
    addPosts(path, 20_000);
    await migrate(url);
    const stop = await stopAtPost(url, 12_000, t);
    const child = spawn(process.execPath, [MAIN, 'migrate-database', '--to', url], { env: cli.settings });
    await stop.waiting();

    child.kill('SIGKILL');
    await once(child, 'exit');
    await stop.release();

    const { rows } = await inPostgres(url, (client) =>
      client.query('SELECT count(*)::int AS there FROM posts'),
    );
    const list = await (await cliIn(t, { DATABASE_URL: url })).run(['client', 'list']);
    change(path, "UPDATE users SET bio = 'Changed between'");
    change(path, 'DELETE FROM sessions');
    const { code, document } = await cli.json(['migrate-database', '--to', url]);
    const posts = document.tables.find(({ name }: { name: string }) => name === 'posts');
    assert.equal(rows[0].there, 10_000);
    assert.equal(list.code, 1);
    assert.match(
      list.stderr,
      /The copy into this PostgreSQL database is unfinished: run migrate-database again/,
    );
    assert.equal(code, 0);
    assert.deepEqual(await contentsOfPostgres(url), contentsOfFile(path));
    assert.equal(posts.rows, 20_000);
    assert.equal(posts.written, 10_000);
  });

  test('run twice at once writes everything once: the second run waits for the first', async (t) => {
    const { cli, url } = await openFullCli(t);

    const both = await Promise.all([1, 2].map(() => cli.json(['migrate-database', '--to', url])));

    const counts = both.map(({ document }) =>
      document.tables.reduce((sum: number, table: { written: number }) => sum + table.written, 0),
    );
    assert.deepEqual(
      both.map(({ code }) => code),
      [0, 0],
    );
    assert.equal(Math.min(...counts), 0);
  });

  test('refuses a wrong source or target, and shows no password', async (t) => {
    const cli = await cliIn(t);
    const onPostgres = await cliIn(t, { DATABASE_URL: 'postgres://alice:secret@127.0.0.1:1/portico' });
    const to = (address: string) => ['migrate-database', '--to', address];
    const missing = await cli.json(to('postgres://alice:secret@127.0.0.1:1/portico'));
    await cli.run(['client', 'list']);

    const answers = [
      missing,
      await onPostgres.json(to('postgres://alice:secret@127.0.0.1:1/portico')),
      await cli.json(to('postgres://alice:secret@127.0.0.1:1/portico')),
      await cli.json(to('postgres://alice:se%cret@127.0.0.1:1/portico')),
      await cli.json(to('mysql://alice:secret@127.0.0.1/portico')),
      await cli.json(to('postgres://alice:secret@127.0.0.1:wrong/portico')),
      await cli.json(['migrate-database']),
    ];

    assert.deepEqual(
      answers.map(({ code, document }) => [code, document.error.code]),
      [
        [1, 'file_missing'],
        [1, 'not_sqlite'],
        [1, 'target_unavailable'],
        [1, 'target_unavailable'],
        [2, 'wrong_usage'],
        [2, 'wrong_usage'],
        [2, 'wrong_usage'],
      ],
    );
    assert.doesNotMatch(JSON.stringify(answers), /secret|se%cret/);
    const text = await cli.run(to('postgres://alice:secret@127.0.0.1:1/portico'));
    assert.equal(
      text.stderr,
      'portico: The PostgreSQL database is not available: no program is listening there.\n',
    );
  });
});

/** Open a full community, a command line on it, and an empty PostgreSQL database. */
async function openFullCli(scope: TestScope): Promise<{ cli: Cli; url: string; path: string }> {
  const cli = await cliIn(scope);
  await fillAccounts(await cli.open());
  return { cli, url: await createPostgresDatabase(scope), path: join(cli.folder, 'portico.db') };
}

function addPosts(path: string, upTo: number): void {
  change(
    path,
    `WITH RECURSIVE n(i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
     INSERT INTO posts (id, user_id, category_id, status, title, body, excerpt, created_at, updated_at)
     SELECT i, 1, 1, 'draft', 'Post ' || i, 'Words', 'Words', i, i FROM n`,
    upTo,
  );
}

function withoutUser(url: string): string {
  const { host, pathname } = new URL(url);
  return `postgres://${host}${pathname}`;
}
