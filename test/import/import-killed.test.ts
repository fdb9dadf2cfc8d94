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

const MEMBERS = 200;
const POSTS = 1500;
const MAIN = join(import.meta.dirname, '../../bin/portico.js');

function* lines(): Generator<object> {
  const member = (index: number) => `member-${index % MEMBERS}`;
  for (let index = 0; index < MEMBERS; index += 1) yield { type: 'member', username: member(index) };
  for (let index = 0; index < POSTS; index += 1) {
    const post = { author: member(index), title: `Post ${index}`, body: `Of *${index}* words.` };
    yield { type: 'post', id: index, ...post, category: `Category ${index % 5}` };
    yield { type: 'comment', post: index, author: member(index + 1), body: 'The same words each time.' };
    if (index > 0) yield { type: 'like', post: index - 1, by: member(index + 1) };
  }
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

async function killRepeatedly(t: TestContext, settings: Record<string, string>): Promise<void> {
  const cli = await cliIn(t, settings);
  const portico = await cli.open();
  const file = join(cli.folder, 'community.jsonl');
  await writeFile(file, `${[...lines()].map((line) => JSON.stringify(line)).join('\n')}\n`);
  const counts: number[] = [];

  // Each run is killed a little later after its first records than the one before.
  for (let run = 0; run < 6; run += 1) {
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
  assert.ok((counts[0] ?? 0) > 0 && (counts[1] ?? 0) < EXPECTED.records, `killed at ${counts.join(', ')}`);
  assert.equal(code, 0);
  assert.deepEqual(await countsOf(portico), EXPECTED);
  assert.equal(document.posts + document.already_there.posts, POSTS);
}

test('an import that is killed several times adds every record once, on SQLite', (t) =>
  killRepeatedly(t, {}));

const postgres = process.env.TEST_POSTGRES_URL === undefined && 'there is no PostgreSQL';

test('and on PostgreSQL', { skip: postgres }, async (t) =>
  killRepeatedly(t, { DATABASE_URL: await createPostgresDatabase(t) }),
);
