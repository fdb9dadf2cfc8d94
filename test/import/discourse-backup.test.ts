// The command `import`, with the backup that administrators of Discourse download.

import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { threadsOf } from '../../src/community/thread.ts';
import { readDiscourseBackup } from '../../src/import/formats/discourse-backup.ts';
import { cliIn } from '../cli/run-cli.ts';
import { temporaryFolder } from '../support/databases.ts';
import { discourseBackup, discourseDump, type Rows } from '../support/discourse-backup.ts';

const FORUM: Record<string, Rows> = {
  categories: [
    { id: 5, name: 'Baking', slug: 'baking' },
    { id: 6, name: 'Staff', slug: 'staff', read_restricted: true },
  ],
  users: [
    { id: 1, username: 'ann' },
    { id: 2, username: 'bo' },
    { id: 3, username: 'spammer', active: false },
    { id: -1, username: 'system' },
  ],
  user_emails: [
    { id: 1, user_id: 1, email: 'ann@example.org' },
    { id: 2, user_id: 1, email: 'old@example.org', primary: false },
  ],
  user_profiles: [{ user_id: 1, bio_raw: 'Bakes\tand\nwalks \\o/' }],
  tags: [
    { id: 1, name: 'c++' },
    { id: 2, name: 'staff-only' },
    { id: 3, name: 'ovens' },
  ],
  topic_tags: [
    { id: 1, topic_id: 42, tag_id: 3 },
    { id: 2, topic_id: 42, tag_id: 1 },
    { id: 3, topic_id: 43, tag_id: 2 },
  ],
  topics: [
    { id: 42, title: 'Why does my crust go soft?', category_id: 5, views: 12, slug: 'crust' },
    { id: 43, title: 'Salaries', category_id: 6 },
    { id: 44, title: 'Hello ann', archetype: 'private_message' },
    { id: 45, title: 'Spam', category_id: 5, deleted_at: '2024-02-02 08:00:00' },
    { id: 46, title: 'Hidden by flags', category_id: 5, visible: false },
  ],
  // In no order, as in a table whose rows have changed.
  posts: [
    { id: 103, topic_id: 42, post_number: 4, user_id: 1, raw: 'It is.', reply_to_post_number: 3 },
    { id: 102, topic_id: 42, post_number: 3, user_id: 2, raw: 'Is it the oven?', reply_to_post_number: 2 },
    { id: 104, topic_id: 42, post_number: 5, user_id: 1, raw: 'For staff only', post_type: 4 },
    { id: 105, topic_id: 42, post_number: 6, user_id: 1, raw: 'Wrong', deleted_at: '2024-02-02 08:00:00' },
    { id: 106, topic_id: 42, post_number: 7, user_id: -1, raw: '', post_type: 3 },
    { id: 101, topic_id: 42, post_number: 2, user_id: 2, raw: 'Let it cool.' },
    { id: 100, topic_id: 42, user_id: 1, raw: 'It is crisp,\n\nand then: \\N \t soft.' },
    { id: 200, topic_id: 43, user_id: 1, raw: 'secret' },
    { id: 201, topic_id: 44, user_id: 2, raw: 'secret' },
    { id: 202, topic_id: 45, user_id: 2, raw: 'secret' },
    { id: 203, topic_id: 46, user_id: 2, raw: 'secret' },
  ],
  post_actions: [
    { id: 1, post_id: 100, user_id: 2 },
    { id: 2, post_id: 101, user_id: 1 },
    { id: 3, post_id: 100, user_id: 2, post_action_type_id: 4 },
    { id: 4, post_id: 100, user_id: 1, deleted_at: '2024-02-02 08:00:00' },
  ],
};

test('an administrator of a hosted Discourse imports the backup that they downloaded', async (t) => {
  const cli = await cliIn(t);
  const portico = await cli.open();
  const file = join(cli.folder, 'forum-2024-02-03-v2024.tar.gz');
  await writeFile(file, discourseBackup(FORUM));

  const dryRun = await cli.json(['import', file, '--dry-run']);
  const { document, code } = await cli.json(['import', file]);
  const again = await cli.json(['import', file]);

  assert.equal(code, 0, JSON.stringify(document));
  assert.deepEqual({ ...dryRun.document, dry_run: false }, document);
  const { members, categories, posts, comments, likes } = document;
  assert.deepEqual([members, categories, posts, comments, likes], [2, 1, 1, 3, 1]);
  assert.deepEqual(document.skipped, {
    'accounts that were never activated': 1,
    'system accounts': 1,
    whispers: 1,
    'deleted posts': 1,
    'moderator actions': 1,
    'topics in categories that not everyone may read': 1,
    'private messages': 1,
    'deleted topics': 1,
    'unlisted topics': 1,
    'likes of comments, or of posts that were skipped': 1,
  });
  assert.deepEqual([again.document.posts, again.document.already_there.comments], [0, 3]);
  const ann = await portico.identity.reads.findUserByName('ann');
  assert.deepEqual([ann?.email, ann?.bio], ['ann@example.org', 'Bakes and walks \\o/']);
  assert.equal(ann?.createdAt, Date.parse('2024-01-31T01:30:00.5Z'));
  const post = await portico.community.reads.findPost(1);
  assert.deepEqual(
    [post?.title, post?.body, post?.viewCount, post?.likeCount, post?.tags],
    ['Why does my crust go soft?', 'It is crisp,\n\nand then: \\N \t soft.', 12, 1, '["ovens","c"]'],
  );
  const { threads } = await threadsOf(portico.community, 1, 0);
  assert.deepEqual(
    threads.map(({ top, replies }) => [top, ...replies].map(({ body }) => body)),
    [['Let it cool.', 'Is it the oven?', 'It is.']],
  );
});

