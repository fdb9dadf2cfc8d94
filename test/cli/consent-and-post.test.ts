import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { byMember } from '../../src/audit/doer.ts';
import { newCode } from '../storage/records.ts';
import { notebook, person, setStatus } from '../support/people.ts';
import { cliIn } from './run-cli.ts';

test('consent withdraw withdraws a member’s consent at once; a second time there is none', async (t) => {
  const cli = await cliIn(t);
  const portico = await cli.open();
  const alice = await person(portico, 'alice');
  const { id } = await notebook(portico);
  await portico.oauth.writes.approve(
    byMember(alice, portico.clock),
    undefined,
    ['posts:read'],
    newCode(alice.id, id),
  );
  const withdraw = ['consent', 'withdraw', '--username', 'alice', '--client-id', id];

  const first = await cli.json(withdraw);
  const grant = await portico.oauth.reads.findGrant(alice.id, id, portico.clock());
  const second = await cli.json(withdraw);

  assert.deepEqual(first, { code: 0, document: { username: 'alice', client_id: id, withdrawn: true } });
  assert.notEqual(grant?.withdrawnAt, undefined);
  assert.deepEqual([second.code, second.document.error.code], [1, 'consent_not_found']);
});

test('post create publishes the text of a file', async (t) => {
  const cli = await cliIn(t);
  const portico = await cli.open();
  const bob = await person(portico, 'bob');
  const file = join(cli.folder, 'arches.md');
  await writeFile(file, 'An arch *never* sleeps.');

  const { code, document } = await cli.json([
    ...['post', 'create', '--username', 'bob', '--title', 'On arches', '--body-file', file],
  ]);

  assert.deepEqual([code, document], [0, { id: 1 }]);
  const post = await portico.community.reads.findPost(1);
  assert.deepEqual(
    [post?.userId, post?.status, post?.title, post?.body, post?.excerpt, post?.categoryName],
    [bob.id, 'published', 'On arches', 'An arch *never* sleeps.', 'An arch never sleeps.', 'General'],
  );
});

test('post create is logged, and so is the category that it creates', async (t) => {
  const cli = await cliIn(t);
  const portico = await cli.open();
  await person(portico, 'bob');
  const create = ['post', 'create', '--username', 'bob', '--title', 'Arches', '--body-file', '-'];

  await cli.run([...create, '--category', 'Craft'], 'Never asleep.');
  await cli.run([...create, '--category', 'Craft', '--draft'], 'Never asleep.');

  const events = await portico.audit.reads.auditEvents({ limit: 10 });
  assert.deepEqual(
    events.map(({ action, actorName, subject, detail }) => [action, actorName, subject.id, detail]),
    [
      ['post.create', undefined, '2', { status: 'draft' }],
      ['post.create', undefined, '1', { status: 'published' }],
      ['category.create', undefined, 'craft', {}],
    ],
  );
});

test('post create reads standard input, saves a draft, and creates a missing category', async (t) => {
  const cli = await cliIn(t);
  const portico = await cli.open();
  await person(portico, 'bob');
  const create = ['post', 'create', '--username', 'bob', '--title', '石拱', '--body-file', '-', '--draft'];

  const first = await cli.run([...create, '--category', '建筑 笔记'], '拱从不睡觉。');
  const second = await cli.json([...create, '--category', '建筑 笔记'], '再写一篇。');

  assert.equal(first.stdout, 'Saved draft 1.\n');
  assert.deepEqual(second, { code: 0, document: { id: 2 } });
  const posts = [await portico.community.reads.findPost(1), await portico.community.reads.findPost(2)];
  for (const post of posts) {
    assert.deepEqual(
      [post?.status, post?.categoryName, post?.categorySlug],
      ['draft', '建筑 笔记', '建筑-笔记'],
    );
  }
});

test('post create says what is wrong with a post, and if its file is missing', async (t) => {
  const cli = await cliIn(t);
  await person(await cli.open(), 'bob');
  const create = ['post', 'create', '--username', 'bob', '--title', ' '];

  const empty = await cli.json([...create, '--body-file', '-'], ' \n');
  const missing = await cli.json([...create, '--body-file', 'nowhere.md']);

  assert.deepEqual(empty, {
    code: 1,
    document: { error: { code: 'post_title', message: '--title is empty. --body-file: the text is empty.' } },
  });
  assert.deepEqual([missing.code, missing.document.error.code], [1, 'file_unreadable']);
});

test('post create writes nothing for a suspended member', async (t) => {
  const cli = await cliIn(t);
  const portico = await cli.open();
  const { id } = await person(portico, 'bob');
  await setStatus(portico.identity, id, 'suspended');
  const create = ['post', 'create', '--username', 'bob', '--title', 'Late', '--body-file', '-'];

  const refused = await cli.json(create, 'Too late.');

  assert.deepEqual(refused, {
    code: 1,
    document: { error: { code: 'account_suspended', message: 'bob is suspended.' } },
  });
  assert.equal(await portico.community.reads.findPost(1), undefined);
});
