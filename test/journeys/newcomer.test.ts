// A new member's first evening, in Chromium and with the program as operators run it: signing up, confirming an
// address, writing, publishing, commenting, liking, searching, a profile picture, and an application that reads all
// of it.

import assert from 'node:assert/strict';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { openChromium, withoutChromium } from '../support/chromium.ts';
import { temporaryFolder } from '../support/databases.ts';
import { json } from '../support/json.ts';
import { startProgram, untilTrue } from '../support/program.ts';
import { mailOf } from '../support/smtp-server.ts';

const PASSWORD = 'a long walk in the rain';

const WORDS = {
  'en-GB': { title: 'Bread in the evening', found: 'evening bread', comment: 'How long did you wait?' },
  'zh-CN': { title: '傍晚烤面包', found: '面包', comment: '等了多久？' },
} as const;

for (const [locale, words] of Object.entries(WORDS)) {
  test(`A new member's first evening, ${locale}`, { skip: withoutChromium }, async (t) => {
    const folder = await temporaryFolder(t);
    const program = await startProgram({ DATABASE_URL: `file:${join(folder, 'portico.db')}` });
    t.after(() => program.stop());
    await program.opened();
    const { portico, url } = program;
    await portico('user', 'create', '--username', 'bob', '--password', PASSWORD, '--operator');
    const text = join(folder, 'rye.md');
    await writeFile(text, 'Two days.');
    const bobs = await portico('post', 'create', '--username', 'bob', '--title', 'Rye', '--body-file', text);
    const chromium = await openChromium();
    t.after(() => chromium.close());
    const context = await chromium.newContext({ locale });
    const page = await context.newPage();
    const complaints: string[] = [];
    page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
    page.on('pageerror', (error) => complaints.push(error.message));
    const press = (selector: string) =>
      Promise.all([page.waitForEvent('domcontentloaded'), page.click(selector)]);

    // Signs up, and is signed in.
    await page.goto(url);
    await press('header a[href="/signup"]');
    await page.fill('#username', 'newcomer');
    await page.fill('#password', PASSWORD);
    await page.fill('#email', 'newcomer@home.example');
    await press('main button.primary');
    assert.equal(await page.locator('header a[href="/u/newcomer"]').count(), 1);

    // Confirms the address with the link of the mail.
    await page.goto(await linkIn(join(folder, 'outbox')));
    await press('main button.primary');
    await page.goto(`${url}/settings/security`);
    assert.match(await page.innerText('main'), /newcomer@home\.example/);

    // Writes a post, which is saved automatically and shown beside the text, and publishes it.
    await press('header a[href="/write"]');
    await page.fill('#title', words.title);
    await page.waitForURL(/\/posts\/\d+\/edit$/);
    await page.fill('#body', 'Flour, water and **patience**.');
    await page.waitForSelector('#preview strong:text-is("patience")');
    await page.goto(`${url}/drafts`, { waitUntil: 'load' }).catch(() => page.goto(`${url}/drafts`));
    await press('main article a[href$="/edit"]');
    assert.equal(await page.inputValue('#body'), 'Flour, water and **patience**.');
    await press('button[value="publish"]');
    assert.equal(await page.innerText('h1'), words.title);

    // Comments on another member's post, and likes it.
    await page.goto(`${url}/posts/${bobs.id}`);
    await page.fill('textarea', words.comment);
    await press('main form[action$="/comments"] button.primary');
    await page.click('#like button');
    await page.waitForSelector(LIKED);
    assert.match(await page.innerText('#comments'), new RegExp(words.comment));

    // Searches.
    await page.fill('header input[name="q"]', words.found);
    await Promise.all([page.waitForURL(/\/search\?/), page.press('header input[name="q"]', 'Enter')]);
    assert.deepEqual(await page.locator('main article h2').allInnerTexts(), [words.title]);

    // Writes a bio and uploads a picture.
    await page.goto(`${url}/settings/profile`);
    await page.fill('#bio', 'Bakes.');
    await press('form[action="/settings/profile"] button.primary');
    await page.setInputFiles('#picture', {
      name: 'me.jpg',
      mimeType: 'image/jpeg',
      buffer: await photograph(),
    });
    await press('form[action="/settings/profile/picture"] button');
    const picture = await page.getAttribute('header img.avatar', 'src');
    assert.match(picture ?? '', /^\/avatars\/\d+-[0-9a-f]{12}\.webp$/);

    // An application reads all this with a new token.
    const token = await personalToken(page, url);
    const ask = async (path: string) =>
      json(await fetch(`${url}/api/open/v1${path}`, { headers: { Authorization: `Bearer ${token}` } }));
    const me = await ask('/me');
    const posts = await ask('/me/posts');
    assert.deepEqual([me.username, me.bio, me.avatarUrl], ['newcomer', 'Bakes.', url + picture]);
    assert.deepEqual([me.xp, me.level], [12, 1]);
    assert.equal((await fetch(me.avatarUrl)).headers.get('content-type'), 'image/webp');
    assert.equal(posts.totalElements, 1);
    const [post] = posts.items;
    assert.deepEqual([post.title, post.excerpt], [words.title, 'Flour, water and patience.']);
    assert.equal((await fetch(post.url)).status, 200);

    // The other member gets the notifications, and the application sees their like at once.
    const other = await (await chromium.newContext({ locale })).newPage();
    await other.goto(`${url}/login`);
    await other.fill('#username', 'bob');
    await other.fill('#password', PASSWORD);
    await Promise.all([other.waitForURL(`${url}/`), other.click('main button.primary')]);
    await other.goto(`${url}/notifications`);
    assert.equal((await other.innerText('main')).match(/newcomer/g)?.length, 2);
    await other.goto(post.url);
    await other.click('#like button');
    await other.waitForSelector(LIKED);
    assert.equal((await ask('/me/posts')).items[0].likeCount, 1);
    assert.deepEqual(complaints, []);
  });
}

// The page stays where it is.
const LIKED = '#like button[aria-pressed="true"]';

async function linkIn(outbox: string): Promise<string> {
  await untilTrue(async () => (await readdir(outbox).catch(() => [])).length > 0);
  const [file = ''] = await readdir(outbox);
  const { text } = mailOf([], await readFile(join(outbox, file), 'utf8'));
  return /http\S+/.exec(text)?.[0] ?? '';
}

function photograph(): Promise<Buffer> {
  return sharp({ create: { width: 900, height: 600, channels: 3, background: '#8a5a00' } })
    .withExif({ IFD0: { Artist: 'newcomer' } })
    .jpeg()
    .toBuffer();
}

async function personalToken(page: Page, url: string): Promise<string> {
  await page.goto(`${url}/settings/tokens/new`);
  await page.fill('#name', 'evening');
  for (const box of await page.locator('input[name="scope"]').all()) await box.check();
  await Promise.all([page.waitForEvent('domcontentloaded'), page.click('main button.primary')]);
  return (await page.innerText('pre.once')).trim();
}
