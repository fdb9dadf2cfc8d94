// The command `import addresses`: the old addresses of imported contents, for a proxy.

import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { cliIn } from './run-cli.ts';

test('an operator gives a proxy the list of old addresses', async (t) => {
  const cli = await cliIn(t, { BASE_URL: 'https://new.example' });
  const post = { type: 'post', author: 'alice', title: 'On walking', body: 'Slowly.' };
  const lines = [
    { type: 'member', username: 'alice' },
    { ...post, id: 1, address: 'https://old.example/2024/05/01/On-Walking/' },
    { ...post, id: 2, address: '/say-"hi",%20now' },
    { ...post, id: 3, address: '/draft', draft: true },
  ];
  await writeFile(join(cli.folder, 'a.jsonl'), lines.map((line) => JSON.stringify(line)).join('\n'));
  await cli.run(['import', 'a.jsonl']);

  const { document } = await cli.json(['import', 'addresses']);
  const csv = await cli.run(['import', 'addresses']);
  const nginx = await cli.run(['import', 'addresses', '--format', 'nginx']);

  assert.deepEqual(document.addresses, [
    { from: '/2024/05/01/on-walking', to: '/posts/1' },
    { from: '/say-"hi", now', to: '/posts/2' },
  ]);
  assert.deepEqual(csv.stdout.trimEnd().split('\n').slice(1), [
    '"/2024/05/01/on-walking","/posts/1"',
    '"/say-""hi"", now","/posts/2"',
  ]);
  assert.match(nginx.stdout, /return 301 https:\/\/new\.example\$portico_path;/);
  assert.match(nginx.stdout, /^map_hash_bucket_size 2048;$/m);
  assert.match(nginx.stdout, /^ {2}"\/say-\\"hi\\", now" "\/posts\/2";$/m);
});
