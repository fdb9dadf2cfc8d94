// The audit log and the command line: its commands are logged, and `audit list` shows the log.

import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import type { AuditEvent } from '../../src/audit/audit-log.ts';
import { notebook, person } from '../support/people.ts';
import { addSignIn } from '../support/seeding.ts';
import { cliIn } from './run-cli.ts';

test('audit list shows what was done at the command line, newest first, or for one subject only', async (t) => {
  const cli = await cliIn(t);
  const portico = await cli.open();
  const { id } = await person(portico, 'alice');
  const user = ['--username', 'alice'];
  await cli.run(['user', 'set-status', ...user, '--status', 'suspended']);
  await cli.run(['user', 'set-status', ...user, '--status', 'active']);
  await cli.run(['user', 'set-membership', ...user, '--until', 'never']);
  await cli.run(['keys', 'list']);
  const client = await cli.json([
    ...['client', 'create', '--name', 'Notebook', '--type', 'confidential'],
    ...['--redirect-uri', 'https://notebook.example/cb'],
  ]);
  await cli.run(['client', 'rotate-secret', '--client-id', client.document.client_id]);
  const token = await cli.json(['token', 'create', ...user, '--name', 'laptop', '--scope', 'posts:read']);
  await cli.run(['token', 'revoke', '--token', token.document.token]);

  const all = await cli.json(['audit', 'list']);
  const own = await cli.json(['audit', 'list', '--subject', `user:${id}`, '--limit', '2']);
  const text = await cli.run(['audit', 'list', '--limit', '1']);

  assert.deepEqual(
    all.document.events.map(({ action, actor }: { action: string; actor: null }) => [action, actor]),
    [
      ['token.revoke', null],
      ['token.create', null],
      ['client.rotate_secret', null],
      ['client.create', null],
      ['user.set_membership', null],
      ['user.reactivate', null],
      ['user.suspend', null],
    ],
  );
  assert.deepEqual(
    own.document.events.map(({ action }: { action: string }) => action),
    ['user.set_membership', 'user.reactivate'],
  );
  assert.match(text.stdout, /^\d{4}-.*Z {2}\(command line\) {2}token\.revoke {2}token:/);
  const log = JSON.stringify(all.document);
  for (const secret of [client.document.client_secret, token.document.token])
    assert.ok(!log.includes(secret));
});

test('audit list shows which application, consent and tokens the command line changed', async (t) => {
  const cli = await cliIn(t);
  const portico = await cli.open();
  const { id: userId } = await person(portico, 'alice');
  const application = await notebook(portico);
  const { access, refresh } = await addSignIn(portico, application, userId);
  const client = ['--client-id', application.id];

  await cli.run(['client', 'deactivate', ...client]);
  await cli.run(['client', 'activate', ...client]);
  const token = await cli.json([
    ...['token', 'create', '--username', 'alice', '--name', 'laptop', '--scope', 'posts:read'],
  ]);
  await cli.run(['token', 'revoke', '--id', String(token.document.id)]);
  await cli.run(['token', 'revoke', '--token', access]);
  await cli.run(['token', 'revoke', '--token', refresh]);
  await cli.run(['consent', 'withdraw', '--username', 'alice', ...client]);
  const { document } = await cli.json(['audit', 'list']);

  const events = [...document.events].reverse();
  assert.deepEqual(
    events.map(({ action, subject }: AuditEvent) => [action, `${subject.kind}:${subject.id}`]),
    [
      ['client.deactivate', `client:${application.id}`],
      ['client.activate', `client:${application.id}`],
      ['token.create', `token:${token.document.id}`],
      ['token.revoke', `token:${token.document.id}`],
      ['token.revoke', `token:${access.slice(5, 27)}`],
      ['token.revoke', `token:${refresh.slice(5, 27)}`],
      ['consent.withdraw', `user:${userId}`],
    ],
  );
  const log = JSON.stringify(document);
  for (const secret of [token.document.token, access, refresh]) assert.ok(!log.includes(secret));
});

test('audit list refuses a malformed subject', async (t) => {
  const cli = await cliIn(t);

  const { code, document } = await cli.json(['audit', 'list', '--subject', 'alice']);

  assert.equal(code, 2);
  assert.equal(document.error.code, 'wrong_usage');
});

test('user set-operator makes a member an operator; the last operator can’t be demoted or closed', async (t) => {
  const cli = await cliIn(t);
  const portico = await cli.open();
  const { id } = await person(portico, 'alice');
  const user = ['--username', 'alice'];

  const made = await cli.json(['user', 'set-operator', ...user, '--operator', 'yes']);
  const unmade = await cli.json(['user', 'set-operator', ...user, '--operator', 'no']);
  const closed = await cli.json(['user', 'set-status', ...user, '--status', 'closed']);

  assert.deepEqual([made.code, made.document], [0, { id, username: 'alice', operator: true }]);
  assert.deepEqual([unmade.code, unmade.document.error.code], [1, 'last_operator']);
  assert.deepEqual([closed.code, closed.document.error.code], [1, 'last_operator']);
  assert.equal((await portico.identity.reads.findUser(id))?.status, 'active');
  const events = await portico.audit.reads.auditEvents({ limit: 5 });
  assert.deepEqual(
    events.map(({ action, actorName }) => [action, actorName]),
    [['user.set_role', undefined]],
  );
});

test('user set-status closed also deletes the bio', async (t) => {
  const cli = await cliIn(t);
  const portico = await cli.open();
  const { id } = await person(portico, 'alice', 'Reads.');

  await cli.run(['user', 'set-status', '--username', 'alice', '--status', 'closed']);

  const user = await portico.identity.reads.findUser(id);
  assert.deepEqual([user?.status, user?.bio], ['closed', '']);
});

test('whoever used the command line, the log has it: accounts, tokens, posts and imports, by their names', async (t) => {
  const cli = await cliIn(t);
  const user = ['--username', 'alice'];
  await writeFile(join(cli.folder, 'post.md'), 'Some words.');
  await writeFile(join(cli.folder, 'old.jsonl'), '{"type":"member","username":"bob"}\n');
  await cli.run(['user', 'create', ...user, '--password', 'a long walk in the rain', '--operator']);
  await cli.run(['token', 'create', ...user, '--name', 'laptop', '--scope', 'posts:read']);
  const post = [...user, '--body-file', join(cli.folder, 'post.md')];
  await cli.run(['post', 'create', ...post, '--title', 'On arches']);
  await cli.run(['post', 'create', ...post, '--title', 'Unfinished', '--draft']);
  await cli.run(['import', join(cli.folder, 'old.jsonl')]);

  const { document } = await cli.json(['audit', 'list']);
  const { stdout } = await cli.run(['audit', 'list', '--subject', 'user:1']);

  assert.deepEqual(
    [...document.events].reverse().map(({ action, subject }) => [action, subject.name ?? subject.id]),
    [
      ['user.create', 'alice'],
      ['token.create', '1'],
      ['post.create', 'On arches'],
      ['post.create', '2'],
      ['import', 'old.jsonl'],
    ],
  );
  assert.match(stdout, /user\.create {2}user:1 "alice" {2}username=alice {2}operator=true\n$/);
});
