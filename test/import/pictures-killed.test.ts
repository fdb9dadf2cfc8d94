// Downloading pictures is killed twice and started again: each picture is downloaded once, except for those under way.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { sql } from '../../src/storage/engine/sql.ts';
import { cliIn } from '../cli/run-cli.ts';
import { createPostgresDatabase } from '../support/databases.ts';
import { openPictureServer, runImport, startImport } from './picture-server.ts';

const POSTS = 6;
const OF_POST = 3;
const PICTURES = POSTS * OF_POST;
// Each worker of the command has one picture under way.
const UNDER_WAY = 4;

const selectCounts = sql<void, { pictures: number; uses: number; links: number }>`
  SELECT (SELECT count(*) FROM pictures) AS pictures, (SELECT count(*) FROM picture_uses) AS uses,
    (SELECT count(*) FROM posts WHERE body LIKE '%old.example%') AS links`;

const skip = process.env.TEST_POSTGRES_URL === undefined && 'there is no PostgreSQL';

for (const [name, isPostgres] of [
  ['SQLite', false],
  ['PostgreSQL', true],
] as const) {
  test(`the download of pictures that is killed twice goes on where it was, on ${name}`, {
    skip: isPostgres && skip,
  }, async (t) => {
    const cli = await cliIn(t, isPostgres ? { DATABASE_URL: await createPostgresDatabase(t) } : {});
    const portico = await cli.open();
    const { url, asked } = await openPictureServer(t);
    const posts = Array.from({ length: POSTS }, (_, id) => {
      const numbers = Array.from({ length: OF_POST }, (_, index) => id * OF_POST + index);
      const body = numbers.map((number) => `![${number}](${url}/numbered/${number}.png)`).join('\n');
      return { type: 'post', id, author: 'alice', title: `Post ${id}`, body };
    });
    const file = join(cli.folder, 'community.jsonl');
    const lines = [{ type: 'member', username: 'alice' }, ...posts];
    await writeFile(file, lines.map((line) => JSON.stringify(line)).join('\n'));
    const stored = async () => Number((await portico.database.first(selectCounts()))?.pictures);
    const storedAtKill: number[] = [];

    for (let run = 0; run < 2; run += 1) {
      const before = await stored();
      const child = startImport(cli, [file, '--fetch-pictures']);
      const exit = once(child, 'exit');
      while (child.exitCode === null && (await stored()) < before + 3) await pause(5);
      child.kill('SIGKILL');
      await exit;
      storedAtKill.push(await stored());
    }
    const { code } = await runImport(cli, [file, '--fetch-pictures']);

    assert.ok((storedAtKill[0] ?? 0) >= 3 && (storedAtKill[1] ?? PICTURES) < PICTURES, storedAtKill.join());
    assert.equal(code, 0);
    const { pictures, uses, links } = (await portico.database.first(selectCounts())) ?? {};
    assert.deepEqual([pictures, uses, links].map(Number), [PICTURES, PICTURES, 0]);
    assert.equal(new Set(asked).size, PICTURES);
    assert.ok(
      asked.length <= PICTURES + 2 * UNDER_WAY,
      `asked ${asked.length} times for ${PICTURES} pictures`,
    );
  });
}
