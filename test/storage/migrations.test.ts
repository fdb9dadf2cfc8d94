// A database of an earlier version, with data, is brought up to date and goes on.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import pg from 'pg';
import { textRows } from '../../src/storage/community/texts.ts';
import { openPostgres } from '../../src/storage/engine/postgres.ts';
import type { Dialect } from '../../src/storage/engine/sql.ts';
import { openSqlite } from '../../src/storage/engine/sqlite.ts';
import { openConnection } from '../../src/storage/engine/sqlite-connection.ts';
import { migrations } from '../../src/storage/migrations/index.ts';
import { createPostgresDatabase, temporaryFolder } from '../support/databases.ts';

const skip = process.env.TEST_POSTGRES_URL ? false : 'TEST_POSTGRES_URL is not set; run it with npm test';

/** The statements that make a database as it was before this migration, with a post and a comment in it. */
function earlier(dialect: Dialect, before: string): string[] {
  const applied = migrations.slice(
    0,
    migrations.findIndex(({ name }) => name === before),
  );
  return [
    'CREATE TABLE migrations (name text PRIMARY KEY, applied_at bigint NOT NULL)',
    ...applied.flatMap(({ name, up }) => [...up(dialect), `INSERT INTO migrations VALUES ('${name}', 0)`]),
    `INSERT INTO users (username, username_key, password_hash, bio, is_operator, created_at)
      VALUES ('bob', 'bob', 'none', '', 0, 0)`,
    `INSERT INTO posts (user_id, category_id, status, title, body, excerpt, created_at, updated_at, published_at)
      VALUES (1, 1, 'published', 'Old', 'A *post*.', 'A post.', 0, 0, 0)`,
    "INSERT INTO comments (post_id, user_id, body, created_at) VALUES (1, 1, 'A *comment*.', 0)",
  ];
}

const TEXTS = [
  { kind: 'post', id: 1, body: 'A *post*.' },
  { kind: 'comment', id: 1, body: 'A *comment*.' },
];

test('0005: old texts are waiting to be rendered, on SQLite', async (t) => {
  const path = join(await temporaryFolder(t), 'portico.db');
  const connection = openConnection(path);
  connection.function('search_words', (text) => String(text));
  for (const statement of earlier('sqlite', '0005-rendered-texts')) connection.exec(statement);
  connection.close();
  const database = openSqlite(path);
  t.after(() => database.close());

  await database.migrate();

  assert.deepEqual(await textRows(database).textsToRender(1, 10), TEXTS);
});

test('0005: old texts are waiting to be rendered, on PostgreSQL', { skip }, async (t) => {
  const url = await createPostgresDatabase(t);
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  for (const statement of earlier('postgres', '0005-rendered-texts')) await client.query(statement);
  await client.end();
  const database = openPostgres(url);
  t.after(() => database.close());

  await database.migrate();

  assert.deepEqual(await textRows(database).textsToRender(1, 10), TEXTS);
});
