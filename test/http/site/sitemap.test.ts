// What search engines find: robots.txt and the sitemap.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { SaxesParser } from 'saxes';
import { byMember, byServer } from '../../../src/audit/doer.ts';
import { removePost } from '../../../src/community/post.ts';
import { SITE_PAGES } from '../../../src/http/site/pages.ts';
import { MINUTE } from '../../../src/lib/clock.ts';
import { newPost } from '../../storage/records.ts';
import { openApp } from '../../support/app.ts';
import { person, publish } from '../../support/people.ts';

const app = await openApp();
after(() => app.close());
const { portico } = app;

const XML = 'application/xml; charset=utf-8';

async function read(path: string, type: string): Promise<string> {
  const answer = await fetch(app.url + path);
  assert.equal(answer.status, 200);
  assert.equal(answer.headers.get('content-type'), type);
  assert.equal(answer.headers.get('set-cookie'), null);
  return answer.text();
}

const olivia = await person(portico, 'olivia');

test('Search engines find every public page, and are kept from forms and from pages of members and operators', async () => {
  const robots = await read('/robots.txt', 'text/plain; charset=utf-8');
  const refused = [...robots.matchAll(/^Disallow: (\S+)$/gm)].map(([, path]) => path ?? '');
  const isRefused = (path: string) => refused.some((start) => path.startsWith(start));
  // The path of a page below a post begins with a number, so robots.txt can't name it; a visitor finds a sign-in there.
  const pages = SITE_PAGES.filter(({ kind, path }) => kind === 'page' && !path.startsWith('/posts/:id'));

  for (const { path, who } of pages.filter(({ who }) => who !== 'everyone')) {
    assert.ok(isRefused(path), `${path} is for ${who}`);
  }
  assert.deepEqual(
    pages.filter(({ path }) => !isRefused(path)).map(({ path }) => path),
    [
      '/help',
      '/status',
      '/keys',
      '/rules',
      '/about',
      '/privacy',
      '/terms',
      '/docs',
      '/docs/reference',
      '/docs/:chapter',
      '/docs/errors/:code',
      '/credentials/revoke',
      '/',
      '/popular',
      '/categories',
      '/categories/:slug',
      '/tags',
      '/tags/:tag',
      '/tags/:tag/popular',
      '/categories/:slug/popular',
      '/u/:username',
    ],
  );
  assert.match(robots, new RegExp(`^Sitemap: ${app.url}/sitemap\\.xml$`, 'm'));
});

test('Search engines find the pages that the operators have written, and no other', async () => {
  const { site, clock } = portico;
  await site.writes.saveTexts(byServer(clock), 'rules', { en: 'Be kind.', zh: '' });
  await site.writes.saveTexts(byServer(clock), 'privacy', { en: '', zh: '我们只保存邮箱。' });

  const xml = await read('/sitemap/pages.xml', XML);

  const paths = ['/rules', '/about', '/privacy', '/terms'];
  assert.deepEqual(
    paths.filter((path) => xml.includes(`<loc>${app.url}${path}</loc>`)),
    ['/rules', '/privacy'],
  );
});

/** The addresses in a file of the sitemap, which must be well formed. */
function addressesIn(xml: string): string[] {
  new SaxesParser().write(xml).close();
  return [...xml.matchAll(/<loc>([^<]*)<\/loc>/g)].map(([, address]) => address ?? '');
}

test('The sitemap has the lists, the documentation and the published posts, and each address is a page', async () => {
  app.clock.advance(10 * MINUTE);
  const bob = await person(portico, 'bob');
  const kept = await publish(portico, bob, 'Rye & salt <面包>', 'Words.', 'rye, 面包');
  const gone = await publish(portico, bob, 'Gone', 'Words.', 'rye, secret');
  await removePost(byMember(bob, portico.clock), portico.community, gone);

  const index = await read('/sitemap.xml', XML);
  const files = addressesIn(index).map((address) => address.slice(app.url.length));
  assert.deepEqual(files, ['/sitemap/pages.xml', '/sitemap/posts-1.xml', '/sitemap/tags-1.xml']);
  const texts = await Promise.all(files.map((file) => read(file, XML)));
  const addresses = texts.flatMap(addressesIn);

  for (const path of [
    '/',
    '/popular',
    '/categories',
    '/categories/general',
    '/tags',
    '/help',
    '/docs',
    '/docs/api',
    '/docs/reference',
  ]) {
    assert.ok(addresses.includes(app.url + path), path);
  }
  assert.deepEqual(
    addresses.filter((address) => address.includes('/tags/')),
    [`${app.url}/tags/rye`, `${app.url}/tags/${encodeURIComponent('面包')}`],
  );
  const ofPosts = addresses.filter((address) => address.includes('/posts/'));
  assert.equal(ofPosts.length, 1);
  assert.ok(ofPosts[0]?.startsWith(`${app.url}/posts/${kept}/`));
  assert.match(texts[1] ?? '', /\/posts\/[^<]*<\/loc><lastmod>\d{4}-\d\d-\d\dT[\d:.]+Z<\/lastmod>/);
  for (const address of addresses) {
    assert.equal((await fetch(address, { redirect: 'manual' })).status, 200, address);
  }
});

