// Connected applications as members see them, in Chromium: on a desk and on a phone, in English and in Chinese.

import assert from 'node:assert/strict';
import { after, before } from 'node:test';
import type { Page } from 'playwright-core';
import { byServer } from '../../../src/audit/doer.ts';
import { appsWords } from '../../../src/http/site/settings/apps-words.ts';
import { diaryWords } from '../../../src/http/site/settings/diary-words.ts';
import { DAY } from '../../../src/lib/clock.ts';
import { withdrawAbandonedGrants } from '../../../src/oauth/abandoned-grant.ts';
import { deactivateClient } from '../../../src/oauth/client-status.ts';
import { type App, openApp } from '../../support/app.ts';
import { openAs, press, testInLooks, type Visit } from '../../support/looks.ts';
import { notebook, person, type RegisteredClient } from '../../support/people.ts';
import { askToken, callApi, signInWith, type Tokens } from '../../support/relying-party.ts';

let app: App;
let diary: RegisteredClient;

before(async () => {
  app = await openApp();
  const olga = await person(app.portico, 'olga');
  diary = await notebook(app.portico, { name: 'Diary', ownerId: olga.id });
});
after(() => app.close());

testInLooks('Connected applications', () => app, POINTS());

const appPage = () => `/settings/apps/${diary.id}`;

function open(visit: Visit, path: string): Promise<void> {
  return openAs(visit, app, path);
}

async function read(token: Tokens): Promise<number> {
  return (await callApi(app, '/me', token.access_token)).status;
}

function names(page: Page): Promise<string[]> {
  return page.locator('main .card h2 a').allInnerTexts();
}

/** Connect three applications, one after the other. */
async function connectThree(username: string): Promise<void> {
  for (const name of ['Zebra', 'apple', 'Mango']) {
    await signInWith(app, await notebook(app.portico, { name }), username);
    app.clock.advance(1000);
  }
}

