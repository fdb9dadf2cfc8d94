// How PostgreSQL finds a code or a sign-in by its key, when it believes that hardly any are live.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import pg from 'pg';
import type { TestScope } from '../support/databases.ts';
import { sourceStatements } from './statements/source-statements.ts';

// First: the other imports load files of storage, and the places of their statements would be unknown.
const statements = await sourceStatements();
const { openPostgres } = await import('../../src/storage/engine/postgres.ts');
const { createPostgresDatabase } = await import('../support/databases.ts');

const skip = process.env.TEST_POSTGRES_URL ? false : 'TEST_POSTGRES_URL is not set; run it with npm test';

test('a code and a sign-in are found by their key, and not in the index of live ones', {
  skip,
}, async (t) => {
  const client = await openMigrated(t);
  await client.query(`
    INSERT INTO users (id, username, username_key, password_hash, created_at) VALUES (1, 'alice', 'alice', '', 0);
    INSERT INTO clients (id, name, kind, scopes, redirect_uris, created_at)
      VALUES ('notebook', 'Notebook', 'public', '', '', 0);
    INSERT INTO authorization_codes (key, digest, client_id, user_id, redirect_uri, scopes, authenticated_at,
        expires_at, duration, redeemed_at)
      SELECT n, '', 'notebook', 1, '', '', 0, 0, 'until_removed', 1 FROM generate_series(1, 5000) AS n;
    INSERT INTO token_families (key, client_id, user_id, scopes, authenticated_at, refresh_digest, rotated_at,
        refresh_expires_at, issued_at, expires_at, revoked_at)
      SELECT n, 'notebook', 1, '', 0, '', 0, 0, 0, 0, 1 FROM generate_series(1, 5000) AS n;
    ANALYZE`);
  const guards = statements.filter(({ sql }) =>
    /^\s*UPDATE (?:authorization_codes|token_families)\s.*\bWHERE key = :(?!.*\bEXISTS\b)/s.test(sql.source),
  );

  for (const { sql, file, line } of guards) {
    const plan = await planOf(client, sql);
    assert.doesNotMatch(plan, /_live\b|Seq Scan/, `${file}:${line}`);
  }
  assert.equal(guards.length, 5);
});

