// The editor in a real browser, with the script that saves drafts and shows previews.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { Page } from 'playwright-core';
import { openApp } from '../../support/app.ts';
import { openChromium, withoutChromium } from '../../support/chromium.ts';
import { PASSWORD, person } from '../../support/people.ts';

const skip = withoutChromium;
const app = await openApp();
after(() => app.close());
const { reads } = app.portico.community;

const DESKTOP = { width: 1280, height: 720 };
const TABLET = { width: 900, height: 720 };

async function openEditor(
  username: string,
  { viewport = TABLET, javaScriptEnabled = true } = {},
): Promise<{ page: Page; violations: string[] }> {
  await person(app.portico, username);
  const browser = await openChromium();
  after(() => browser.close());
  const page = await (await browser.newContext({ viewport, javaScriptEnabled })).newPage();
  const violations: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') violations.push(message.text());
  });
  page.on('pageerror', (error) => violations.push(error.message));
  await page.goto(`${app.url}/login?return_to=/write`);
  await page.fill('#username', username);
  await page.fill('#password', PASSWORD);
  await page.click('main button.primary');
  await page.waitForURL('**/write');
  return { page, violations };
}

test('A draft is saved automatically, is there after a reload, and is published by the button', {
  skip,
}, async () => {
  const { page, violations } = await openEditor('bob');

  await page.fill('#title', 'On arches');
  await page.waitForURL(/\/posts\/\d+\/edit$/);
  const [id] = /\d+/.exec(new URL(page.url()).pathname) ?? [];
  await page.waitForSelector('#saving:text-matches("^Saved at \\\\d\\\\d:\\\\d\\\\d$")');
  await page.fill('#body', 'An arch **never** sleeps.');
  await page.waitForResponse((response) => response.url().endsWith('/autosave') && response.ok());
  await page.reload();
  assert.equal(await page.inputValue('#body'), 'An arch **never** sleeps.');
  assert.equal((await reads.findPost(Number(id)))?.status, 'draft');

  await page.fill('#title', 'On all arches');
  await page.click('button[value="publish"]');
  await page.waitForURL(`**/posts/${id}/on-all-arches`);

  assert.equal((await reads.findPost(Number(id)))?.title, 'On all arches');
  assert.deepEqual(violations, []);
});

test('A preview appears on the same page, and saves nothing', { skip }, async () => {
  const { page, violations } = await openEditor('carol');

  await page.fill('#body', 'Flour and **water** <img src=x onerror=alert(1)>');
  await page.click('button[value="preview"]');
  await page.waitForSelector('#preview strong:text-is("water")');
  await page.fill('#body', 'Flour and _paste_');
  await page.click('button[value="preview"]');
  await page.waitForSelector('#preview em:text-is("paste")');

  assert.equal(await page.locator('#preview').count(), 1);
  assert.equal(await page.inputValue('#body'), 'Flour and _paste_');
  assert.equal(await page.evaluate('document.activeElement.id'), 'preview');
  assert.deepEqual(violations, []);
});

test('Where there is room the preview is beside the text, follows it, and keeps its place', {
  skip,
}, async () => {
  const { page, violations } = await openEditor('carla', { viewport: DESKTOP });
  await page.fill('#body', `${'Flour.\n\n'.repeat(60)}**water**`);
  await page.waitForSelector('#preview strong:text-is("water")', { state: 'attached' });
  const [form, pane] = [
    await page.locator('#editor').boundingBox(),
    await page.locator('#preview').boundingBox(),
  ];
  assert.ok(form && pane && pane.x >= form.x + form.width && pane.height <= DESKTOP.height);
  assert.equal(await page.locator('button[value="preview"]').isVisible(), false);
  await page.evaluate("document.getElementById('preview').scrollTop = 300");

  await page.locator('#body').press('Control+End');
  await page.keyboard.type(' and _salt_');
  await page.waitForSelector('#preview em:text-is("salt")', { state: 'attached' });

  assert.equal(await page.evaluate("document.getElementById('preview').scrollTop"), 300);
  assert.deepEqual(violations, []);
});

test('Without JavaScript the preview is below the text, and the browser goes there', { skip }, async () => {
  const { page } = await openEditor('clara', { javaScriptEnabled: false });
  assert.equal(await page.locator('.toolbar').isVisible(), false);
  await page.fill('#body', 'Flour and **water**');

  await page.click('button[value="preview"]');
  await page.waitForURL('**/write#preview');

  assert.equal(await page.locator('#preview strong').innerText(), 'water');
  const [form, pane] = [
    await page.locator('#editor').boundingBox(),
    await page.locator('#preview').boundingBox(),
  ];
  assert.ok(form && pane && pane.y >= form.y + form.height && pane.y < TABLET.height);
});

