// The list of pages: every page is walked through by the tests, and each is found with a slash behind it.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { AUTHORIZATION_PAGES } from '../../../src/http/oauth/endpoints.ts';
import { SITE_PAGES } from '../../../src/http/site/pages.ts';
import { openApp } from '../../support/app.ts';
import { furnish, pagePatterns, pathsOf } from '../../support/tour.ts';

const app = await openApp();
after(() => app.close());
const stops = await furnish(app.portico);
const paths = stops.map(({ path }) => path.replace(/\?.*$/, ''));

test('The walk over all pages goes to every page of the list', () => {
  const missing = pagePatterns('page').filter(
    (pattern) => !paths.some((path) => pathsOf(pattern).test(path)),
  );

  assert.deepEqual(missing, []);
});

test('No two lines of the list are for the same method and path', () => {
  const lines = [...SITE_PAGES, ...AUTHORIZATION_PAGES].map(({ method, path }) => `${method} ${path}`);

  assert.deepEqual([...new Set(lines)], lines);
});

test('Every form of the site is for visitors, members, authors or operators with a form of ours', () => {
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

test('A page is found with a slash behind its path, and the query comes along', async () => {
  for (const path of new Set(paths)) {
    if (path === '/' || path.startsWith('/oauth/')) continue;
    assert.deepEqual(await leadTo(`${path}/?q=%2F&x=a/`), [308, `${path}?q=%2F&x=a/`], path);
  }
  assert.deepEqual(await leadTo('/u/%E4%BD%A0/', 'HEAD'), [308, '/u/%E4%BD%A0']);
});

test('A slash leads nowhere where there is no page, from forms, to other hosts, or to the endpoints of the protocol', async () => {
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
