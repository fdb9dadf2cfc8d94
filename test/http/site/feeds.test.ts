// The lists of posts, the search, and the feeds for feed readers.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { SaxesParser } from 'saxes';
import { byServer } from '../../../src/audit/doer.ts';
import { write } from '../../../src/community/writing.ts';
import { createFirstOperator } from '../../../src/identity/user-creation.ts';
import { HOUR, MINUTE } from '../../../src/lib/clock.ts';
import { ReadTooSlow } from '../../../src/lib/storage-unavailable.ts';
import { NO_ENTRY } from '../../../src/storage/audit/audit-trail.ts';
import { sql } from '../../../src/storage/engine/sql.ts';
import { openApp } from '../../support/app.ts';
import { Browser } from '../../support/browser.ts';
import { PASSWORD, person, publish } from '../../support/people.ts';

const updatePopularity = sql<{ title: string; popularity: number }>`
  UPDATE posts SET heat = :popularity WHERE title = :title`;

// The tests come from 127.0.0.1, so a request can name another address.
const app = await openApp({ SITE_NAME: 'Lantern & Co', TRUST_PROXY: '127.0.0.1' });
after(() => app.close());
const { portico } = app;
const visitor = new Browser(app.url);
await createFirstOperator(
  byServer(portico.clock),
  portico.identity,
  { username: 'keeper', password: PASSWORD },
  'en',
);
const bob = await person(portico, 'bob');
const craft = await portico.community.writes.ensureCategory(
  byServer(app.clock.read),
  '手工',
  '手工 & Craft',
  100,
);
for (let number = 1; number <= 65; number += 1) {
  app.clock.advance(HOUR);
  if (number === 40) await inCraft(`Note ${number}`);
  else await publish(portico, bob, `Note ${number}`);
}
await like('Note 41', 500);

async function inCraft(title: string, body = 'Folding paper & <paste>.'): Promise<void> {
  const text = { title, body, categoryId: craft?.id ?? 0 };
  const writing = { authorId: bob.id, text, status: 'published' } as const;
  const post = await write(byServer(app.clock.read), portico.community, writing);
  assert.ok('id' in post);
}

/** Make the post as popular as if this many members had liked it. */
async function like(title: string, times: number): Promise<void> {
  const guard = updatePopularity({ title, popularity: app.clock.now + times * HOUR });
  await portico.database.atomically({ audit: NO_ENTRY, guard });
}

async function open(path: string): Promise<string> {
  const answer = await visitor.open(path);
  assert.equal(answer.status, 200, path);
  return answer.text();
}

function titlesIn(page: string): string[] {
  return [...page.matchAll(/<h2><a [^>]*>([^<]*)<\/a><\/h2>/g)].map(([, title]) => title ?? '');
}

/** Return all titles, following the links to the next page. */
async function allTitles(path: string): Promise<string[]> {
  const titles: string[] = [];
  for (let next: string | undefined = path; next !== undefined; ) {
    const page: string = await open(next);
    titles.push(...titlesFound(page));
    next = /rel="next" href="([^"]+)"/.exec(page)?.[1]?.replaceAll('&amp;', '&');
  }
  return titles;
}

/** The titles of search results, without the marks. */
function titlesFound(page: string): string[] {
  return [...page.matchAll(/<h2><a [^>]*>(.*?)<\/a><\/h2>/g)].map(([, title = '']) =>
    title.replaceAll(/<\/?mark>/g, ''),
  );
}

const NEWEST = Array.from({ length: 65 }, (_, index) => `Note ${65 - index}`);

test('The home page leads on to the oldest post, and links to the other lists', async () => {
  const page = await open('/');

  assert.deepEqual(await allTitles('/'), NEWEST);
  assert.match(page, /<a href="\/" aria-current="page">New<\/a>\s+<a href="\/popular">Popular<\/a>/);
  assert.ok(page.includes(`<a href="/categories/${encodeURIComponent('手工')}">手工 &amp; Craft</a>`));
  assert.match(page, /<link rel="alternate" type="application\/atom\+xml"[^>]* href="\/feed.atom">/);
});

test('An invalid cursor leads to the first page', async () => {
  for (const before of ['x', '-1', '1-', '99999999999999999-1', '1-1<script>']) {
    assert.deepEqual(titlesIn(await open(`/?before=${encodeURIComponent(before)}`))[0], 'Note 65', before);
  }
  assert.match(await open('/?before=1-1'), /There are no older posts/);
});