test('The keys format the text, Tab leaves it, and Ctrl+Enter publishes', { skip }, async () => {
  const { page, violations } = await openEditor('fiona');
  const body = page.locator('#body');
  await page.fill('#title', 'On keys');
  await body.focus();
  await page.keyboard.press('Control+b');
  await page.keyboard.type('bold');
  assert.equal(await body.inputValue(), '**bold**');
  await page.keyboard.press('Shift+Home');
  await page.keyboard.press('Control+z');
  await page.fill('#body', 'word');
  await body.selectText();
  await page.keyboard.press('Control+i');
  assert.equal(await body.inputValue(), '_word_');
  await page.keyboard.press('Control+i');
  assert.equal(await body.inputValue(), 'word');
  await page.keyboard.press('Control+k');
  await page.keyboard.type('https://a.example/');
  assert.equal(await body.inputValue(), '[word](https://a.example/)');
  await body.selectText();
  await page.locator('[data-tool="quote"]').click();
  assert.equal(await body.inputValue(), '> [word](https://a.example/)');

  await page.keyboard.press('Tab');
  assert.equal(await page.evaluate('document.activeElement.id'), 'tags');
  await body.focus();
  await page.keyboard.press('Shift+Tab');
  assert.equal(await page.evaluate('document.activeElement.dataset.tool'), 'bold');
  await page.keyboard.press('ArrowLeft');
  assert.equal(await page.evaluate('document.activeElement.dataset.tool'), 'code');

  await body.focus();
  await page.keyboard.press('Control+Enter');
  await page.waitForURL('**/posts/*/on-keys');
  const address = await page.innerText('.notice #post-address');
  assert.equal(address, page.url());
  assert.equal(await page.locator('.notice button').isVisible(), true);
  await page.reload();
  assert.equal(await page.locator('#post-address').count(), 0);
  assert.deepEqual(violations, []);
});

test('Members are suggested behind an @, chosen with the keys or a click', { skip }, async () => {
  await person(app.portico, 'greta');
  await person(app.portico, 'gregor');
  const { page, violations } = await openEditor('gina');
  const options = page.locator('#body-members [role="option"]');
  const body = page.locator('#body');

  await body.pressSequentially('Hello @gre');
  await options.first().waitFor();
  assert.deepEqual(await options.allInnerTexts(), ['gregor', 'greta']);
  await page.keyboard.press('ArrowDown');
  const active = await body.getAttribute('aria-activedescendant');
  assert.equal(await page.innerText(`#${active}`), 'greta');
  assert.equal(await page.getAttribute(`#${active}`, 'aria-selected'), 'true');
  await page.keyboard.press('Enter');
  assert.equal(await body.inputValue(), 'Hello @greta ');
  await body.pressSequentially('@grego');
  await options.first().click();
  assert.equal(await body.inputValue(), 'Hello @greta @gregor ');

  await body.pressSequentially('@gre');
  await options.first().waitFor();
  await page.keyboard.press('Escape');
  assert.equal(await page.locator('#body-members').isVisible(), false);
  await page.keyboard.press('Enter');
  assert.equal(await body.inputValue(), 'Hello @greta @gregor @gre\n');
  assert.equal(await body.getAttribute('aria-activedescendant'), null);
  assert.deepEqual(violations, []);
});

test('A version that was saved in another tab is reported, and not overwritten', { skip }, async () => {
  const { page } = await openEditor('dora');
  await page.fill('#title', 'One');
  await page.waitForURL(/\/posts\/\d+\/edit$/);
  const other = await page.context().newPage();
  await other.goto(page.url());
  await other.fill('#title', 'There');
  await other.waitForSelector('#saving:text-matches("Saved at")');

  await page.fill('#title', 'Here');
  await page.waitForSelector('#saving:text-matches("somewhere else")');
  // Longer than the pause before a retry.
  await page.locator('#title').pressSequentially(' and on');
  await page.waitForTimeout(3500);

  const id = Number(/\d+/.exec(new URL(page.url()).pathname)?.[0]);
  assert.equal((await reads.findPost(id))?.title, 'There');
  assert.equal(await page.inputValue('#title'), 'Here and on');
});

test('An author who leaves the page with unsaved text is asked first', { skip }, async () => {
  const { page } = await openEditor('erin');
  const dialog = new Promise<string>((resolve) => {
    page.on('dialog', (event) => {
      resolve(event.type());
      void event.dismiss();
    });
  });
  await page.route('**/autosave', (route) => route.abort());

  await page.locator('#title').pressSequentially('Not saved');
  await page.waitForSelector('#saving:text-matches("Not saved")');
  await page.locator('a.mark').click();

  assert.equal(await dialog, 'beforeunload');
  assert.equal(await page.inputValue('#title'), 'Not saved');
});
