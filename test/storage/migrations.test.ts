// A database of an earlier version, with data, is brought up to date and goes on.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import pg from 'pg';
import { NO_ENTRY } from '../../src/storage/audit/audit-trail.ts';
import { backgroundWorkReads, backgroundWorkWrites } from '../../src/storage/audit/background-work.ts';
import { communityStore } from '../../src/storage/community/community-store.ts';
import { search } from '../../src/storage/community/search.ts';
import { textRows } from '../../src/storage/community/texts.ts';
import type { Database } from '../../src/storage/engine/database.ts';
import { openPostgres } from '../../src/storage/engine/postgres.ts';
import { type Dialect, sql } from '../../src/storage/engine/sql.ts';
import { openSqlite } from '../../src/storage/engine/sqlite.ts';
import { openConnection } from '../../src/storage/engine/sqlite-connection.ts';
import { identityStore } from '../../src/storage/identity/identity-store.ts';
import { mailRows } from '../../src/storage/identity/mails.ts';
import { migrations } from '../../src/storage/migrations/index.ts';
import { voidCodesOf } from '../../src/storage/oauth/authorization-codes.ts';
import { siteStore } from '../../src/storage/site/site-store.ts';
import { createPostgresDatabase, type TestScope, temporaryFolder } from '../support/databases.ts';
import { SERVER } from './doers.ts';

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

async function sqliteWith(scope: TestScope, statements: string[]): Promise<Database> {
  const path = join(await temporaryFolder(scope), 'portico.db');
  const connection = openConnection(path);
  connection.function('search_words', (text) => String(text));
  for (const statement of statements) connection.exec(statement);
  connection.close();
  const database = openSqlite(path);
  scope.after(() => database.close());
  return database;
}

async function postgresWith(scope: TestScope, statements: string[]): Promise<Database> {
  const url = await createPostgresDatabase(scope);
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  for (const statement of statements) await client.query(statement);
  await client.end();
  const database = openPostgres(url);
  scope.after(() => database.close());
  return database;
}

test('0005: old texts are waiting to be rendered, on SQLite', async (t) => {
  const database = await sqliteWith(t, earlier('sqlite', '0005-rendered-texts'));

  await database.migrate();

  assert.deepEqual(await textRows(database).textsToRender(1, 10), TEXTS);
});

test('0005: old texts are waiting to be rendered, on PostgreSQL', { skip }, async (t) => {
  const database = await postgresWith(t, earlier('postgres', '0005-rendered-texts'));

  await database.migrate();

  assert.deepEqual(await textRows(database).textsToRender(1, 10), TEXTS);
});

/** A published post, a draft, a removed post and a long post, all in the index, as older versions left them. */
function indexed(dialect: Dialect): string[] {
  const post = (id: number, status: string) =>
    `INSERT INTO posts (id, user_id, category_id, status, title, body, excerpt, created_at, updated_at)
      VALUES (${id}, 1, 1, '${status}', '${status} ${id}', 'Arches.', '', 0, 0)`;
  const words = [...Array(10_001).keys()].map((n) => `w${n}`).join(' ');
  return [
    ...earlier(dialect, '0011-published-words'),
    ...[post(2, 'draft'), post(3, 'removed'), post(4, 'published')],
    ...[1, 2, 3].map((id) => `INSERT INTO post_words (post_id, words) VALUES (${id}, 'on arches')`),
    `INSERT INTO post_words (post_id, words) VALUES (4, '${words}')`,
  ];
}

const selectWords = sql<void, { id: number; words: string }>`
  SELECT post_id AS id, words FROM post_words ORDER BY post_id`;

async function checkWords(database: Database): Promise<void> {
  await database.migrate();

  const rows = await database.rows(selectWords());
  assert.deepEqual(
    rows.map(({ id, words }) => [id, words.split(' ').length, words.split(' ').at(-1)]),
    [
      [1, 2, 'arches'],
      [4, 10_000, 'w9999'],
    ],
  );
  const titlesOf = async (word: string) =>
    (await search(database).postsWith([[word]], 1_000, 10)).map(({ title }) => title);
  assert.deepEqual(await titlesOf('arches'), ['Old']);
  assert.deepEqual(await titlesOf('w9999'), ['published 4']);
  assert.deepEqual(await titlesOf('w10000'), []);
}

