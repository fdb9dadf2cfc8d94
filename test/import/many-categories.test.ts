// The import of more categories than a community can have.

import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { cliIn } from '../cli/run-cli.ts';

const alice = { type: 'member', username: 'alice' };
const post = { type: 'post', author: 'alice', title: 'On walking', body: 'Slowly.' };

test('posts of categories beyond the hundredth come into the default one, and the report says so', async (t) => {
  const cli = await cliIn(t);
  const portico = await cli.open();
  const names = Array.from({ length: 101 }, (_, index) => `C${index + 1}`);
  const file = join(cli.folder, 'community.jsonl');
  const posts = names.map((category, index) => ({ ...post, id: index + 1, category }));
  await writeFile(file, [alice, ...posts].map((record) => `${JSON.stringify(record)}\n`).join(''));

  const dryRun = await cli.json(['import', file, '--dry-run']);
  const { document } = await cli.json(['import', file]);

  assert.deepEqual([document.posts, document.categories], [101, 99]);
  assert.deepEqual(
    document.changed.map(({ reason }: { reason: string }) => reason),
    Array(2).fill('category: changed to "General", because there are 100 categories, the most there can be'),
  );
  assert.deepEqual({ ...dryRun.document, dry_run: false }, document);
  const [newest] = await portico.community.reads.newestPosts(1);
  assert.equal(newest?.categoryName, 'General');
});
