// The texts in feeds, JSON Feed, and the feeds of tags, popular posts and comments.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { SaxesParser } from 'saxes';
import { byMember, byServer } from '../../../src/audit/doer.ts';
import { comment } from '../../../src/community/comment.ts';
import { removePost } from '../../../src/community/post.ts';
import { write } from '../../../src/community/writing.ts';
import { HOUR } from '../../../src/lib/clock.ts';
import { openApp } from '../../support/app.ts';
import { Browser } from '../../support/browser.ts';
import { type Person, person } from '../../support/people.ts';

const app = await openApp({ SITE_NAME: 'Lantern & Co' });
const { portico } = app;
const { community, clock } = portico;
after(() => app.close());
const visitor = new Browser(app.url);
const alice = await person(portico, 'alice');
const bob = await person(portico, 'bob');

async function publish(title: string, body: string, tags = ''): Promise<number> {
  app.clock.advance(HOUR);
  const text = { title, body, categoryId: 1, tags };
  const post = await write(byServer(clock), community, { authorId: bob.id, text, status: 'published' });
  assert.ok('id' in post);
  return post.id;
}

async function commentAs(author: Person, postId: number, body: string): Promise<number> {
  app.clock.advance(HOUR);
  const result = await comment(byMember(author, clock), community, postId, body);
  assert.ok(typeof result === 'object' && 'id' in result);
  return result.id;
}

const POST = await publish(
  'On <rye>',
  'Two *days*. [Home](/about) [Away](https://example.org/?a=1&b=2) [Below](#below) "quoted" & <b>\n\n]]>',
  'Rye, 面包',
);
const COMMENT = await commentAs(alice, POST, 'With **salt** & [water](/water).');

interface JsonItem {
  id: string;
  url: string;
  title: string;
  content_html?: string;
  content_text?: string;
  summary?: string;
  date_published: string;
  date_modified: string;
  authors: { name: string; url: string }[];
  tags: string[];
}

async function jsonFeed(path: string) {
  const answer = await visitor.open(path);
  assert.equal(answer.status, 200, path);
  assert.equal(answer.headers.get('content-type'), 'application/feed+json; charset=utf-8');
  return (await answer.json()) as Record<string, string> & { items: JsonItem[] };
}

/** Return the texts of the elements with this name. Throws if the document is not well formed. */
function textsIn(xml: string, name: string): string[] {
  const parser = new SaxesParser();
  const texts: string[] = [];
  const open: string[] = [];
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', (tag) => {
    open.push(tag.name);
    if (tag.name === name) texts.push('');
  });
  parser.on('text', (text) => {
    if (open.at(-1) === name) texts[texts.length - 1] += text;
  });
  parser.on('closetag', () => void open.pop());
  parser.write(xml).close();
  return texts;
}

test('A feed has the whole text of a post, whose links lead to this site from everywhere', async () => {
  const xml = await visitor.read('/feed.atom');
  const { items } = await jsonFeed('/feed.json');

  const [html = ''] = textsIn(xml, 'content');
  assert.match(xml, /<content type="html">/);
  assert.match(html, /^<p>Two <em>days<\/em>\./);
  assert.match(html, new RegExp(`<a href="${app.url}/about"[^>]*>Home</a>`));
  assert.match(html, /<a href="https:\/\/example\.org\/\?a=1&amp;b=2"[^>]*>Away<\/a>/);
  assert.match(html, new RegExp(`<a href="${app.url}/posts/${POST}#below"[^>]*>Below</a>`));
  assert.match(html, /&quot;quoted&quot; &amp; &lt;b&gt;/);
  assert.equal(items[0]?.content_html, html);
});

