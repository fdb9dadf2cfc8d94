// What search engines find: robots.txt and the sitemap.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { SaxesParser } from 'saxes';
import { byMember, byServer } from '../../../src/audit/doer.ts';
import { removePost } from '../../../src/community/post.ts';
import { SITE_PAGES } from '../../../src/http/site/pages.ts';
import { openApp } from '../../support/app.ts';
import { person, publish } from '../../support/people.ts';

const app = await openApp();
after(() => app.close());
const { portico } = app;

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
      '/rules',
      '/about',
      '/privacy',
      '/terms',
      '/docs',
      '/docs/:chapter',
      '/docs/errors/:code',
      '/',
      '/popular',
      '/categories',
      '/categories/:slug',
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
  const bob = await person(portico, 'bob');
  const kept = await publish(portico, bob, 'Rye & salt <面包>');
  const gone = await publish(portico, bob, 'Gone');
  await removePost(byMember(bob, portico.clock), portico.community, gone);

  const xml = await read('/sitemap.xml', 'application/xml; charset=utf-8');
  new SaxesParser().write(xml).close();
  const addresses = [...xml.matchAll(/<loc>([^<]*)<\/loc>/g)].map(([, address]) => address ?? '');

  for (const path of ['/', '/popular', '/categories', '/categories/general', '/docs', '/docs/api']) {
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
