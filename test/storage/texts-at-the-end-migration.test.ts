// A database from before the texts of posts and comments were the last columns of their rows.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NO_ENTRY } from '../../src/storage/audit/audit-trail.ts';
import { communityStore } from '../../src/storage/community/community-store.ts';
import type { Database } from '../../src/storage/engine/database.ts';
import { type Dialect, fragment, sql } from '../../src/storage/engine/sql.ts';
import { textsAtTheEnd } from '../../src/storage/migrations/0086-texts-at-the-end.ts';
import { asMember } from './doers.ts';
import { earlier, postgresWith, skip, sqliteWith } from './earlier-databases.ts';
import { newPost } from './records.ts';
import { checkIndex } from './search-index.ts';

const LONG = 'The oven is hot. '.repeat(10_000);

const POSTS = [
  // Each: id, status, body, html, picture, language, reading_minutes, tags, html_version.
  `(11, 'published', '${LONG}', '<p>${LONG}</p>', '/pictures/a', 'en', 9, '["bread","烤"]', 3)`,
  "(12, 'published', '烤面包', '<p>烤面包</p>', NULL, 'zh', 1, '[]', 3)",
  "(13, 'published', 'Not rendered', NULL, NULL, NULL, NULL, '[]', 0)",
  "(14, 'draft', '', NULL, NULL, NULL, NULL, '[\"bread\"]', 0)",
  "(15, 'removed', 'Spam', '<p>Spam</p>', NULL, 'en', 1, '[]', 3)",
];

const COMMENTS = [
  `(21, NULL, 'published', '${LONG}', '<p>${LONG}</p>', NULL)`,
  "(22, 21, 'published', 'Yes.', NULL, NULL)",
  "(23, NULL, 'removed', 'No.', '<p>No.</p>', 5)",
  "(24, NULL, 'removed', '', NULL, 5)",
  "(25, 21, 'waiting', 'Maybe.', '<p>Maybe.</p>', NULL)",
];

const withTexts = (dialect: Dialect) => [
  ...earlier(dialect, '0086-texts-at-the-end'),
  ...POSTS.map((row) => {
    const values = `SELECT cast(column1 AS bigint), 1, 1, column2, 'Bread', column3, 'Bread.', 7, 8, 9, column4,
      column5, column6, cast(column7 AS integer), column8, column9`;
    return `INSERT INTO posts (id, user_id, category_id, status, title, body, excerpt, created_at, updated_at,
      published_at, html, picture, language, reading_minutes, tags, html_version)
      ${values} FROM (VALUES ${row}) AS texts`;
  }),
  ...COMMENTS.map(
    (
      row,
    ) => `INSERT INTO comments (id, parent_id, status, post_id, user_id, body, html, removed_at, created_at)
      SELECT column1, cast(column2 AS bigint), column3, 11, 1, column4, column5, cast(column6 AS bigint), 4
      FROM (VALUES ${row}) AS texts`,
  ),
  "INSERT INTO post_words (post_id, words) SELECT id, lower(title) || ' 烤 面 包' FROM posts WHERE status = 'published'",
  "INSERT INTO tags (name, post_count) VALUES ('bread', 1)",
  'INSERT INTO post_tags (post_id, tag_id, published_at) VALUES (11, 1, 9)',
  'INSERT INTO likes (post_id, user_id, created_at) VALUES (11, 1, 9)',
  'INSERT INTO bookmarks (post_id, user_id, created_at) VALUES (11, 1, 9)',
  `INSERT INTO notifications (user_id, kind, post_id, comment_id, created_at) VALUES (1, 'comment', 11, 21, 9)`,
];

const TABLES = [
  'posts',
  'comments',
  'users',
  'changes',
  'post_words',
  'post_tags',
  'tags',
  'likes',
  'bookmarks',
].concat('notifications');

// Everything but the order of the columns.
async function contents(database: Database): Promise<object[][]> {
  const tables = TABLES.map((name) => fragment([`SELECT * FROM ${name} ORDER BY 1, 2`] as never));
  const lists = tables.map((list) => database.rows(sql<void, object>`${list}`()));
  return Promise.all([...lists, database.rows(selectColumns()), database.rows(selectOthers())]);
}

const selectColumns = sql<void, object>`
  SELECT tables.name AS "table", columns.name, columns.type, columns."notnull"
  FROM sqlite_schema AS tables, pragma_table_info(tables.name) AS columns
  WHERE tables.type = 'table' ORDER BY 1, 2`;
const selectOthers = sql<void, object>`
  SELECT type, name, tbl_name, sql FROM sqlite_schema WHERE type <> 'table' ORDER BY type, name`;
const selectFaults = sql<void, object>`
  SELECT integrity_check AS fault FROM pragma_integrity_check WHERE integrity_check <> 'ok'
  UNION ALL SELECT "table" FROM pragma_foreign_key_check`;
const selectColumnsOf = sql<{ table: string }, { name: string }>`SELECT name FROM pragma_table_info(:table)`;

test('0086: rows, indexes, triggers and the search stay as they were, on SQLite', async (t) => {
  const before = await sqliteWith(t, withTexts('sqlite'));
  const database = await sqliteWith(t, [
    ...withTexts('sqlite'),
    // This migration alone, since later ones may change what is compared.
    'BEGIN',
    ...textsAtTheEnd.up('sqlite'),
    `INSERT INTO migrations VALUES ('${textsAtTheEnd.name}', 0)`,
    'COMMIT',
  ]);

  assert.deepEqual(await contents(database), await contents(before));
  assert.deepEqual(await database.rows(selectFaults()), []);
  for (const table of ['posts', 'comments']) {
    const columns = await database.rows(selectColumnsOf({ table }));
    assert.deepEqual(
      columns.slice(-2).map(({ name }) => name),
      ['body', 'html'],
    );
  }
  await database.migrate();
  await checkIndex(database);
  await checkUse(database);
  await checkIndex(database);
});

test('0086: nothing changes on PostgreSQL', { skip }, async (t) => {
  const database = await postgresWith(t, withTexts('postgres'));

  await database.migrate();

  await checkUse(database);
});

async function checkUse(database: Database): Promise<void> {
  const community = communityStore(database);
  const post = await community.findPost(11);
  assert.deepEqual(
    [post?.body, post?.html, post?.picture, post?.language, post?.tags],
    [LONG, `<p>${LONG}</p>`, '/pictures/a', 'en', '["bread","烤"]'],
  );
  const [comment] = await community.comments([21]);
  assert.deepEqual([comment?.body, comment?.html], [LONG, `<p>${LONG}</p>`]);
  await community.addPost(asMember(1), newPost(1));
  await community.removePost(asMember(1), 12, 10);
  await database.atomically({ audit: NO_ENTRY, guard: deletePost() });
  assert.deepEqual(await community.comments([21]), []);
}

const deletePost = sql`DELETE FROM posts WHERE id = 11`;
