// The developers' documentation.

import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { API_PROBLEMS, STATUS_OF } from '../../../src/http/problem.ts';
import { openApp } from '../../support/app.ts';
import { Browser } from '../../support/browser.ts';

const FOLDER = join(import.meta.dirname, '../../../docs/developers');
const app = await openApp({ BRAND: 'lantern' });
after(() => app.close());

const NOT_REDIRECTED = [
  'client_missing',
  'client_unknown',
  'client_document_unusable',
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
  const page = await (await new Browser(app.url).open('/docs/walk-through')).text();

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

const codeIn = (file: string) => readFileSync(join(FOLDER, file), 'utf8').match(/^```[\s\S]*?^```/gm) ?? [];

describe('Every chapter is translated, with the same samples, and shown in Chinese without gaps between lines:', () => {
  for (const file of globSync('**/*.md', { cwd: FOLDER, exclude: ['zh'] })) {
    test(file, async () => {
      assert.ok(existsSync(join(FOLDER, 'zh', file)), `docs/developers/zh/${file} is missing`);
      const path = `/docs/${file.replace(/\.md$/, '')}`.replace(/\/index$/, '');

      const page = await (await new Browser(app.url, 'zh').open(path)).text();

      assert.deepEqual(codeIn(`zh/${file}`), codeIn(file));
      assert.match(page, /<article lang="zh-Hans"/);
      assert.doesNotMatch(page, /[\p{Script=Han}，。；：、）]\n[\p{Script=Han}]/u);
    });
  }
});

test('The search shows Chinese words with the text around them', async () => {
  const page = await new Browser(app.url, 'zh').read(`/docs/search?q=${encodeURIComponent('校验码')}`);

  const snippets = page.match(/<span class="small">.*?<\/span>/gs) ?? [];
  assert.ok(snippets.length > 1);
  for (const snippet of snippets) assert.match(snippet, /<mark>校验码<\/mark>/);
});

test('The search finds the sections that have all the words, and leads to their headings', async () => {
  const browser = new Browser(app.url);

  const page = await browser.read('/docs/search?q=refresh+Invalid_grant');
  const [, path = '', anchor = ''] = /href="(\/docs[^"#]*)#([^"]+)"/.exec(page) ?? [];
  const target = await browser.read(path);

  assert.match(page, /\d+ sections</);
  assert.match(page, /<mark>invalid_grant<\/mark>/);
  assert.ok(target.includes(` id="${anchor}"`), `${path}#${anchor}`);
  assert.match(await browser.read('/docs/search?q=zzzzz'), /Nothing was found/);
  assert.match(await browser.read('/docs/search?q=%3Cscript%3E'), /value="&lt;script&gt;"/);
  for (const odd of ['(', '\\', '[a-', '+*?', '\u{1F600}']) {
    assert.equal((await browser.open(`/docs/search?q=${encodeURIComponent(odd)}`)).status, 200, odd);
  }
});