test('0011: drafts and removed posts leave the index, and long posts their last words, on SQLite', async (t) => {
  const database = await sqliteWith(t, indexed('sqlite'));

  await checkWords(database);

  // Fails unless the index has exactly the words that are left.
  const guard = sql`INSERT INTO post_search (post_search, rank) VALUES ('integrity-check', 1)`();
  await database.atomically({ audit: NO_ENTRY, guard });
});

test(
  '0011: drafts and removed posts leave the index, and long posts their last words, on PostgreSQL',
  { skip },
  async (t) => checkWords(await postgresWith(t, indexed('postgres'))),
);

/** As `earlier`, with a closed account and its tokens. */
function closedAccount(dialect: Dialect): string[] {
  const digest = { sqlite: "x'00'", postgres: "'\\x00'::bytea" }[dialect];
  return [
    ...earlier(dialect, '0012-closed-accounts'),
    `INSERT INTO users (username, username_key, password_hash, bio, is_operator, created_at, status)
      VALUES ('eve', 'eve', 'her hash', '', 0, 0, 'closed')`,
    `INSERT INTO personal_tokens (key, digest, ending, user_id, name, scopes, created_at)
      VALUES ('one', ${digest}, 'x', 1, 'his', 'posts:read', 0), ('two', ${digest}, 'x', 2, 'hers', 'posts:read', 0)`,
  ];
}

async function assertRepaired(database: Database): Promise<void> {
  const hashes = await database.rows(selectHashes());
  assert.deepEqual(hashes, [
    { hash: 'none' },
    { hash: `$argon2id$v=19$m=19456,t=2,p=1$${'A'.repeat(22)}$${'A'.repeat(43)}` },
  ]);
  const [his, hers] = await database.rows(selectRevocations());
  assert.equal(his?.revokedAt, undefined);
  assert.ok(Math.abs((hers?.revokedAt ?? 0) - Date.now()) < 60_000, String(hers?.revokedAt));
}

test('0014: members keep their names, and have no earlier ones, on SQLite', async (t) => {
  await checkNames(await sqliteWith(t, earlier('sqlite', '0014-earlier-usernames')));
});

test('0014: members keep their names, and have no earlier ones, on PostgreSQL', { skip }, async (t) => {
  await checkNames(await postgresWith(t, earlier('postgres', '0014-earlier-usernames')));
});

async function checkNames(database: Database): Promise<void> {
  await database.migrate();

  const identity = identityStore(database);
  assert.equal((await identity.findUserByAnyName('bob'))?.id, 1);
  assert.deepEqual(await identity.earlierUsernames(1), []);
}

const selectHashes = sql<void, { hash: string }>`SELECT password_hash AS hash FROM users ORDER BY id`;
const selectRevocations = sql<void, { revokedAt: number | undefined }>`
  SELECT revoked_at AS "revokedAt" FROM personal_tokens ORDER BY id`;

test('0012: closed accounts lose their password and their tokens, on SQLite', async (t) => {
  const database = await sqliteWith(t, closedAccount('sqlite'));

  await database.migrate();

  await assertRepaired(database);
});

test('0012: closed accounts lose their password and their tokens, on PostgreSQL', { skip }, async (t) => {
  const database = await postgresWith(t, closedAccount('postgres'));

  await database.migrate();

  await assertRepaired(database);
});

async function checkSettings(database: Database): Promise<void> {
  await database.migrate();

  const site = siteStore(database);
  assert.deepEqual(await site.storedSettings(), {});
  await site.saveSettings(SERVER, { name: 'Agora' });
  assert.deepEqual(await site.storedSettings(), { name: 'Agora' });
}

test('0013: a community from before has no settings of its own, and can have some, on SQLite', async (t) => {
  await checkSettings(await sqliteWith(t, earlier('sqlite', '0013-site-settings')));
});

test('0013: the same on PostgreSQL', { skip }, async (t) => {
  await checkSettings(await postgresWith(t, earlier('postgres', '0013-site-settings')));
});

