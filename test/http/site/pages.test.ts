// The list of pages: the tests visit every page, and each page is found with a slash at the end.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { AUTHORIZATION_PAGES } from '../../../src/http/oauth/endpoints.ts';
import { SITE_PAGES } from '../../../src/http/site/pages.ts';
import { openApp } from '../../support/app.ts';
import { pagePatterns, pathsOf, seedEveryPage } from '../../support/tour.ts';

const app = await openApp();
after(() => app.close());
const visits = await seedEveryPage(app.portico);
const paths = visits.map(({ path }) => path.replace(/\?.*$/, ''));

test('The tour of the tests visits every page of the list', () => {
  const missing = pagePatterns('page').filter(
    (pattern) => !paths.some((path) => pathsOf(pattern).test(path)),
  );

  assert.deepEqual(missing, []);
});

test('No two entries of the list have the same method and path', () => {
  const lines = [...SITE_PAGES, ...AUTHORIZATION_PAGES].map(({ method, path }) => `${method} ${path}`);

  assert.deepEqual([...new Set(lines)], lines);
});

test('Every form of the site says who may send it, and needs a form token', () => {
  const forms = SITE_PAGES.filter(({ method }) => method === 'POST');

  assert.deepEqual(
    forms.filter(({ who }) => !/(Form|Text|Upload)$/.test(who)).map(({ path }) => path),
    [],
  );
});

async function leadTo(path: string, method = 'GET'): Promise<[number, string | null]> {
  const answer = await fetch(app.url + path, { method, redirect: 'manual' });
  return [answer.status, answer.headers.get('location')];
}

test('A path with a slash at the end redirects to its page, with the query', async () => {
  for (const path of new Set(paths)) {
    if (path === '/' || path.startsWith('/oauth/')) continue;
    assert.deepEqual(await leadTo(`${path}/?q=%2F&x=a/`), [308, `${path}?q=%2F&x=a/`], path);
  }
  assert.deepEqual(await leadTo('/u/%E4%BD%A0/', 'HEAD'), [308, '/u/%E4%BD%A0']);
});

test('An address that somebody typed with a slash at the end is no dead end', async () => {
  for (const path of ['/docs', '/login', '/operator', '/write', '/categories/general', '/settings']) {
    assert.deepEqual(await leadTo(`${path}/`), [308, path]);
  }
  assert.deepEqual(await leadTo('/settings'), [303, '/settings/profile']);
});

test('A slash at the end redirects to no missing page, form, other host or endpoint of the protocol', async () => {
  for (const path of [
    '/nothing/',
    '/popular//',
    '//popular/',
    '//example.org/',
    '/feed.atom/',
    '/oauth/authorize/',
  ]) {
    assert.equal((await leadTo(path))[0], 404, path);
  }
  assert.equal((await leadTo('/login/', 'POST'))[0], 404);
});
