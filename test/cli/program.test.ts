import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { cliIn } from './run-cli.ts';

const COMMANDS = [
  'serve',
  'sandbox',
  'user create',
  'user set-status',
  'user set-membership',
  'user set-operator',
  'user reset-link',
  'user set-email',
  'user rename',
  'user sign-out',
  'user reset-factors',
  'user list',
  'user show',
  'user set-role',
  'client create',
  'client update',
  'client rotate-secret',
  'client deactivate',
  'client activate',
  'client delete',
  'client list',
  'client show',
  'token create',
  'token revoke',
  'consent withdraw',
  'post create',
  'post list',
  'post show',
  'post restore',
  'import',
  'import addresses',
  'invitation create',
  'invitation list',
  'invitation revoke',
  'audit list',
  'security list',
  'keys list',
  'keys rotate',
  'backup',
  'restore',
  'migrate-database',
  'pictures move',
  'purge',
  'doctor',
];

test('--help lists every command', async (t) => {
  const cli = await cliIn(t);

  const { code, stdout, stderr } = await cli.run(['--help']);

  const commands = [...stdout.matchAll(/^ {2}([a-z][a-z-]*(?: [a-z-]+)?)(?: \[?FILE\]?)? {2,}\S/gm)].map(
    ([, name]) => name,
  );
  assert.deepEqual(commands.toSorted(), COMMANDS.toSorted());
  assert.equal(code, 0);
  assert.equal(stderr, '');
});

for (const name of COMMANDS) {
  test(`${name} accepts --help and --json, also together`, async (t) => {
    const cli = await cliIn(t);

    const forPeople = await cli.run([...name.split(' '), '--help']);
    const forPrograms = await cli.json([...name.split(' '), '--help']);

    assert.equal(forPeople.code, 0);
    assert.match(forPeople.stdout, new RegExp(`^Usage: portico ${name}( \\[?FILE\\]?)?( \\[options\\])?\n`));
    assert.match(forPeople.stdout, /^ {2}--json /m);
    assert.deepEqual(forPrograms, { code: 0, document: { help: forPeople.stdout.trimEnd() } });
  });
}

test('import --help keeps the lines of its examples', async (t) => {
  const cli = await cliIn(t);

  const { stdout } = await cli.run(['import', '--help']);

  const examples = stdout.split('\n').filter((line) => line.trimStart().startsWith('{'));
  assert.equal(examples.length, 4);
  for (const example of examples) assert.ok(JSON.parse(example.trim()));
});