const liveCode = (id: number) =>
  `INSERT INTO authorization_codes (key, digest, client_id, user_id, redirect_uri, scopes, authenticated_at, expires_at)
    VALUES ('code${id}', '', 'notebook', 1, 'https://a.example/', 'openid', 0, 1)`;

function withCodes(dialect: Dialect): string[] {
  return [
    ...earlier(dialect, '0016-live-access'),
    `INSERT INTO clients (id, name, kind, redirect_uris, scopes, created_at)
      VALUES ('notebook', 'Notebook', 'public', '[]', 'openid', 0)`,
    ...[1, 2].map(liveCode),
  ];
}

async function checkCodes(database: Database): Promise<void> {
  await database.migrate();

  await database.atomically({
    audit: NO_ENTRY,
    guard: voidCodesOf({ userId: 1, clientId: 'notebook', at: 9 }),
  });
  const codes = await Promise.all(['code1', 'code2'].map((key) => database.first(selectVoided({ key }))));
  assert.deepEqual(codes, [{ at: 9 }, { at: 9 }]);
}

const selectVoided = sql<{ key: string }, { at: number }>`
  SELECT voided_at AS at FROM authorization_codes WHERE key = :key`;

test('0016: the codes from before are live, on SQLite', async (t) => {
  await checkCodes(await sqliteWith(t, withCodes('sqlite')));
});

test('0016: the same on PostgreSQL', { skip }, async (t) => {
  await checkCodes(await postgresWith(t, withCodes('postgres')));
});
/** As `earlier`, with a mail that waits. */
function withMail(dialect: Dialect): string[] {
  return [
    ...earlier(dialect, '0019-background-work'),
    `INSERT INTO mails (purpose, user_id, email, language, created_at, next_attempt_at)
      VALUES ('reset', 1, 'bob@x.example', 'en', 0, 0)`,
  ];
}

async function assertMailWaits(database: Database): Promise<void> {
  await database.migrate();

  const { mailsDue, unsentMails } = mailRows(database);
  const [mail] = await unsentMails(100, 10);
  assert.deepEqual([mail?.username, mail?.problem, mail?.givenUpAt], ['bob', undefined, undefined]);
  assert.equal((await mailsDue(0, 10)).length, 1);
  await backgroundWorkWrites(database).recordRun('purging', 7);
  assert.equal((await backgroundWorkReads(database).backgroundWork())[0]?.ranAt, 7);
}

test('0019: mails go on waiting, and background work can be recorded, on SQLite', async (t) =>
  assertMailWaits(await sqliteWith(t, withMail('sqlite'))));

test('0019: mails go on waiting, and background work can be recorded, on PostgreSQL', { skip }, async (t) =>
  assertMailWaits(await postgresWith(t, withMail('postgres'))),
);
/** As `earlier`, with a second category and an operator. */
function beforeModeration(dialect: Dialect): string[] {
  return [
    ...earlier(dialect, '0015-moderation'),
    "INSERT INTO categories (slug, name) VALUES ('craft', 'Craft')",
    'UPDATE users SET is_operator = 1',
  ];
}

async function assertModeration(database: Database): Promise<void> {
  const community = communityStore(database);
  assert.deepEqual(
    (await community.categories()).map(({ slug, description }) => [slug, description]),
    [
      ['general', ''],
      ['craft', ''],
    ],
  );
  const post = await community.findPost(1);
  assert.deepEqual([post?.status, post?.lockedAt, post?.pinnedAt], ['published', undefined, undefined]);
  const bob = await identityStore(database).findUser(1);
  assert.deepEqual([bob?.isOperator, bob?.isModerator], [true, false]);
}

test('0015: categories keep their order, and nobody becomes a moderator, on SQLite', async (t) => {
  const database = await sqliteWith(t, beforeModeration('sqlite'));

  await database.migrate();

  await assertModeration(database);
});

test('0015: categories keep their order, and nobody becomes a moderator, on PostgreSQL', {
  skip,
}, async (t) => {
  const database = await postgresWith(t, beforeModeration('postgres'));

  await database.migrate();

  await assertModeration(database);
});
