// An import that is killed several times and started again: in the end each record is there once.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import type { Portico } from '../../src/compose.ts';
import { sql } from '../../src/storage/engine/sql.ts';
import { cliIn } from '../cli/run-cli.ts';
import { createPostgresDatabase } from '../support/databases.ts';
import { discourseBackup, type Rows } from '../support/discourse-backup.ts';
import { wxr } from '../support/wxr.ts';

const MEMBERS = 200;
// IMPORT_POSTS=16667 makes 50,000 records of JSON lines.
const POSTS = Number(process.env.IMPORT_POSTS ?? 1500);
const MAIN = join(import.meta.dirname, '../../bin/portico.js');

const member = (index: number) => `member-${index % MEMBERS}`;
const post = (index: number) => ({ title: `Post ${index}`, body: `Of *${index}* words.` });
const COMMENT = 'The same words each time.';

function jsonLines(): string {
  const lines: object[] = [];
  for (let index = 0; index < MEMBERS; index += 1) lines.push({ type: 'member', username: member(index) });
  for (let index = 0; index < POSTS; index += 1) {
    const category = `Category ${index % 5}`;
    lines.push({ type: 'post', id: index, author: member(index), ...post(index), category });
    lines.push({ type: 'comment', post: index, author: member(index + 1), body: COMMENT });
    if (index > 0) lines.push({ type: 'like', post: index - 1, by: member(index + 1) });
  }
  return `${lines.map((line) => JSON.stringify(line)).join('\n')}\n`;
}

const idOf = (index: number) => (index % MEMBERS) + 1;

function backup(): Buffer {
  const users = Array.from({ length: MEMBERS }, (_, index) => ({ id: idOf(index), username: member(index) }));
  const categories = Array.from({ length: 5 }, (_, index) => ({ id: index + 1, name: `Category ${index}` }));
  const topics: Rows = [];
  const posts: Rows = [];
  const likes: Rows = [];
  for (let index = 0; index < POSTS; index += 1) {
    const { title, body } = post(index);
    const id = index + 1;
    topics.push({ id, title, category_id: (index % 5) + 1 });
    posts.push({ id: 2 * id + 1, topic_id: id, post_number: 2, user_id: idOf(index + 1), raw: COMMENT });
    posts.push({ id: 2 * id, topic_id: id, user_id: idOf(index), raw: body });
    if (index > 0) likes.push({ id, post_id: 2 * index, user_id: idOf(index + 1) });
  }
  return discourseBackup({ users, categories, topics, posts, post_actions: likes });
}

function wordPress(): string {
  const authors = Array.from({ length: MEMBERS }, (_, index) => member(index));
  const posts = Array.from({ length: POSTS }, (_, index) => {
    const { title, body: html } = post(index);
    const comments = [{ id: index + 1, userId: idOf(index + 1), text: COMMENT }];
    return { id: index + 1, author: member(index), title, html, comments };
  });
  return wxr(authors, posts);
}

const selectCounts = sql<void, Record<string, number>>`
  SELECT
    (SELECT count(*) FROM users) AS members,
    (SELECT sum(xp) FROM users) AS xp,
    (SELECT count(*) FROM posts) AS posts,
    (SELECT count(*) FROM post_words) AS words,
    (SELECT count(*) FROM comments) AS comments,
    (SELECT sum(comment_count) FROM posts) AS counted_comments,
    (SELECT count(*) FROM likes) AS likes,
    (SELECT sum(like_count) FROM posts) AS counted_likes,
    (SELECT count(*) FROM imported_records) AS records`;

async function countsOf({ database }: Portico): Promise<Record<string, number>> {
  const row = (await database.first(selectCounts())) ?? {};
  return Object.fromEntries(Object.entries(row).map(([name, count]) => [name, Number(count)]));
}

const EXPECTED = {
  members: MEMBERS,
  xp: POSTS * 10 + POSTS * 2 + (POSTS - 1),
  posts: POSTS,
  words: POSTS,
  comments: POSTS,
  counted_comments: POSTS,
  likes: POSTS - 1,
  counted_likes: POSTS - 1,
  records: MEMBERS + 3 * POSTS - 1,
};

async function killRepeatedly(
  t: TestContext,
  settings: Record<string, string>,
  content: string | Buffer,
  { times, expected }: { times: number; expected: Record<string, number> },
): Promise<void> {
  const cli = await cliIn(t, settings);
  const portico = await cli.open();
  const file = join(cli.folder, 'community');
  await writeFile(file, content);
  const counts: number[] = [];

  // Each run is killed a little later after its first records than the one before.
  for (let run = 0; run < times; run += 1) {
    const before = (await countsOf(portico)).records ?? 0;
    const child = spawn(process.execPath, [MAIN, 'import', file], {
      env: { ...cli.settings },
      cwd: cli.folder,
      stdio: 'ignore',
    });
    const exit = once(child, 'exit');
    while (child.exitCode === null && (await countsOf(portico)).records === before) await pause(2);
    await pause(run * 7);
    child.kill('SIGKILL');
    await exit;
    counts.push((await countsOf(portico)).records ?? 0);
  }
  const { document, code } = await cli.json(['import', file]);

  // Otherwise nothing was interrupted.
  assert.ok(
    (counts[0] ?? 0) > 0 && (counts.at(Math.min(1, times - 1)) ?? 0) < (expected.records ?? 0),
    `killed at ${counts.join(', ')}`,
  );
  assert.equal(code, 0);
  assert.deepEqual(await countsOf(portico), expected);
  assert.equal(document.posts + document.already_there.posts, POSTS);
}

const ALL = { times: 6, expected: EXPECTED };

test('an import that is killed several times adds every record once, on SQLite', (t) =>
  killRepeatedly(t, {}, jsonLines(), ALL));

test('so does one of a backup of Discourse', (t) =>
  killRepeatedly(t, {}, backup(), { times: 2, expected: EXPECTED }));

test('and one of an export of WordPress, which has no likes', (t) => {
  const { likes, xp, records } = EXPECTED;
  const expected = { ...EXPECTED, likes: 0, counted_likes: 0, xp: xp - likes, records: records - likes };
  return killRepeatedly(t, {}, wordPress(), { times: 2, expected });
});

const postgres = process.env.TEST_POSTGRES_URL === undefined && 'there is no PostgreSQL';

test('and on PostgreSQL', { skip: postgres }, async (t) =>
  killRepeatedly(t, { DATABASE_URL: await createPostgresDatabase(t) }, jsonLines(), ALL),
);
