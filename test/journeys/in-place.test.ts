// Liking without leaving the place, and the keyboard's shortcuts, in Chromium.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { byServer } from '../../src/audit/doer.ts';
import { endSignIns } from '../../src/identity/session.ts';
import { type App, openApp } from '../support/app.ts';
import { openChromium, withoutChromium } from '../support/chromium.ts';
import { openAs, press } from '../support/looks.ts';
import { person, publish } from '../support/people.ts';

const skip = withoutChromium;
const LONG_TEXT = 'Flour, water and patience.\n\n'.repeat(60);

let app: App;
let chromium: Browser;
const paths: string[] = [];
let aliceId = 0;

before(async () => {
  if (skip) return;
  app = await openApp();
  const bob = await person(app.portico, 'bob');
  aliceId = (await person(app.portico, 'alice')).id;
  for (const title of ['First', 'Second', 'Third']) {
    paths.push(`/posts/${await publish(app.portico, bob, title, LONG_TEXT)}`);
  }
  chromium = await openChromium();
});
after(async () => {
  await chromium?.close();
  await app?.close();
});

/** Open a page as alice. */
async function open(path: string, { javaScriptEnabled = true, locale = 'en-GB' } = {}): Promise<Page> {
  const viewport = { width: 1280, height: 700 };
  const context = await chromium.newContext({ locale, javaScriptEnabled, viewport });
  const page = await context.newPage();
  await openAs({ page, context, username: 'alice', language: 'en' }, app, path);
  return page;
}

/** Sign alice in on the way to a post, and look at its like button. */
async function openPost(path: string, options = {}): Promise<Page> {
  const page = await open('/drafts', options);
  await page.goto(app.url + path);
  await page.locator('#like button').scrollIntoViewIfNeeded();
  return page;
}

const stateOf = (page: Page) => page.getAttribute('#like button', 'aria-pressed');
const topOf = async (page: Page) => (await page.locator('#like button').boundingBox())?.y ?? Number.NaN;

describe('Liking a post', { skip }, () => {
  test('leaves everything on the page where it is, with the focus on the button', async () => {
    const page = await openPost(paths[0] ?? '');
    const [url, top] = [page.url(), await topOf(page)];
    await page.evaluate("document.body.dataset.same = 'yes'");

    await page.click('#like button');
    await page.waitForSelector('#like button[aria-pressed="true"]');

    assert.deepEqual([page.url(), await topOf(page)], [url, top]);
    assert.match(await page.innerText('#like button'), /♥ 1 like/);
    assert.match(await page.innerText('.reading footer .meta'), /^1 like\b/);
    assert.equal(await page.evaluate('document.activeElement.form.id'), 'like');
    // A second press takes it back, on the same page.
    await page.click('#like button');
    await page.waitForSelector('#like button[aria-pressed="false"]');
    assert.match(await page.innerText('#like button'), /♡ 0 likes/);
    assert.equal(await page.evaluate('document.body.dataset.same'), 'yes');
    assert.equal(await page.reload().then(() => stateOf(page)), 'false');
  });

  test('comes back to the button without JavaScript, with the end of the text in sight', async () => {
    const page = await openPost(paths[1] ?? '', { javaScriptEnabled: false });

    await press(page, '#like button');

    assert.equal(await stateOf(page), 'true');
    const top = await topOf(page);
    assert.ok(top > 200 && top < 500, String(top));
  });

  test('says what is wrong on a page of its own, if the member is no longer signed in', async () => {
    const page = await openPost(paths[2] ?? '');
    await endSignIns(byServer(app.clock.read), app.portico.identity, aliceId);

    await press(page, '#like button');
    await page.waitForSelector('#like button', { state: 'detached' });

    assert.match(await page.innerText('main'), /[Ss]ign in/);
  });
});

test('Bookmarking a post and following its author leave the pages where they are', { skip }, async () => {
  const page = await openPost(paths[1] ?? '');
  for (const [path, form, pressed, released] of [
    [paths[1], '#bookmark', '★ Bookmarked', '☆ Bookmark'],
    ['/u/bob', '#follow', 'Following', 'Follow'],
  ] as const) {
    await page.goto(app.url + path);
    await page.evaluate("document.body.dataset.same = 'yes'");
    for (const [state, text] of [
      ['true', pressed],
      ['false', released],
    ]) {
      await page.click(`${form} button`);
      await page.waitForSelector(`${form} button[aria-pressed="${state}"]`);
      assert.equal(await page.innerText(`${form} button`), text);
    }
    assert.equal(await page.evaluate('document.body.dataset.same'), 'yes');
  }
});

describe('The keyboard', { skip }, () => {
  const focused = (page: Page) =>
    page.evaluate<string>('document.activeElement.name || document.activeElement.textContent.trim()');

  test('goes to the search with /, and through a list with j and k', async () => {
    const page = await open('/notifications');
    await page.goto(app.url);

    await page.keyboard.press('k');
    assert.equal(await page.evaluate('document.activeElement.tagName'), 'BODY');
    await page.keyboard.press('j');
    assert.equal(await focused(page), 'Third');
    await page.keyboard.press('j');
    assert.equal(await focused(page), 'Second');
    await page.keyboard.press('k');
    assert.equal(await focused(page), 'Third');
    await page.keyboard.press('/');
    assert.equal(await focused(page), 'q');
    // While typing, and with Ctrl, the keys are letters.
    await page.keyboard.type('j/k?');
    assert.equal(await page.inputValue('header input[name="q"]'), 'j/k?');
    await page.keyboard.press('Escape');
    await page.locator('article.post h2 a').first().focus();
    await page.keyboard.press('Control+j');
    assert.equal(await focused(page), 'Third');
    await Promise.all([page.waitForURL(`${app.url}${paths[2]}/**`), page.keyboard.press('Enter')]);
  });

  for (const [locale, title, off, on] of [
    ['en-GB', 'Keyboard shortcuts', 'Turn off shortcuts', 'Turn on shortcuts'],
    ['zh-CN', '键盘快捷键', '停用快捷键', '启用快捷键'],
  ] as const) {
    test(`lists the keys with ?, and they can be switched off: ${locale}`, async () => {
      const page = await open('/notifications', { locale });
      await Promise.all([page.waitForURL(`${app.url}/keys`), page.keyboard.press('?')]);
      assert.equal(await page.innerText('h1'), title);
      assert.deepEqual(await page.locator('main kbd').allInnerTexts(), ['/', 'j', 'k', 'Enter', '?']);

      // By keyboard alone.
      await page.locator('main button').focus();
      assert.equal(await page.innerText('main button'), off);
      await Promise.all([page.waitForEvent('domcontentloaded'), page.keyboard.press('Enter')]);
      assert.equal(await page.innerText('main button'), on);
      await page.goto(app.url);
      await page.keyboard.press('j');
      assert.equal(await page.evaluate('document.activeElement.tagName'), 'BODY');

      await page.goto(`${app.url}/keys`);
      await press(page, 'main button');
      await page.goto(app.url);
      await page.keyboard.press('j');
      assert.equal(await focused(page), 'Third');
    });
  }
});
