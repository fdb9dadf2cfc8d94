// The choice of light or dark pages.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { openApp } from '../../support/app.ts';
import { Browser } from '../../support/browser.ts';
import { browserOf, person } from '../../support/people.ts';

const app = await openApp();
after(() => app.close());
await person(app.portico, 'alice');

const coloursOf = (page: string) => /<html lang="[^"]*"(?: data-colours="([^"]*)")?>/.exec(page)?.[1];
const choicesIn = (page: string) =>
  [...page.matchAll(/name="colours" value="([^"]*)"/g)].map(([, value]) => value);

test('a visitor chooses dark pages without an account, and comes back to the page', async () => {
  const browser = new Browser(app.url);
  const page = await browser.read('/popular');

  const answer = await browser.submit(page, '/colours', { colours: 'dark' });
  const dark = await browser.read('/popular');

  assert.deepEqual([answer.status, answer.headers.get('location')], [303, '/popular']);
  assert.deepEqual([coloursOf(page), choicesIn(page)], [undefined, ['light', 'dark']]);
  assert.deepEqual([coloursOf(dark), choicesIn(dark)], ['dark', ['light', 'device']]);
  assert.match(dark, /<meta name="theme-color" content="#171614">/);
  assert.equal(coloursOf(await new Browser(app.url).read('/')), undefined);
});

test('a member goes back to the colours of the device', async () => {
  const browser = await browserOf(app, 'alice');
  await browser.submit(await browser.read('/'), '/colours', { colours: 'light' });
  const light = await browser.read('/settings/profile');

  await browser.submit(light, '/colours', { colours: 'device' });

  assert.equal(coloursOf(light), 'light');
  assert.equal(coloursOf(await browser.read('/')), undefined);
});

test('the choice takes no other value, and leads to no other site', async () => {
  const browser = new Browser(app.url);
  const fields = { colours: 'dark" onload="x', return_to: '//evil.example/' };

  const answer = await browser.submit(await browser.read('/'), '/colours', fields);

  assert.equal(answer.headers.get('location'), '/');
  assert.equal(coloursOf(await browser.read('/')), undefined);
  browser.setCookie('portico_colours', 'sepia');
  assert.deepEqual(choicesIn(await browser.read('/')), ['light', 'dark']);
});
