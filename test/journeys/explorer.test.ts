// The button that sends a request of the API reference, in Chromium.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { tokenOf } from '../http/api/callers.ts';
import { type App, openApp } from '../support/app.ts';
import { openChromium, withoutChromium } from '../support/chromium.ts';
import { person, publish } from '../support/people.ts';

describe('The API reference in Chromium', { skip: withoutChromium }, () => {
  let app: App;
  let chromium: Browser;
  let token: string;

  before(async () => {
    app = await openApp();
    const alice = await person(app.portico, 'alice');
    await publish(app.portico, alice, 'On walking');
    await publish(app.portico, alice, 'On <resting>');
    token = await tokenOf(app, alice);
    chromium = await openChromium();
  });
  after(async () => {
    await chromium.close();
    await app.close();
  });

  test('sends a request with the token and shows the answer as it came, from this site only', async () => {
    const page = await chromium.newPage();
    const requests: string[] = [];
    page.on('request', (request) => requests.push(request.url()));
    await page.goto(`${app.url}/docs/reference`);
    const form = page.locator('#getPosts form');

    await form.getByRole('button', { name: 'Send' }).click();
    assert.equal(await form.getByRole('status').innerText(), 'Enter a token first.');

    await page.getByLabel('Token for the requests on this page').fill(token);
    await form.getByLabel('size').fill('1');
    await form.getByRole('button', { name: 'Send' }).click();
    await form.getByText('200 OK').waitFor();
    const answer = await form.locator('pre').innerText();
    assert.match(answer, /ratelimit: "default";r=59;t=60/);
    assert.match(answer, /"title": "On <resting>"/);
    assert.match(answer, /"totalPages": 2/);

    await form.getByLabel('size').fill('x');
    await form.getByRole('button', { name: 'Send' }).click();
    await form.getByText('400 Bad Request').waitFor();
    assert.match(
      await form.locator('pre').innerText(),
      /application\/problem\+json[\s\S]*must be an integer/,
    );

    assert.deepEqual(
      requests.filter((url) => !url.startsWith(`${app.url}/`) || url.includes(token)),
      [],
    );
  });

  test('keeps the token nowhere: not in an address, in storage or in a reloaded page', async () => {
    const context = await chromium.newContext();
    const page = await context.newPage();
    await page.goto(`${app.url}/docs/reference`);
    await page.getByLabel('Token for the requests on this page').fill(token);
    await page.locator('#getProfile').getByRole('button', { name: 'Send' }).click();
    await page.locator('#getProfile').getByText('200 OK').waitFor();

    assert.equal(page.url(), `${app.url}/docs/reference`);
    const kept = JSON.stringify(await context.storageState({ indexedDB: true }));
    assert.equal(kept.includes(token), false);
    assert.equal(await page.evaluate('sessionStorage.length'), 0);
    await page.reload();
    assert.equal(await page.getByLabel('Token for the requests on this page').inputValue(), '');
    await context.close();
  });

  test('has the command and no button without JavaScript', async () => {
    const context = await chromium.newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto(`${app.url}/docs/reference`);

    assert.equal(await page.getByRole('button', { name: 'Send' }).count(), 0);
    assert.equal(await page.locator('#token').isVisible(), false);
    assert.match(await page.locator('#getProfile pre').first().innerText(), /^curl -i -H/);
    await context.close();
  });
});
