// The command `import`, with exports of other programs. docs/importing.md says what becomes of their contents.

import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { BEGINNING } from '../../src/community/feed.ts';
import { threadsOf } from '../../src/community/thread.ts';
import type { Portico } from '../../src/compose.ts';
import { type Cli, cliIn } from '../cli/run-cli.ts';

const SAMPLES = join(import.meta.dirname, '../samples');

interface Problem {
  line?: number;
  record?: string;
  reason: string;
}

async function runImport(cli: Cli, sample: string, ...words: string[]) {
  const { document } = await cli.json(['import', join(SAMPLES, sample), ...words]);
  return document;
}

const reasons = (list: Problem[]) => list.map(({ line, record, reason }) => `${record ?? line}: ${reason}`);

async function member({ identity }: Portico, name: string) {
  const user = await identity.reads.findUserByName(name);
  assert.ok(user, `${name} is a member`);
  return user;
}

async function threads({ community }: Portico, postId: number) {
  const { threads } = await threadsOf(community, postId, 0);
  return threads.map(({ top, replies }) =>
    [top, ...replies].map(({ authorName, body }) => `${authorName}: ${body}`),
  );
}

test('the report on a Discourse export has all that was imported, changed, skipped and refused', async (t) => {
  const cli = await cliIn(t);

  const document = await runImport(cli, 'discourse.json');

  assert.equal(document.format, 'discourse');
  assert.equal(document.source, 'discourse');
  const { members, categories, posts, comments, likes } = document;
  assert.deepEqual([members, categories, posts, comments, likes], [4, 3, 3, 7, 0]);
  assert.deepEqual(document.skipped, {
    'posts by system or deleted accounts': 2,
    'moderator actions': 1,
    'hidden posts': 1,
    'topics by system or deleted accounts': 1,
    'private messages': 1,
  });
  assert.deepEqual(reasons(document.changed).slice(0, 2), [
    'user 3: username: changed from "li" to "li_1"',
    'user 4: email: left out, since another account has it',
  ]);
  assert.deepEqual(reasons(document.refused), [
    'topic 17: author: is not among the members of the file, or was refused',
    'topic 17, post 2: post: there is no post with the id "17"',
  ]);
});

test('a topic of Discourse becomes a post with comments, one level deep', async (t) => {
  const cli = await cliIn(t);
  const portico = await cli.open();
  await runImport(cli, 'discourse.json');

  const { items } = await portico.community.reads.publishedPostsOf(
    (await member(portico, 'bob_baker')).id,
    0,
    9,
  );
  const [crust] = items;

  assert.equal(crust?.title, 'Why does my crust go soft?');
  assert.equal(crust?.categoryName, 'Baking');
  assert.equal(crust?.viewCount, 112);
  assert.equal(crust?.publishedAt, Date.parse('2022-06-01T10:41:00.000Z'));
  assert.deepEqual(await threads(portico, crust?.id ?? 0), [
    [
      'li_1: Let it cool with the door ajar. @Bob_Baker does that too.',
      'alice: > **li_na:**\n>\n> Let it cool with the door ajar.\n\nTwenty minutes, no more.',
      'Bob_Baker: It worked :bread:',
    ],
  ]);
  assert.equal((await member(portico, 'bob_baker')).createdAt, Date.parse('2021-03-02T09:15:00.000Z'));
});

test('a title of Discourse that is too long is cut, and a comment is split', async (t) => {
  const cli = await cliIn(t);
  const portico = await cli.open();
  await runImport(cli, 'discourse.json');

  const { items } = await portico.community.reads.publishedPostsOf((await member(portico, 'alice')).id, 0, 9);
  const [rye] = items;
  const [first, second] = await threads(portico, rye?.id ?? 0);

  assert.ok([...(rye?.title ?? '')].length <= 120);
  assert.match(rye?.title ?? '', /^Everything I know about rye.*…$/);
  assert.equal(rye?.categoryName, 'Sourdough & rye, the slow kind of baking');
  assert.match(first?.[0] ?? '', /^Bob_Baker: Paragraph 1\. [\s\S]*flour\.$/);
  assert.match(second?.[0] ?? '', /^Bob_Baker: Paragraph \d+\. [\s\S]*Paragraph 30\. /);
  assert.equal(second?.[1], 'li_1: 读完了。');
});

