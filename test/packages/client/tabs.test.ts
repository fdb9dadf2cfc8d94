// The client library in a page without a server, in Chromium: a sign-in that four tabs share.

import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { install } from '../../../packages/build.ts';
import { type App, openApp } from '../../support/app.ts';
import { openChromium, withoutChromium } from '../../support/chromium.ts';
import { PASSWORD, person, pocket, type RegisteredClient } from '../../support/people.ts';
import { freePort } from '../../support/services.ts';

let app: App;
let browser: Browser;
let folder: string;
let server: Server;
let origin: string;
let client: RegisteredClient;

before(async () => {
  if (withoutChromium) return;
  app = await openApp({ RATE_LIMIT_PER_MINUTE: '1000' });
  await person(app.portico, 'alice');
  folder = await mkdtemp(join(tmpdir(), 'portico-page-'));
  install(folder, 'client');
  const port = await freePort();
  origin = `http://127.0.0.1:${port}`;
  client = await pocket(app.portico, { redirectUris: [`${origin}/`] });
  server = createServer(async ({ url = '/' }, answer) => {
    if (!url.startsWith('/node_modules/'))
      return answer.setHeader('Content-Type', 'text/html').end(applicationPage());
    const text = await readFile(join(folder, url));
    return answer.setHeader('Content-Type', 'text/javascript').end(text);
  }).listen(port, '127.0.0.1');
  browser = await openChromium();
});
after(async () => {
  await browser?.close();
  server?.close();
  await app?.close();
  if (folder !== undefined) await rm(folder, { recursive: true });
});

test('Four tabs refresh once when the token expires, and never end the sign-in when they refresh all the time', {
  skip: withoutChromium,
}, async () => {
  const context = await browser.newContext({ locale: 'en-GB' });
  const refreshes = countRefreshes(context);
  const first = await signedInTab(context);
  assert.deepEqual(new URL(first.url()).search, '');
  const tabs = [first, await openTab(context), await openTab(context), await openTab(context)];
  assert.equal(refreshes(), 0);

  // An hour later, every tab reads ten times at once.
  const names = await Promise.all(tabs.map((tab) => tab.evaluate(`readAt(${3_600_000}, 10)`)));
  assert.deepEqual(names, Array(4).fill('alice'));
  assert.equal(refreshes(), 1);

  // The clock of every tab jumps with each look at it, so that the tokens always look expired.
  await Promise.all(tabs.map((tab) => tab.evaluate('readAgainAndAgain(8)')));
  assert.ok(refreshes() > 8, `${refreshes()} refreshes`);
  assert.equal(await first.evaluate('readAt(0, 1)'), 'alice');
  await context.close();
});

test('Closing a tab in the middle of its refresh does not keep the others waiting', {
  skip: withoutChromium,
}, async () => {
  const context = await browser.newContext({ locale: 'en-GB' });
  const first = await signedInTab(context);
  const second = await openTab(context);
  // The first tab's request never leaves, so the refresh token is not spent.
  await first.evaluate(`hang(${3_600_000})`);
  await first.close();

  assert.equal(await second.evaluate(`readAt(${3_600_000}, 1)`), 'alice');
  await context.close();
});

async function signedInTab(context: BrowserContext): Promise<Page> {
  const page = await context.newPage();
  await page.goto(origin);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByLabel('Username').fill('alice');
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('button', { name: 'Allow' }).click();
  await page.getByText('signed in: alice').waitFor();
  return page;
}

async function openTab(context: BrowserContext): Promise<Page> {
  const page = await context.newPage();
  await page.goto(origin);
  await page.getByText('signed in: alice').waitFor();
  return page;
}

function countRefreshes(context: BrowserContext): () => number {
  let count = 0;
  context.on('request', (request) => {
    if (request.postData()?.includes('grant_type=refresh_token')) count += 1;
  });
  return () => count;
}

function applicationPage(): string {
  return `<!doctype html><title>Pocket</title><p></p><button>Sign in</button>
<script type="importmap">{ "imports": {
  "portico-client": "/node_modules/portico-client/dist/index.js",
  "portico-client/browser": "/node_modules/portico-client/dist/browser.js",
  "oauth4webapi": "/node_modules/oauth4webapi/build/index.js"
} }</script>
<script type="module">
import { PorticoApplication } from 'portico-client';
import { browserStore, leaveToSignIn, sessionOfPage } from 'portico-client/browser';
let shift = 0;
let step = 0;
const isHanging = (url) => window.beginsToHang !== undefined && url.endsWith('/api/oauth/token');
const application = new PorticoApplication({
  issuer: ${JSON.stringify(app.url)},
  clientId: ${JSON.stringify(client.id)},
  redirectUri: ${JSON.stringify(client.redirectUri)},
  now: () => Date.now() + (shift += step),
  fetch: (url, init) => isHanging(url) ? new Promise(() => window.beginsToHang()) : fetch(url, init),
});
document.querySelector('button').onclick = () => leaveToSignIn(application);
const session = await sessionOfPage(application, browserStore()).catch((error) => {
  document.querySelector('p').textContent = error.message;
});
window.readAt = async (ms, times) => {
  [shift, step] = [ms, 0];
  const profiles = await Promise.all(Array.from({ length: times }, () => session.me()));
  return profiles.at(-1).username;
};
window.hang = (ms) => new Promise((resolve) => {
  window.beginsToHang = resolve;
  window.readAt(ms, 1);
});
window.readAgainAndAgain = async (times) => {
  step = 3600000;
  for (let time = 0; time < times; time += 1) await session.me();
};
if (session) document.querySelector('p').textContent = 'signed in: ' + (await session.me()).username;
</script>`;
}
