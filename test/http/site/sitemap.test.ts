// What search engines find: robots.txt and the sitemap.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { SaxesParser } from 'saxes';
import { byMember, byServer } from '../../../src/audit/doer.ts';
import { removePost } from '../../../src/community/post.ts';
import { SITE_PAGES } from '../../../src/http/site/pages.ts';
import { MINUTE } from '../../../src/lib/clock.ts';
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

await person(portico, 'olivia');

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
      '/categories/:slug/popular',
      '/tags',
      '/tags/:tag',
      '/u/:username',
    ],
  );
  assert.match(robots, new RegExp(`^Sitemap: ${app.url}/sitemap\\.xml$`, 'm'));
});

test('Search engines find the pages that the operators have written, and no other', async () => {
  const { site, clock } = portico;
  await site.writes.saveTexts(byServer(clock), 'rules', { en: 'Be kind.', zh: '' });
  await site.writes.saveTexts(byServer(clock), 'privacy', { en: '', zh: '我们只保存邮箱。' });

  const xml = await read('/sitemap.xml', 'application/xml; charset=utf-8');

  const paths = ['/rules', '/about', '/privacy', '/terms'];
  assert.deepEqual(
    paths.filter((path) => xml.includes(`<loc>${app.url}${path}</loc>`)),
    ['/rules', '/privacy'],
  );
});

test('The sitemap has the lists, the documentation and the published posts, and each address is a page', async () => {
  app.clock.advance(10 * MINUTE);
  const bob = await person(portico, 'bob');
  const kept = await publish(portico, bob, 'Rye & salt <面包>');
  const gone = await publish(portico, bob, 'Gone');
  await removePost(byMember(bob, portico.clock), portico.community, gone);

  const xml = await read('/sitemap.xml', XML);
  new SaxesParser().write(xml).close();
  const addresses = [...xml.matchAll(/<loc>([^<]*)<\/loc>/g)].map(([, address]) => address ?? '');

  for (const path of [
    '/',
    '/popular',
    '/categories',
    '/categories/general',
    '/help',
    '/docs',
    '/docs/api',
    '/docs/reference',
  ]) {
    assert.ok(addresses.includes(app.url + path), path);
  }
  const ofPosts = addresses.filter((address) => address.includes('/posts/'));
  assert.equal(ofPosts.length, 1);
  assert.ok(ofPosts[0]?.startsWith(`${app.url}/posts/${kept}/`));
  assert.match(xml, /\/posts\/[^<]*<\/loc><lastmod>\d{4}-\d\d-\d\dT[\d:.]+Z<\/lastmod>/);
  for (const address of addresses) {
    assert.equal((await fetch(address, { redirect: 'manual' })).status, 200, address);
  }
});

test('The sitemap is made once in ten minutes, also for many visitors at once, and anew after a failure', async (t) => {
  app.clock.advance(10 * MINUTE);
  const made = t.mock.method(portico.community.reads, 'newestAddresses');
  made.mock.mockImplementationOnce(() => Promise.reject(new Error('The database is gone.')));
  const failed = await fetch(`${app.url}/sitemap.xml`);

  const texts = await Promise.all(Array.from({ length: 20 }, () => read('/sitemap.xml', XML)));
  app.clock.advance(10 * MINUTE - 1);
  texts.push(await read('/sitemap.xml', XML));
  const countBefore = made.mock.callCount();
  app.clock.advance(1);
  await read('/sitemap.xml', XML);

  assert.equal(failed.status, 500);
  assert.equal(new Set(texts).size, 1);
  assert.deepEqual([countBefore, made.mock.callCount()], [2, 3]);
});
