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

async function openEditor(username: string): Promise<{ page: Page; violations: string[] }> {
  await person(app.portico, username);
  const browser = await openChromium();
  after(() => browser.close());
  const page = await (await browser.newContext()).newPage();
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
  await page.waitForSelector('#saving:text-matches("Draft saved at \\\\d\\\\d:\\\\d\\\\d")');
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
  assert.deepEqual(violations, []);
});

test('A version that was saved in another tab is reported, and not overwritten', { skip }, async () => {
  const { page } = await openEditor('dora');
  await page.fill('#title', 'One');
  await page.waitForURL(/\/posts\/\d+\/edit$/);
  const other = await page.context().newPage();
  await other.goto(page.url());
  await other.fill('#title', 'There');
  await other.waitForSelector('#saving:text-matches("Draft saved")');

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
