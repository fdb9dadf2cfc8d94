// The sample pages, in Chromium, delivered by a server that knows nothing of them.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { test } from 'node:test';
import { openApp } from '../support/app.ts';
import { openChromium, signInWithCommunity, withoutChromium } from '../support/chromium.ts';
import type { TestScope } from '../support/databases.ts';
import { person, pocket, publish } from '../support/people.ts';
import { freePort } from '../support/services.ts';
import { installedSample } from './sample.ts';

test('The sample page signs a member in, shows the posts in every tab, and signs out', {
  skip: withoutChromium,
}, async (t) => {
  const app = await openApp();
  t.after(() => app.close());
  await publish(app.portico, await person(app.portico, 'alice'), 'On <walking>');
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}/`;
  const client = await pocket(app.portico, { redirectUris: [origin] });
  await deliver(t, await installedSample(t, 'page'), port, { issuer: app.url, clientId: client.id });
  const browser = await openChromium();
  t.after(() => browser.close());
  const context = await browser.newContext({ locale: 'en-GB' });
  const page = await context.newPage();

  await page.goto(origin);
  await page.getByText('You are not signed in.').waitFor();
  await signInWithCommunity(page, 'alice');

  await page.getByRole('status').filter({ hasText: 'You are alice, a member since' }).waitFor();
  assert.equal(await page.getByRole('listitem').innerText(), 'On <walking>');
  assert.equal(page.url(), origin);
  const tab = await context.newPage();
  await tab.goto(origin);
  await tab.getByText('You are alice').waitFor();

  await tab.getByRole('button', { name: 'Sign out' }).click();
  await tab.getByText('You are not signed in.').waitFor();
  await page.reload();
  await page.getByText('You are not signed in.').waitFor();

  await page.getByRole('button', { name: 'Sign in with the community' }).click();
  await page.getByRole('button', { name: 'Deny' }).click();
  await page.getByText('The member did not allow').waitFor();
});

test('The sample page without a library signs a member in, and says why it could not', {
  skip: withoutChromium,
}, async (t) => {
  const app = await openApp();
  t.after(() => app.close());
  await person(app.portico, 'alice');
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}/`;
  const client = await pocket(app.portico, { redirectUris: [origin] });
  await deliver(t, await installedSample(t, 'plain-page'), port, { issuer: app.url, clientId: client.id });
  const browser = await openChromium();
  t.after(() => browser.close());
  const page = await browser.newPage({ locale: 'en-GB' });

  await page.goto(origin);
  await signInWithCommunity(page, 'alice');
  await page.getByText('You are alice.').waitFor();
  assert.equal(page.url(), origin);

  await page.getByRole('button', { name: 'Sign in with the community' }).click();
  await page.getByRole('button', { name: 'Deny' }).click();
  await page.getByText('The member did not allow').waitFor();

  await page.goto(`${origin}?state=forged&code=x`);
  await page.getByText('This answers another request.').waitFor();
});

/** Deliver the files of a folder, with the settings of the page filled in. */
async function deliver(
  scope: TestScope,
  folder: string,
  port: number,
  { issuer, clientId }: { issuer: string; clientId: string },
): Promise<void> {
  const server = createServer(async (request, answer) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    const file = await readFile(join(folder, pathname === '/' ? 'index.html' : pathname), 'utf8').catch(
      () => '',
    );
    answer.setHeader(
      'Content-Type',
      pathname.endsWith('.js') ? 'text/javascript' : 'text/html; charset=utf-8',
    );
    answer.end(file.replace('http://localhost:3000', issuer).replace('app_...', clientId));
  });
  server.listen(port, '127.0.0.1');
  scope.after(() => {
    server.closeAllConnections();
    server.close();
  });
}
