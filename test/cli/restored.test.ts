// What a restore must not undo: which member an id belongs to, and which signing keys leaked.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { type Cli, cliIn } from './run-cli.ts';

test('no member gets an id again that was assigned after the backup', async (t) => {
  const [cli, elsewhere] = [await cliIn(t), await cliIn(t)];
  const copy = join(cli.folder, 'copy.db');
  const alice = await newMember(cli, 'alice');
  await cli.run(['backup', copy]);
  const database = new DatabaseSync(join(cli.folder, 'portico.db'));
  database.exec("UPDATE sqlite_sequence SET seq = 5000000 WHERE name = 'users'");
  database.close();
  const lost = await newMember(cli, 'bob');

  await cli.run(['restore', copy, '--force']);
  await elsewhere.run(['restore', copy]);

  assert.equal(lost, 5_000_001);
  assert.equal(await newMember(cli, 'carol'), lost + 1_000_001);
  assert.equal(await newMember(elsewhere, 'erin'), alice + 1_000_001);
});

test('a backup without members is restored with an id for the first one', async (t) => {
  const cli = await cliIn(t);
  const copy = join(cli.folder, 'copy.db');
  await cli.run(['client', 'list']);
  await cli.run(['backup', copy]);
  const lost = await newMember(cli, 'bob');

  await cli.run(['restore', copy, '--force']);

  assert.ok((await newMember(cli, 'carol')) > lost);
});

test('a restore says that leaked keys are valid again, unless they are replaced in the backup too', async (t) => {
  const [cli, elsewhere] = [await cliIn(t), await cliIn(t)];
  const [before, after] = [join(cli.folder, 'before.db'), join(cli.folder, 'after.db')];
  await cli.run(['keys', 'list']);
  await cli.run(['backup', before]);
  await cli.run(['keys', 'rotate', '--compromised']);
  await cli.run(['backup', after]);

  const unknown = await elsewhere.run(['restore', after]);
  const same = await elsewhere.run(['restore', after, '--force']);
  const earlier = await cli.run(['restore', before, '--force']);

  assert.match(
    unknown.stdout,
    /If signing keys leaked after the backup.*: portico keys rotate --compromised$/m,
  );
  assert.match(same.stdout, /^Restored/);
  assert.doesNotMatch(same.stdout, /compromised/);
  assert.match(
    earlier.stdout,
    /Signing keys that leaked are valid again.*: portico keys rotate --compromised$/m,
  );
});

async function newMember(cli: Cli, name: string): Promise<number> {
  const { document } = await cli.json([
    'user',
    'create',
    '--username',
    name,
    '--password',
    'a long walk in the rain',
  ]);
  return Number(document.id);
}
