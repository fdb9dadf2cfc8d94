// The developers' documentation.

import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { API_PROBLEMS, STATUS_OF } from '../../../src/http/problem.ts';
import { openApp } from '../../support/app.ts';
import { Browser } from '../../support/browser.ts';

const app = await openApp({ BRAND: 'lantern' });
after(() => app.close());

const NOT_REDIRECTED = [
  'client_missing',
  'client_unknown',
  'redirect_uri_missing',
  'redirect_uri_unregistered',
];
const codes = new Set([...Object.keys(STATUS_OF), ...Object.keys(API_PROBLEMS), ...NOT_REDIRECTED]);

describe('Every error has a page that explains it:', () => {
  for (const code of codes) {
    test(code, async () => {
      const answer = await new Browser(app.url).open(`/docs/errors/${code}`);

      const page = await answer.text();
      assert.equal(answer.status, 200);
      assert.ok(page.includes(`<h1>${code}</h1>`));
      assert.match(page, /<article lang="en"/);
    });
  }
});

test('The walk-through has this site’s addresses and token prefixes', async () => {
  const page = await (await new Browser(app.url).open('/docs')).text();

  assert.ok(page.includes(`BASE=${app.url}`));
  assert.ok(page.includes('lanterno_'));
  assert.ok(!page.includes('{{'));
});

test('Every link inside the documentation leads to a page', async () => {
  const browser = new Browser(app.url);
  const seen = new Set<string>();
  const open = ['/docs'];
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    if (seen.has(path)) continue;
    seen.add(path);
    const answer = await browser.open(path);
    assert.equal(answer.status, 200, path);
    for (const [, link] of (await answer.text()).matchAll(/href="(\/docs[^"]*)"/g)) open.push(link ?? '');
  }

  for (const code of codes) assert.ok(seen.has(`/docs/errors/${code}`), `nothing leads to ${code}`);
});

test('The Chinese page says that the documentation is in English', async () => {
  const page = await (await new Browser(app.url, 'zh').open('/docs')).text();

  assert.match(page, /开发者文档目前只有英文版/);
  assert.match(page, /<article lang="en"/);
});
