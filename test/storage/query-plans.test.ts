// Which indexes SQLite uses for tables that grow with what people do. It has no statistics, so the plans don't
// depend on what is stored.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FILES_THAT_MAY, SCANS_THAT_MAY, SMALL_INDEXES, SMALL_TABLES } from './statements/full-scans.ts';
import { database, type Plan, planOf, statements } from './statements/plans.ts';
import type { SourceStatement } from './statements/source-statements.ts';

const GROWING = ['security_events', 'audit_events', 'mails', 'notifications', 'token_families'];
const READS_THEM = new RegExp(`\\b(?:${GROWING.join('|')})\\b`);

test('every statement finds its events, audit entries, mails, notifications and sign-ins by an index', () => {
  const plans = statements
    .filter(({ sql, dialects }) => dialects.includes('sqlite') && READS_THEM.test(sql.source))
    .map(planOf);

  assert.deepEqual(plans.filter(visitsTooMany), []);
  assert.ok(plans.length > 20);
});

test('a text finds the pictures that it shows without reading the member’s others', () => {
  const plans = statements
    .filter(
      ({ file, sql, dialects }) =>
        file.endsWith('picture-uses.ts') &&
        dialects.includes('sqlite') &&
        /pictures\.user_id/.test(sql.source),
    )
    .map(planOf);
  const reading = plans
    .flatMap(({ steps }) => steps)
    .filter((step) => /^(?:SEARCH|SCAN) pictures\b/.test(step));

  assert.ok(reading.length >= 5);
  assert.deepEqual(
    reading.filter((step) => !/\((?:digest|rowid)=\?\)$/.test(step)),
    [],
  );
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
    ({ sql }) => sql.source.includes('OFFSET 20000)') && /DELETE FROM security/.test(sql.source),
  );

  const { steps } = planOf(statement as SourceStatement);

  assert.match(steps.join('\n'), /USING INDEX security_events_of_sessions \(user_id=\?\)/);
});

test('a member’s waiting comments are found without reading the others', () => {
  const ofMember = statements.filter(({ sql }) =>
    /FROM comments\s+WHERE user_id = :userId\b.*\bstatus = 'waiting'/s.test(sql.source),
  );

  for (const statement of ofMember) {
    const { steps } = planOf(statement);
    assert.match(steps.join('\n'), /USING (?:COVERING )?INDEX comments_waiting_of_member \(user_id=\?/);
  }
  assert.equal(ofMember.length, 2);
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
