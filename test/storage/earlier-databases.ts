// Databases as they were before a migration, with data.

import { join } from 'node:path';
import pg from 'pg';
import type { Database } from '../../src/storage/engine/database.ts';
import { openPostgres } from '../../src/storage/engine/postgres.ts';
import type { Dialect } from '../../src/storage/engine/sql.ts';
import { openSqlite } from '../../src/storage/engine/sqlite.ts';
import { openConnection } from '../../src/storage/engine/sqlite-connection.ts';
import { migrations } from '../../src/storage/migrations/index.ts';
import { createPostgresDatabase, type TestScope, temporaryFolder } from '../support/databases.ts';

/** Why the tests on PostgreSQL can't run, or false. */
export const skip = process.env.TEST_POSTGRES_URL
  ? false
  : 'TEST_POSTGRES_URL is not set; run it with npm test';

/** The statements that make a database as it was before this migration, with a post and a comment in it. */
export function earlier(dialect: Dialect, before: string): string[] {
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

/** Open a SQLite database that these statements made. */
export async function sqliteWith(scope: TestScope, statements: string[]): Promise<Database> {
  const path = join(await temporaryFolder(scope), 'portico.db');
  const connection = openConnection(path);
  connection.function('search_words', (text) => String(text));
  for (const statement of statements) connection.exec(statement);
  connection.close();
  const database = openSqlite(path);
  scope.after(() => database.close());
  return database;
}

/** As `sqliteWith`, on PostgreSQL. */
export async function postgresWith(scope: TestScope, statements: string[]): Promise<Database> {
  const url = await createPostgresDatabase(scope);
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  for (const statement of statements) await client.query(statement);
  await client.end();
  const database = openPostgres(url);
  scope.after(() => database.close());
  return database;
}