test('A file of the sitemap is made once in ten minutes, also for many visitors at once, and anew after a failure', async (t) => {
  app.clock.advance(10 * MINUTE);
  const made = t.mock.method(portico.community.reads, 'addressesBetween');
  made.mock.mockImplementationOnce(() => Promise.reject(new Error('The database is gone.')));
  const path = '/sitemap/posts-1.xml';
  const failed = await fetch(app.url + path);

  const texts = await Promise.all(Array.from({ length: 20 }, () => read(path, XML)));
  app.clock.advance(10 * MINUTE - 1);
  texts.push(await read(path, XML));
  const countBefore = made.mock.callCount();
  app.clock.advance(1);
  await read(path, XML);

  assert.equal(failed.status, 500);
  assert.equal(new Set(texts).size, 1);
  assert.deepEqual([countBefore, made.mock.callCount()], [2, 3]);
});

test('Files that are read in turn are made once each in ten minutes', async (t) => {
  app.clock.advance(10 * MINUTE);
  const { reads } = portico.community;
  t.mock.method(reads, 'lastPostId', () => Promise.resolve(9000));
  const made = t.mock.method(reads, 'addressesBetween');

  for (let round = 0; round < 2; round += 1) {
    for (let number = 1; number <= 9; number += 1) await read(`/sitemap/posts-${number}.xml`, XML);
  }

  assert.equal(made.mock.callCount(), 9);
});

test('A program that has a file of the sitemap gets it again only after a change', async () => {
  const first = await fetch(`${app.url}/sitemap/posts-1.xml`);
  const headers = { 'If-None-Match': first.headers.get('etag') ?? '' };

  const same = await fetch(`${app.url}/sitemap/posts-1.xml`, { headers });
  await publish(portico, olivia, 'One more');
  app.clock.advance(10 * MINUTE);
  const changed = await fetch(`${app.url}/sitemap/posts-1.xml`, { headers });

  assert.deepEqual([same.status, changed.status], [304, 200]);
});

test('Each file has the posts of 1,000 ids, and there is none beyond the last', async () => {
  const last = await addManyPosts(2001);
  app.clock.advance(10 * MINUTE);

  const files = addressesIn(await read('/sitemap.xml', XML)).filter((file) => file.includes('/posts-'));
  const texts = await Promise.all(files.map((file) => read(file.slice(app.url.length), XML)));
  const ids = texts.map((text) =>
    addressesIn(text).map((address) => Number(/posts\/(\d+)/.exec(address)?.[1])),
  );

  assert.equal(files.at(-1), `${app.url}/sitemap/posts-${Math.ceil(last / 1000)}.xml`);
  assert.deepEqual([ids[1]?.length, ids[1]?.[0], ids[1]?.at(-1)], [1000, 1001, 2000]);
  assert.equal(ids.at(-1)?.at(-1), last);
  for (const file of [
    `posts-${Math.ceil(last / 1000) + 1}`,
    'posts-0',
    'posts-x',
    'pages-1',
    'tags-0',
    'tags-2',
  ]) {
    assert.equal((await fetch(`${app.url}/sitemap/${file}.xml`)).status, 404, file);
  }
});

async function addManyPosts(count: number): Promise<number> {
  const { writes } = portico.community;
  const ids = await Promise.all(
    Array.from({ length: count }, (_, n) =>
      writes.addPost(byMember(olivia, portico.clock), newPost(olivia.id, { title: `${n}` })),
    ),
  );
  return Math.max(...ids.map((id) => id ?? 0));
}