test('tags and bios that visitors of the forum do not see are not imported, and are counted', async (t) => {
  const cli = await cliIn(t);
  const portico = await cli.open();
  const file = join(cli.folder, 'forum-2024-02-03-v2024.tar.gz');
  const names = ['ann', 'hiding', 'hiding2', 'newcomer'];
  const hidden: Record<string, Rows> = {
    users: names.map((username, index) => ({ id: index + 1, username, trust_level: index === 3 ? 0 : 1 })),
    user_profiles: names.map((_, index) => ({ user_id: index + 1, bio_raw: 'Bakes.' })),
    user_options: [
      { user_id: 1, hide_profile: false, hide_profile_and_presence: false },
      { user_id: 2, hide_profile_and_presence: true },
      { user_id: 3, hide_profile: true },
    ],
    tags: ['watched', 'ovens', 'read-only', 'free'].map((name, index) => ({ id: index + 1, name })),
    topic_tags: [1, 2, 3, 4].map((tag) => ({ id: tag, topic_id: 42, tag_id: tag })),
    tag_group_memberships: [
      { id: 1, tag_id: 1, tag_group_id: 8 },
      { id: 2, tag_id: 1, tag_group_id: 9 },
      { id: 3, tag_id: 2, tag_group_id: 9 },
      { id: 4, tag_id: 3, tag_group_id: 10 },
    ],
    tag_group_permissions: [
      { id: 1, tag_group_id: 8, group_id: 3, permission_type: 1 },
      { id: 2, tag_group_id: 9, group_id: 0, permission_type: 1 },
      { id: 3, tag_group_id: 10, group_id: 3, permission_type: 1 },
      { id: 4, tag_group_id: 10, group_id: 0, permission_type: 3 },
    ],
    topics: [{ id: 42, title: 'Why does my crust go soft?' }],
    posts: [{ id: 100, topic_id: 42, user_id: 1, raw: 'It is crisp.' }],
  };
  await writeFile(file, discourseBackup(hidden));

  const { document } = await cli.json(['import', file]);

  assert.deepEqual(document.skipped, {
    'bios that not everyone may read': 3,
    'tags that not everyone may see': 1,
  });
  const members = await Promise.all(names.map((name) => portico.identity.reads.findUserByName(name)));
  assert.deepEqual(
    members.map((user) => user?.bio),
    ['Bakes.', '', '', ''],
  );
  assert.equal((await portico.community.reads.findPost(1))?.tags, '["ovens","read-only","free"]');
});

test('the dump alone is read too, compressed or not, and what does not fit into memory is read in parts', async (t) => {
  const folder = await temporaryFolder(t);
  const path = join(folder, 'dump');
  const topics = Array.from({ length: 5 }, (_, index) => ({ id: index + 1, title: `Topic ${index}` }));
  const posts = topics.map(({ id }) => ({ id: id + 100, topic_id: id, user_id: 1, raw: 'x'.repeat(900) }));
  const dump = discourseDump({ users: [{ id: 1, username: 'ann' }], topics, posts: posts.toReversed() });

  for (const content of [Buffer.from(dump), gzipSync(dump)]) {
    await writeFile(path, content);
    const file = readDiscourseBackup(path, content.length, undefined, 3000);
    const kinds: string[] = [];
    for await (const { kind } of file.entries) kinds.push(kind);

    assert.deepEqual(kinds, ['member', 'post', 'post', 'post', 'post', 'post']);
  }
});

test('a damaged backup, and a dump of another program, are refused by name', async (t) => {
  const cli = await cliIn(t);
  const backup = discourseBackup(FORUM);
  const messageOn = async (content: string | Buffer) => {
    await writeFile(join(cli.folder, 'file'), content);
    const { document, code } = await cli.json(['import', 'file']);
    assert.equal(code, 1);
    return document.error.message;
  };

  assert.match(
    await messageOn(backup.subarray(0, 700)),
    /is damaged: .* Nothing of a damaged backup is imported/,
  );
  assert.match(
    await messageOn('--\n-- PostgreSQL database dump\n--\n\nCOPY public.cats (id) FROM stdin;\n1\n\\.\n'),
    /^This is a dump of the tables cats, and not a backup of Discourse\. Portico takes JSON lines, /,
  );
  assert.match(await messageOn(gzipSync('{"type":"member"}\n')), /^This is a file without rows of tables/);
});
