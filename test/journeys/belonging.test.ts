// What Chromium makes of the parts of pages that are for other programs, and of a page on paper.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { byMember, byServer } from '../../src/audit/doer.ts';
import { comment } from '../../src/community/comment.ts';
import { setLinks } from '../../src/identity/links.ts';
import { type App, openApp } from '../support/app.ts';
import { openChromium, withoutChromium } from '../support/chromium.ts';
import { person, publish } from '../support/people.ts';

const skip = withoutChromium;
const BODY = 'See [the mill](https://mill.example/rye) and [this post](/posts/1).\n\n```\nbake(230)\n```';

let app: App;
let chromium: Browser;
let postPath = '';

before(async () => {
  if (skip) return;
  app = await openApp();
  const { portico } = app;
  const alice = await person(portico, 'alice', 'Bakes bread.');
  const by = byMember(alice, portico.clock);
  await portico.identity.writes.setRole(byServer(portico.clock), alice.id, 'operator');
  await setLinks(by, portico.identity, [
    'social.example/@alice',
    'alice.example/a-long-path-without-a-break',
  ]);
  postPath = `/posts/${await publish(portico, alice, '</script>“Rye” 面包', BODY)}`;
  await comment(by, portico.community, Number(postPath.split('/').at(-1)), 'Thank you.');
  chromium = await openChromium();
});
after(async () => {
  await chromium?.close();
  await app?.close();
});

async function newPage(): Promise<{ page: Page; complaints: string[] }> {
  const page = await (await chromium.newContext({ locale: 'en-GB' })).newPage();
  const complaints: string[] = [];
  page.on('console', (message) => complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(String(error)));
  const report = '(event) => console.log(event.violatedDirective)';
  await page.addInitScript({ content: `document.addEventListener('securitypolicyviolation', ${report})` });
  return { page, complaints };
}

test('The data in pages violates no policy, and Chromium can install the site', { skip }, async () => {
  const { page, complaints } = await newPage();

  for (const path of ['/', postPath, '/u/alice']) {
    await page.goto(app.url + path);
    const data = await page.locator('script[type="application/ld+json"]').textContent();
    assert.equal(JSON.parse(data ?? '')['@context'], 'https://schema.org', path);
  }
  const session = await page.context().newCDPSession(page);
  const { errors, data = '' } = await session.send('Page.getAppManifest');
  assert.deepEqual([errors, JSON.parse(data).name], [[], 'Portico']);
  assert.deepEqual(complaints, []);
});

describe('On paper', () => {
  test('a post has no header, forms or buttons, and its links have their addresses', { skip }, async () => {
    const { page } = await newPage();
    await page.goto(app.url + postPath);
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' });

    for (const hidden of ['header.site', 'footer.site', 'form', '.skip']) {
      const shown = await page.locator(hidden).filter({ visible: true }).count();
      assert.equal(shown, 0, hidden);
    }
    for (const shown of ['.reading h1', '.byline', '.prose', 'article.comment']) {
      assert.ok(await page.locator(shown).first().isVisible(), shown);
    }
    const behind = (selector: string) =>
      page.evaluate(`getComputedStyle(document.querySelector('${selector}'), '::after').content`);
    assert.match(String(await behind('.prose a[href^="https"]')), /mill\.example|attr\(href\)/);
    assert.equal(await behind('.prose a[href^="/posts"]'), 'none');
    const ground = await page.evaluate('getComputedStyle(document.body).backgroundColor');
    assert.equal(ground, 'rgb(255, 255, 255)');
  });
});

test('A member’s links fit on a phone of 320 pixels', { skip }, async () => {
  const { page } = await newPage();
  await page.setViewportSize({ width: 320, height: 700 });
  await page.goto(`${app.url}/u/alice`);
  assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 320);
});