test('Each feed is there as JSON Feed 1.1, with all that the format requires', async () => {
  for (const [path, page, title] of [
    ['/feed.json', '/', 'Lantern & Co'],
    ['/popular/feed.json', '/popular', 'Popular posts · Lantern & Co'],
    ['/categories/general/feed.json', '/categories/general', 'General · Lantern & Co'],
    ['/tags/rye/feed.json', '/tags/rye', '#rye · Lantern & Co'],
    ['/u/bob/feed.json', '/u/bob', 'bob · Lantern & Co'],
  ] as const) {
    const feed = await jsonFeed(path);
    const [item] = feed.items;

    assert.equal(feed.version, 'https://jsonfeed.org/version/1.1');
    assert.deepEqual([feed.title, feed.feed_url], [title, app.url + path]);
    assert.deepEqual([feed.home_page_url, feed.language], [app.url + page, 'en']);
    assert.deepEqual([item?.id, item?.url], [`${app.url}/posts/${POST}`, `${app.url}/posts/${POST}/on-rye`]);
    assert.equal(item?.title, 'On <rye>');
    assert.deepEqual(item?.authors, [{ name: 'bob', url: `${app.url}/u/bob` }]);
    assert.deepEqual(item?.tags, ['General', 'rye', '面包']);
    assert.equal(new Date(item?.date_published ?? '').toISOString(), item?.date_published);
    assert.equal(new Date(item?.date_modified ?? '').toISOString(), item?.date_modified);
    assert.ok(item?.content_html);
    const shown = await visitor.read(page);
    const atom = path.replace('json', 'atom');
    if (page !== '/') {
      assert.match(shown, new RegExp(`type="application/feed\\+json"[^>]* href="${path}"`));
      assert.match(
        shown,
        new RegExp(`<footer[\\s\\S]*href="${atom}">Atom feed</a>[\\s\\S]*href="${path}">JSON feed</a>`),
      );
    }
    assert.deepEqual(textsIn(await visitor.read(atom), 'id').at(-1), `${app.url}/posts/${POST}`);
  }
});

test('Comments have feeds: those on a post, and the newest of the community', async () => {
  const other = await publish('Other', 'Words.');
  const later = await commentAs(alice, other, 'Later.');

  const newest = await jsonFeed('/comments/feed.json');
  const onPost = await jsonFeed(`/posts/${POST}/comments/feed.json`);
  const xml = await visitor.read(`/posts/${POST}/comments/feed.atom`);

  assert.deepEqual(
    newest.items.map(({ id }) => id),
    [`${app.url}/comments/${later}`, `${app.url}/comments/${COMMENT}`],
  );
  assert.deepEqual(
    onPost.items.map(({ title, content_html }) => [title, content_html]),
    [
      [
        'alice: On <rye>',
        `<p>With <strong>salt</strong> &amp; <a href="${app.url}/water" rel="nofollow ugc noopener">water</a>.</p>\n`,
      ],
    ],
  );
  assert.equal(onPost.home_page_url, `${app.url}/posts/${POST}/on-rye`);
  assert.deepEqual(textsIn(xml, 'title'), ['Comments on “On <rye>” · Lantern & Co', 'alice: On <rye>']);
  assert.match(
    await visitor.read(`/posts/${POST}/on-rye`),
    new RegExp(`href="/posts/${POST}/comments/feed.atom"`),
  );
});

test('What nobody can read is in no feed', async () => {
  const gone = await publish('Gone soon', 'Secret words.', 'gone');
  await commentAs(alice, gone, 'Secret answer.');
  const text = { title: 'Draft', body: 'Secret words.', categoryId: 1, tags: 'rye' };
  const draft = await write(byMember(bob, clock), community, { authorId: bob.id, text, status: 'draft' });
  assert.ok('id' in draft);
  const before = await visitor.read('/comments/feed.atom');
  await removePost(byMember(bob, clock), community, gone);

  assert.match(before, /Secret answer/);
  for (const path of ['', '/popular', '/categories/general', '/tags/rye', '/u/bob', '/comments']) {
    for (const format of ['atom', 'json']) {
      assert.doesNotMatch(await visitor.read(`${path}/feed.${format}`), /Secret/, path);
    }
  }
  for (const path of [
    '/tags/gone',
    '/tags/none',
    '/u/none',
    '/posts/999/comments',
    `/posts/${gone}/comments`,
  ]) {
    assert.equal((await visitor.open(`${path}/feed.atom`)).status, 404, path);
  }
  assert.equal((await visitor.open(`/posts/${draft.id}/comments/feed.json`)).status, 404);
});

