// A newcomer's first evening and the week after it, in Chromium. EVENINGS=8 has one in each language, on each screen
// and in each colour scheme. SCREENSHOTS names a folder for a picture of each stop.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { DAY, MINUTE } from '../../src/lib/clock.ts';
import { withoutChromium } from '../support/chromium.ts';
import { json } from '../support/json.ts';
import { choose, drop, landscape, paste } from '../support/picture-gestures.ts';
import { untilTrue } from '../support/program.ts';
import { EVENINGS, type Evening, openEvening } from './evening.ts';

for (const { name, ...look } of EVENINGS) {
  test(`A newcomer’s evening, and the week after it, ${name}`, { skip: withoutChromium }, async (t) => {
    const evening = await openEvening(t, name, look);
    await signUp(evening);
    await writePost(evening);
    await react(evening);
    await search(evening);
    await showToApplication(evening);
    await comeBack(evening);
    assert.deepEqual(evening.faults, []);
  });
}

async function signUp({ page, app, words, press, stop, mailsTo }: Evening): Promise<void> {
  await page.goto(app.url);
  assert.equal(await page.innerText('h1'), words.community);
  await stop('home');
  await press('header a[href="/signup"]');
  await page.fill('#username', 'newcomer');
  await page.fill('#password', 'a long walk in the rain');
  await page.fill('#email', 'newcomer@home.example');
  await press('main button.primary');
  assert.match(await page.innerText('#welcome'), /newcomer/);
  await stop('welcome');

  const [mail] = await mailsTo('newcomer');
  await page.goto(/http\S+/.exec(mail?.text ?? '')?.[0] ?? '');
  await press('main button.primary');
  await page.goto(`${app.url}/settings/security`);
  assert.match(await page.innerText('main'), /newcomer@home\.example/);
}

