// Which indexes SQLite uses for tables that grow with what people do. It has no statistics, so the plans don't
// depend on what is stored.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { FILES_THAT_MAY, SCANS_THAT_MAY, SMALL_INDEXES, SMALL_TABLES } from './statements/full-scans.ts';
import { type SourceStatement, sourceStatements } from './statements/source-statements.ts';

// First: the other imports load files of storage, and the places of their statements would be unknown.
const statements = (await sourceStatements())
  // The sandbox alone has them, and its tables stay small.
  .filter(({ file }) => !file.endsWith('purge/erased-member.ts'));
const { openConnection, migrate } = await import('../../src/storage/engine/sqlite-connection.ts');

const GROWING = ['security_events', 'audit_events', 'mails', 'notifications', 'token_families'];
const READS_THEM = new RegExp(`\\b(?:${GROWING.join('|')})\\b`);

const database = openConnection(':memory:');
after(() => database.close());
migrate(database);

test('every statement finds its events, audit entries, mails, notifications and sign-ins by an index', () => {
  const plans = statements
    .filter(({ sql, dialects }) => dialects.includes('sqlite') && READS_THEM.test(sql.source))
    .map(planOf);

  assert.deepEqual(plans.filter(visitsTooMany), []);
  assert.ok(plans.length > 20);
});

test('the events of one name of a member are found without reading the member’s other events', () => {
  const [statement] = statements.filter(({ sql }) =>
    sql.source.includes('user_id = :userId AND event = :event AND id < :before'),
  );

  const { steps } = planOf(statement as SourceStatement);

  assert.match(
    steps.join('\n'),
    /USING INDEX security_events_of_user_named \(user_id=\? AND event=\? AND id<\?\)/,
  );
});

test('no statement reads these tables with a condition that can be left out, which no index serves', () => {
  const optional = statements.filter(
    ({ sql }) => READS_THEM.test(sql.source) && /cast\(:\w+ AS \w+\) IS NULL OR/.test(sql.source),
  );

  assert.deepEqual(
    optional.map(({ file, line }) => `${file}:${line}`),
    [],
  );
});

test('a repeated code finds its earlier event without reading the other events of the member', () => {
  const [statement] = statements.filter(({ sql }) => sql.source.includes("'code_replayed'"));

  const { steps } = planOf(statement as SourceStatement);

  assert.match(
    steps.join('\n'),
    /SEARCH earlier USING \S* ?INDEX security_events_of_code \(subject=\? AND at>\?\)/,
  );
});

test('the oldest events of a member’s sessions are found without reading the member’s other events', () => {
  const [statement] = statements.filter(
    ({ sql }) => sql.source.includes('OFFSET 1000)') && /DELETE FROM security/.test(sql.source),
  );

  const { steps } = planOf(statement as SourceStatement);

  assert.match(steps.join('\n'), /USING INDEX security_events_of_sessions \(user_id=\?\)/);
});

