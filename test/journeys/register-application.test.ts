// Registering an application in Chromium, on a desktop and on a phone, in both languages.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { type App, openApp } from '../support/app.ts';
import { openChromium, withoutChromium } from '../support/chromium.ts';
import { PASSWORD, person } from '../support/people.ts';

const skip = withoutChromium;
let app: App;
let browser: Browser;

before(async () => {
  if (skip) return;
  app = await openApp();
  await person(app.portico, 'alice');
  browser = await openChromium();
});
after(async () => {
  await browser?.close();
  await app?.close();
});

const PLACES = [
  { name: 'a desktop in English', locale: 'en-GB', width: 1100, problem: /Remove the fragment/ },
  { name: 'a phone in Chinese', locale: 'zh-CN', width: 390, problem: /请删除片段/ },
  { name: 'a narrow phone in English', locale: 'en-GB', width: 320, problem: /Remove the fragment/ },
];

for (const { name, locale, width, problem } of PLACES) {
  test(`On ${name}, a callback is checked while it is typed, and the form gives a secret`, {
    skip,
  }, async () => {
    const context = await browser.newContext({ locale, viewport: { width, height: 800 } });
    const page = await context.newPage();
    await page.goto(`${app.url}/login?return_to=%2Fdevelopers%2Fapps%2Fnew`);
    await page.fill('#username', 'alice');
    await page.fill('#password', PASSWORD);
    await page.click('main form button');

    await page.check('[value="script"]');
    assert.equal(await page.locator('#name').isVisible(), false);
    await page.check('[value="server"]');
    await page.fill('#name', 'Reading list');
    await page.fill('#callback-0', 'https://list.example/callback#top');
    await page.locator('#callback-0-text', { hasText: problem }).waitFor();
    assert.equal(await page.getAttribute('#callback-0', 'aria-invalid'), 'true');
    await page.fill('#callback-0', 'https://list.example/callback');
    await page.locator('#callback-0:not([aria-invalid])').waitFor();
    // Filling in the last row adds another.
    await page.fill('#callback-1', 'http://localhost:3000/callback');
    await page.locator('#callback-2').waitFor();

    await page.locator('form.kinds button.primary').click();
    assert.match((await page.textContent('#new-secret')) ?? '', /^svcs_[A-Za-z0-9]{60}$/);
    const overflow = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
    assert.equal(await page.evaluate(overflow), 0);
    await context.close();
  });
}