test('a step of the purging finds its rows by an index, and reads no whole table', { skip }, async (t) => {
  const client = await openMigrated(t);
  // Every sign-in has a token, so a planner expects to read all of them until it finds one without.
  await client.query(`
    SET session_replication_role = replica;
    INSERT INTO authorization_codes (key, digest, client_id, user_id, redirect_uri, scopes, authenticated_at,
        expires_at)
      SELECT n, '', 'notebook', 1, '', '', 0, 0 FROM generate_series(1, 20000) AS n;
    INSERT INTO token_families (key, client_id, user_id, scopes, authenticated_at, refresh_digest, rotated_at,
        refresh_expires_at, issued_at, expires_at)
      SELECT n, 'notebook', 1, '', 0, '', 0, n, 0, n FROM generate_series(1, 20000) AS n;
    INSERT INTO access_tokens (key, digest, family_key, scopes, expires_at)
      SELECT n, '', n, '', n FROM generate_series(1, 20000) AS n;
    ANALYZE authorization_codes, token_families, access_tokens`);
  const steps = statements.filter(({ sql }) =>
    /^\s*DELETE FROM (?:authorization_codes|token_families|access_tokens)\s.*\bLIMIT cast\(:limit AS/s.test(
      sql.source,
    ),
  );

  for (const { sql, file, line } of steps) {
    const plan = await planOf(client, sql.withLimits({ limit: 20 }));
    assert.doesNotMatch(plan, /Seq Scan/, `${file}:${line}`);
  }
  assert.equal(steps.length, 5);
});

test('the oldest rows of a member are read once, even if the table was empty when it was last counted', {
  skip,
}, async (t) => {
  const client = await openMigrated(t);
  await client.query(`
    SET session_replication_role = replica;
    INSERT INTO security_events (at, event, user_id) SELECT n, 'signed_out', 1 FROM generate_series(1, 3000) AS n`);
  await client.query('DELETE FROM security_events; ANALYZE security_events');
  await client.query(`
    INSERT INTO security_events (at, event, user_id) SELECT n, 'signed_out', 1 FROM generate_series(1, 3000) AS n`);
  const statement = statements.find(({ sql }) => /DELETE FROM security_events\b.*oldest/s.test(sql.source));
  assert.ok(statement);

  const text = statement.sql.source.replace(':userId', '1').replace('OFFSET 20000', 'OFFSET 2000');
  const { rows } = await client.query(`EXPLAIN (ANALYZE, FORMAT JSON) ${text}`);

  // Each of 3,000 rows is compared with 100: without the limit on what is read, 6 million rows are read.
  const read = rowsReadBy(rows[0]['QUERY PLAN'][0].Plan);
  assert.ok(read < 400_000, `${read} rows`);
});

test('what follows a new post or comment finds it by its id', { skip }, async (t) => {
  const client = await openMigrated(t);
  await client.query(`
    INSERT INTO users (id, username, username_key, password_hash, created_at)
      SELECT n, 'member' || n, 'member' || n, '', 0 FROM generate_series(1, 5000) AS n;
    INSERT INTO posts (user_id, category_id, status, title, body, excerpt, tags, created_at, updated_at, published_at)
      SELECT n, 1, 'published', 'Arches', 'Arches', 'Arches', '["tag' || n || '"]', 0, 0, 0
      FROM generate_series(1, 5000) AS n;
    INSERT INTO comments (post_id, user_id, status, body, created_at)
      SELECT n, n, 'published', 'x', 0 FROM generate_series(1, 5000) AS n;
    INSERT INTO tags (name) SELECT 'tag' || n FROM generate_series(1, 5000) AS n;
    INSERT INTO post_tags (post_id, tag_id, published_at, language, popularity)
      SELECT posts.id, tags.id, 0, '', 0 FROM posts JOIN tags ON tags.name = 'tag' || posts.user_id;
    ANALYZE`);
  const followers = statements.filter(
    ({ sql, file }) => sql.source.includes('currval(') && !file.includes('import'),
  );

  for (const { sql, file, line } of followers) {
    const plan = await planOf(client, sql);
    assert.doesNotMatch(
      plan,
      /Seq Scan on (?:posts|comments|post_tags|users|notifications)/,
      `${file}:${line}`,
    );
  }
  assert.ok(followers.length >= 8, `${followers.length} statements`);
});

test('a list in a category or a language of few posts is read from its own index', { skip }, async (t) => {
  const client = await openMigrated(t);
  await client.query(`
    INSERT INTO users (id, username, username_key, password_hash, created_at) VALUES (1, 'alice', 'alice', '', 0);
    INSERT INTO categories (slug, name) SELECT 'small' || n, 'Small' FROM generate_series(1, 4) AS n;
    INSERT INTO posts (user_id, category_id, status, language, title, body, excerpt, created_at, updated_at,
        published_at, heat)
      SELECT 1, 1 + n % 2, 'published', CASE WHEN n % 2 = 0 THEN 'en' ELSE 'zh' END, 'Arches', 'Arches', 'Arches',
        n, n, n, n
      FROM generate_series(1, 20000) AS n;
    ANALYZE`);
  const lists = statements.filter(
    ({ sql, file }) =>
      /community\/(?:feeds|related)\.ts$/.test(file) &&
      /posts\.(?:category_id|language) = [:(]/.test(sql.source),
  );

  for (const { sql, file, line } of lists) {
    const plan = await planOf(client, sql);
    assert.match(plan, /Index Scan using posts_by_(?:category|language)/, `${file}:${line}`);
  }
  assert.equal(lists.length, 7);
});

test('a page of comments reads no removed ones without replies, and few replies', { skip }, async (t) => {
  const client = await openMigrated(t);
  await client.query(`
    INSERT INTO users (id, username, username_key, password_hash, created_at) VALUES (1, 'mallory', 'mallory', '', 0);
    INSERT INTO posts (id, user_id, category_id, status, title, body, excerpt, created_at, updated_at, published_at)
      VALUES (1, 1, 1, 'published', 'Arches', 'Arches', 'Arches', 0, 0, 0);
    INSERT INTO comments (id, post_id, user_id, status, body, created_at, removed_at)
      SELECT n, 1, 1, 'removed', 'x', n, n FROM generate_series(1, 5000) AS n;
    INSERT INTO comments (id, parent_id, post_id, user_id, status, body, created_at)
      SELECT 5000 + n, 2500, 1, 1, 'published', 'x', n FROM generate_series(1, 5000) AS n;
    INSERT INTO comments (id, parent_id, post_id, user_id, status, body, created_at)
      SELECT 10000 + n, 2600, 1, 1, 'removed', 'x', n FROM generate_series(1, 5000) AS n;
    ANALYZE comments`);
  const lists = statements.filter(
    ({ sql }) => /\btops\.id\b|\bearly\.id\b/.test(sql.source) && !sql.source.includes('json_each'),
  );
  const known = { postId: 1, from: 0, before: 20_000, limit: 51, ids: "'[2500]'", each: 4 };

  for (const { sql, file, line } of lists) {
    const values = sql.names.map((name) => known[name as keyof typeof known]);
    await client.query(
      `SET plan_cache_mode = force_generic_plan; PREPARE planned AS ${sql.text('postgres')}`,
    );
    const { rows } = await client.query(
      `EXPLAIN (ANALYZE, FORMAT JSON) EXECUTE planned(${values.join(', ')})`,
    );
    await client.query('DEALLOCATE planned');
    const [{ Plan: plan }] = rows[0]['QUERY PLAN'];
    assert.equal(plan['Actual Rows'], sql.names.includes('each') ? known.each : 1);
    assert.ok(rowsReadBy(plan) < 100, `${file}:${line}: ${rowsReadBy(plan)} rows`);
  }
  assert.equal(lists.length, 3);
});

interface Step {
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  Plans?: Step[];
}

function rowsReadBy(step: Step): number {
  const rows = (step['Actual Rows'] + (step['Rows Removed by Filter'] ?? 0)) * step['Actual Loops'];
  return (step.Plans ?? []).reduce((sum, part) => sum + rowsReadBy(part), rows);
}

// For all values, as Portico's connections plan. EXPLAIN has a word for it only since PostgreSQL 16.
async function planOf(
  client: pg.Client,
  sql: { text(dialect: 'postgres'): string; names: readonly string[] },
) {
  const values = sql.names.length === 0 ? '' : `(${sql.names.map(() => 'NULL').join(', ')})`;
  await client.query('SET plan_cache_mode = force_generic_plan');
  await client.query(`PREPARE planned AS ${sql.text('postgres')}`);
  const { rows } = await client.query(`EXPLAIN EXECUTE planned${values}`);
  await client.query('DEALLOCATE planned');
  return rows.map((row) => row['QUERY PLAN']).join('\n');
}

/** Connect to a database that has its tables and no rows. */
async function openMigrated(t: TestScope): Promise<pg.Client> {
  const url = await createPostgresDatabase(t);
  const database = openPostgres(url);
  await database.migrate();
  await database.close();
  const client = new pg.Client({ connectionString: url });
  // Dropping the database ends the connection.
  client.on('error', () => {});
  await client.connect();
  t.after(() => client.end());
  return client;
}
