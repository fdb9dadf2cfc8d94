import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { copyFile, mkdir, readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { byMember } from '../../src/audit/doer.ts';
import { DAY } from '../../src/lib/clock.ts';
import { openApp } from '../support/app.ts';
import { temporaryFolder } from '../support/databases.ts';
import { member, person } from '../support/people.ts';
import { type Cli, cliIn } from './run-cli.ts';

test('a backup made while the database is being written is complete and can be restored', async (t) => {
  const cli = await cliIn(t);
  const portico = await cli.open();
  const alice = await person(portico, 'alice');
  const copy = join(cli.folder, 'copy.db');
  let writing = true;
  let count = 0;
  const writer = (async () => {
    while (writing) {
      count += 1;
      await portico.identity.writes.setBio(byMember(alice, portico.clock), `Bio ${count}`);
    }
  })();

  const backup = await cli.json(['backup', copy]);
  writing = false;
  await writer;

  assert.deepEqual(backup, { code: 0, document: { file: copy } });
  assert.ok(count > 1, 'the database was written meanwhile');
  assert.equal((await stat(copy)).mode & 0o777, 0o600);
  const other = await cliIn(t);
  const restored = await other.json(['restore', copy]);
  assert.deepEqual(restored, {
    code: 0,
    document: { database: pathOf(other), kept: null, has_compromised_keys: null },
  });
  assert.deepEqual(await readdir(other.folder), ['portico.db']);
  assert.deepEqual(integrityOf(pathOf(other)), ['ok', []]);
  const user = await (await other.open()).identity.reads.findUser(alice.id);
  assert.equal(user?.username, 'alice');
  assert.match(user?.bio ?? '', /^Bio \d+$/);
});

test('a backup never overwrites a file, and leaves none behind when it fails', async (t) => {
  const cli = await cliIn(t);
  const existing = join(cli.folder, 'existing.db');
  await writeFile(existing, 'mine');

  const missing = await cli.json(['backup', join(cli.folder, 'copy.db')]);
  await cli.run(['client', 'list']);
  const refused = await cli.json(['backup', existing]);
  const nowhere = await cli.json(['backup', join(cli.folder, 'no', 'such', 'folder.db')]);

  assert.deepEqual([missing.code, missing.document.error.code], [1, 'file_missing']);
  assert.deepEqual([refused.code, refused.document.error.code], [1, 'file_exists']);
  assert.deepEqual([nowhere.code, nowhere.document.error.code], [1, 'file_unusable']);
  assert.deepEqual(await filesBeside(cli), ['existing.db']);
  assert.equal((await stat(existing)).size, 4);
});

test('a backup of a damaged database is refused, and no file is left behind', async (t) => {
  const cli = await cliIn(t);
  await cli.run(['client', 'list']);
  change(pathOf(cli), 'PRAGMA foreign_keys = OFF', ORPHAN);
  const copy = join(cli.folder, 'copy.db');

  const { code, document } = await cli.json(['backup', copy]);

  assert.equal(code, 1);
  assert.deepEqual(document.error, {
    code: 'file_unusable',
    message: 'The backup failed: a row of sessions refers to one of users that is missing.',
  });
  assert.deepEqual(await filesBeside(cli), []);
});

test('restore replaces a database only with --force, and keeps the old one', async (t) => {
  const cli = await cliIn(t);
  const copy = await backupWith(cli, 'alice');
  await cli.run(['user', 'create', '--username', 'bob', '--password', 'a long walk in the rain']);

  const refused = await cli.json(['restore', copy]);
  const forced = await cli.json(['restore', copy, '--force']);

  assert.deepEqual([refused.code, refused.document.error.code], [1, 'file_exists']);
  assert.equal(forced.code, 0);
  assert.deepEqual(usernames(pathOf(cli)), ['alice']);
  assert.deepEqual(usernames(forced.document.kept), ['alice', 'bob']);
});

test('restore --force refuses while a program has the database open', async (t) => {
  const cli = await cliIn(t);
  const copy = await backupWith(cli, 'alice');
  const server = await cli.open();
  await person(server, 'bob');

  const { code, document } = await cli.json(['restore', copy, '--force']);

  assert.deepEqual([code, document.error.code], [1, 'database_in_use']);
  assert.equal((await server.identity.reads.findUserByName('bob'))?.username, 'bob');
});

test('restore refuses a damaged file and one that is not a backup, and changes nothing', async (t) => {
  const cli = await cliIn(t);
  const copy = await backupWith(cli, 'alice');
  const words = join(cli.folder, 'words.db');
  await writeFile(words, 'Words, and no pages.'.repeat(100));
  const empty = join(cli.folder, 'empty.db');
  await writeFile(empty, '');
  const orphaned = join(cli.folder, 'orphaned.db');
  await copyFile(copy, orphaned);
  change(orphaned, 'PRAGMA foreign_keys = OFF', ORPHAN);
  const newer = join(cli.folder, 'newer.db');
  await copyFile(copy, newer);
  change(newer, "INSERT INTO migrations VALUES ('9999-tomorrow', 0)");
  const before = usernames(pathOf(cli));

  const answers = [];
  for (const file of [words, empty, orphaned, newer, join(cli.folder, 'none.db')]) {
    const { code, document } = await cli.json(['restore', file, '--force']);
    answers.push([code, document.error.code, document.error.message.replace(`${file}: `, '')]);
  }

  assert.deepEqual(answers, [
    [1, 'file_unusable', "it can't be read as a database: it is not a database."],
    [1, 'file_unusable', 'it is not a database of Portico.'],
    [1, 'file_unusable', 'a row of sessions refers to one of users that is missing.'],
    [1, 'file_unusable', 'it was written by a newer version (9999-tomorrow).'],
    [1, 'file_missing', `There is no file ${join(cli.folder, 'none.db')}.`],
  ]);
  assert.deepEqual(usernames(pathOf(cli)), before);
});

test('backup and restore say which tools to use with PostgreSQL', async (t) => {
  const cli = await cliIn(t, { DATABASE_URL: 'postgres://127.0.0.1:1/portico' });

  const backup = await cli.run(['backup', 'copy.db']);
  const restore = await cli.run(['restore', 'copy.db']);

  assert.deepEqual([backup.code, restore.code], [1, 1]);
  assert.match(backup.stderr, /use pg_dump\.$/m);
  assert.match(restore.stderr, /use pg_restore\.$/m);
});

test('an operator pipes a backup to another program, and no other file is left', async (t) => {
  const cli = await cliIn(t);
  await cli.run(['user', 'create', '--username', 'alice', '--password', 'a long walk in the rain']);
  const copy = join(cli.folder, 'piped.db');

  const { status, stderr } = spawnSync('sh', ['-c', `"$NODE" "$MAIN" backup - > '${copy}'`], {
    env: { ...cli.settings, NODE: process.execPath, MAIN: join(import.meta.dirname, '../../bin/portico.js') },
    encoding: 'utf8',
  });

  assert.deepEqual([status, stderr], [0, '']);
  assert.deepEqual(usernames(copy), ['alice']);
  assert.deepEqual(await filesBeside(cli), ['piped.db']);
});

test('a daily backup into a folder gets a dated name, and old ones are deleted', async (t) => {
  const cli = await cliIn(t);
  await cli.run(['client', 'list']);
  const folder = join(cli.folder, 'backups');
  await mkdir(folder);
  const old = Array.from({ length: 40 }, (_, day) => new Date(Date.now() - (day + 2) * DAY).toISOString());
  for (const time of old) {
    await writeFile(join(folder, `portico-${time.slice(0, 10)}T03-00-00Z.db`), 'an older backup');
  }
  await writeFile(join(folder, 'portico-mine.db'), 'not a dated one');

  const { code, document } = await cli.json(['backup', '--to', folder, '--keep', '7']);

  assert.equal(code, 0);
  assert.match(document.file, /\/backups\/portico-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ\.db$/);
  assert.deepEqual(integrityOf(document.file), ['ok', []]);
  const files = await readdir(folder);
  assert.equal(files.length, document.kept + 1);
  assert.equal(document.deleted.length, 41 - document.kept);
  assert.ok(document.kept >= 7 && document.kept <= 16, `${document.kept} kept`);
  assert.ok(files.includes('portico-mine.db'));
});

test('An operator sees on the pages that a command has made a backup, and the first step is done', async (t) => {
  const folder = await temporaryFolder(t);
  const DATABASE_URL = `file:${join(folder, 'portico.db')}`;
  const app = await openApp({ DATABASE_URL });
  t.after(() => app.close());
  const { browser } = await member(app, 'olivia', { isOperator: true });
  const cli = await cliIn(t, { DATABASE_URL });
  const isDone = /Set up backups <span class="badge">Done/;
  assert.doesNotMatch(await browser.read('/operator'), isDone);
  assert.doesNotMatch(await browser.read('/operator/server'), /Back up/);

  assert.equal((await cli.run(['backup', join(folder, 'copy.db')])).code, 0);

  assert.match(await browser.read('/operator'), isDone);
  assert.match(await browser.read('/operator/server'), /Back up\s*<\/th>\s*<td[^>]*><time/);
});

test('A backup of a database that can’t be written, or is of an older version, is made all the same', async (t) => {
  const cli = await cliIn(t);
  await cli.run(['client', 'list']);
  withDatabase(pathOf(cli), (database) => database.exec('DROP TABLE background_work'));

  const { code } = await cli.json(['backup', join(cli.folder, 'copy.db')]);

  assert.equal(code, 0);
  assert.deepEqual(integrityOf(join(cli.folder, 'copy.db')), ['ok', []]);
});

test('BACKUP_TO is the folder of backups without a name', async (t) => {
  const folder = await temporaryFolder(t);
  const cli = await cliIn(t, { BACKUP_TO: folder });
  await cli.run(['client', 'list']);

  const { stdout } = await cli.run(['backup']);

  const [name = ''] = await readdir(folder);
  assert.equal(stdout, `Wrote ${join(folder, name)}\nThe folder has 1.\n`);
});

const ORPHAN = `INSERT INTO sessions (key, digest, user_id, authenticated_at, last_seen_at, expires_at)
  VALUES ('k', x'00', 99, 0, 0, 0)`;

function pathOf(cli: Cli): string {
  return join(cli.folder, 'portico.db');
}

/** Return the files in the folder that don't belong to the database. */
async function filesBeside(cli: Cli): Promise<string[]> {
  return (await readdir(cli.folder)).filter((name) => !name.startsWith('portico.db'));
}

/** Create an account and a backup. Returns the backup's path. */
async function backupWith(cli: Cli, username: string): Promise<string> {
  await cli.run(['user', 'create', '--username', username, '--password', 'a long walk in the rain']);
  const copy = join(cli.folder, 'copy.db');
  await cli.run(['backup', copy]);
  return copy;
}

function integrityOf(path: string): [unknown, unknown[]] {
  return withDatabase(path, (database) => [
    database.prepare('PRAGMA integrity_check').get()?.integrity_check,
    database.prepare('PRAGMA foreign_key_check').all(),
  ]);
}

function usernames(path: string): unknown[] {
  return withDatabase(path, (database) =>
    database
      .prepare('SELECT username FROM users ORDER BY id')
      .all()
      .map(({ username }) => username),
  );
}

function change(path: string, ...statements: string[]): void {
  withDatabase(path, (database) => {
    for (const sql of statements) database.exec(sql);
  });
}

function withDatabase<T>(path: string, work: (database: DatabaseSync) => T): T {
  const database = new DatabaseSync(path);
  try {
    return work(database);
  } finally {
    database.close();
  }
}
