// Which indexes SQLite uses for lists of posts and comments. Each walks one, and stops after a page.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { database, planOf, statements } from './statements/plans.ts';
import type { SourceStatement } from './statements/source-statements.ts';

test('the lists of comments follow indexes that have no removed comments', () => {
  const plans = statements
    .filter(({ file, sql, dialects }) => {
      const isList = /\bLIMIT cast\(:(?:limit|each)/.test(sql.source);
      // Those of the feeds are in no place below a post.
      const isOfFeed = sql.source.includes('JOIN posts');
      return file.endsWith('comment-lists.ts') && isList && !isOfFeed && dialects.includes('sqlite');
    })
    .map((statement) => planOf(statement).steps.join('; '));

  assert.equal(plans.length, 5);
  for (const plan of plans) {
    assert.match(plan, /INDEX published_(?:comments_of_post \(post_id=\? AND id[<>]|replies \(parent_id=)/);
    assert.doesNotMatch(plan, /comments_o[fn]_post \(post_id=\?\)|SCAN comments/);
    for (const [, index = ''] of plan.matchAll(/INDEX (\w+) \(post_id=/g)) assert.match(index, /^published_/);
  }
});

test('5,000 removed comments below a post cost its page no time', () => {
  const [list] = statements.filter(({ sql }) => /comments\.id >= :from\s.*tops\.id/s.test(sql.source));
  const { sql } = list as SourceStatement;
  database.exec(`
    INSERT INTO users (id, username, username_key, password_hash, created_at) VALUES (1, 'mallory', 'mallory', '', 0);
    INSERT INTO posts (id, user_id, category_id, status, title, body, excerpt, created_at, updated_at, published_at)
      VALUES (1, 1, 1, 'published', 'Arches', 'Arches', 'Arches', 0, 0, 0);
    WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 5000)
    INSERT INTO comments (post_id, user_id, status, body, html, created_at, removed_at)
      SELECT 1, 1, 'removed', 'x', printf('%.*c', 66000, 'x'), n, n FROM numbers`);
  const statement = database.prepare(sql.text('sqlite'));
  const values = sql.parameters({ postId: 1, from: 0, limit: 51 }) as number[];
  statement.all(...values);

  const start = process.cpuUsage();
  for (let round = 0; round < 20; round += 1) assert.deepEqual(statement.all(...values), []);
  const { user, system } = process.cpuUsage(start);

  // Reading the rows takes 100 ms and more each time.
  assert.ok(user + system < 400_000, `${(user + system) / 20_000} ms for a page`);
});

test('15,000 events that wait for the first one of their member cost the delivery no time', () => {
  const [due] = statements.filter(({ sql }) =>
    /NOT EXISTS[^;]*application_events AS earlier/.test(sql.source),
  );
  const { sql } = due as SourceStatement;
  database.exec(`
    PRAGMA foreign_keys = OFF;
    WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 15000)
    INSERT INTO application_events (
      client_id, kind, user_id, type, scopes, deletes_data, at, attempts, next_attempt_at)
      SELECT 'notebook', 'webhook', 1, 'access.paused', '', 0, n, 0, n FROM numbers;
    PRAGMA foreign_keys = ON`);
  const statement = database.prepare(sql.text('sqlite'));
  const values = sql.parameters({ clientId: 'notebook', kind: 'webhook', now: 20_000, most: 4 }) as string[];
  statement.all(...values);

  const start = process.cpuUsage();
  for (let round = 0; round < 50; round += 1) assert.equal(statement.all(...values).length, 1);
  const { user, system } = process.cpuUsage(start);

  // Looking at all of them takes 7 ms and more each time.
  assert.ok(user + system < 150_000, `${(user + system) / 50_000} ms for a read`);
});

test('the posts before a page of a member’s posts are stepped over in an index', () => {
  const plans = statements
    .filter(({ file, sql }) => file.endsWith('community/post-lists.ts') && sql.source.includes('OFFSET'))
    .map((statement) => planOf(statement).steps.join('; '));

  assert.equal(plans.length, 2);
  for (const plan of plans) {
    assert.match(plan, /SEARCH posts USING COVERING INDEX posts_published_by_user \(user_id=\?\)/);
  }
});

test('each list of posts follows an index to its end, and sorts nothing', () => {
  const plans = statements
    .filter(({ file, sql }) => file.endsWith('community/feeds.ts') && sql.source.includes('ORDER BY posts.'))
    .map((statement) => planOf(statement).steps);
  const indexes = plans.map((steps) => /(?:SEARCH|SCAN) posts USING INDEX (\w+)/.exec(steps.join('; '))?.[1]);

  assert.deepEqual(
    plans.filter((steps) => steps.some((step) => step.includes('TEMP B-TREE'))),
    [],
  );
  assert.deepEqual(indexes.toSorted(), [
    'posts_by_category',
    'posts_by_category_and_heat',
    'posts_by_category_and_language',
    'posts_by_category_language_and_heat',
    'posts_by_heat',
    'posts_by_heat',
    'posts_by_language',
    'posts_by_language_and_heat',
    'posts_pinned',
    'posts_published',
    'posts_published',
  ]);
});

test('counting the posts of a category reads its index only', () => {
  const [statement] = statements.filter(({ sql }) =>
    sql.source.includes('LIMIT cast(:most AS bigint)\n    ) AS counted'),
  );

  assert.match(
    planOf(statement as SourceStatement).steps.join('\n'),
    /SEARCH posts USING COVERING INDEX posts_by_category\w* \(category_id=\?\)/,
  );
});

test('each list of the posts of a tag follows an index to its end, and sorts nothing', () => {
  const plans = statements
    .filter(({ sql }) => /WHERE post_tags\.tag_id = :tagId .*ORDER BY post_tags/s.test(sql.source))
    .map((statement) => planOf(statement).steps.join('; '));

  assert.deepEqual(
    plans.map((plan) => /^SEARCH post_tags USING (?:COVERING )?INDEX (\w+)/.exec(plan)?.[1]).toSorted(),
    [
      'post_tags_by_language',
      'post_tags_by_language_and_popularity',
      'post_tags_by_popularity',
      'post_tags_by_tag',
    ],
  );
  assert.doesNotMatch(plans.join('\n'), /TEMP B-TREE|SCAN/);
});

const GROWING_LISTS = [
  // The statements, by a part of their text, and the index that each must walk.
  ['FROM sources, json_each', /SEARCH newest USING COVERING INDEX posts_published_by_user/],
  ['FROM sources, json_each', /SEARCH newest USING COVERING INDEX post_tags_by_tag/],
  ['FROM post_tags AS own, json_each', /SEARCH newest USING COVERING INDEX post_tags_by_tag/],
  ['WHERE categories.slug = :slug)', /SEARCH posts USING INDEX posts_by_category/],
  [
    'WHERE bookmarks.user_id = :userId AND posts',
    /SEARCH bookmarks USING (?:COVERING )?INDEX bookmarks_of_user/,
  ],
  [
    'FROM post_tags WHERE tag_id = :tagId LIMIT',
    /SEARCH post_tags USING COVERING INDEX post_tags_by_\w+ \(tag_id=/,
  ],
  ['FROM tags WHERE id BETWEEN', /SEARCH tags USING INTEGER PRIMARY KEY/],
  ['WHERE post_count > 0 AND heir_id IS NULL', /USING (?:COVERING )?INDEX tags_listed/],
  ["comments.post_id = :postId AND comments.status = 'published' AND", /INDEX comments_newest_on_post/],
] as const;

test('the lists of tags, followed posts, bookmarks, related posts and new comments walk an index', () => {
  for (const [part, index] of GROWING_LISTS) {
    const [statement] = statements.filter(
      ({ sql, dialects }) => dialects.includes('sqlite') && sql.source.includes(part),
    );
    assert.ok(statement, part);
    const { steps } = planOf(statement);

    assert.match(steps.join('\n'), index);
    assert.doesNotMatch(
      steps.join('\n'),
      /SCAN (?:posts|comments|post_tags|bookmarks|tags)\b(?! USING INDEX tags_listed)/,
    );
  }
});

test('no column of posts and comments is behind the texts, because lists would read through these', () => {
  for (const table of ['posts', 'comments']) {
    const columns = database.prepare('SELECT name FROM pragma_table_info(?) ORDER BY cid').all(table);
    const names = columns.map(({ name }) => name);

    assert.deepEqual(
      names.slice(names.indexOf('body')),
      ['body', 'html'],
      `A migration that adds a column to ${table} must then move the texts to the end again, as 0086 does.`,
    );
  }
});