test('An unchanged feed is not sent again, and none of its texts is read', async (t) => {
  const { reads } = community;
  t.after(() => {
    community.reads = reads;
  });
  for (const path of ['/feed.atom', '/feed.json', '/comments/feed.json']) {
    const tag = (await visitor.open(path)).headers.get('etag') ?? '';
    const fail = () => Promise.reject(new Error('read'));
    community.reads = { ...reads, findPost: fail, postSizes: fail, comments: fail };
    const again = await visitor.open(path, { headers: { 'If-None-Match': `"x", ${tag}` } });
    community.reads = reads;

    assert.equal(again.status, 304, path);
    assert.deepEqual([again.headers.get('etag'), await again.text()], [tag, '']);
    assert.equal((await visitor.open(path, { headers: { 'If-None-Match': '"x"' } })).status, 200);
  }
  const atom = (await visitor.open('/feed.atom')).headers.get('etag');
  assert.notEqual((await visitor.open('/feed.json')).headers.get('etag'), atom);
  await community.writes.editPost(byMember(bob, clock), POST, {
    title: 'On wheat',
    body: 'New.',
    excerpt: 'New.',
    categoryId: 1,
    words: 'new',
  });
  assert.notEqual((await visitor.open('/feed.atom')).headers.get('etag'), atom);
});

test('A feed stays small: the longest texts are left out, and their summaries stay', async () => {
  for (let number = 0; number < 8; number += 1) await publish(`Long ${number}`, 'word '.repeat(19_000));

  const { items } = await jsonFeed('/feed.json');
  const xml = await visitor.read('/feed.atom');

  const long = items.filter(({ title }) => title.startsWith('Long'));
  assert.equal(long.filter(({ content_html }) => content_html !== undefined).length, 5);
  for (const { content_html, content_text, summary } of items)
    assert.ok(content_html ?? content_text ?? summary);
  assert.ok(items.every(({ summary }) => summary !== undefined));
  assert.ok(xml.length < 600_000, String(xml.length));
});

test('A feed reads no text that it has no room for', async (t) => {
  for (let number = 0; number < 8; number += 1) await publish(`Vast ${number}`, '[a](b)'.repeat(16_600));
  const postId = await publish('Discussed', 'Words.');
  await commentAs(alice, postId, 'Words.');
  const found = t.mock.method(community.reads, 'findPost');

  const { items } = await jsonFeed('/categories/general/feed.json');

  const withText = items.filter(({ content_html }) => content_html !== undefined);
  assert.ok(items.length > withText.length);
  assert.deepEqual(
    found.mock.calls.map(({ arguments: [id] }) => `${app.url}/posts/${id}`),
    withText.map(({ id }) => id),
  );
});

test('A feed stays small, however long its links become elsewhere', async () => {
  const title = '\u{20000}'.repeat(60);
  for (let number = 0; number < 3; number += 1) await publish(title, '[a](?)'.repeat(5000));

  const { items } = await jsonFeed('/feed.json');

  const texts = items.map(({ content_html = '' }) => content_html);
  assert.match(texts[0] ?? '', new RegExp(`^<p><a href="${app.url}/posts/\\d+\\?"`));
  assert.ok(texts.join('').length <= 500_000);
});

test('A text that is longer than a whole feed may be takes no other text away', async () => {
  await publish('Short', 'A few words.');
  await publish('Longest', '[a](b)'.repeat(16_600));

  const { items } = await jsonFeed('/feed.json');

  assert.deepEqual(
    items.slice(0, 2).map(({ title, content_html }) => [title, content_html !== undefined]),
    [
      ['Longest', false],
      ['Short', true],
    ],
  );
});

test('A feed is made once for all its readers', async (t) => {
  const before = await visitor.read('/feed.atom');
  const { reads } = community;
  t.after(() => {
    community.reads = reads;
  });
  community.reads = { ...reads, findPost: () => Promise.reject(new Error('read')) };

  assert.equal(await new Browser(app.url).read('/feed.atom'), before);
});
