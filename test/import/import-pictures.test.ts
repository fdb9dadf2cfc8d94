// The command `import --fetch-pictures`: which pictures come into the community, and which stay links.

import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import sharp from 'sharp';
import { htmlOf } from '../../src/community/rendering.ts';
import type { Portico } from '../../src/compose.ts';
import { type Cli, cliIn } from '../cli/run-cli.ts';
import { discourseBackup } from '../support/discourse-backup.ts';
import { openPictureServer, runImport } from './picture-server.ts';

const alice = { type: 'member', username: 'alice' };

async function fileIn(cli: Cli, lines: readonly object[]): Promise<string> {
  const file = join(cli.folder, 'community.jsonl');
  await writeFile(file, lines.map((line) => JSON.stringify(line)).join('\n'));
  return file;
}

const postWith = (body: string, id = 1) => ({ type: 'post', id, author: 'alice', title: `Post ${id}`, body });

async function bodyOf({ community }: Portico, id = 1): Promise<string> {
  return (await community.reads.findPost(id))?.body ?? '';
}

const VISITOR = { userId: undefined, canModerate: false };

test('import --fetch-pictures shows the pictures of posts and comments in the community', async (t) => {
  const cli = await cliIn(t);
  const portico = await cli.open();
  const { url, asked } = await openPictureServer(t);
  const file = await fileIn(cli, [
    alice,
    postWith(`Look:\n\n![A *wide* view](${url}/good.jpg "Mine")\n\nand \`![code](${url}/good.png)\``),
    { type: 'comment', post: 1, author: 'alice', body: `[![](${url}/moved.png)](https://a.example/)` },
    {
      type: 'comment',
      post: 1,
      author: 'alice',
      body: `![Again|20x10](${url}/with(parens).gif) ![](/local.png)`,
    },
  ]);

  const { code, stdout } = await runImport(cli, [file, '--fetch-pictures']);

  assert.equal(code, 0, stdout);
  assert.match(stdout, /^Pictures: 3 downloaded, 0 still links to the old site\.$/m);
  assert.deepEqual(asked.toSorted(), ['/good.jpg', '/good.png', '/moved.png', '/with(parens).gif']);
  const post = await portico.community.reads.findPost(1);
  const [, digest = ''] =
    /^Look:\n\n!\[A \*wide\* view\]\(\/pictures\/([0-9a-f]{32})-1600x800\.webp\)\n\nand `!\[code\]\(http/.exec(
      post?.body ?? '',
    ) ?? [];
  const picture = await portico.community.reads.findPicture({ digest, width: 1600, height: 800 }, VISITOR);
  const { format, width, height, exif } = await sharp(picture?.image).metadata();
  assert.deepEqual([format, width, height, exif], ['webp', 1600, 800, undefined]);
  assert.ok(post !== undefined);
  const html = await htmlOf(portico.community, 'post', post);
  assert.match(
    html,
    /<img src="\/pictures\/[0-9a-f]{32}-1600x800\.webp" srcset="[^"]+ 1600w" [^>]+ alt="A \*wide\* view" width="1600"/,
  );
  const comments = await portico.community.reads.ownComments(post.userId, 0, 10);
  const bodies = comments.map(({ body }) => body.replaceAll(/[0-9a-f]{32}/g, '…'));
  assert.deepEqual(bodies, [
    '[![](/pictures/…-300x200.webp)](https://a.example/)',
    '![Again](/pictures/…-20x10.webp) ![](/local.png)',
  ]);
});

test('a picture that can’t be had stays a link, and the report says why', async (t) => {
  const cli = await cliIn(t);
  const portico = await cli.open();
  const { url } = await openPictureServer(t);
  const names = ['bomb', 'drawing.svg', 'polyglot', 'page', 'missing', 'inside', 'gzip', 'endless'];
  const addresses = names.map((name) => `${url}/${name.includes('.') ? name : `${name}.png`}`);
  const others = [
    'http://10.0.0.1/a.png',
    'http://192.168.1.1/a.png',
    'https://nina:secret@old.example/a.png',
  ];
  const body = [...addresses, ...others].map((address) => `![x](${address})`).join('\n');
  const file = await fileIn(cli, [alice, postWith(body)]);
  const report = join(cli.folder, 'report.jsonl');

  const { code, stdout } = await runImport(cli, [file, '--fetch-pictures', '--report', report, '--json']);

  assert.equal(code, 0);
  const { host } = new URL(url);
  const document = JSON.parse(stdout);
  assert.equal(document.pictures_fetched, 0);
  assert.deepEqual(document.pictures_linked, {
    'too many pixels': 1,
    'not a JPEG, PNG, GIF, WebP or AVIF': 3,
    [`${host} answers with status 404`]: 1,
    [`${host} redirects there: 10.0.0.1 is not on the public internet`]: 1,
    [`${host} sends more than 10000000 bytes`]: 2,
    '10.0.0.1 is not on the public internet': 1,
    '192.168.1.1 is not on the public internet': 1,
    'the address of old.example must not have a user name or a password': 1,
  });
  assert.equal(await bodyOf(portico), body);
  const lines = (await readFile(report, 'utf8')).trim().split('\n');
  assert.equal(lines.length, addresses.length + others.length);
  assert.match(
    lines.join('\n'),
    /"outcome":"linked","kind":"post","id":"1","reason":"http:\S+missing\.png: old/,
  );
});

test('a run without the option downloads nothing, and a later one with it downloads what is missing', async (t) => {
  const cli = await cliIn(t);
  const portico = await cli.open();
  const { url, asked } = await openPictureServer(t);
  const first = `![a](${url}/good.png) ![b](${url}/missing.png)`;
  const file = await fileIn(cli, [alice, postWith(first), postWith(`![c](${url}/good.png)`, 2)]);

  const without = await runImport(cli, [file]);
  const askedWithout = asked.length;
  const foretold = await runImport(cli, [file, '--fetch-pictures', '--dry-run', '--json']);
  const askedByDryRun = asked.length;
  const withIt = await runImport(cli, [file, '--fetch-pictures']);
  const again = await runImport(cli, [file, '--fetch-pictures']);

  assert.match(without.stdout, /^Pictures in the texts: 3\. They stay on the old site/m);
  assert.deepEqual([askedWithout, askedByDryRun], [0, 0]);
  assert.equal(JSON.parse(foretold.stdout).pictures_to_fetch, 3);
  assert.match(
    withIt.stdout,
    /^Pictures: 2 downloaded, 1 still links to the old site\.\n {2}old\S+ answers.* 404: 1$/m,
  );
  assert.match(again.stdout, /^Pictures: 0 downloaded, 1 still links/m);
  assert.deepEqual(asked.toSorted(), ['/good.png', '/missing.png', '/missing.png']);
  assert.match(await bodyOf(portico, 2), /^!\[c\]\(\/pictures\//);
});

test('a dry run of a new file foretells how many pictures are tried', async (t) => {
  const cli = await cliIn(t);
  await cli.open();
  const { url, asked } = await openPictureServer(t);
  const many = Array.from({ length: 60 }, (_, index) => `![](${url}/numbered/${index}.png)`).join(' ');
  const file = await fileIn(cli, [alice, postWith(many), postWith(`![a](${url}/good.png) `.repeat(3), 2)]);

  const all = await runImport(cli, [file, '--fetch-pictures', '--dry-run']);
  const some = await runImport(cli, [file, '--fetch-pictures', '--most-pictures', '7', '--dry-run']);

  // At most 50 of one text, each once.
  assert.match(all.stdout, /^Pictures to download: 51\.$/m);
  assert.match(some.stdout, /^Pictures to download: 7\.$/m);
  assert.deepEqual(asked, []);
});

test('--most-pictures bounds a run, and the next one goes on', async (t) => {
  const cli = await cliIn(t);
  const portico = await cli.open();
  const { url } = await openPictureServer(t);
  const body = [1, 2, 3].map((number) => `![](${url}/numbered/${number}.png)`).join(' ');
  const file = await fileIn(cli, [alice, postWith(body)]);

  const first = await runImport(cli, [file, '--fetch-pictures', '--most-pictures', '2']);
  const second = await runImport(cli, [file, '--fetch-pictures', '--most-pictures', '2']);

  assert.match(
    first.stdout,
    /^Pictures: 2 downloaded, 1 still links .*\n {2}not tried, since --most-pictures is 2: 1$/m,
  );
  assert.match(second.stdout, /^Pictures: 1 downloaded, 0 still links/m);
  assert.doesNotMatch(await bodyOf(portico), /old\.example/);
});

test('a host that does not answer is given up after a few pictures', async (t) => {
  const cli = await cliIn(t);
  await cli.open();
  const body = Array.from({ length: 9 }, (_, index) => `![](http://gone.example:1/${index}.png)`).join(' ');
  const file = await fileIn(cli, [alice, postWith(body)]);

  const { stdout } = await runImport(cli, [file, '--fetch-pictures', '--json']);

  assert.deepEqual(JSON.parse(stdout).pictures_linked, {
    'gone.example:1: no program is listening there': 5,
    'gone.example:1 did not answer 5 times in a row': 4,
  });
});

test('pictures that a forum’s export names without its host come from the old site', async (t) => {
  const cli = await cliIn(t);
  const portico = await cli.open();
  const { url, asked } = await openPictureServer(t);
  const file = join(cli.folder, 'forum.sql.gz');
  const raw =
    '![Crust|690x388](upload://aB3.png) ![Door](/numbered/7.png) [notes.pdf|attachment](upload://d.pdf)';
  await writeFile(
    file,
    discourseBackup({
      categories: [{ id: 5, name: 'Baking' }],
      users: [{ id: 1, username: 'ann' }],
      topics: [{ id: 42, title: 'Crust', category_id: 5 }],
      posts: [{ id: 100, topic_id: 42, user_id: 1, raw }],
    }),
  );

  const { code, stdout } = await runImport(cli, [file, '--fetch-pictures', '--site', `${url}/`]);

  assert.equal(code, 0, stdout);
  assert.match(stdout, /^Pictures: 2 downloaded, 0 still links/m);
  assert.deepEqual(asked.toSorted(), ['/numbered/7.png', '/uploads/short-url/aB3.png']);
  const body = (await bodyOf(portico)).replaceAll(/[0-9a-f]{32}/g, '…');
  assert.equal(body, '![Crust](/pictures/…-300x200.webp) ![Door](/pictures/…-30x20.webp) notes.pdf');
});

test('the options about pictures are checked', async (t) => {
  const cli = await cliIn(t);

  const alone = await runImport(cli, ['community.jsonl', '--most-pictures', '3']);
  const none = await runImport(cli, ['community.jsonl', '--fetch-pictures', '--most-pictures', '0']);

  const site = await runImport(cli, ['community.jsonl', '--site', 'old.example']);

  assert.deepEqual([alone.code, none.code, site.code], [2, 2, 2]);
  assert.match(site.stderr, /^portico: --site must be an address such as https:\S+, not "old\.example"\./);
  assert.match(alone.stderr, /^portico: --most-pictures needs --fetch-pictures\./);
  assert.match(none.stderr, /^portico: --most-pictures must be 1 or more, not 0\./);
});
