// The command `import`, with JSON lines: what it imports, what it refuses, and that it imports nothing twice.

import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { publishedPostsOf } from '../../src/community/post.ts';
import { threadsOf } from '../../src/community/thread.ts';
import { hashPassword, verifyPassword } from '../../src/identity/password.ts';
import { type Cli, cliIn } from '../cli/run-cli.ts';

/** Write lines to a file in the command line's folder. Returns its path. */
async function fileIn(cli: Cli, lines: readonly (object | string)[], name = 'community.jsonl') {
  const file = join(cli.folder, name);
  const texts = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line)));
  await writeFile(file, `${texts.join('\n')}\n`);
  return file;
}

const alice = { type: 'member', username: 'alice' };
const bob = { type: 'member', username: 'bob' };
const post = { type: 'post', id: 1, author: 'alice', title: 'On walking', body: 'Slowly.' };
test('import reads each line as a record, and says which lines it refused and why', async (t) => {
  const cli = await cliIn(t);
  const portico = await cli.open();
  const file = await fileIn(cli, [
    { ...alice, password: 'a long walk', bio: 'Reads', createdAt: '2025-01-31T09:30:00+08:00' },
    {
      type: 'post',
      author: 'alice',
      title: 'On walking',
      body: 'Slowly.',
      category: '城市',
      createdAt: '2025-02-01T09:30:00Z',
    },
    { type: 'post', author: 'alice', title: 'Not yet', body: 'Later.', draft: true },
    { type: 'member', username: 'al', password: 'short' },
    { type: 'post', author: 'nobody', title: 'x', body: 'y' },
    { type: 'post', author: 'alice', title: '', body: 'y' },
    { type: 'wish' },
    '',
    'not json',
  ]);

  const { code, document } = await cli.json(['import', file]);

  assert.equal(code, 1);
  assert.equal(document.members, 1);
  assert.equal(document.posts, 2);
  assert.deepEqual(
    document.refused.map(({ line }: { line: number }) => line),
    [7, 9, 4, 5, 6],
  );
  const reasons = new Map(
    document.refused.map(({ line, reason }: { line: number; reason: string }) => [line, reason]),
  );
  assert.equal(reasons.get(4), 'username: too short; password: too short');
  assert.equal(
    reasons.get(5),
    'author: there is no member named "nobody", or the record of that member was refused',
  );
  assert.equal(reasons.get(7), 'type: "wish" is unknown; expected member, category, post, comment, like');
  assert.match(String(reasons.get(9)), /^is not JSON: expected one record in braces, such as \{/);
  const member = await portico.identity.reads.findUserByName('alice');
  assert.equal(member?.createdAt, Date.parse('2025-01-31T09:30:00+08:00'));
  const { items, total } = await publishedPostsOf(portico.community, member?.id ?? 0, 0, 20);
  assert.equal(total, 1);
  assert.equal(items[0]?.categoryName, '城市');
  assert.equal(items[0]?.publishedAt, Date.parse('2025-02-01T09:30:00Z'));
});

test('import adds comments and likes, counts them, and gives their points', async (t) => {
  const cli = await cliIn(t);
  const portico = await cli.open();
  const comment = { type: 'comment', post: 1, author: 'bob' };
  const file = await fileIn(cli, [
    alice,
    bob,
    { type: 'category', name: 'Empty' },
    { ...post, views: 7, createdAt: '2025-02-01T09:30:00Z', tags: ['Walking', '城市'] },
    { ...comment, id: 'a', body: 'Where to?', createdAt: '2025-02-02T09:30:00Z' },
    { ...comment, id: 'b', author: 'alice', body: 'Home.', replyTo: 'a' },
    { ...comment, id: 'c', body: 'Ah.', replyTo: 'b' },
    { type: 'like', post: 1, by: 'bob' },
    { type: 'like', post: 1, by: 'alice' },
    { ...comment, body: 'Where?', replyTo: 'z' },
    { ...comment, post: 99, body: 'Where?' },
    { ...comment, body: '' },
    { ...post, id: 2, createdAt: '2999-01-01T00:00:00Z' },
  ]);

  const { document } = await cli.json(['import', file]);

  const { members, categories, posts, comments, likes, refused } = document;
  assert.deepEqual([members, categories, posts, comments, likes], [2, 1, 1, 3, 1]);
  assert.deepEqual(
    new Map(refused.map(({ line, reason }: { line: number; reason: string }) => [line, reason])),
    new Map([
      [9, 'post: is not published, or the member wrote it'],
      [10, 'replyTo: there is no comment with the id "z"'],
      [11, 'post: there is no post with the id "99"'],
      [12, 'body: missing'],
      [13, 'createdAt: is in the future'],
    ]),
  );
  const { likeCount, commentCount, viewCount, tags } = (await portico.community.reads.findPost(1)) ?? {};
  assert.deepEqual([likeCount, commentCount, viewCount, tags], [1, 3, 7, '["walking","城市"]']);
  const { top, replies = [] } = (await threadsOf(portico.community, 1, 0)).threads[0] ?? {};
  assert.equal(top?.body, 'Where to?');
  assert.equal(top?.createdAt, Date.parse('2025-02-02T09:30:00Z'));
  assert.deepEqual(
    replies.map(({ body }) => body),
    ['Home.', 'Ah.'],
  );
  assert.equal((await portico.identity.reads.findUserByName('alice'))?.xp, 10 + 1 + 2);
  assert.equal((await portico.identity.reads.findUserByName('bob'))?.xp, 2 + 2);
});

test('import of the same file again, or of one with lines added, adds only new records', async (t) => {
  const cli = await cliIn(t);
  const portico = await cli.open();
  // A line that appears twice is two records.
  const lines = [alice, { ...post, id: undefined }, { ...post, id: undefined }];
  const file = await fileIn(cli, lines);
  const first = await cli.json(['import', file]);

  const again = await cli.json(['import', file]);
  await fileIn(cli, ['', ...lines, bob]);
  const longer = await cli.json(['import', file]);
  const elsewhere = await cli.json([
    'import',
    await fileIn(cli, lines, 'other.jsonl'),
    '--source',
    'community.jsonl',
  ]);

  assert.deepEqual([first.document.members, first.document.posts], [1, 2]);
  assert.deepEqual([again.document.members, again.document.posts, again.code], [0, 0, 0]);
  assert.deepEqual(again.document.already_there, {
    members: 1,
    categories: 0,
    posts: 2,
    comments: 0,
    likes: 0,
  });
  assert.deepEqual([longer.document.members, longer.document.posts], [1, 0]);
  assert.deepEqual([elsewhere.document.members, elsewhere.document.posts], [0, 0]);
  const author = await portico.identity.reads.findUserByName('alice');
  assert.equal((await publishedPostsOf(portico.community, author?.id ?? 0, 0, 20)).total, 2);
  assert.equal(author?.xp, 20);
});

test('a member is imported with a password, with a password hash, or without either', async (t) => {
  const cli = await cliIn(t);
  const portico = await cli.open();
  const file = await fileIn(cli, [
    { ...alice, password: 'a long walk in the rain' },
    { ...bob, passwordHash: await hashPassword('a short walk in the sun') },
    { type: 'member', username: 'carol' },
    { type: 'member', username: 'mallory', passwordHash: '$2b$12$abcdefghijklmnopqrstuv' },
    {
      type: 'member',
      username: 'mallory',
      passwordHash: `$argon2id$v=19$m=99999999,t=2,p=1$${'A'.repeat(22)}$${'A'.repeat(43)}`,
    },
  ]);

  const { document } = await cli.json(['import', file]);

  const canVerify = async (username: string, password: string) => {
    const user = await portico.identity.reads.findUserByName(username);
    return verifyPassword(password, await portico.identity.reads.findPasswordHash(user?.id ?? 0));
  };
  assert.equal(await canVerify('alice', 'a long walk in the rain'), true);
  assert.equal(await canVerify('bob', 'a short walk in the sun'), true);
  assert.equal(await canVerify('carol', ''), false);
  assert.deepEqual(
    document.refused.map(({ reason }: { reason: string }) => reason),
    ['passwordHash: not argon2id', 'passwordHash: more than 64 mib 10 passes or 8 lanes'],
  );
});

test('a dry run reports what an import would do, and writes nothing', async (t) => {
  const cli = await cliIn(t);
  const portico = await cli.open();
  const lines = [
    { ...alice, email: 'a@example.org' },
    alice,
    { ...bob, email: 'A@example.org' },
    { ...post, category: 'Craft' },
    { ...post, id: 2, draft: true, category: 'Craft' },
    { type: 'comment', post: 1, author: 'alice', body: 'Yes.' },
    { type: 'comment', post: 2, author: 'alice', body: 'No.' },
  ];
  const file = await fileIn(cli, lines);

  const dryRun = await cli.json(['import', file, '--dry-run']);
  const nobody = await portico.identity.reads.findUserByName('alice');
  const categories = await portico.community.reads.categories();
  const done = await cli.json(['import', file]);

  assert.equal(nobody, undefined);
  assert.equal(categories.length, 1);
  assert.equal(dryRun.document.dry_run, true);
  assert.deepEqual({ ...dryRun.document, dry_run: false }, done.document);
  assert.deepEqual([done.document.members, done.document.posts, done.document.comments], [1, 2, 1]);
});

test('the audit log has one entry for each import, and none for a dry run', async (t) => {
  const cli = await cliIn(t);
  const portico = await cli.open();
  const file = await fileIn(cli, [alice, bob, { ...post, category: 'Craft' }]);

  await cli.run(['import', file, '--dry-run']);
  const afterDryRun = await portico.audit.reads.auditEvents({ limit: 10 });
  await cli.run(['import', file, '--source', 'old site']);

  const events = await portico.audit.reads.auditEvents({ limit: 10 });
  assert.deepEqual(afterDryRun, []);
  assert.deepEqual(
    events.map(({ action, actorName, subject, detail }) => ({ action, actorName, subject, detail })),
    [
      {
        action: 'import',
        actorName: undefined,
        subject: { kind: 'import', id: 'old site' },
        detail: { source: 'old site', format: 'jsonl' },
      },
    ],
  );
  const list = await cli.json(['audit', 'list', '--subject', 'import:old site']);
  assert.equal(list.document.events.length, 1);
});

test('the report has every refusal, the JSON the first hundred, and the terminal the first twenty', async (t) => {
  const cli = await cliIn(t);
  const file = await fileIn(cli, Array(150).fill({ type: 'wish' }));
  const report = join(cli.folder, 'report.jsonl');

  const { document } = await cli.json(['import', file, '--report', report]);
  const { stdout } = await cli.run(['import', file]);

  const problems = (await readFile(report, 'utf8'))
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  assert.equal(problems.length, 150);
  assert.deepEqual([problems[149].outcome, problems[149].line], ['refused', 150]);
  assert.deepEqual([document.refusals, document.refused.length], [150, 100]);
  assert.match(stdout, /line 20: /);
  assert.doesNotMatch(stdout, /line 21: /);
  assert.match(stdout, /and 130 more; --report FILE writes all of them/);
});

test('a line that is too long, or not UTF-8, is refused, and the next one is read', async (t) => {
  const cli = await cliIn(t);
  const file = join(cli.folder, 'odd.jsonl');
  const parts = [
    `"${'x'.repeat(5_000_000)}"\n`,
    Buffer.from([0x22, 0xff, 0x22, 0x0a]),
    JSON.stringify(alice),
  ];
  await writeFile(file, Buffer.concat(parts.map((part) => Buffer.from(part))));

  const { document } = await cli.json(['import', file]);

  assert.equal(document.members, 1);
  assert.deepEqual(
    document.refused.map(({ reason }: { reason: string }) => reason),
    ['is too long', 'is not UTF-8'],
  );
});

test('import of a missing file, or with a report that can’t be written, is refused', async (t) => {
  const cli = await cliIn(t);
  const file = await fileIn(cli, [alice]);

  const missing = await cli.json(['import', 'nowhere.jsonl']);
  const unwritable = await cli.json(['import', file, '--report', 'no/folder/report.jsonl']);

  assert.deepEqual([missing.code, missing.document.error.code], [1, 'file_unreadable']);
  assert.deepEqual([unwritable.code, unwritable.document.error.code], [1, 'report_unwritable']);
});

test('an imported post is not given to another member who has the same username here', async (t) => {
  const cli = await cliIn(t);
  const portico = await cli.open();
  await cli.json(['user', 'create', '--username', 'Alice', '--password', 'a long walk in the rain']);
  const draft = { ...post, draft: true };
  const file = await fileIn(cli, [alice, bob, draft, { ...draft, id: 2, author: 'bob' }]);

  const { document } = await cli.json(['import', file]);

  assert.deepEqual(
    document.refused.map(({ reason }: { reason: string }) => reason.split(':')[0]),
    ['username', 'author'],
  );
  assert.equal(document.posts, 1);
  assert.equal(await portico.community.reads.findPost(2), undefined);
});
