// The pages and the text of the home page that operators write.

import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { openApp } from '../../support/app.ts';
import { Browser } from '../../support/browser.ts';
import { member } from '../../support/people.ts';

const app = await openApp();
after(() => app.close());

const olivia = await member(app, 'olivia', { isOperator: true });
const english = new Browser(app.url);
const chinese = new Browser(app.url, 'zh');

async function write(name: string, text_en: string, text_zh: string): Promise<Response> {
  const path = `/operator/texts/${name}`;
  return olivia.browser.submit(await olivia.browser.read(path), path, { text_en, text_zh });
}

describe('Operators write the pages of the site', () => {
  test('the community has rules that everyone can read, and each page links to them', async () => {
    assert.equal((await english.open('/rules')).status, 404);
    assert.doesNotMatch(await english.read('/'), /href="\/rules"/);

    assert.equal((await write('rules', '# One\r\n\r\nBe **kind**.', '要友善。')).status, 303);

    assert.match(await english.read('/rules'), /<h1>Rules<\/h1>[\s\S]*Be <strong>kind<\/strong>/);
    assert.match(await chinese.read('/rules'), /<h1>社区规则<\/h1>[\s\S]*要友善。/);
    assert.match(await english.read('/login'), /<footer[\s\S]*href="\/rules">Rules</);
  });

  test('a page in one language is shown to everyone, marked with its language', async () => {
    await write('privacy', '', '我们只保存邮箱。');

    const page = await english.read('/privacy');
    assert.match(page, /<h1>Privacy<\/h1>\s*<div lang="zh-Hans"><div class="prose"><p>我们只保存邮箱。/);
  });

  test('a page whose text is removed is gone again', async () => {
    await write('terms', 'None.', '');
    assert.equal((await english.open('/terms')).status, 200);

    await write('terms', ' ', '');

    assert.equal((await english.open('/terms')).status, 404);
    assert.doesNotMatch(await english.read('/'), /href="\/terms"/);
  });

  test('HTML in a page stays text', async () => {
    await write('about', '<script>alert(1)</script>', '');

    assert.match(await english.read('/about'), /&lt;script&gt;/);
  });

  test('a text that is too long is refused and shown again', async () => {
    const answer = await write('about', 'x'.repeat(20_001), '好。');

    assert.equal(answer.status, 400);
    const page = await answer.text();
    assert.match(page, /at most 20,000 characters\.[\s\S]*x{20001}/);
    assert.match(page, /好。/);
    assert.match(await english.read('/about'), /&lt;script&gt;/);
  });

  test('a text that was written while the session expired can be copied', async () => {
    const page = await olivia.browser.read('/operator/texts/about');
    const other = new Browser(app.url);

    const answer = await other.submit(page, '/operator/texts/about', { text_en: 'An hour of work.' });

    assert.equal(answer.status, 403);
    assert.match(await answer.text(), /<pre tabindex="0">An hour of work\.<\/pre>/);
  });
});

test('a visitor learns on the home page what the community is, and a member goes straight to the posts', async () => {
  const settings = await olivia.browser.read('/operator/settings');
  await olivia.browser.submit(settings, '/operator/settings', { sentence: 'Bread, slowly.' });
  await write('home', 'Come in. [Rules](/rules)', '');

  const home = await english.read('/');
  assert.match(home, /<meta name="description" content="Bread, slowly\.">/);
  assert.match(home, /<p class="sentence">Bread, slowly\.<\/p>[\s\S]*Come in\. <a href="\/rules"/);
  assert.doesNotMatch(await olivia.browser.read('/'), /Come in\./);
});
