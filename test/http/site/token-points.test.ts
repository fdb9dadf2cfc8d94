// API tokens as members see them, in Chromium: on a desk and on a phone, in English and in Chinese.

import assert from 'node:assert/strict';
import { after, before } from 'node:test';
import type { Page } from 'playwright-core';
import { DAY, MINUTE } from '../../../src/lib/clock.ts';
import { readToken } from '../../../src/oauth/token.ts';
import { tellOfTokens } from '../../../src/oauth/token-notices.ts';
import { type App, openApp } from '../../support/app.ts';
import { assertFits, openAs, press, testInLooks, type Visit } from '../../support/looks.ts';
import { PASSWORD } from '../../support/people.ts';

const PATH = '/settings/tokens';
const TOKEN = /svcp_[0-9A-Za-z]{60}/;

const WORDS = {
  en: {
    can: /Can read:[\s\S]*Can’t read: Your email/,
    never: 'Never expires',
    requests: '61 requests in 24 hours',
    kind: 'API token',
    works: 'Works',
    soon: /Your API token “backup”/,
  },
  zh: {
    can: /可以读取：[\s\S]*不能读取： 您的邮箱/,
    never: '永不过期',
    requests: '24 小时内 61 次请求',
    kind: 'API 令牌',
    works: '有效',
    soon: /您的 API 令牌“backup”/,
  },
} as const;

// In memory: texts that only look like tokens stay as they are, and the search of databases would find them.
let app: App;

before(async () => {
  app = await openApp({ DATABASE_URL: 'file::memory:' });
});
after(() => app.close());

testInLooks('API tokens', () => app, POINTS());

function open(visit: Visit, path = PATH): Promise<void> {
  return openAs(visit, app, path);
}

/** Fill in the form and send it. Returns the new token. */
async function create({ page }: Visit, fields: Record<string, string> = {}): Promise<string> {
  await page.fill('#name', 'backup');
  if (!(await page.isChecked('#scope'))) await page.check('#scope');
  for (const [name, value] of Object.entries(fields)) {
    if (name === 'expires') await page.selectOption('#expires', value);
    else await page.fill(`#${name}`, value);
  }
  await press(page, '#new button.primary');
  await assertFits(page);
  return TOKEN.exec(await page.innerText('#new-token'))?.[0] ?? '';
}

async function statusOf(token: string): Promise<number> {
  const headers = { Authorization: `Bearer ${token}` };
  return (await fetch(`${app.url}/api/open/v1/me`, { headers })).status;
}

/** The row of the newest token. */
function row(page: Page): Promise<string> {
  return page.locator('main table tbody tr').first().innerText();
}

async function tokenOf(username: string) {
  const user = await app.portico.identity.reads.findUserByName(username);
  const [token] = await app.portico.oauth.reads.personalTokensOf(user?.id ?? 0);
  assert.ok(token);
  return token;
}

