// Lists of members, posts and applications, for people, programs and spreadsheets.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { byServer } from '../../src/audit/doer.ts';
import { removePost } from '../../src/community/post.ts';
import { write } from '../../src/community/writing.ts';
import { notebook, person, pocket, publish } from '../support/people.ts';
import { addMember } from '../support/seeding.ts';
import { cliIn } from './run-cli.ts';

test('user list finds members by status, role, membership, and a part of the name or address', async (t) => {
  const cli = await cliIn(t);
  const portico = await cli.open();
  await addMember(portico, 'alice', { email: 'reader@home.example' });
  await addMember(portico, 'bob', {});
  await cli.run(['user', 'set-operator', '--username', 'alice', '--operator', 'yes']);
  await cli.run(['user', 'set-membership', '--username', 'bob', '--until', 'never']);
  const find = async (...words: string[]) =>
    (await cli.json(['user', 'list', ...words])).document.users.map(
      ({ username }: { username: string }) => username,
    );

  assert.deepEqual(await find(), ['alice', 'bob']);
  assert.deepEqual(await find('--role', 'operator'), ['alice']);
  assert.deepEqual(await find('--role', 'member'), ['bob']);
  assert.deepEqual(await find('--membership', 'yes'), ['bob']);
  assert.deepEqual(await find('--status', 'closed'), []);
  assert.deepEqual(await find('--search', 'READER@'), ['alice']);
  assert.deepEqual(await find('--search', 'o'), ['alice', 'bob']);
  assert.deepEqual(await find('--search', 'o', '--role', 'member'), ['bob']);
  const none = await cli.run(['user', 'list', '--search', 'nobody']);
  assert.deepEqual(none, { code: 0, stdout: 'There are no such members.\n', stderr: '' });
});

test('A list of any length is printed with all its records, as text, JSON and CSV', async (t) => {
  const cli = await cliIn(t);
  const portico = await cli.open();
  for (let number = 0; number < 1201; number += 1) await addMember(portico, `member${number}`, {});

  const lines = (await cli.run(['user', 'list'])).stdout;
  const { users } = (await cli.json(['user', 'list'])).document;
  const csv = (await cli.run(['user', 'list', '--csv'])).stdout;

  assert.equal(lines.trimEnd().split('\n').length, 1201);
  assert.equal(users.length, 1201);
  assert.deepEqual(Object.keys(users[0]), csv.split('\r\n')[0]?.split(','));
  assert.equal(csv.trimEnd().split('\r\n').length, 1202);
  assert.match(csv, /\r\n1201,member1200,,active,member,none,0,/);
});

test('A list ends quietly when its reader has seen enough', async (t) => {
  const cli = await cliIn(t);
  const portico = await cli.open();
  for (let number = 0; number < 2000; number += 1) await addMember(portico, `member${number}`, {});

  const main = new URL('../../bin/portico.js', import.meta.url).pathname;
  const child = spawn(process.execPath, [main, 'user', 'list', '--json'], { env: cli.settings });
  await once(child.stdout, 'data');
  child.stdout.destroy();
  const [problems, [code]] = await Promise.all([text(child.stderr), once(child, 'close')]);

  assert.deepEqual([code, problems], [0, '']);
});

test('post list and post show find published and removed posts, and no drafts', async (t) => {
  const cli = await cliIn(t);
  const portico = await cli.open();
  const [alice, bob] = [await person(portico, 'alice'), await person(portico, 'bob')];
  const formula = await publish(portico, alice, '=1+1, "so";=2+2');
  const gone = await publish(portico, bob, 'On bread', 'Slowly.');
  await removePost({ kind: 'member', userId: bob.id, at: portico.clock() }, portico.community, gone);
  const secretText = { title: 'Secret', body: 'Not yet.', categoryId: 1 };
  const draft = await write(byServer(portico.clock), portico.community, {
    authorId: alice.id,
    text: secretText,
    status: 'draft',
  });
  assert.ok('id' in draft);
  const find = async (...words: string[]) =>
    (await cli.json(['post', 'list', ...words])).document.posts.map(({ id }: { id: number }) => id);

  assert.deepEqual(await find(), [formula, gone]);
  assert.deepEqual(await find('--status', 'removed'), [gone]);
  assert.deepEqual(await find('--username', 'alice'), [formula]);
  assert.deepEqual(await find('--search', 'BREAD'), [gone]);
  assert.deepEqual(await find('--category', 'Elsewhere'), []);
  const csv = (await cli.run(['post', 'list', '--csv'])).stdout;
  assert.match(csv, /,published,"'=1\+1, ""so"";'=2\+2",/);
  const shown = await cli.run(['post', 'show', '--id', String(gone)]);
  assert.match(shown.stdout, /^status {8}removed$/m);
  assert.match(shown.stdout, /\n\nSlowly\.\n$/);
  const secret = await cli.json(['post', 'show', '--id', String(draft.id)]);
  assert.deepEqual([secret.code, secret.document.error.code], [1, 'post_not_found']);
});

test('client list and client show find applications by status, type, owner and text', async (t) => {
  const cli = await cliIn(t);
  const portico = await cli.open();
  const alice = await person(portico, 'alice');
  const first = await notebook(portico, { ownerId: alice.id });
  const second = await pocket(portico);
  await cli.run(['client', 'deactivate', '--client-id', second.id]);
  const find = async (...words: string[]) =>
    (await cli.json(['client', 'list', ...words])).document.clients.map(
      ({ client_id }: { client_id: string }) => client_id,
    );

  assert.deepEqual(await find(), [second.id, first.id]);
  assert.deepEqual(await find('--owner', 'alice'), [first.id]);
  assert.deepEqual(await find('--status', 'deactivated'), [second.id]);
  assert.deepEqual(await find('--type', 'confidential'), [first.id]);
  assert.deepEqual(await find('--search', 'NOTEBOOK.example'), [first.id]);
  const { document } = await cli.json(['client', 'show', '--client-id', first.id]);
  assert.deepEqual([document.owner, document.redirect_uris], ['alice', [first.redirectUri]]);
  assert.equal('secret_digest' in document, false);
});

test('the reasons for scopes are text in a spreadsheet, and for people', async (t) => {
  const cli = await cliIn(t);
  const portico = await cli.open();
  const { id } = await notebook(portico);
  const reason = ['--reason', 'profile:read=To greet you.'];
  await cli.run(['client', 'update', '--client-id', id, ...reason]);

  const csv = (await cli.run(['client', 'list', '--csv'])).stdout;
  const sheet = (await cli.run(['client', 'show', '--client-id', id])).stdout;

  assert.match(csv, /"{""profile:read"":{""en"":""To greet you\.""}}"/);
  assert.match(sheet, /^scope_reasons +{"profile:read":{"en":"To greet you\."}}$/m);
});
