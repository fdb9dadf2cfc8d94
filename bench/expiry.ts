// `npm run bench:expiry`: what a year of codes, sign-ins and tokens costs PostgreSQL when it expires: bytes, the steps of
// the purging, with and without a transaction that stays open beside it, and what dropping a partition would take.
// `EXPIRY_ROWS` is the number of sign-ins. Writes results/expiry.md. Takes some minutes and 3 GB in the system's temporary folder.

import { writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { DAY } from '../src/lib/clock.ts';
import { smallestKey } from '../src/lib/secrets.ts';
import { NO_ENTRY } from '../src/storage/audit/audit-trail.ts';
import { type Database, StorageUnavailable } from '../src/storage/engine/database.ts';
import { openPostgres } from '../src/storage/engine/postgres.ts';
import { deleteAccessTokens, deleteCodes, deleteExpiredFamilies } from '../src/storage/purge/expired-rows.ts';
import { PURGE_STEP } from '../src/storage/purge/purge.ts';
import { findPostgres } from '../test/support/services.ts';
import { median, say } from './measuring.ts';

const ROWS = Number(process.env.EXPIRY_ROWS || 1_000_000);
const YEAR = 365 * DAY;
const lines: string[] = [];

const service = await findPostgres({ fsync: true });
if (!('value' in service)) throw new Error(service.missing);
const database = openPostgres(service.value, 4);
const client = new pg.Client(service.value);
await client.connect();
try {
  await database.migrate();
  const now = Date.now();
  await seed(now);
  await sizes('a year of rows');
  const half = now - YEAR / 2;
  const stages = [
    ['access tokens', (limit: number) => deleteAccessTokens({ before: smallestKey(half), by: now, limit })],
    ['codes', (limit: number) => deleteCodes({ before: smallestKey(half), limit })],
    ['sign-ins', (limit: number) => deleteExpiredFamilies({ by: half + 30 * DAY, limit })],
  ] as const;
  for (const [name, step] of stages) await purge(name, ROWS / 4, step);
  const other = new pg.Client(service.value);
  await other.connect();
  await other.query('BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT count(*) FROM migrations');
  for (const [name, step] of stages) await purge(`${name}, beside an open transaction`, ROWS / 4, step);
  await other.end();
  await sizes('half of it deleted');
  for (const table of ['access_tokens', 'authorization_codes', 'token_families']) {
    await timed(`VACUUM ${table}`, `VACUUM ${table}`);
  }
  await sizes('vacuumed');
  await seed(now, 'later', ROWS / 2);
  await sizes('as many added again');
  await partitions(now);
  writeFileSync(join(import.meta.dirname, 'results/expiry.md'), await render());
} finally {
  await client.end();
  await database.close();
  await service.stop();
}
process.exit(0);

// Rows whose times are spread over the year, in the order of their keys.
async function seed(now: number, prefix = 'first', rows = ROWS): Promise<void> {
  const start = prefix === 'first' ? now - YEAR : now;
  await client.query(`
    INSERT INTO users (id, username, username_key, password_hash, created_at) OVERRIDING SYSTEM VALUE
      SELECT n, 'member' || n, 'member' || n, 'none', 0 FROM generate_series(1, ${ROWS / 10}) n ON CONFLICT DO NOTHING;
    INSERT INTO clients (id, name, kind, scopes, redirect_uris, created_at)
      VALUES ('app', 'App', 'public', 'profile:read', '[]', 0) ON CONFLICT DO NOTHING;
    CREATE OR REPLACE FUNCTION key_at(ms bigint, n bigint) RETURNS text IMMUTABLE LANGUAGE plpgsql AS $$
      DECLARE text text := ''; digits text := '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
      BEGIN
        FOR i IN 1..8 LOOP text := substr(digits, (ms % 62)::integer + 1, 1) || text; ms := ms / 62; END LOOP;
        RETURN text || substr(md5(n::text), 1, 14);
      END $$`);
  const times = `generate_series(1, ${rows}) n, LATERAL (SELECT
    cast(${start} + n * ${YEAR / 2 / rows}::float8 * ${prefix === 'first' ? 2 : 1} AS bigint) AS at) t`;
  await timed(
    `${rows} sign-ins with a code and an access token`,
    `INSERT INTO authorization_codes (key, digest, client_id, user_id, redirect_uri, scopes, code_challenge,
        authenticated_at, expires_at, redeemed_at)
      SELECT key_at(at, n), sha256(n::text::bytea), 'app', 1 + n % ${ROWS / 10}, 'https://app.example/callback',
        'profile:read posts:read', md5(n::text) || 'abcdefghijk', at, at + 60000, at + 1000 FROM ${times};
    INSERT INTO token_families (key, client_id, user_id, scopes, authenticated_at, refresh_digest, rotated_at,
        refresh_expires_at, issued_at, expires_at)
      SELECT key_at(at, n), 'app', 1 + n % ${ROWS / 10}, 'profile:read posts:read', at, sha256(n::text::bytea), at,
        at + ${30 * DAY}, at, at + ${YEAR} FROM ${times};
    INSERT INTO access_tokens (key, digest, family_key, scopes, expires_at)
      SELECT key_at(at, n), sha256(n::text::bytea), key_at(at, n), 'profile:read posts:read', at + 43200000
      FROM ${times}; ANALYZE;`,
  );
}

async function purge(
  name: string,
  rows: number,
  step: (limit: number) => Parameters<Database['atomically']>[0]['guard'],
): Promise<void> {
  const times: number[] = [];
  const start = performance.now();
  let deleted = 0;
  for (let count = 1; deleted < rows && count > 0; deleted += count) {
    const since = performance.now();
    try {
      count = (await database.atomically({ audit: NO_ENTRY, guard: step(PURGE_STEP) })).rows.length;
    } catch (error) {
      if (!(error instanceof StorageUnavailable)) throw error;
      report(`${name}: a step took more than 10 s`);
      break;
    }
    times.push(performance.now() - since);
  }
  const seconds = (performance.now() - start) / 1000;
  const early = median(times.slice(0, 50));
  const late = median(times.slice(-50));
  times.sort((a, b) => a - b);
  report(
    `${name}: ${deleted} deleted in ${seconds.toFixed(1)} s; a step of ${PURGE_STEP}: median ${median(times).toFixed(1)} ms, ` +
      `99 % within ${(times[Math.floor(times.length * 0.99)] ?? 0).toFixed(1)} ms, the first ${early.toFixed(1)}, the last ${late.toFixed(1)}`,
  );
}

async function partitions(now: number): Promise<void> {
  await client.query('CREATE TABLE parted (LIKE authorization_codes) PARTITION BY RANGE (key)');
  for (let month = 0; month < 24; month += 1) {
    const bound = (n: number) => smallestKey(now - YEAR + (n * YEAR) / 12);
    await client.query(
      `CREATE TABLE parted_${month} PARTITION OF parted FOR VALUES FROM ('${bound(month)}') TO ('${bound(month + 1)}')`,
    );
  }
  await client.query('ALTER TABLE parted ADD PRIMARY KEY (key)');
  await client.query(
    'CREATE INDEX ON parted (user_id, client_id, key) WHERE redeemed_at IS NULL AND voided_at IS NULL',
  );
  await client.query(
    `INSERT INTO parted SELECT * FROM authorization_codes WHERE key >= '${smallestKey(now - YEAR / 2)}'
       AND key < '${smallestKey(now)}'; ANALYZE parted`,
  );
  const { rows } = await client.query('SELECT count(*) AS n FROM parted_7');
  for (const table of ['authorization_codes', 'parted']) {
    await each(`find a code by its key in ${table}`, `SELECT * FROM ${table} WHERE key = $1`, 'key');
    await each(
      `find the live codes of a member in ${table}`,
      `SELECT key FROM ${table} WHERE user_id = $1 AND client_id = 'app' AND redeemed_at IS NULL AND voided_at IS NULL`,
      'user_id',
    );
  }
  await timed(`drop a partition of ${rows[0].n} codes`, 'DROP TABLE parted_7');
}

async function each(what: string, text: string, column: string): Promise<void> {
  const { rows } = await client.query(
    `SELECT ${column} AS value FROM parted TABLESAMPLE SYSTEM (1) LIMIT 2000`,
  );
  const name = `${what}`.slice(0, 60);
  for (const { value } of rows.slice(0, 20)) await client.query({ name, text, values: [value] });
  const start = performance.now();
  for (const { value } of rows) await client.query({ name, text, values: [value] });
  report(`${what}: ${(((performance.now() - start) / rows.length) * 1000).toFixed(0)} µs`);
}

async function timed(what: string, text: string): Promise<void> {
  const start = performance.now();
  await client.query(text);
  report(`${what}: ${((performance.now() - start) / 1000).toFixed(2)} s`);
}

async function sizes(when: string): Promise<void> {
  const { rows } = await client.query(`
    SELECT relname AS name, pg_table_size(oid) AS heap, pg_indexes_size(oid) AS indices, reltuples AS rows FROM pg_class
    WHERE relname IN ('access_tokens', 'authorization_codes', 'token_families') ORDER BY relname`);
  const megabytes = (bytes: string) => (Number(bytes) / 1e6).toFixed(0);
  report(
    `${when}: ${rows.map((r) => `${r.name} ${megabytes(r.heap)} + ${megabytes(r.indices)} MB of indices`).join('; ')}`,
  );
}

function report(line: string): void {
  say(line);
  lines.push(`- ${line}`);
}

async function render(): Promise<string> {
  const { rows } = await client.query('SHOW server_version');
  return `# What expires

A year of ${ROWS} sign-ins, each with a code and an access token, on PostgreSQL ${rows[0].server_version} that syncs each
commit; ${cpus()[0]?.model.trim()}, ${cpus().length} cores. The lines are in the order in which it happened.

${lines.join('\n')}
`;
}
