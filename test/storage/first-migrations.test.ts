// Databases of version 0.1 and its first changes, with data, are brought up to date and go on.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { search } from '../../src/storage/community/search.ts';
import { textRows } from '../../src/storage/community/texts.ts';
import type { Database } from '../../src/storage/engine/database.ts';
import { type Dialect, sql } from '../../src/storage/engine/sql.ts';
import { earlier, postgresWith, skip, sqliteWith } from './earlier-databases.ts';
import { checkIndex } from './search-index.ts';

const TEXTS = [
  { kind: 'post', id: 1, body: 'A *post*.' },
  { kind: 'comment', id: 1, body: 'A *comment*.' },
];

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
  const titlesOf = async (word: string) => {
    const reads = search(database);
    const { ids } = await reads.postIdsWith({ phrases: [[word]] }, { below: 1_000, most: 10, enough: 10 });
    return (await reads.postsByIds(ids)).map(({ title }) => title);
  };
  assert.deepEqual(await titlesOf('arches'), ['Old']);
  assert.deepEqual(await titlesOf('w9999'), ['published 4']);
  assert.deepEqual(await titlesOf('w10000'), []);
}

test('0011: drafts and removed posts leave the index, and long posts their last words, on SQLite', async (t) => {
  const database = await sqliteWith(t, indexed('sqlite'));

  await checkWords(database);

  await checkIndex(database);
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
