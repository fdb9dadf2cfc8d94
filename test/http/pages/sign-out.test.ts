// What a browser keeps after signing out, and that no redirect to or from the sign-in page is cached.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { openApp } from '../../support/app.ts';
import { Browser } from '../../support/browser.ts';
import { browserOf, PASSWORD, person } from '../../support/people.ts';

const app = await openApp();
after(() => app.close());
await person(app.portico, 'alice');

test('Signing out makes the browser forget what it stored of our pages, but not the language', async () => {
  const browser = await browserOf(app, 'alice');
  const page = await (await browser.open('/settings/security')).text();
  await browser.submit(page, '/language', { language: 'zh' });

  const answer = await browser.submit(page, '/logout');

  assert.equal(answer.headers.get('clear-site-data'), '"cache", "storage"');
  assert.equal(browser.cookie('portico_session'), undefined);
  assert.equal(browser.cookie('language'), 'zh');
});

test('Signing out for an application makes the browser forget what it stored, too', async () => {
  const browser = await browserOf(app, 'alice');
  const page = await (await browser.open('/oauth/logout')).text();

  const answer = await browser.submit(page, '/oauth/logout/answer', { decision: 'sign_out' });

  assert.equal(answer.headers.get('clear-site-data'), '"cache", "storage"');
  assert.equal(browser.cookie('portico_session'), undefined);
});

test('No redirect to or from the sign-in page is cached', async () => {
  const browser = new Browser(app.url);
  const answers = [
    await browser.open('/settings/tokens'),
    await browser.open('/login/?return_to=%2Fwrite'),
    await browser.open('/oauth/authorize?client_id=none'),
    await browser.signIn('alice', PASSWORD, '/write'),
  ];

  for (const answer of answers) assert.equal(answer.headers.get('cache-control'), 'no-store', answer.url);
});
