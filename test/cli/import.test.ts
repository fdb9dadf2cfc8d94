// The command `import`: members and posts from JSON lines.

import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { publishedPostsOf } from '../../src/community/post.ts';
import { temporaryFolder } from '../support/databases.ts';
import { cliIn } from './run-cli.ts';

test('import takes members and posts, each line as a whole, and tells which it refused and why', async (t) => {
  const cli = await cliIn(t);
  const portico = await cli.open();
  const file = join(await temporaryFolder(t), 'community.jsonl');
  const lines = [
    {
      type: 'member',
      username: 'alice',
      password: 'a long walk',
      bio: 'Reads',
      created_at: '2025-01-31T09:30:00+08:00',
    },
    {
      type: 'post',
      username: 'alice',
      title: 'On walking',
      body: 'Slowly.',
      category: '城市',
      created_at: '2025-02-01T09:30:00Z',
    },
    { type: 'post', username: 'alice', title: 'Not yet', body: 'Later.', status: 'draft' },
    { type: 'member', username: 'al', password: 'short' },
    { type: 'post', username: 'nobody', title: 'x', body: 'y' },
    { type: 'post', username: 'alice', title: '', body: 'y' },
    { type: 'wish' },
  ];
  await writeFile(file, `${lines.map((line) => JSON.stringify(line)).join('\n')}\n\nnot json\n`);

  const { code, document } = await cli.json(['import', file]);

  assert.equal(code, 1);
  assert.equal(document.members, 1);
  assert.equal(document.posts, 2);
  assert.deepEqual(
    document.refused.map(({ line }: { line: number }) => line),
    [4, 5, 6, 7, 9],
  );
  assert.equal(document.refused[0].reason, 'username: too short; password: too short');
  assert.equal(document.refused[4].reason, 'is not JSON');
  const alice = await portico.identity.store.findUserByName('alice');
  assert.equal(alice?.createdAt, Date.parse('2025-01-31T09:30:00+08:00'));
  const { items, total } = await publishedPostsOf(portico.community, alice?.id ?? 0, 0, 20);
  assert.equal(total, 1);
  assert.equal(items[0]?.categoryName, '城市');
  assert.equal(items[0]?.publishedAt, Date.parse('2025-02-01T09:30:00Z'));
});

test('import of a file that is not there is refused', async (t) => {
  const cli = await cliIn(t);

  const { code, document } = await cli.json(['import', 'nowhere.jsonl']);

  assert.equal(code, 1);
  assert.equal(document.error.code, 'file_unreadable');
});