test('The popular posts begin with the most liked one, and have each post once', async () => {
  const titles = await allTitles('/popular');

  assert.equal(titles[0], 'Note 41');
  assert.equal(new Set(titles).size, 65);
  assert.equal(titles.length, 65);
});

test('A category lists its own posts, and an unknown category is not found', async () => {
  const path = `/categories/${encodeURIComponent('手工')}`;

  assert.deepEqual(titlesIn(await open(path)), ['Note 40']);
  assert.equal((await allTitles('/categories/general')).length, 64);
  assert.match(await open('/categories'), /General[\s\S]*手工 &amp; Craft/);
  for (const missing of ['/categories/nothing', '/categories/nothing/feed.atom', '/u/nobody/feed.atom']) {
    assert.equal((await visitor.open(missing)).status, 404);
  }
});

test('A search finds posts with all its words, page by page, and repeats the query', async () => {
  const one = await open('/search?q=folding+PAPER');
  const none = await open(`/search?q=${encodeURIComponent('"><script>alert(1)</script>')}`);

  assert.deepEqual(titlesFound(one), ['Note 40']);
  assert.match(one, /value="folding PAPER"/);
  assert.equal((await allTitles('/search?q=note')).length, 65);
  assert.deepEqual(titlesFound(await open('/search?q=note+7')), ['Note 7']);
  assert.match(none, /No post contains/);
  assert.doesNotMatch(none, /<script>/);
  assert.match(await open('/search'), /all of your words/);
  assert.match(await open(`/search?q=${'a%20'.repeat(300)}&before=0`), /No post contains/);
  assert.equal((await visitor.open('/search?q=%00%ED%A0%80')).status, 200);
});

test('An address can search 30 times a minute, and a member too; then the page says when to go on', async () => {
  app.clock.advance(HOUR);
  const search = (browser: Browser) => browser.open('/search?q=folding+paper');
  const member = new Browser(app.url);
  await member.signIn('bob', PASSWORD);
  const allowed: number[] = [];
  for (let count = 0; count < 30; count += 1) {
    allowed.push((await search(visitor)).status, (await search(member)).status);
  }

  const refused = await search(visitor);
  const inChinese = await search(new Browser(app.url, 'zh'));
  const ofMember = await search(member);
  const form = await visitor.open('/search');
  app.clock.advance(MINUTE);
  const afterwards = await search(visitor);

  assert.deepEqual([...new Set(allowed)], [200]);
  assert.deepEqual([refused.status, ofMember.status, form.status, afterwards.status], [429, 429, 200, 200]);
  assert.equal(refused.headers.get('Retry-After'), '60');
  const text = await refused.text();
  assert.match(text, /Too many searches this minute\. You can search again in a minute\./);
  assert.match(text, /value="folding paper"/);
  assert.doesNotMatch(text, /Note 40/);
  assert.match(await inChinese.text(), /这一分钟的搜索次数已达上限，1 分钟后可以继续搜索。/);
});

interface Element {
  name: string;
  attributes: Record<string, string>;
  text: string;
}

/** Return the elements of a well-formed document, in order. Throws if it is not well formed. */
function elementsOf(xml: string): Element[] {
  const parser = new SaxesParser();
  const elements: Element[] = [];
  const stack: Element[] = [];
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', ({ name, attributes }) => {
    const element = { name, attributes: attributes as Record<string, string>, text: '' };
    elements.push(element);
    stack.push(element);
  });
  parser.on('text', (text) => {
    const element = stack.at(-1);
    if (element !== undefined) element.text += text;
  });
  parser.on('closetag', () => void stack.pop());
  parser.write(xml).close();
  return elements;
}