test('the help of a command names its options and their values', async (t) => {
  const cli = await cliIn(t);

  const { stdout } = await cli.run(['user', 'set-status', '--help']);

  assert.match(stdout, /^ {2}--username NAME {2,}the member's username \(required\)$/m);
  assert.match(stdout, /^ {2}--status STATUS {2,}the new state: active, suspended, closed \(required\)$/m);
});

const MISTAKES: [title: string, words: string[], message: string][] = [
  ['no command', [], 'Which command? See portico --help.'],
  [
    'an unknown command',
    ['usr', 'create'],
    'There is no command "usr". Did you mean user? See portico --help.',
  ],
  [
    'half a command',
    ['token', 'creat'],
    'There is no command "token creat". The commands here are: token create, token revoke. Did you mean token create?',
  ],
  [
    'an unknown option',
    ['user', 'create', '--usrname', 'alice'],
    'Unknown option --usrname. Did you mean --username? See portico user create --help.',
  ],
  [
    'a missing option',
    ['user', 'set-status', '--status', 'active'],
    '--username NAME is missing. See portico user set-status --help.',
  ],
  [
    'an option without its value',
    ['user', 'create', '--username'],
    '--username needs a value. Write a value that begins with a dash as --username=-… See portico user create --help.',
  ],
  [
    'an option in place of a value',
    ['user', 'create', '--username', '--operator'],
    '--username needs a value. Write a value that begins with a dash as --username=-… See portico user create --help.',
  ],
  [
    'an option given twice',
    ['client', 'activate', '--client-id', 'a', '--client-id', 'b'],
    '--client-id appears twice. See portico client activate --help.',
  ],
  [
    'a flag with a value',
    ['user', 'create', '--operator=yes'],
    '--operator takes no value. See portico user create --help.',
  ],
  [
    'a value that is not one of the choices',
    ['user', 'set-status', '--username', 'alice', '--status', 'suspend'],
    '--status must be one of active, suspended, closed, not "suspend". Did you mean suspended? See portico user set-status --help.',
  ],
  [
    'a word too many',
    ['user', 'set-status', '--username', 'alice', 'closed'],
    'There is one word too many. Put quotes around a value that contains spaces. See portico user set-status --help.',
  ],
  [
    'options of the server, which has none',
    ['serve', '--create'],
    'serve has no options. Its settings are environment variables. See portico serve --help.',
  ],
  ['a file that is missing', ['restore'], 'FILE is missing. See portico restore --help.'],
];

for (const [title, words, message] of MISTAKES) {
  test(`wrong usage exits with 2 and one helpful line: ${title}`, async (t) => {
    const cli = await cliIn(t);

    const forPeople = await cli.run(words);
    const forPrograms = await cli.json(words);

    assert.deepEqual(forPeople, { code: 2, stdout: '', stderr: `portico: ${message}\n` });
    assert.deepEqual(forPrograms, { code: 2, document: { error: { code: 'wrong_usage', message } } });
  });
}

test('`serve --help` prints help, and starts no server', async (t) => {
  const cli = await cliIn(t, {}, []);

  const { code, stdout } = await cli.run(['serve', '--help']);

  assert.equal(code, 0);
  assert.match(stdout, /^Usage: portico serve\n\nStart the server/);
  assert.ok(!existsSync(join(cli.folder, 'portico.db')));
});

test('`import --help` shows each record of the examples on a line of its own', async (t) => {
  const cli = await cliIn(t);

  const { stdout } = await cli.run(['import', '--help']);

  const records = stdout.split('\n').filter((line) => line.includes('"type":'));
  assert.deepEqual(
    records.map((line) => JSON.parse(line).type),
    ['member', 'post', 'comment', 'like'],
  );
  assert.match(stdout, /^In JSON lines, each line is one record:$/m);
});

test('no error repeats a value without an option, since it may be a secret', async (t) => {
  const cli = await cliIn(t);

  const word = await cli.run(['user', 'create', '--username', 'alice', '--password', 'my', 'secret']);
  const option = await cli.run(['user', 'create', '--S3cret!', '--username', 'alice']);

  assert.doesNotMatch(word.stderr, /secret/);
  assert.doesNotMatch(option.stderr, /S3cret/);
});

test('a bad setting exits with 2 and one line that names it', async (t) => {
  const cli = await cliIn(t, { BASE_URL: 'http://community.example' });

  const { code, stderr } = await cli.run(['client', 'list']);

  assert.equal(code, 2);
  assert.equal(
    stderr,
    'portico: BASE_URL: http is for this machine only; use https instead of http://community.example\n',
  );
});

test('a database that can’t be reached exits with 1 and one line without its password', async (t) => {
  const cli = await cliIn(t, { DATABASE_URL: 'postgres://portico:hush@127.0.0.1:1/portico' });

  const { code, document } = await cli.json(['client', 'list']);

  assert.equal(code, 1);
  assert.deepEqual(document, {
    error: {
      code: 'storage_unavailable',
      message: 'DATABASE_URL: cannot connect to 127.0.0.1:1: no program is listening there.',
    },
  });
});

test('a file that is not a database exits with 1 and one line', async (t) => {
  const cli = await cliIn(t);
  const path = join(cli.folder, 'portico.db');
  await writeFile(path, 'These are words, not pages of a database, and many more of them than a header has.');

  const { code, stderr } = await cli.run(['client', 'list']);

  assert.equal(code, 1);
  assert.equal(stderr, `portico: DATABASE_URL: cannot open ${path}: it is not a database.\n`);
});

test('a command makes no community by itself, and says where it looked', async (t) => {
  const cli = await cliIn(t, {}, []);
  const path = join(cli.folder, 'portico.db');

  const { code, document } = await cli.json(['client', 'list']);

  assert.deepEqual([code, document.error.code], [1, 'no_community']);
  assert.equal(
    document.error.message,
    `There is no community at ${path}. Is DATABASE_URL right? To make a new community there, start the server, ` +
      'or add --create.',
  );
  assert.ok(!existsSync(path));
});

test('a database of another program is not used, and stays as it was', async (t) => {
  const cli = await cliIn(t, {}, []);
  const path = join(cli.folder, 'portico.db');
  const other = new DatabaseSync(path);
  other.exec('CREATE TABLE notes (text text)');
  other.close();

  const { code, document } = await cli.json(['client', 'list']);

  assert.deepEqual([code, document.error.code], [1, 'no_community']);
  const tables = new DatabaseSync(path).prepare('SELECT name FROM sqlite_schema').all();
  assert.deepEqual(
    tables.map(({ name }) => name),
    ['notes'],
  );
});

test('with --create a command makes the community, also before the command', async (t) => {
  const [before, after] = [await cliIn(t, {}, ['--create']), await cliIn(t, {}, [])];

  const answers = [await before.json(['client', 'list']), await after.json(['client', 'list', '--create'])];

  for (const { code, document } of answers) assert.deepEqual([code, document], [0, { clients: [] }]);
});

test('once there is a community, no command needs --create', async (t) => {
  const cli = await cliIn(t, {}, []);
  await cli.run(['client', 'list', '--create']);

  const { code } = await cli.run(['client', 'list']);

  assert.equal(code, 0);
});

test('--version prints the version, also as JSON', async (t) => {
  const cli = await cliIn(t, {}, []);
  const { version } = JSON.parse(await readFile(new URL('../../package.json', import.meta.url), 'utf8'));

  assert.deepEqual(await cli.run(['--version']), { code: 0, stdout: `portico ${version}\n`, stderr: '' });
  assert.deepEqual(await cli.json(['--version']), { code: 0, document: { version } });
});
