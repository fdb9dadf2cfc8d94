// A new API token in Chromium: the copy buttons with the script, and selecting without it.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
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

/** Sign in, and create a token. Returns the page that shows it. */
async function newToken(javaScriptEnabled: boolean): Promise<Page> {
  const context = await browser.newContext({ javaScriptEnabled, locale: 'en-GB' });
  await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: app.url });
  const page = await context.newPage();
  await page.goto(`${app.url}/login?return_to=%2Fsettings%2Ftokens`);
  await page.fill('#username', 'alice');
  await page.fill('#password', PASSWORD);
  await page.click('main form button');
  await page.fill('#name', 'backup');
  await page.check('#scope');
  await page.click('#new button');
  await page.waitForSelector('#new-token');
  return page;
}

test('Each copy button copies its text, and says so', { skip }, async () => {
  const page = await newToken(true);
  const token = (await page.textContent('#new-token')) ?? '';

  for (const [id, expected] of [
    ['new-token', token],
    ['env-line', `SVC_TOKEN=${token}`],
    ['curl-line', `curl -H "Authorization: Bearer ${token}" ${app.url}/api/open/v1/me`],
  ] as const) {
    const button = page.locator(`button[data-copy="${id}"]`);
    await button.click();
    await button.filter({ hasText: 'Copied' }).waitFor();

    assert.equal(await page.evaluate('navigator.clipboard.readText()'), expected);
  }
});

test('Without scripts there is no copy button, and a click selects the whole token', { skip }, async () => {
  const page = await newToken(false);

  assert.equal(await page.locator('button[data-copy]:visible').count(), 0);
  await page.click('#new-token');
  const selected = await page.evaluate('getSelection().toString()').catch(() => undefined);
  assert.equal(selected, await page.textContent('#new-token'));
});
