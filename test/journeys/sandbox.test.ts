// The sandbox in a real browser: a developer starts it, orders a fault and allows the application, with a mouse, on a
// phone, in both languages, and without JavaScript.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { after, before, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { openChromium, withoutChromium } from '../support/chromium.ts';
import { assertFits, press } from '../support/looks.ts';
import { authorizationRequest } from '../support/relying-party.ts';
import { openSandbox, type SandboxApp } from '../support/sandbox.ts';

const skip = withoutChromium;
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

let app: SandboxApp;
let chromium: Browser;

before(async () => {
  if (skip) return;
  app = await openSandbox();
  chromium = await openChromium();
});
after(async () => {
  await chromium?.close();
  await app?.close();
});

const LOOKS = {
  'on a desk, light, in English': { viewport: { width: 1280, height: 900 }, locale: 'en-GB' },
  'on a phone, dark, in Chinese': {
    viewport: { width: 320, height: 640 },
    colorScheme: 'dark',
    locale: 'zh-CN',
  },
  'without JavaScript': {
    viewport: { width: 390, height: 844 },
    locale: 'en-GB',
    javaScriptEnabled: false,
  },
} as const;

for (const [name, options] of Object.entries(LOOKS)) {
  test(`A developer starts, orders a fault and comes to the consent page, ${name}`, { skip }, async (t) => {
    const context = await chromium.newContext(options);
    t.after(() => context.close());
    const page = await context.newPage();
    const hasScripts = !('javaScriptEnabled' in options);
    const examine = () => (hasScripts ? assertAccessible(page) : undefined);

    await page.goto(app.url);
    await examine();
    await press(page, 'main button');
    assert.equal(new URL(page.url()).pathname, '/sandbox');
    await examine();
    await press(page, 'button[value=code_expired]');
    await page.locator('.badge.warning').waitFor();
    await examine();
    await press(page, 'form[action="/sandbox/sign-in"] button');

    const [cookie] = (await context.cookies()).filter(({ name }) => name === 'portico_sandbox');
    const set = app.sets.find(cookie?.value);
    assert.ok(set !== undefined);
    assert.match(await page.locator('#settings').innerText(), new RegExp(`CLIENT_ID=${set.clientId}`));
    const client = { id: set.clientId, secret: '', redirectUri: 'http://127.0.0.1:4000/callback' };
    await page.goto(`${app.url}/oauth/authorize?${authorizationRequest(client)}`);
    assert.match(await page.locator('main').innerText(), /Test application/);
    await examine();
    await page.goto(`${app.url}/popular`);
    await examine();
    await press(page, 'main a.button');
    assert.equal(new URL(page.url()).pathname, '/sandbox');
  });
}

async function assertAccessible(page: Page): Promise<void> {
  await assertFits(page);
  // Evaluated by the debugger, because the page's policy allows no script.
  await page.evaluate(AXE);
  const barriers = await page.evaluate(`axe.run(document, { resultTypes: ['violations'] }).then(
    ({ violations }) => violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html)))`);
  assert.deepEqual(barriers, [], page.url());
}