test('the report on a WordPress export has everything, with the site as its source', async (t) => {
  const cli = await cliIn(t);

  const document = await runImport(cli, 'wordpress.xml');

  assert.equal(document.format, 'wxr');
  assert.equal(document.source, 'slowwheel.example');
  const { members, categories, posts, comments } = document;
  assert.deepEqual([members, categories, posts, comments], [2, 1, 4, 2]);
  assert.deepEqual(document.skipped, {
    'comments that were not approved': 1,
    'pingbacks and trackbacks': 1,
    'posts in the trash': 1,
    attachments: 1,
    pages: 1,
    'comments on items that were skipped or refused': 1,
  });
  assert.deepEqual(reasons(document.changed), [
    '24: username: changed from "carol@slowwheel.example" to "carol_slowwheel.example"',
    '25: username: changed from "王芳" to "王芳_1"',
  ]);
  assert.deepEqual(reasons(document.refused), [
    '104: author: "A passer-by" had no account there',
    '207: author: "guest" is not among the file\'s authors',
  ]);
});

test('a post of WordPress becomes Markdown, whatever kind of HTML it was', async (t) => {
  const cli = await cliIn(t);
  const portico = await cli.open();
  await runImport(cli, 'wordpress.xml');

  const carol = await member(portico, 'carol_slowwheel.example');
  const blocks = (await portico.community.reads.publishedPostsOf(carol.id, 0, 9)).items;
  const classic = (await portico.community.reads.publishedPostsOf((await member(portico, '王芳_1')).id, 0, 9))
    .items;
  const body = async (id = 0) => (await portico.community.reads.findPost(id))?.body;

  assert.deepEqual(
    blocks.map(({ title }) => title),
    ['Truing a wheel – without a stand'],
  );
  assert.equal(blocks[0]?.categoryName, 'Tools & grease');
  assert.equal(blocks[0]?.tags, '["rain"]');
  assert.equal(blocks[0]?.publishedAt, Date.parse('2023-02-03T18:30:00Z'));
  assert.equal(
    await body(blocks[0]?.id),
    [
      'Turn the bicycle over. A **zip tie** on the stay is your gauge, and [Sheldon](https://sheldonbrown.com/) is your friend.',
      '-   a quarter turn\n-   spin, look, *wait*',
      '```\nleft.tighten(0.25);\nright.loosen(0.25);\n```',
    ].join('\n\n'),
  );
  assert.deepEqual(await threads(portico, blocks[0]?.id ?? 0), [
    ['王芳_1: 扎带这个办法真好。\n\n我用了*二十分钟*。', 'carol_slowwheel.example: That is fast!'],
  ]);
  assert.equal(classic[0]?.title, '雨天骑行 & 挡泥板');
  assert.equal(
    await body(classic[0]?.id),
    '![雨](https://slowwheel.example/wp-content/uploads/rain.jpg) 雨中的车\n\n下雨的时候，**慢一点**。  \n路面比你想的滑。\n\n> 没有坏天气。',
  );
});

test('drafts of WordPress, and posts with a password, become drafts', async (t) => {
  const cli = await cliIn(t);
  const portico = await cli.open();
  await runImport(cli, 'wordpress.xml');

  const carol = await member(portico, 'carol_slowwheel.example');
  const drafts = await portico.community.reads.draftsOf(carol.id, BEGINNING, 9);

  assert.deepEqual(drafts.map(({ title }) => title).toSorted(), ['For friends', 'Not finished']);
  assert.equal(carol.xp, 10 + 2);
});

for (const [sample, name] of [
  ['discourse.json', 'Bob_Baker'],
  ['wordpress.xml', '王芳'],
] as const) {
  test(`${sample} is imported once, and members who exist already are reported`, async (t) => {
    const cli = await cliIn(t);
    const portico = await cli.open();
    await cli.run(['user', 'create', '--username', 'bobby', '--password', '-'], 'a long walk in the rain');

    const first = await runImport(cli, sample, '--member', `${name}=bobby`);
    const before = await member(portico, 'bobby');
    const again = await runImport(cli, sample);

    assert.ok(before.xp > 10);
    assert.equal((await member(portico, 'bobby')).xp, before.xp);
    assert.equal(await portico.identity.reads.findUserByName(name.toLowerCase()), undefined);
    assert.deepEqual([again.members, again.posts, again.comments, again.likes], [0, 0, 0, 0]);
    assert.equal(again.already_there.posts, first.posts);
    assert.equal(again.already_there.members, first.members + 1);
  });

  test(`a truncated ${sample} is reported, and everything before the cut is imported`, async (t) => {
    const cli = await cliIn(t);
    const whole = await readFile(join(SAMPLES, sample));
    const half = join(cli.folder, sample);
    await writeFile(half, whole.subarray(0, whole.length - 1500));

    const { code, document } = await cli.json(['import', half]);

    assert.equal(code, 1);
    assert.match(document.damaged, /JSON|XML/);
    assert.ok(document.categories > 0);
  });

  test(`a dry run of ${sample} reports what the import then does`, async (t) => {
    const cli = await cliIn(t);

    const dryRun = await runImport(cli, sample, '--dry-run');
    const done = await runImport(cli, sample);

    assert.deepEqual({ ...dryRun, dry_run: false }, done);
  });
}
