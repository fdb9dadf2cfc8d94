// The help for members.

import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { openApp } from '../../support/app.ts';
import { Browser } from '../../support/browser.ts';
import { member } from '../../support/people.ts';

const app = await openApp();
after(() => app.close());

const LANGUAGES = { en: ['en', 'Help for members', 'Help'], zh: ['zh-Hans', '成员帮助', '帮助'] } as const;

for (const language of ['en', 'zh'] as const) {
  const [tag, title, link] = LANGUAGES[language];

  describe(`The help in ${tag}`, () => {
    test('is open to everyone, and its menu leads to each section', async () => {
      const page = await new Browser(app.url, language).read('/help');

      const headings = [...page.matchAll(/<h2 id="([^"]+)"/g)].map(([, id]) => id);
      const links = [...page.matchAll(/<li><a href="#([^"]+)"/g)].map(([, id]) => id);
      assert.ok(page.includes(`<article lang="${tag}">`));
      assert.ok(page.includes(`<h1>${title}</h1>`));
      assert.ok(headings.length > 20);
      assert.deepEqual(links, headings);
    });

    test('is linked from every footer', async () => {
      const page = await new Browser(app.url, language).read('/docs');

      assert.match(page, new RegExp(`<footer[\\s\\S]*<a href="/help">${link}</a>`));
    });
  });
}

test('Both languages have the same sections', async () => {
  const sections = async (language: 'en' | 'zh') =>
    (await new Browser(app.url, language).read('/help')).match(/<(h[23]|tr|li|p)\b/g)?.join();

  assert.equal(await sections('en'), await sections('zh'));
});

test('The settings lead to it', async () => {
  const { browser } = await member(app, 'nina');

  assert.match(await browser.read('/settings/profile'), /<li><a href="\/help">Help<\/a>/);
});
