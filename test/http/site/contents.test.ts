// The headings of a post: their addresses, and the list of them at its beginning.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { withHeadings } from '../../../src/http/site/posts/contents.ts';
import { openApp } from '../../support/app.ts';
import { Browser } from '../../support/browser.ts';
import { person, publish } from '../../support/people.ts';

const app = await openApp();
after(() => app.close());
const bob = await person(app.portico, 'bob');

async function page(body: string, language = 'en'): Promise<string> {
  return new Browser(app.url, language).read(`/posts/${await publish(app.portico, bob, 'Bread', body)}`);
}

function listIn(html: string): string[] {
  const [list = ''] = /<nav class="contents"[\s\S]*?<\/nav>/.exec(html) ?? [];
  return [...list.matchAll(/<li( class="lower")?><a href="([^"]*)">([^<]*)<\/a>/g)].map(
    ([, lower, address, text]) => `${lower ? '- ' : ''}${text} ${address}`,
  );
}

test('each heading of a post has an address that its text leads to', async () => {
  const html = await page('## What *you* need\n\nFlour.\n\n#### 面粉\n\nEnd.');

  assert.match(
    html,
    /<h2 id="s-what-you-need"><a class="anchor" href="#s-what-you-need">What <em>you<\/em> need<\/a><\/h2>/,
  );
  assert.match(html, /<h4 id="s-面粉"><a class="anchor" href="#s-面粉">面粉<\/a><\/h4>/);
});

test('a post with at least four headings begins with a list of them, on two levels', async () => {
  const html = await page('# Flour\n\n### Rye & wheat\n\n#### Deep\n\n## Water\n\nText.\n\n## Water');

  assert.deepEqual(listIn(html), [
    'Flour #s-flour',
    '- Rye &amp; wheat #s-rye-wheat',
    'Water #s-water',
    'Water #s-water-2',
  ]);
  assert.match(html, /<summary>Contents<\/summary>/);
  assert.match(await page('# 一\n\n# 二\n\n# 三\n\n# 四', 'zh'), /<summary>目录<\/summary>/);
});

test('a post with three headings has no list', async () => {
  assert.deepEqual(listIn(await page('# One\n\n# Two\n\n# Three')), []);
});

test('a heading with a link, a footnote or no words stays as it was written', async () => {
  const html = await page(
    '# See [there](https://a.example/)\n\n# Rye[^1]\n\n# !?\n\n# ![](/x)\n\n#\n\n[^1]: A grain.',
  );

  assert.match(html, /<h2 id="s-see-there">See <a href="https:\/\/a\.example\/"[^>]*>there<\/a><\/h2>/);
  assert.match(html, /<h2 id="s-rye">Rye<sup/);
  assert.match(html, /<h2 id="s-"><a class="anchor" href="#s-">!\?<\/a><\/h2>/);
  assert.match(html, /<h2><\/h2>/);
  assert.match(html, /<a href="#s-rye">Rye<\/a>/);
});

test('headings can’t leave their list, take the ids of the page, or be without end', async () => {
  const hostile = '# </a></ol><script>alert(1)</script>\n\n# comments\n\n# "onclick="x\n\n# content\n\n';
  const html = await page(hostile + '# same\n\n'.repeat(300));

  assert.ok(!html.includes('<script>alert'));
  assert.ok(!html.includes('onclick="x'));
  assert.equal(html.match(/ id="comments"/g)?.length, 1);
  assert.equal(html.match(/ id="content"/g)?.length, 1);
  assert.equal(listIn(html).length, 200);
  assert.equal(html.match(/ id="s-same-\d+"/g)?.length, 195);
});

test('the words of headings beyond the last one with an address are not looked at', (t) => {
  const { mock } = t.mock.method(String.prototype, 'replaceAll');

  const { headings } = withHeadings('<h2>Rye <em>bread</em></h2>'.repeat(5000));
  const none = withHeadings(`${'<h2></h2>'.repeat(5000)}<h2>Rye</h2>`);

  assert.equal(headings.length, 200);
  assert.deepEqual(none.headings, []);
  assert.ok(mock.callCount() < 2000, `${mock.callCount()} replacements`);
});
