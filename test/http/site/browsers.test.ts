// The page of the browsers that a member is signed in with.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { DAY, HOUR, MINUTE } from '../../../src/lib/clock.ts';
import { openApp } from '../../support/app.ts';
import { Browser } from '../../support/browser.ts';
import { member, PASSWORD, person } from '../../support/people.ts';

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1';
const PATH = '/settings/browsers';
const SIGN_OUT = `${PATH}/sign-out`;

// Each request says where it comes from, as behind a proxy.
const app = await openApp({ TRUST_PROXY: '127.0.0.1' });
after(() => app.close());

async function browser(username: string, userAgent: string, language = 'en'): Promise<Browser> {
  const one = new Browser(app.url, language, userAgent);
  assert.equal((await one.signIn(username, PASSWORD)).status, 303);
  return one;
}

const isSignedIn = async (one: Browser) => (await one.open(PATH)).status === 200;

/** The card of a browser on the page, as plain text. */
function cardOf(page: string, name: string): string {
  const card = [...page.matchAll(/<section class="card">[\s\S]*?<\/section>/g)]
    .map(([text]) => text)
    .find((text) => text.includes(name));
  return (card ?? '').replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ');
}

test('A member sees each browser that is signed in: its name, its network, and when it was used', async () => {
  await person(app.portico, 'nina');
  const laptop = await browser('nina', FIREFOX);
  app.clock.advance(3 * HOUR);
  await browser('nina', IPHONE);

  const page = await laptop.read(PATH);

  assert.match(
    cardOf(page, 'Firefox on Linux'),
    /This browser .*Sign out .*from 127\.0\.0\.0\/24 .*Last visit now/,
  );
  assert.match(
    cardOf(page, 'Safari on iPhone'),
    /Sign out .*Signed in .*from 127\.0\.0\.0\/24 .*Last visit just now/,
  );
  assert.doesNotMatch(cardOf(page, 'Safari on iPhone'), /This browser/);
});

test('The page is in Chinese for a member who reads Chinese', async () => {
  await person(app.portico, 'lan');
  const phone = await browser('lan', IPHONE, 'zh-CN');

  assert.match(
    cardOf(await phone.read(PATH), 'Safari on iPhone'),
    /此浏览器 .*退出 .*登录于 .*，来自 127\.0\.0\.0\/24/,
  );
});

test('A browser that moved to another network is shown with both networks, within a minute', async () => {
  await person(app.portico, 'omar');
  const phone = await browser('omar', IPHONE);
  const headers = { 'X-Forwarded-For': '198.51.100.7' };
  await phone.open('/', { headers });
  const at = cardOf(await phone.read(PATH), 'Safari on iPhone');
  app.clock.advance(MINUTE);
  await phone.open('/', { headers });
  const later = cardOf(await (await phone.open(PATH, { headers })).text(), 'Safari on iPhone');

  assert.doesNotMatch(at, /198\.51/);
  assert.match(later, /Signed in .*from 127\.0\.0\.0\/24 .*Last visit now from 198\.51\.100\.0\/24/);
});

test('A member signs one browser out, and its next request is refused', async () => {
  await person(app.portico, 'olga');
  const [laptop, phone] = [await browser('olga', FIREFOX), await browser('olga', IPHONE)];
  const page = await laptop.read(PATH);
  const link = /href="([^"]*sign-out\?browser=[^"]*)"/.exec(page)?.[1] ?? '';

  const question = await laptop.read(link);
  const wasSignedIn = await isSignedIn(phone);
  const answer = await laptop.submit(question, SIGN_OUT);

  assert.match(question, /Sign out Safari on iPhone\?/);
  assert.ok(wasSignedIn, 'the question changes nothing');
  assert.equal(answer.headers.get('location'), `${PATH}?done=one`);
  assert.deepEqual([await isSignedIn(laptop), await isSignedIn(phone)], [true, false]);
  assert.match(await laptop.read(`${PATH}?done=one`), /Browser signed out\./);
});

test('A member signs all other browsers out, and stays signed in', async () => {
  await person(app.portico, 'paul');
  const [laptop, phone, tablet] = [
    await browser('paul', FIREFOX),
    await browser('paul', IPHONE),
    await browser('paul', IPHONE),
  ];

  const question = await laptop.read(SIGN_OUT);
  await laptop.submit(question, SIGN_OUT);

  assert.match(question, /Sign out all other browsers\?/);
  assert.deepEqual(
    [await isSignedIn(laptop), await isSignedIn(phone), await isSignedIn(tablet)],
    [true, false, false],
  );
  assert.doesNotMatch(await laptop.read(PATH), /sign-out"/);
});

test('A browser that was signed in for a while must enter the password before it signs others out', async () => {
  await person(app.portico, 'quinn');
  const [laptop, phone] = [await browser('quinn', FIREFOX), await browser('quinn', IPHONE)];
  app.clock.advance(11 * MINUTE);

  const wrong = await laptop.submit(await laptop.read(SIGN_OUT), SIGN_OUT, { proof_password: 'wrong' });
  const page = await wrong.text();
  const before = await isSignedIn(phone);
  await laptop.submit(page, SIGN_OUT, { proof_password: PASSWORD });

  assert.equal(wrong.status, 400);
  assert.match(page, /The password is incorrect/);
  assert.deepEqual([before, await isSignedIn(phone)], [true, false]);
});

test('Nobody signs out another member’s browser', async () => {
  await person(app.portico, 'rosa');
  const victim = await browser('rosa', IPHONE);
  await browser('rosa', FIREFOX);
  const link = /sign-out\?browser=([^"]*)"/.exec(await victim.read(PATH))?.[1] ?? '';
  const { browser: mallory } = await member(app, 'mallory');

  const answer = await mallory.submit(await mallory.read(SIGN_OUT), SIGN_OUT, { browser: link });

  assert.equal(answer.status, 303);
  assert.match(await victim.read(PATH), /Firefox on Linux/);
});

test('A browser that was not used for two weeks is not listed', async () => {
  await person(app.portico, 'sam');
  await browser('sam', IPHONE);
  app.clock.advance(15 * DAY);
  const laptop = await browser('sam', FIREFOX);

  assert.doesNotMatch(await laptop.read(PATH), /iPhone/);
});

test('The downloaded data has the browsers, without their keys', async () => {
  await person(app.portico, 'tina');
  const laptop = await browser('tina', FIREFOX);

  const answer = await laptop.submit(await laptop.read('/settings/account'), '/settings/account/export');
  const { browsers } = (await answer.json()) as { browsers: Record<string, unknown>[] };

  assert.equal(browsers.length, 1);
  assert.deepEqual(Object.keys(browsers[0] ?? {}), [
    'program',
    'network',
    'last_network',
    'signed_in_at',
    'last_seen_at',
  ]);
  assert.equal(browsers[0]?.program, 'Firefox on Linux');
});
