// The links to the sandbox, for developers of a community that has one.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type App, openApp } from '../../../support/app.ts';
import { Browser } from '../../../support/browser.ts';
import { browserOf, notebook, person } from '../../../support/people.ts';

let app: App;
let without: App;

before(async () => {
  app = await openApp({ SANDBOX_URL: 'https://sandbox.community.example' });
  without = await openApp();
});
after(async () => {
  await app.close();
  await without.close();
});

const LINK = /href="https:\/\/sandbox\.community\.example\/"/;

test('The console, the page of an application and the documentation link to the sandbox', async () => {
  const alice = await person(app.portico, 'alice');
  const client = await notebook(app.portico, { ownerId: alice.id });
  const browser = await browserOf(app, 'alice');

  for (const path of ['/developers/apps', `/developers/apps/${client.id}`, '/docs/sandbox']) {
    assert.match(await browser.read(path), LINK, path);
  }
  assert.match(await new Browser(app.url, 'zh').read('/docs/sandbox'), LINK);
});

test('Without a sandbox, the documentation names the command and the kit', async () => {
  const page = await new Browser(without.url).read('/docs/sandbox');

  assert.match(page, /npm run -s portico -- sandbox/);
  assert.match(page, /href="\/docs\/library#test-your-application"/);
  assert.doesNotMatch(page, /The sandbox of this community/);
});