async function writePost({ page, app, words, press, stop, mailsTo, folder }: Evening): Promise<void> {
  await press('header a[href="/write"]');
  await page.fill('#title', words.title);
  await page.click('#body');
  await page.keyboard.type(words.begin);
  await page.click('[data-tool="bold"]');
  await page.keyboard.type(words.bold);
  await page.keyboard.press('ControlOrMeta+End');
  await page.keyboard.type(words.thanks);
  await page.click('.suggestions [role="option"]:has-text("bob")');
  assert.equal(await bodyOf(page), `${words.begin}**${words.bold}**${words.thanks}b `);

  // The draft is saved automatically, and goes on.
  await page.waitForURL(/\/posts\/\d+\/edit$/);
  await page.goto(`${app.url}/drafts`, { waitUntil: 'load' }).catch(() => page.goto(`${app.url}/drafts`));
  await press('main article a[href$="/edit"]');
  await page.fill('#tags', words.tag);
  for (const [index, addTo] of [choose, paste, drop].entries()) {
    await page.press('#body', 'ControlOrMeta+End');
    await addTo(page, await landscape(index), folder);
    await untilTrue(async () => (await bodyOf(page)).includes('![](/pictures/'));
    // The cursor is where the description belongs. The last picture has none at first.
    if (index < 2) await page.keyboard.type(words.descriptions[index] ?? '');
  }
  if (await page.isVisible('.to-preview')) await page.click('.to-preview');
  await page.waitForSelector(`#preview strong:text-is("${words.bold}")`);
  await untilTrue(async () => (await page.locator('#preview img').count()) === 3);
  await stop('editor', true);

  await press('button[value="publish"]');
  assert.match(await page.innerText('main .notice'), /!\[/);
  await stop('reminder');
  await page.fill('#body', (await bodyOf(page)).replace('![]', `![${words.descriptions[2]}]`));
  await press('button[value="publish"]');
  assert.equal(await page.innerText('h1'), words.title);
  assert.equal((await page.innerText('#post-address')).trim(), page.url());
  const descriptions = "[...document.querySelectorAll('.prose img')].map(({ alt }) => alt)";
  assert.deepEqual(await page.evaluate(descriptions), words.descriptions);
  await stop('post');

  app.clock.advance(10 * MINUTE);
  const [mail, ...others] = await mailsTo('bob');
  assert.match(mail?.text ?? '', /newcomer/);
  assert.ok(mail?.text.includes(page.url()));
  assert.deepEqual(others, []);
}

async function react({ page, words, press, stop, others }: Evening): Promise<void> {
  await page.goto(others.url);
  for (const name of ['like', 'bookmark']) {
    const button = page.locator(`#${name} button`);
    await button.scrollIntoViewIfNeeded();
    const before = await button.boundingBox();
    await button.click();
    await page.waitForSelector(`#${name} button[aria-pressed="true"]`);
    assert.deepEqual([page.url(), (await button.boundingBox())?.y], [others.url, before?.y]);
  }
  await page.fill('#write-comment textarea', words.comment);
  await press('#write-comment button.primary');
  assert.match(await page.innerText('#comments'), new RegExp(words.comment));
  for (const link of ['main a[rel="tag"]', '.byline a.p-author']) {
    await page.goto(others.url);
    await press(link);
    await page.click('#follow button');
    await page.waitForSelector('#follow button[aria-pressed="true"]');
  }
  await stop('member');
  for (const list of ['following', 'bookmarks']) {
    await press(`footer a[href="/${list}"]`);
    assert.deepEqual(await page.locator('main article h2').allInnerTexts(), [words.others.title]);
    await stop(list);
  }
}

async function search({ page, words, press, stop }: Evening): Promise<void> {
  const field = page.locator('header input[name="q"]');
  if (!(await field.isVisible())) await press('header a[href="/search"]');
  const visible = page.locator('input[name="q"]').filter({ visible: true });
  await visible.fill(words.query);
  await Promise.all([page.waitForURL(/\/search\?/), visible.press('Enter')]);
  assert.deepEqual(await page.locator('main article h2').allInnerTexts(), [words.title]);
  assert.deepEqual(new Set(await page.locator('main mark').allInnerTexts()), new Set(words.marked));
  await stop('search');
}

async function showToApplication({ page, app, words, press, others }: Evening): Promise<void> {
  await page.goto(`${app.url}/settings/profile`);
  await page.fill('#bio', 'Bakes.');
  await press('form[action="/settings/profile"] button.primary');
  await page.setInputFiles('#picture', {
    name: 'me.png',
    mimeType: 'image/png',
    buffer: await landscape(0),
  });
  await press('form[action="/settings/profile/picture"] button');
  const picture = await page.getAttribute('header img.avatar', 'src');
  await page.goto(`${app.url}/settings/tokens/new`);
  await page.fill('#name', 'evening');
  for (const box of await page.locator('input[name="scope"]').all()) await box.check();
  await press('main button.primary');
  const token = (await page.innerText('pre.once')).trim();
  const ask = async (path: string) =>
    json(await fetch(`${app.url}/api/open/v1${path}`, { headers: { Authorization: `Bearer ${token}` } }));

  const me = await ask('/me');
  assert.deepEqual([me.username, me.bio, me.avatarUrl], ['newcomer', 'Bakes.', app.url + picture]);
  assert.deepEqual([me.xp, me.level], [12, 1]);
  assert.equal((await fetch(me.avatarUrl)).headers.get('content-type'), 'image/webp');
  const posts = await ask('/me/posts');
  assert.equal(posts.totalElements, 1);
  const [post] = posts.items;
  const excerpt = `${words.begin}${words.bold}${words.thanks}b`;
  assert.deepEqual([post.title, post.excerpt, post.likeCount], [words.title, excerpt, 0]);
  // A like by another member is there at once.
  const path = new URL(post.url).pathname;
  const like = `${/^\/posts\/\d+/.exec(path)?.[0]}/like`;
  await others.browser.submit(await others.browser.read(path), like);
  assert.equal((await ask('/me/posts')).items[0].likeCount, 1);
}

async function comeBack({ page, app, words, press, stop, mailsTo, others }: Evening): Promise<void> {
  await page.goto(`${app.url}/settings/mails`);
  await page.check('[name="digest"]');
  await press('main button.primary');
  await stop('mails');
  app.clock.advance(5 * DAY);
  await others.publish(words.news);
  app.clock.advance(2 * DAY);

  const digests = async () => (await mailsTo('newcomer')).filter(({ subject }) => subject === words.digest);
  const [digest, ...more] = await digests();
  assert.ok(digest !== undefined && more.length === 0);
  assert.ok(digest.text.includes(words.news), digest.text);
  await page.goto(/http\S+\/posts\/\S+/.exec(digest.text)?.[0] ?? '');
  assert.equal(await page.innerText('h1'), words.news);

  // The mail program ends the digest with one request (RFC 8058).
  const head = digest.source.split('\r\n\r\n')[0]?.replaceAll(/\r\n[ \t]/g, ' ') ?? '';
  assert.match(head, /^List-Unsubscribe-Post: List-Unsubscribe=One-Click$/m);
  const [, address = ''] = /^List-Unsubscribe: <([^>]+)>$/m.exec(head) ?? [];
  const body = new URLSearchParams('List-Unsubscribe=One-Click');
  assert.equal((await fetch(address, { method: 'POST', body })).status, 200);
  await page.goto(`${app.url}/settings/mails`);
  assert.equal(await page.isChecked('[name="digest"]'), false);
  await others.publish(words.title);
  app.clock.advance(7 * DAY);
  assert.deepEqual(await digests(), []);
}

function bodyOf(page: Page): Promise<string> {
  return page.inputValue('#body');
}
