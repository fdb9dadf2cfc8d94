import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findVisit, startSession } from '../../src/identity/session.ts';
import { signIn } from '../../src/identity/sign-in.ts';
import { person } from '../support/people.ts';
import { cliIn } from './run-cli.ts';

const START = { method: 'password', address: '192.0.2.7' } as const;

const PASSWORD = 'a long walk in the rain';

test('user create creates an account that can sign in at once', async (t) => {
  const cli = await cliIn(t);
  const portico = await cli.open();

  const { code, document } = await cli.json([
    ...['user', 'create', '--username', 'alice', '--password', PASSWORD],
    ...['--email', 'alice@example.com', '--bio', 'Reads.'],
  ]);

  assert.equal(code, 0);
  assert.deepEqual(document, { id: 1, username: 'alice' });
  const [event] = (await cli.json(['audit', 'list'])).document.events;
  assert.deepEqual(
    [event.action, event.actor, event.subject, event.detail],
    ['user.create', null, { kind: 'user', id: '1', name: 'alice' }, { username: 'alice' }],
  );
  const user = await portico.identity.reads.findUser(1);
  assert.deepEqual(
    [user?.email, user?.bio, user?.isOperator, user?.status],
    ['alice@example.com', 'Reads.', false, 'active'],
  );
  const credentials = { username: 'alice', password: PASSWORD, address: '192.0.2.1' };
  assert.equal((await signIn(portico.identity, credentials)).outcome, 'signed_in');
});

test('user create --password - reads the password from standard input, without its line break', async (t) => {
  const cli = await cliIn(t);

  const { code, stdout } = await cli.run(
    ['user', 'create', '--username', 'alice', '--password', '-', '--operator'],
    `${PASSWORD}\n`,
  );

  assert.equal(code, 0);
  assert.equal(stdout, 'Created the account alice with the id 1, an operator.\n');
  const portico = await cli.open();
  assert.equal(await portico.identity.reads.hasOperator(), true);
  const credentials = { username: 'alice', password: PASSWORD, address: '192.0.2.1' };
  assert.equal((await signIn(portico.identity, credentials)).outcome, 'signed_in');
});

test('user create reports all problems at once, and creates nothing', async (t) => {
  const cli = await cliIn(t);

  const { code, stdout, stderr } = await cli.run([
    ...['user', 'create', '--username', 'al', '--password', 'short'],
  ]);

  assert.equal(code, 1);
  assert.equal(stdout, '');
  assert.equal(
    stderr,
    'portico: --username "al" must have at least 3 characters. --password must have at least 8 characters.\n',
  );
});

test('user create refuses a username that is taken, in any case', async (t) => {
  const cli = await cliIn(t);
  await person(await cli.open(), 'alice');

  const { code, document } = await cli.json([
    'user',
    'create',
    '--username',
    'Alice',
    '--password',
    PASSWORD,
  ]);

  assert.equal(code, 1);
  assert.deepEqual(document, {
    error: { code: 'username_taken', message: '--username "Alice" is the username of another account.' },
  });
});

test('user set-status takes effect at once: a suspended member is signed out', async (t) => {
  const cli = await cliIn(t);
  const portico = await cli.open();
  const alice = await person(portico, 'alice');
  const cookie = await startSession(portico.identity, alice.id, START);

  const { code, document } = await cli.json([
    ...['user', 'set-status', '--username', 'alice', '--status', 'suspended'],
  ]);

  assert.equal(code, 0);
  assert.deepEqual(document, { id: alice.id, username: 'alice', status: 'suspended' });
  assert.equal(await findVisit(portico.identity, cookie), undefined);
});

test('user set-status can’t reopen a closed account', async (t) => {
  const cli = await cliIn(t);
  const portico = await cli.open();
  const alice = await person(portico, 'alice');
  await cli.run(['user', 'set-status', '--username', 'alice', '--status', 'closed']);

  const { code, document } = await cli.json([
    'user',
    'set-status',
    '--username',
    'alice',
    '--status',
    'active',
  ]);

  assert.equal(code, 1);
  assert.equal(document.error.code, 'account_closed');
  assert.equal((await portico.identity.reads.findUser(alice.id))?.status, 'closed');
});

test('user set-membership sets a last day (in UTC+8), a membership without end, or no membership', async (t) => {
  const cli = await cliIn(t);
  const portico = await cli.open();
  const { id } = await person(portico, 'alice');
  const until = async (text: string) => {
    const { document } = await cli.json(['user', 'set-membership', '--username', 'alice', '--until', text]);
    return [document, (await portico.identity.reads.findUser(id))?.memberUntil];
  };

  const day = await until('2099-01-31');
  const never = await until('never');
  const none = await until('none');

  assert.deepEqual(day, [
    { id, username: 'alice', member: true, until: '2099-01-31' },
    Date.parse('2099-02-01T00:00:00+08:00'),
  ]);
  assert.deepEqual(never, [
    { id, username: 'alice', member: true, until: 'never' },
    Date.parse('9999-12-31T00:00:00Z'),
  ]);
  assert.deepEqual(none, [{ id, username: 'alice', member: false, until: 'none' }, undefined]);
});

test('user set-membership refuses a date that does not exist', async (t) => {
  const cli = await cliIn(t);

  const { code, document } = await cli.json([
    ...['user', 'set-membership', '--username', 'alice', '--until', '2099-02-29'],
  ]);

  assert.equal(code, 2);
  assert.equal(document.error.code, 'wrong_usage');
});

test('a membership with a mistyped year is refused, and says how to mean it', async (t) => {
  const cli = await cliIn(t);
  const portico = await cli.open();
  const { id } = await person(portico, 'alice');
  const command = ['user', 'set-membership', '--username', 'alice', '--until', '2020-01-01'];

  const refused = await cli.json(command);
  const untouched = (await portico.identity.reads.findUser(id))?.memberUntil;
  const meant = await cli.run([...command, '--past']);

  assert.deepEqual([refused.code, refused.document.error.code, untouched], [1, 'membership_past', undefined]);
  assert.match(refused.document.error.message, /2020-01-01 is in the past.*--past.*--until none/);
  assert.equal(meant.stdout, 'alice has no membership any more: it ended on 2020-01-01.\n');
  assert.equal(
    (await portico.identity.reads.findUser(id))?.memberUntil,
    Date.parse('2020-01-02T00:00:00+08:00'),
  );
});

test('a command for an unknown member is refused', async (t) => {
  const cli = await cliIn(t);

  const { code, document } = await cli.json([
    ...['user', 'set-status', '--username', 'nobody', '--status', 'closed'],
  ]);

  assert.equal(code, 1);
  assert.deepEqual(document, {
    error: { code: 'user_not_found', message: 'There is no member named "nobody".' },
  });
});

test('The first operator can be called admin, and the shell can give any member a reserved name', async (t) => {
  const cli = await cliIn(t);
  const create = ['user', 'create', '--password', PASSWORD, '--username'];

  const refused = await cli.run([...create, 'supp0rt']);
  const operator = await cli.run([...create, 'admin', '--operator']);
  const member = await cli.run([...create, 'support', '--reserved']);

  assert.equal(refused.code, 1);
  assert.match(refused.stderr, /supp0rt\S* is a reserved name or looks like one; add --reserved/);
  assert.deepEqual([operator.code, member.code], [0, 0]);
});