function POINTS(): Record<string, (visit: Visit) => Promise<void>> {
  return {
    async 'one entry for an application, and its sign-ins one by one behind it'(visit) {
      const { page, username } = visit;
      const [first, second] = [
        await signInWith(app, diary, username),
        await signInWith(app, diary, username),
      ];
      for (const tokens of [first, second]) await read(tokens);
      await open(visit, '/settings/apps');
      assert.deepEqual(await names(page), ['Diary']);

      await press(page, 'main h2 a');
      assert.equal(await page.locator('[name="sign_in"]').count(), 2);
      await press(page, '[name="sign_in"] >> nth=0');

      assert.equal(await page.locator('[name="sign_in"]').count(), 1);
      assert.deepEqual([await read(first), await read(second)].sort(), [200, 401]);
    },
    async 'what it can read, first and last use, requests as a chart, network and program'(visit) {
      const { page, username, language } = visit;
      const tokens = await signInWith(app, diary, username);
      for (let request = 1; request <= 3; request += 1) await read(tokens);
      await open(visit, '/settings/apps');
      const t = appsWords[language];

      const card = await page.locator('main .card').first().innerText();
      for (const part of ['profile:read', 'posts:read', t.since, t.lastUse, t.requests('3', 3)]) {
        assert.ok(card.includes(part), part);
      }
      assert.equal(await page.locator(`main .card [aria-label^="${t.requests('3', 3)}"]`).count(), 1);
      await press(page, 'main h2 a');
      assert.match(await page.locator('main table').innerText(), /127\.0\.0\.0\/24/);
      assert.match(await page.locator('main table').innerText(), /node/);
    },
    async 'sorted, searched, and chosen together'(visit) {
      const { page, username, language } = visit;
      await connectThree(username);
      await open(visit, '/settings/apps');
      assert.deepEqual(await names(page), ['Mango', 'apple', 'Zebra']);
      await page.selectOption('#order', 'name');
      await press(page, 'form.find button');
      assert.deepEqual(await names(page), ['apple', 'Mango', 'Zebra']);
      await page.fill('#q', 'MAN');
      await press(page, 'form.find button');
      assert.deepEqual(await names(page), ['Mango']);

      await open(visit, '/settings/apps');
      for (const at of [0, 1]) await page.locator('[name="client"]').nth(at).check();
      await press(page, 'main form[method="post"] .actions button >> nth=0');
      assert.equal(await page.innerText('h1'), appsWords[language].question('2', 2));
      await press(page, 'main form button');
      assert.deepEqual(await names(page), ['Zebra']);
    },
    async 'those unused for 60 days together, and everything after the username was typed'(visit) {
      const { page, username, language } = visit;
      await connectThree(username);
      app.clock.advance(60 * DAY);
      await signInWith(app, diary, username);
      await open(visit, '/settings/apps?show=unused');
      assert.deepEqual(await names(page), ['Mango', 'apple', 'Zebra']);
      assert.equal(await page.locator('[name="client"]:checked').count(), 3);

      await press(page, '[name="everything"]');
      await page.fill('#username', 'somebody');
      await press(page, 'main form button');
      assert.match(await page.innerText('main form'), new RegExp(appsWords[language].wrongName(username)));
      await page.fill('#username', username);
      await press(page, 'main form button');

      assert.equal(await page.innerText('main .empty'), appsWords[language].none);
    },
    async 'an address to which applications can lead their users, also before they connect'(visit) {
      const { page, language } = visit;
      await open(visit, appPage());

      assert.match(await page.innerText('main'), new RegExp(appsWords[language].neverAllowed('Diary')));
    },
    async 'fewer scopes and a pause, which hold at the next request'(visit) {
      const { page, username, language } = visit;
      const tokens = await signInWith(app, diary, username);
      const posts = async () => (await callApi(app, '/me/posts', tokens.access_token)).status;
      await open(visit, appPage());

      await page.uncheck('[value="posts:read"]');
      await press(page, `form[action$="/scopes"] button`);
      assert.deepEqual([await read(tokens), await posts()], [200, 403]);
      await press(page, '[value="pause"]');
      assert.match(await page.innerText('main .badge'), new RegExp(appsWords[language].paused));
      assert.equal(await read(tokens), 401);
      await press(page, '[value="resume"]');

      assert.deepEqual([await read(tokens), await posts()], [200, 403]);
    },
    async 'a diary of what it read, to take along and to switch off'(visit) {
      const { page, username, language } = visit;
      const t = diaryWords[language];
      await read(await signInWith(app, diary, username));
      await open(visit, appPage());

      await press(page, 'main a[href^="/settings/diary?application="]');
      assert.match(await page.innerText('main table'), /Diary[\s\S]*127\.0\.0\.0\/24/);
      const [file] = await Promise.all([
        page.waitForEvent('download'),
        page.click('form[action="/settings/diary/export"] button'),
      ]);
      assert.match(file.suggestedFilename(), /\.(csv|json)$/);
      await press(page, 'form[action="/settings/diary"][method="post"] button');

      assert.match(await page.innerText('main'), new RegExp(t.isOff));
    },
    async 'the security log says when each was allowed first, and which browser signed in'(visit) {
      const { page, username } = visit;
      await signInWith(app, diary, username);

      await open(visit, '/settings/security-log');

      const text = await page.innerText('main');
      assert.match(text, /Diary/);
      assert.match(text, /Chrom/);
    },
    async 'a note where access ended because the application stayed deactivated'(visit) {
      const { page, username, language } = visit;
      const { oauth } = app.portico;
      const gone = await notebook(app.portico, { name: 'Gone' });
      await signInWith(app, gone, username);
      await deactivateClient(byServer(oauth.clock), oauth, gone.id);
      app.clock.advance(30 * DAY);
      await withdrawAbandonedGrants(oauth);

      await open(visit, '/settings/apps');

      const text = await page.innerText('main');
      assert.ok(text.includes(appsWords[language].removedByServer), text);
      assert.match(text, /Gone/);
    },
    async 'after its removal the moment, and whom to ask about copied data'(visit) {
      const { page, username, language } = visit;
      const tokens = await signInWith(app, diary, username);
      await open(visit, appPage());

      await press(page, 'main a[href$="/remove"]');
      await press(page, 'main form button');

      const t = appsWords[language];
      const sentence = t.stopped(String.raw`\d\d:\d\d:\d\d`).replace(/\.$/, String.raw`\.`);
      const text = await page.innerText('main .notice');
      assert.match(text, new RegExp(sentence));
      assert.ok(text.includes(t.copied) && text.includes('@olga'), text);
      assert.equal(await read(tokens), 401);
      const renewed = { grant_type: 'refresh_token', refresh_token: tokens.refresh_token };
      assert.equal((await askToken(app, diary, renewed)).status, 400);
    },
  };
}