test('Each feed is well formed, has its own address, and its entries have all that RFC 4287 requires', async () => {
  const slug = encodeURIComponent('手工');
  for (const [path, page, first, count] of [
    ['/feed.atom', '/', 'Note 65', 30],
    [`/categories/${slug}/feed.atom`, `/categories/${slug}`, 'Note 40', 1],
    ['/u/bob/feed.atom', '/u/bob', 'Note 65', 30],
  ] as const) {
    const answer = await visitor.open(path);
    const elements = elementsOf(await answer.text());
    const elementsNamed = (name: string) => elements.filter((element) => element.name === name);
    const links = elementsNamed('link').map(({ attributes }) => [attributes.rel, attributes.href]);

    assert.equal(answer.headers.get('content-type'), 'application/atom+xml; charset=utf-8');
    assert.equal(answer.headers.get('cache-control'), 'public, max-age=300');
    assert.equal(answer.headers.get('set-cookie'), null);
    assert.equal(elements[0]?.attributes.xmlns, 'http://www.w3.org/2005/Atom');
    assert.deepEqual(links.slice(0, 2), [
      ['self', app.url + path],
      ['alternate', app.url + page],
    ]);
    assert.equal(elementsNamed('entry').length, count);
    assert.match(elementsNamed('title')[0]?.text ?? '', /Lantern & Co$/);
    assert.equal(elementsNamed('title')[1]?.text, first);
    for (const name of ['summary', 'published', 'name', 'category'])
      assert.equal(elementsNamed(name).length, count);
    for (const name of ['id', 'title', 'updated']) assert.equal(elementsNamed(name).length, count + 1, name);
    for (const { text } of elementsNamed('updated')) assert.ok(!Number.isNaN(Date.parse(text)));
    assert.equal(new Set(elementsNamed('id').map(({ text }) => text)).size, count + 1);
    assert.match(await open(page), new RegExp(`type="application/atom\\+xml"[^>]* href="${path}"`));
  }
});

test('A feed is not sent again until it changes', async () => {
  const first = await visitor.open('/feed.atom');
  const tag = first.headers.get('etag') ?? '';
  const openWith = (ifNoneMatch: string) =>
    visitor.open('/feed.atom', { headers: { 'If-None-Match': ifNoneMatch } });

  const unchanged = await openWith(`"other", ${tag}`);
  await inCraft('News', 'A bell: \u0007and\ufffe, ]]> & more.');
  const news = await openWith(tag);

  assert.equal(unchanged.status, 304);
  assert.equal(unchanged.headers.get('etag'), tag);
  assert.equal(await unchanged.text(), '');
  assert.equal(news.status, 200);
  const text = await news.text();
  assert.ok(elementsOf(text).some(({ text: summary }) => summary === 'A bell: and, ]]> & more.'));
});

for (const [of, addressOf] of [
  ['address', () => '192.0.2.1'],
  ['IPv6 network of /48', (search: number) => `2001:db8:1:${search}::1`],
] as const) {
  test(`Of many searches of one ${of} at once most are refused politely, and other pages are served`, async (t) => {
    app.clock.advance(HOUR);
    const { reads } = portico.community;
    t.after(() => {
      portico.community.reads = reads;
    });
    let finish = () => {};
    const end = new Promise<void>((resolve) => {
      finish = resolve;
    });
    let underWay = 0;
    const postIdsWith: typeof reads.postIdsWith = async (...query) => {
      underWay += 1;
      await end;
      return reads.postIdsWith(...query);
    };
    portico.community.reads = { ...reads, postIdsWith };

    const answers = Array.from({ length: 6 }, (_, search) =>
      visitor.open('/search?q=paper', { headers: { 'X-Forwarded-For': addressOf(search) } }),
    );
    const refused = await Promise.race(answers);
    const home = await visitor.open('/');
    const before = underWay;
    finish();
    const statuses = (await Promise.all(answers)).map(({ status }) => status);

    assert.deepEqual([refused.status, refused.headers.get('retry-after')], [429, '5']);
    assert.match(
      await refused.text(),
      /Several searches are under way[\s\S]*value="paper"|value="paper"[\s\S]*Several/,
    );
    assert.deepEqual([home.status, before], [200, 1]);
    assert.deepEqual(statuses.sort(), [200, 200, 200, 200, 429, 429]);
  });
}

test('A search that takes too long says so, and keeps the query', async (t) => {
  app.clock.advance(HOUR);
  const { reads } = portico.community;
  t.after(() => {
    portico.community.reads = reads;
  });
  const postIdsWith = () => Promise.reject(new ReadTooSlow('canceled'));
  portico.community.reads = { ...reads, postIdsWith };

  const answer = await visitor.open('/search?q=paper');

  assert.equal(answer.status, 429);
  assert.match(await answer.text(), /value="paper"[\s\S]*This search takes too long/);
});
