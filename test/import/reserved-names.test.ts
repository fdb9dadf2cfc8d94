// Importing members whose names are reserved here.

import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { publishedPostsOf } from '../../src/community/post.ts';
import { cliIn } from '../cli/run-cli.ts';

const reasonsOf = (list: { reason: string }[]) => list.map(({ reason }) => reason);

test('A member of another site who is called “admin” gets another name, and the posts stay with that member', async (t) => {
  const cli = await cliIn(t);
  const portico = await cli.open();
  const sample = await readFile(join(import.meta.dirname, '../samples/discourse.json'), 'utf8');
  const file = join(cli.folder, 'discourse.json');
  await writeFile(file, sample.replaceAll('"username": "li"', '"username": "Adm1n"'));

  const { document } = await cli.json(['import', file]);

  assert.ok(reasonsOf(document.changed).includes('username: changed from "Adm1n" to "Adm1n_1"'));
  assert.equal((await portico.identity.reads.findUserByName('adm1n_1'))?.isOperator, false);
});

test('A record with a reserved name is refused, and its posts don’t go to the operator of that name', async (t) => {
  const cli = await cliIn(t);
  const portico = await cli.open();
  await cli.run([
    'user',
    'create',
    '--username',
    'admin',
    '--password',
    'a long walk in the rain',
    '--operator',
  ]);
  const file = join(cli.folder, 'community.jsonl');
  const records = [
    { type: 'member', username: 'admin' },
    { type: 'post', author: 'admin', title: 'On walking', body: 'Slowly.' },
  ];
  await writeFile(file, records.map((record) => JSON.stringify(record)).join('\n'));

  const { document } = await cli.json(['import', file]);

  assert.ok(reasonsOf(document.refused).includes('username: reserved'));
  assert.equal(document.posts, 0);
  assert.equal((await publishedPostsOf(portico.community, 1, 0, 10)).total, 0);
});
