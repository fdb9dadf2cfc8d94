// The restore drill: a backup is tried without replacing anything.

import assert from 'node:assert/strict';
import { copyFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { cliIn } from './run-cli.ts';

test('an operator finds out before an accident that a backup can be restored', async (t) => {
  const cli = await cliIn(t, { TMPDIR: '/tmp' });
  const copy = join(cli.folder, 'copy.db');
  await cli.run(['user', 'create', '--username', 'alice', '--password', 'a long walk in the rain']);
  await cli.run(['keys', 'list']);
  await cli.run(['backup', copy]);
  await cli.run(['user', 'create', '--username', 'bob', '--password', 'a long walk in the rain']);

  const { code, document } = await cli.json(['restore', '--check', copy]);

  assert.deepEqual(
    document.steps.map(({ name, ok, detail }: Record<string, unknown>) => [name, ok || detail]),
    [
      ['integrity and references', true],
      ['rows', true],
      ['open with this version', true],
      ['create a temporary member and application', true],
      ['sign in at /login', true],
      ['allow the application', true],
      ['redeem the code with PKCE', true],
      ['read /me', true],
      ['refresh', true],
      ['revoke, and check that the tokens are refused', true],
      ['delete the temporary member and application', true],
    ],
  );
  assert.equal(
    document.steps[1].detail,
    '1 members (now 2), 0 posts (now 0), 0 comments (now 0), 0 applications (now 0)',
  );
  assert.deepEqual([code, document.ok], [0, true]);
  assert.deepEqual(
    (await readdir(cli.folder)).filter((name) => !name.startsWith('portico.db')),
    ['copy.db'],
  );
});

test('an operator finds out that a backup is damaged, empty or missing', async (t) => {
  const cli = await cliIn(t);
  const [copy, damaged, empty] = ['copy.db', 'damaged.db', 'empty.db'].map((name) => join(cli.folder, name));
  assert.ok(copy && damaged && empty);
  await cli.run(['client', 'list']);
  await cli.run(['backup', empty]);
  await cli.run(['user', 'create', '--username', 'alice', '--password', 'a long walk in the rain']);
  await cli.run(['backup', copy]);
  await copyFile(copy, damaged);
  const database = new DatabaseSync(damaged);
  database.exec('DROP TABLE migrations');
  database.close();

  const answers = [];
  for (const file of [damaged, empty, join(cli.folder, 'none.db')]) {
    const { code, document } = await cli.json(['restore', '--check', file]);
    answers.push([code, document.error.message]);
  }

  assert.equal(answers[0]?.[0], 1);
  assert.match(answers[0]?.[1], /^integrity and references: it is /);
  assert.deepEqual(answers[1], [
    1,
    'rows: 0 members (now 1), 0 posts (now 0), 0 comments (now 0), 0 applications (now 0): the backup has no members',
  ]);
  assert.deepEqual(answers[2], [
    1,
    `${join(cli.folder, 'none.db')} can't be read: there is no such file or folder.`,
  ]);
});
