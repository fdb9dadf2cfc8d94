// Moderation at the command line: roles, and restoring what was removed.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { byOperator } from '../../src/audit/doer.ts';
import { removeContent } from '../../src/community/moderation.ts';
import { person, publish } from '../support/people.ts';
import { cliIn } from './run-cli.ts';

test('user set-role makes a member a moderator, an operator or a member again, and set-operator goes on working', async (t) => {
  const cli = await cliIn(t);
  const portico = await cli.open();
  for (const username of ['mona', 'olivia']) await person(portico, username);
  const setRole = (username: string, role: string) =>
    cli.json(['user', 'set-role', '--username', username, '--role', role]);
  const rolesOf = async (username: string) => {
    const user = await portico.identity.reads.findUserByName(username);
    return [user?.isOperator, user?.isModerator];
  };

  const made = await setRole('mona', 'moderator');
  const moderator = await rolesOf('mona');
  await cli.run(['user', 'set-operator', '--username', 'mona', '--operator', 'yes']);
  const operator = await rolesOf('mona');
  const last = await setRole('mona', 'moderator');
  await setRole('olivia', 'operator');
  const { stdout } = await cli.run(['user', 'set-role', '--username', 'mona', '--role', 'member']);

  assert.deepEqual(made, { code: 0, document: { id: 1, username: 'mona', role: 'moderator' } });
  assert.deepEqual(
    [moderator, operator, await rolesOf('mona')],
    [
      [false, true],
      [true, false],
      [false, false],
    ],
  );
  assert.deepEqual([last.code, last.document.error.code], [1, 'last_operator']);
  assert.equal(stdout, 'mona is an ordinary member.\n');
  const [event] = (await cli.json(['audit', 'list'])).document.events;
  assert.deepEqual(
    [event.action, event.subject, event.detail],
    ['user.set_role', { kind: 'user', id: '1', name: 'mona' }, { role: 'member' }],
  );
});

test('post restore brings back a post that an operator removed, and says so if there is none', async (t) => {
  const cli = await cliIn(t);
  const portico = await cli.open();
  const [olivia, bob] = [await person(portico, 'olivia'), await person(portico, 'bob')];
  const post = await publish(portico, bob, 'Removed by mistake');
  const subject = { postId: post, commentId: undefined };
  assert.equal(await removeContent(byOperator(olivia, portico.clock), portico.community, subject), undefined);

  const restored = await cli.json(['post', 'restore', '--id', String(post)]);
  const again = await cli.json(['post', 'restore', '--id', String(post)]);
  const neither = await cli.json(['post', 'restore']);

  assert.deepEqual(restored, { code: 0, document: { post, restored: true } });
  assert.equal((await portico.community.reads.findPost(post))?.status, 'published');
  assert.deepEqual([again.code, again.document.error.code], [1, 'not_restorable']);
  assert.match(again.document.error.message, new RegExp(`There is no post ${post} that can be restored`));
  assert.deepEqual([neither.code, neither.document.error.code], [2, 'wrong_usage']);
});