test('no statement reads the access diary but by hour and member, and pages add up no lines of it', () => {
  const diary = statements.filter(
    ({ sql, dialects }) => dialects.includes('sqlite') && /\b(?:access_diary|diary_hours)\b/.test(sql.source),
  );
  const plans = diary.map(planOf);
  const sums = diary.filter(({ sql }) => /\bsum\(/.test(sql.source));

  assert.ok(plans.length > 6);
  assert.deepEqual(
    plans.filter(({ steps }) => steps.some((step) => /^SCAN (?:line|access_diary|diary_hours)\b/.test(step))),
    [],
  );
  assert.equal(sums.length, 1);
  assert.doesNotMatch(sums[0]?.sql.source ?? '', /access_diary/);
});

test('the last place of a sign-in is found without reading the lines of others', () => {
  const [statement] = statements.filter(
    ({ sql, dialects }) => dialects.includes('sqlite') && sql.source.includes('last_hours'),
  );

  const plan = planOf(statement as SourceStatement).steps.join('\n');

  assert.match(plan, /SEARCH line USING COVERING INDEX access_diary_of_sign_ins \(source=\?\)/);
  assert.match(
    plan,
    /SEARCH line USING PRIMARY KEY \(hour=\? AND user_id=\? AND client_id=\? AND source=\?\)/,
  );
});

test('each list of the newest members follows an index of its own, and sorts nothing', () => {
  const plans = statements
    .filter(
      ({ file, sql }) => file.endsWith('member-lists.ts') && sql.source.includes('ORDER BY created_at DESC'),
    )
    .map((statement) => planOf(statement).steps.join('; '));
  const search = 'SEARCH users USING INDEX';

  assert.deepEqual(plans.sort(), [
    `${search} users_by_age (created_at<?)`,
    `${search} users_moderators (created_at<?)`,
    `${search} users_not_active (status=? AND created_at<?)`,
    `${search} users_not_active (status=? AND created_at<?)`,
    `${search} users_operators (created_at<?)`,
    `${search} users_with_membership (created_at<?)`,
  ]);
});

test('no statement reads the events for applications without the index that serves it', () => {
  const plans = statements
    .filter(({ sql, dialects }) => dialects.includes('sqlite') && sql.source.includes('application_events'))
    .map(planOf)
    // Of the sandbox.
    .filter(({ place }) => !place.startsWith('src/storage/purge/erased-member.ts'));
  const reading = plans.flatMap(({ steps }) => steps).filter((step) => step.includes('application_events'));

  assert.ok(plans.length > 15);
  assert.deepEqual(
    plans.filter(({ steps }) =>
      steps.some(
        (step) =>
          /^SCAN application_events\b/.test(step) ||
          step.includes('application_events_given_up (given_up_at>?)'),
      ),
    ),
    [],
  );
  for (const index of ['due (client_id=? AND kind=? AND next_attempt_at<?)', 'of_endpoint (client_id=?)']) {
    assert.ok(
      reading.some((step) => step.includes(`application_events_${index}`)),
      index,
    );
  }
});

test('no statement reads the whole of a growing table, except those that are listed with their reason', () => {
  const scans = statements
    .filter(({ dialects }) => dialects.includes('sqlite'))
    .flatMap((statement) => scansOf(statement).map((scan) => ({ file: statement.file, scan })));
  const isAllowed = ({ file, scan }: (typeof scans)[number]) =>
    FILES_THAT_MAY[file] !== undefined || SCANS_THAT_MAY[file]?.[scan] !== undefined;

  assert.deepEqual(
    scans.filter((one) => !isAllowed(one)),
    [],
  );
  const listed = Object.entries(SCANS_THAT_MAY).flatMap(([file, names]) =>
    Object.keys(names).map((scan) => `${file}: ${scan}`),
  );
  const used = new Set(scans.map(({ file, scan }) => `${file}: ${scan}`));
  assert.deepEqual(
    listed.filter((one) => !used.has(one)),
    [],
    'these read no whole table any more',
  );
});

test('no statement makes SQLite build an index for it', () => {
  const plans = statements
    .filter(({ dialects, file }) => dialects.includes('sqlite') && FILES_THAT_MAY[file] === undefined)
    .map(planOf);

  assert.ok(plans.length > 300);
  assert.deepEqual(
    plans.filter(({ steps }) => steps.some((step) => step.includes('AUTOMATIC'))),
    [],
  );
});

const TABLES = new Set(
  database
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'table'")
    .all()
    .map(({ name }) => String(name)),
);

/** The growing tables that a statement reads from the beginning to the end, each with the index that it reads. */
function scansOf(statement: SourceStatement): string[] {
  const { source } = statement.sql;
  return planOf(statement).steps.flatMap((step) => {
    const scan = /^SCAN (\w+)((?: USING (?:COVERING )?INDEX \w+)?)$/.exec(step);
    if (scan === null) return [];
    const [, name = '', index = ''] = scan;
    const table = tableOf(name, source);
    // What refers to a new row is looked for only if a reference to a missing row was added before.
    const isReference = /^\s*INSERT\b/.test(source) && !new RegExp(`\\b${name}\\b`).test(source);
    if (table === undefined || SMALL_TABLES.has(table) || isReference) return [];
    const [indexName] = /\w+$/.exec(index) ?? [];
    return SMALL_INDEXES.has(indexName ?? '') ? [] : [table + index.replace('COVERING ', '')];
  });
}

/** The table of this name or alias. Undefined for a subquery, whose own steps are in the plan as well. */
function tableOf(name: string, source: string): string | undefined {
  if (TABLES.has(name)) return name;
  const [, table = ''] = new RegExp(`\\b(\\w+) AS ${name}\\b`).exec(source) ?? [];
  return TABLES.has(table) ? table : undefined;
}
test('the lists of comments follow indexes that have no removed comments but those that may show', () => {
  const plans = statements
    .filter(({ file, sql, dialects }) => {
      const isList = /\bLIMIT cast\(:(?:limit|each)/.test(sql.source);
      return file.endsWith('comment-lists.ts') && isList && dialects.includes('sqlite');
    })
    .map((statement) => planOf(statement).steps.join('; '));

  assert.equal(plans.length, 5);
  for (const plan of plans) {
    assert.match(plan, /INDEX published_(?:comments_of_post \(post_id=\? AND id[<>]|replies \(parent_id=)/);
    assert.doesNotMatch(plan, /comments_o[fn]_post \(post_id=\?\)|SCAN comments/);
  }
});

test('5,000 removed comments below a post cost its page no more than their places in an index', () => {
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

interface Plan {
  place: string;
  steps: string[];
}

function planOf({ file, line, sql }: SourceStatement): Plan {
  const rows = database.prepare(`EXPLAIN QUERY PLAN ${sql.text('sqlite')}`).all();
  return { place: `${file}:${line}`, steps: rows.map(({ detail }) => String(detail)) };
}

// A member's events are many. Statements that read them stop at a limit, or delete all of a temporary member.
function visitsTooMany({ place, steps }: Plan): boolean {
  if (place.startsWith('src/storage/identity/temporary-users.ts')) return false;
  return steps.some(
    (step) =>
      new RegExp(`^SCAN (?:${GROWING.join('|')}|events|earlier)\\b`).test(step) ||
      step.includes('security_events_of_user (user_id=?)') ||
      step.includes('USING AUTOMATIC') ||
      step.includes('TEMP B-TREE FOR ORDER BY'),
  );
}

const GROWING_LISTS = [
  // The statements, by a part of their text, and the index that each must walk.
  ['FROM tag_follows, json_each', /SEARCH newest USING COVERING INDEX posts_published_by_user/],
  ['FROM tag_follows, json_each', /SEARCH newest USING COVERING INDEX post_tags_by_tag/],
  ['WHERE post_tags.tag_id = :tagId', /SEARCH post_tags USING COVERING INDEX post_tags_by_tag/],
  ['FROM post_tags AS own, json_each', /SEARCH newest USING COVERING INDEX post_tags_by_tag/],
  ['WHERE categories.slug = :categorySlug)', /SEARCH posts USING INDEX posts_by_category/],
  [
    'WHERE bookmarks.user_id = :userId AND posts',
    /SEARCH bookmarks USING (?:COVERING )?INDEX bookmarks_of_user/,
  ],
  ['WHERE post_count > 0 ORDER BY', /USING INDEX tags_by_use/],
  ["comments.post_id = :postId AND comments.status = 'published'\n  ORDER", /INDEX comments_newest_on_post/],
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
      /SCAN (?:posts|comments|post_tags|bookmarks|tags)\b(?! USING INDEX tags_by_use)/,
    );
  }
});
