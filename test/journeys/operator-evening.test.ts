// A new operator's first evening, in Chromium and with the program as operators run it: from the one-time link to a
// community with a face, three invited members, a removed post, a member who is back in, and a backup that was tried.
// SCREENSHOTS names a folder for a picture of each step.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { openChromium, withoutChromium } from '../support/chromium.ts';
import { temporaryFolder } from '../support/databases.ts';
import { startProgram } from '../support/program.ts';

const PASSWORD = 'a long walk in the rain';
const NEW_PASSWORD = 'a short walk in the snow';

const WORDS = {
  'en-GB': {
    name: 'Bakers of the valley',
    sentence: 'We bake, and write about it.',
    rules: 'Be kind.',
    spam: 'Cheap pills',
    reason: 'This is advertising.',
  },
  'zh-CN': {
    name: '山谷面包师',
    sentence: '我们烤面包，也写面包。',
    rules: '请友善。',
    spam: '便宜药片',
    reason: '这是广告。',
  },
} as const;

for (const [locale, words] of Object.entries(WORDS)) {
  test(`A new operator's first evening, ${locale}`, { skip: withoutChromium }, async (t) => {
    const folder = await temporaryFolder(t);
    const program = await startProgram({ DATABASE_URL: `file:${join(folder, 'portico.db')}` });
    t.after(() => program.stop());
    await program.opened();
    const { portico, url } = program;
    const chromium = await openChromium();
    t.after(() => chromium.close());
    const complaints: string[] = [];
    const open = async () => {
      const page = await (await chromium.newContext({ locale })).newPage();
      page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
      page.on('pageerror', (error) => complaints.push(error.message));
      return page;
    };
    const olivia = await open();
    const show = picturesOf(olivia, locale);

    // Opens the link of the terminal, and becomes the operator.
    await olivia.goto(/http\S+\/setup\?token=\S+/.exec(program.output())?.[0] ?? '');
    await fill(olivia, { username: 'olivia', password: PASSWORD, email: 'olivia@home.example' });
    await show('set-up');
    await press(olivia, 'main button.primary');
    assert.equal(new URL(olivia.url()).pathname, '/operator');
    assert.equal(await olivia.locator('.steps > li').count(), 6);
    await show('first-steps');

    // Gives the community a face.
    await press(olivia, '.steps a[href="/operator/settings"]');
    await fill(olivia, { name: words.name, sentence: words.sentence, contact: 'olivia@home.example' });
    await olivia.selectOption('#signUp', 'invitation');
    await press(olivia, 'main form button.primary');
    await show('settings');
    await olivia.goto(`${url}/operator/texts/rules`);
    await fill(olivia, { [locale === 'en-GB' ? 'text_en' : 'text_zh']: words.rules });
    await press(olivia, 'main form button.primary');
    const stranger = await open();
    await stranger.goto(url);
    assert.match(await stranger.innerText('body'), new RegExp(words.sentence));
    assert.equal(await stranger.title(), words.name);
    await press(stranger, 'footer a[href="/rules"]');
    assert.match(await stranger.innerText('main'), new RegExp(words.rules));

    // Invites three members, who join.
    const pages: Page[] = [];
    for (const username of ['ann', 'ben', 'mallory']) {
      await olivia.goto(`${url}/operator/invitations`);
      await press(olivia, 'form[action="/operator/invitations"] button.primary');
      const page = await open();
      await page.goto((await olivia.innerText('pre.once')).trim());
      await fill(page, { username, password: PASSWORD });
      await press(page, 'main button.primary');
      assert.equal(await page.locator(`header a[href="/u/${username}"]`).count(), 1);
      pages.push(page);
    }
    await show('invitations');
    const [ann, , mallory] = pages as [Page, Page, Page];

    // Removes an advertisement where it stands, with a reason that its author reads.
    await mallory.goto(`${url}/write`);
    await fill(mallory, { title: words.spam, body: 'Buy now!' });
    await press(mallory, 'button[value="publish"]');
    await olivia.goto(mallory.url());
    await olivia.click('details.moderation summary');
    await show('moderation');
    await press(olivia, 'details.moderation a[href$="/remove"]');
    await fill(olivia, { reason: words.reason });
    await show('removal');
    await press(olivia, 'main form button.danger');
    await show('removed');
    await stranger.goto(url);
    assert.doesNotMatch(await stranger.innerText('main'), new RegExp(words.spam));
    await mallory.goto(`${url}/notifications`);
    assert.match(await mallory.innerText('main'), new RegExp(words.reason));

    // Lets a member who lost the password back in.
    await olivia.goto(`${url}/operator/members?name=ann`);
    await press(olivia, 'main table a');
    await show('member');
    await press(olivia, 'form[action$="/reset-link"] button');
    await show('link');
    const link = (await olivia.innerText('pre.once')).trim();
    await ann.context().clearCookies();
    await ann.goto(link);
    await fill(ann, { password: NEW_PASSWORD });
    await press(ann, 'main button.primary');
    await ann.goto(`${url}/login`);
    await fill(ann, { username: 'ann', password: NEW_PASSWORD });
    await press(ann, 'main button.primary');
    assert.equal(await ann.locator('header a[href="/u/ann"]').count(), 1);

    // Makes a backup, and tries it.
    const backup = join(folder, 'evening.db');
    await portico('backup', backup);
    const tried = await portico('restore', '--check', backup);
    assert.ok(tried);
    await olivia.goto(`${url}/operator`);
    assert.equal(await olivia.locator('button[value="backup"]').count(), 0);
    await show('overview');
    assert.deepEqual(complaints, []);
  });
}

async function fill(page: Page, fields: Record<string, string>): Promise<void> {
  for (const [name, text] of Object.entries(fields)) await page.fill(`main [name="${name}"]`, text);
}

async function press(page: Page, selector: string): Promise<void> {
  await Promise.all([page.waitForEvent('domcontentloaded'), page.click(selector)]);
}

function picturesOf(page: Page, locale: string): (name: string) => Promise<void> {
  const folder = process.env.SCREENSHOTS;
  let count = 0;
  return async (name) => {
    count += 1;
    const path = `${folder}/${locale}-${String(count).padStart(2, '0')}-${name}.png`;
    if (folder !== undefined) await page.screenshot({ path, fullPage: true });
  };
}