function POINTS(): Record<string, (visit: Visit) => Promise<void>> {
  return {
    async 'are made with a name, a note, what they can and can’t read, an end and allowed addresses'(visit) {
      const { page, language, username } = visit;
      const words = WORDS[language];
      await open(visit);
      assert.match(await page.innerText('#new .tick'), words.can);

      const text = await create(visit, { note: 'on the NAS', expires: '7', addresses: '127.0.0.1' });

      assert.equal(await statusOf(text), 200);
      const { note, addresses, expiresAt } = await tokenOf(username);
      assert.deepEqual([note, addresses, expiresAt], ['on the NAS', ['127.0.0.1'], app.clock.now + 7 * DAY]);
    },
    async 'are made only after a recent proof of identity, and the form is kept meanwhile'(visit) {
      const { page, username } = visit;
      await open(visit);
      app.clock.advance(11 * MINUTE);
      await page.fill('#name', 'kept');
      await page.check('#scope');
      await press(page, '#new button.primary');
      await assertFits(page);
      await page.fill('#proof_password', 'wrong');
      await press(page, 'main form button.primary');
      assert.equal(await page.locator('#new-token').count(), 0);
      await page.fill('#proof_password', PASSWORD);

      await press(page, 'main form button.primary');

      assert.match(await page.innerText('#new-token'), TOKEN);
      assert.equal((await tokenOf(username)).name, 'kept');
    },
    async 'never expire only after a tick, and then wear a badge'(visit) {
      const { page, language } = visit;
      const words = WORDS[language];
      await open(visit);
      await page.fill('#name', 'forever');
      await page.check('#scope');
      await page.selectOption('#expires', 'none');
      await press(page, '#new button.primary');
      assert.equal(await page.locator('#no_expiry:visible').count(), 1);
      assert.equal(await page.inputValue('#name'), 'forever');
      await page.check('#no_expiry');

      await press(page, '#new button.primary');

      assert.ok((await row(page)).includes(words.never));
    },
    async 'are shown once, with a button to copy, a line for .env and a command'(visit) {
      const { page, context } = visit;
      await context.grantPermissions(['clipboard-read', 'clipboard-write']);
      await open(visit);

      const text = await create(visit);
      await page.click('[data-copy="new-token"]');

      assert.equal(await page.evaluate('navigator.clipboard.readText()'), text);
      assert.equal(await page.innerText('#env-line'), `SVC_TOKEN=${text}`);
      assert.match(await page.innerText('#curl-line'), /^curl -H "Authorization: Bearer svcp_/);
      assert.equal(page.url(), app.url + PATH);
      await open(visit);
      assert.doesNotMatch(await page.content(), TOKEN);
    },
    async 'end in a checksum, and only their first and last characters are in the list'(visit) {
      const { page } = visit;
      await open(visit);

      const text = await create(visit);

      assert.ok(readToken(text, 'svc'));
      assert.equal(readToken(`${text.slice(0, -1)}${text.endsWith('0') ? '1' : '0'}`, 'svc'), undefined);
      assert.equal(
        await page.locator('table code').first().innerText(),
        `${text.slice(0, 9)}…${text.slice(-4)}`,
      );
    },
    async 'are listed with what they read, their end and their uses, and those that were too many'(visit) {
      const { page, language } = visit;
      const words = WORDS[language];
      await open(visit);
      const text = await create(visit);
      for (let request = 1; request <= 61; request += 1) await statusOf(text);

      await open(visit);

      const list = await row(page);
      for (const part of ['profile:read', '127.0.0.0/24', '/api/open/v1/me', 'node', words.requests, '429']) {
        assert.ok(list.includes(part), part);
      }
    },
    async 'are regenerated with the same settings, and the old one may work a day longer'(visit) {
      const { page } = visit;
      await open(visit);
      const old = await create(visit, { note: 'on the NAS' });
      await press(page, 'a[href$="/regenerate"]');
      await page.selectOption('#overlap', '24');

      await press(page, 'main form button');

      const fresh = TOKEN.exec(await page.innerText('#new-token'))?.[0] ?? '';
      assert.deepEqual([await statusOf(old), await statusOf(fresh)], [200, 200]);
      assert.match(await row(page), /on the NAS/);
      app.clock.advance(DAY);
      assert.deepEqual([await statusOf(old), await statusOf(fresh)], [401, 200]);
    },
    async 'are edited: another name and fewer scopes hold at once'(visit) {
      const { page, username } = visit;
      await open(visit);
      const text = await create(visit);
      await press(page, 'a[href$="/edit"]');
      await page.fill('#name', 'renamed');
      await page.uncheck('#scope');
      await page.check('[value="posts:read"]');

      await press(page, 'main form button.primary');

      assert.match(await row(page), /renamed/);
      assert.deepEqual((await tokenOf(username)).scopes, ['posts:read']);
      assert.equal(await statusOf(text), 403);
    },
    async 'tell their owner on the site before they end, and say it in each answer'(visit) {
      const { page, language } = visit;
      const words = WORDS[language];
      await open(visit);
      const text = await create(visit, { expires: '7' });
      const headers = { Authorization: `Bearer ${text}` };
      const answer = await fetch(`${app.url}/api/open/v1/me`, { headers });
      assert.ok(answer.headers.get('x-token-expires-at'));
      app.clock.advance(6 * DAY);
      while ((await tellOfTokens(app.portico.oauth)) > 0);

      await open(visit, '/notifications');

      assert.match(await page.innerText('main'), words.soon);
    },
    async 'end after a year without use, and their owner is told before'(visit) {
      const { page, language } = visit;
      await open(visit);
      const text = await create(visit, { expires: 'custom', days: '800' });
      for (const days of [335, 23, 7]) {
        app.clock.advance(days * DAY);
        while ((await tellOfTokens(app.portico.oauth)) > 0);
      }

      await open(visit, '/notifications');

      assert.equal(await statusOf(text), 401);
      const told = page.locator('main', { hasText: WORDS[language].soon });
      assert.equal(await told.count(), 1);
      assert.ok((await page.innerText('main')).split('backup').length > 3);
    },
    async 'have a form that a link fills in'(visit) {
      const { page } = visit;
      await open(visit, `${PATH}/new?name=nightly&scopes=posts:read&expires=30`);

      assert.equal(await page.inputValue('#name'), 'nightly');
      assert.deepEqual(
        [await page.isChecked('#scope'), await page.isChecked('[value="posts:read"]')],
        [false, true],
      );
      assert.equal(await page.inputValue('#expires'), '30');
    },
    async 'can be tested: a box tells the kind, the checksum, the owner, the scopes and the end'(visit) {
      const { page, language } = visit;
      const words = WORDS[language];
      await open(visit);
      const text = await create(visit);
      await page.fill('#test_token', text);

      await press(page, '#test button');

      const facts = await page.innerText('main [role="status"]');
      for (const part of [words.kind, words.works, 'backup', 'profile:read'])
        assert.ok(facts.includes(part), part);
      assert.equal(page.url(), `${app.url}${PATH}/test`);
      assert.doesNotMatch(await page.content(), TOKEN);
    },
    async 'can all be revoked at once'(visit) {
      const { page } = visit;
      await open(visit);
      const text = await create(visit);
      await press(page, 'a[href$="/revoke-all"]');

      await press(page, 'main form button');

      assert.equal(await statusOf(text), 401);
      assert.equal(await page.locator('main table').count(), 0);
    },
  };
}
