// The pages of the access diary: a member sees who read what, takes it along, and can switch it off.

import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { POST_FIELDS, PROFILE_FIELDS } from '../../../src/http/representations.ts';
import { DAY, MINUTE } from '../../../src/lib/clock.ts';
import { type App, openApp } from '../../support/app.ts';
import type { Browser } from '../../support/browser.ts';
import {
  browserOf,
  notebook,
  PASSWORD,
  type Person,
  person,
  publish,
  type RegisteredClient,
} from '../../support/people.ts';
import { callApi, signInWith } from '../../support/relying-party.ts';
import { ask, itemsOf, objectOf, tokenOf } from '../api/callers.ts';

let app: App;
let alice: Person;
let browser: Browser;
let client: RegisteredClient;

beforeEach(async () => {
  app = await openApp();
  alice = await person(app.portico, 'alice');
  client = await notebook(app.portico);
  browser = await browserOf(app, 'alice');
});
afterEach(() => app.close());

async function page(query = ''): Promise<string> {
  await app.portico.mergeDiary();
  const text = await (await browser.open(`/settings/diary${query}`)).text();
  return text
    .replaceAll(/<svg.*?<\/svg>/gs, '')
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll(/\s+/g, ' ');
}

async function file(format: string): Promise<string> {
  await app.portico.mergeDiary();
  const text = await (await browser.open('/settings/diary')).text();
  return (await browser.submit(text, '/settings/diary/export', { format })).text();
}

test('a member sees which application read what, from where, and what the answers held', async () => {
  await publish(app.portico, alice, 'On arches');
  const { access_token: token } = await signInWith(app, client, 'alice');
  await callApi(app, '/me', token);
  await callApi(app, '/me/posts', token);

  const text = await page();

  assert.match(text, /Notebook Your public profile once What the answer held id, username, avatarUrl, bio/);
  assert.match(
    text,
    /Notebook Your published posts: 1 in total once What the answer held id, title, excerpt/,
  );
  assert.match(text, /node 127\.0\.0\.0\/24/);
});

test('the fields that it names are those of the answers', async () => {
  await publish(app.portico, alice, 'On arches');
  const token = await tokenOf(app, alice);

  assert.deepEqual(Object.keys(await objectOf(await ask(app, '/me', token))), [...PROFILE_FIELDS]);
  const [post = {}] = await itemsOf(await ask(app, '/me/posts', token));
  assert.deepEqual(Object.keys(post), [...POST_FIELDS]);
});

test('it shows one application alone, refused requests as refused, and any day that has something', async () => {
  const script = await tokenOf(app, alice, ['posts:read']);
  await ask(app, '/me', script);
  await app.portico.mergeDiary();
  app.clock.advance(2 * DAY);
  const { access_token: token } = await signInWith(app, client, 'alice');
  await callApi(app, '/me', token);

  const newest = await page();
  const content = await (await browser.open('/settings/diary')).text();
  const [today, earlier] = [...content.matchAll(/<option value="([\d-]+)"/g)].map(([, day]) => day);
  const tokens = await page('?application=');

  assert.match(newest, /Notebook/);
  assert.doesNotMatch(newest, /API token “script”/);
  assert.match(newest, new RegExp(`${today} \\(1\\)`));
  assert.match(await page(`?day=${earlier}`), /API token “script” Your public profile refused: not allowed/);
  assert.match(tokens, /Only API tokens.*API token “script”/);
  assert.doesNotMatch(tokens, /Notebook/);
});

test('it can be taken along, for a spreadsheet and as JSON', async () => {
  const token = await tokenOf(app, alice);
  await ask(app, '/me', token, { 'User-Agent': '=cmd|calc,"x"' });

  const csv = await file('csv');
  const [record, ...others] = JSON.parse(await file('json'));

  assert.match(csv, /^firstAt,lastAt,application,/);
  assert.match(
    csv,
    /,script,,1,profile,id username avatarUrl [^,]+,0,200,1,127\.0\.0\.0\/24,"'=cmd\|calc,""x"""\r\n$/,
  );
  assert.deepEqual(others, []);
  assert.deepEqual([record.application, record.reading, record.requests], ['script', 'profile', 1]);
  assert.equal(record.firstAt, new Date(app.clock.now).toISOString());
});

test('no cell of the spreadsheet runs as a formula, also where a semicolon ends a cell', async () => {
  const token = await tokenOf(app, alice);
  await ask(app, '/me', token, { 'User-Agent': 'x;=calc|A!Z;y' });

  assert.match(await file('csv'), /,"x;'=calc\|A!Z;y"\r\n$/);
});

test('switching it off deletes it, and switching it on begins a new one', async () => {
  const token = await tokenOf(app, alice);
  await ask(app, '/me', token);
  const before = await page();

  await browser.submit(await (await browser.open('/settings/diary')).text(), '/settings/diary', {
    keep: 'no',
  });
  await ask(app, '/me', token);
  const off = await page();
  await browser.submit(await (await browser.open('/settings/diary')).text(), '/settings/diary', {
    keep: 'yes',
  });
  const on = await page();
  await ask(app, '/me', token);

  assert.match(before, /API token “script”/);
  assert.match(off, /Your diary is switched off/);
  assert.doesNotMatch(off, /API token “script”/);
  assert.match(on, /Nothing was read/);
  assert.match(await page(), /API token “script” Your public profile once/);
});

test('switching it off asks for the password, is recorded, and the page says since when it is kept', async () => {
  const choose = async (keep: string, fields = {}) =>
    browser.submit(await (await browser.open('/settings/diary')).text(), '/settings/diary', {
      keep,
      ...fields,
    });
  assert.doesNotMatch(await page(), /Kept since/);
  app.clock.advance(20 * MINUTE);

  const question = await choose('no');
  const stillOn = await page();
  await choose('no', { proof_password: PASSWORD });
  await choose('yes');

  assert.match(await question.text(), /Confirm your identity/);
  assert.doesNotMatch(stillOn, /switched off/);
  const events = await app.portico.audit.reads.securityEvents({ userId: alice.id, limit: 2 });
  assert.deepEqual(
    events.map(({ event, address }) => [event, address]),
    [
      ['diary_switched_on', '127.0.0.1'],
      ['diary_switched_off', '127.0.0.1'],
    ],
  );
  assert.match(await page(), /Kept since .*, \d\d:\d\d:\d\d\. What was read before was deleted\./);
});

test('the download of all data has the diary', async () => {
  await ask(app, '/me', await tokenOf(app, alice));
  await app.portico.mergeDiary();

  const text = await (await browser.open('/settings/account')).text();
  const data = JSON.parse(await (await browser.submit(text, '/settings/account/export')).text());

  assert.equal(data.access_diary.length, 1);
  assert.equal(data.access_diary[0].application, 'script');
});

test('nobody else can see it', async () => {
  await ask(app, '/me', await tokenOf(app, alice));
  await person(app.portico, 'bob');
  browser = await browserOf(app, 'bob');

  assert.match(await page(), /Nothing was read/);
});
