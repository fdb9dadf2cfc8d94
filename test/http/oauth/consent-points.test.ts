// The consent page as members see it, in Chromium: on a desk and on a phone, in English and in Chinese.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { DAY, HOUR, MINUTE } from '../../../src/lib/clock.ts';
import { withoutChromium } from '../../support/chromium.ts';
import { LOOKS, press, signIn } from '../../support/looks.ts';
import { PASSWORD, person, publish } from '../../support/people.ts';
import {
  answer,
  app,
  chromium,
  client,
  closeFixture,
  fake,
  grantOf,
  official,
  openConsent,
  openFixture,
  pathOf,
  styleOf,
  type Visit,
  WORDS,
} from './consent-fixture.ts';

before(async () => {
  if (!withoutChromium) await openFixture();
});
after(closeFixture);

let members = 0;

for (const { name, locale, viewport } of LOOKS) {
  describe(`The consent page ${name}`, { skip: withoutChromium }, () => {
    for (const [title, check] of Object.entries(POINTS())) {
      test(title, async (t) => {
        const context = await chromium.newContext({ locale, viewport });
        t.after(() => context.close());
        const page = await context.newPage();
        members += 1;
        const username = `reader${members}`;
        const reader = await person(app.portico, username);
        await publish(app.portico, reader, 'On arches');
        await check({ page, username, words: WORDS[locale] });
      });
    }
  });
}

function POINTS(): Record<string, (visit: Visit) => Promise<void>> {
  return {
    async 'keeps both buttons in sight, and nothing else on it competes with Allow'({ page, username }) {
      await openConsent(page, username, client);
      const { width, height } = page.viewportSize() ?? { width: 0, height: 0 };

      for (const decision of ['allow', 'deny']) {
        const box = await page.locator(`button[value="${decision}"]`).boundingBox();
        assert.ok(box !== null && box.y >= 0 && box.y + box.height <= height, decision);
        assert.ok(box.x >= 0 && box.x + box.width <= width, decision);
      }
      assert.equal(await page.locator('.primary').count(), 1);
      assert.equal(await page.locator('header').innerText(), 'Lantern');
      assert.equal(await page.locator('header a, header button, header input').count(), 0);
      assert.equal(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), true);
    },
    async 'introduces the application: letter, owner, age, members and home page'({ page, username, words }) {
      await openConsent(page, username, client);

      assert.equal(await page.innerText('.client-mark'), 'N');
      assert.match(await page.innerText('.title + p'), words.reputation);
      assert.equal(await page.getAttribute('.title + p a[rel]', 'href'), 'https://notebook.example.com/');
    },
    async 'shows the host in large type, and one in another alphabet in both forms'({ page, username }) {
      await openConsent(page, username, client);
      const size = async (selector: string) => Number.parseFloat(await styleOf(page, selector, 'fontSize'));
      assert.equal(await page.innerText('.host'), 'notebook.example.com');
      assert.ok((await size('.host')) > (await size('.tick strong')));

      await page.goto(pathOf(official));
      assert.equal(await page.innerText('.host'), 'xn--80ak6aa92e.com');
      assert.match(await page.innerText('.host + p'), /аррӏе\.com/);
    },
    async 'lets the member switch the account, and keeps the request'({ page, username }) {
      await openConsent(page, username, client);
      assert.match((await page.getAttribute('.card .avatar', 'src')) ?? '', /^\/avatars\/\d+/);

      await page.click('.card .avatar + span a');
      await signIn(page, 'bob');

      assert.match(await page.innerText('.card .avatar + span'), /bob/);
      assert.equal(new URL(page.url()).searchParams.get('state'), 'af0ifjsldkj');
    },
    async 'says what the application cannot do, and how long it has access'({ page, username, words }) {
      await openConsent(page, username, client);

      assert.equal(await page.locator('.cannot li').first().innerText(), words.cannot);
      assert.doesNotMatch(await page.innerText('main'), /wallet|private messages|钱包|私信/);
      assert.equal(await page.locator('h2:has(~ .field #duration)').count(), 1);
    },
    async 'previews the very answers, and the preview follows the ticks'({ page, username }) {
      await openConsent(page, username, client);
      await page.click('summary');
      const posts = page.locator('pre', { hasText: '"title": "On arches"' });

      assert.match(await page.innerText('pre >> nth=1'), new RegExp(`"username": "${username}"`));
      assert.equal(await posts.isVisible(), true);
      await page.uncheck('[value="posts:read"]');
      assert.equal(await posts.isVisible(), false);
    },
    async 'locks what the application requires, and quotes its reason'({ page, username, words }) {
      await openConsent(page, username, client);
      const item = page.locator('.tick li', { hasText: words.reason });

      assert.equal(await item.locator('input').isDisabled(), true);
      assert.equal(await item.locator('.badge').innerText(), words.required);
      assert.equal(await item.locator('q').innerText(), words.reason);
      await page.uncheck('[value="posts:read"]');
      await answer(page, 'allow');
      assert.deepEqual((await grantOf(username))?.scopes, ['openid', 'profile:read']);
    },
    async 'offers four durations, and names the day on which each ends'({ page, username, words }) {
      await openConsent(page, username, client);

      const options = page.locator('#duration option');
      assert.equal(await page.inputValue('#duration'), 'until_removed');
      assert.equal(await options.count(), 4);
      assert.match(await options.nth(1).innerText(), words.month);
      await page.selectOption('#duration', '1_day');
      await answer(page, 'allow');
      const grant = await grantOf(username);
      assert.deepEqual([grant?.duration, grant?.endsAt], ['1_day', app.clock.now + DAY]);
      // The next time, the same duration is chosen already.
      await page.goto(pathOf(client, { prompt: 'consent' }));
      assert.equal(await page.inputValue('#duration'), '1_day');
    },
    async 'marks only what is new on a later visit, and shows the rest calmer'({ page, username, words }) {
      await openConsent(page, username, client, { scope: 'profile:read', nonce: '' });
      await answer(page, 'allow');

      await page.goto(pathOf(client, { scope: 'profile:read posts:read', nonce: '' }));

      assert.equal(await page.locator('.badge', { hasText: words.isNew }).count(), 1);
      assert.equal(
        await page.locator('li', { hasText: words.isNew }).locator('[value="posts:read"]').count(),
        1,
      );
      const colour = (selector: string) => styleOf(page, selector, 'color');
      assert.notEqual(await colour('.held strong'), await colour('.tick:not(.held *) strong'));
    },
    async 'lets the member untick what the application could read before'({ page, username }) {
      await openConsent(page, username, client);
      await answer(page, 'allow');
      await page.goto(pathOf(client, { prompt: 'consent' }));

      await page.uncheck('.held [value="posts:read"]');
      await answer(page, 'allow');

      assert.deepEqual((await grantOf(username))?.scopes, ['openid', 'profile:read']);
    },
    async 'sends a denial to the application, with its state and the issuer'({ page, username }) {
      await openConsent(page, username, client);

      const { origin, searchParams } = await answer(page, 'deny');
      assert.equal(origin, 'https://notebook.example.com');
      assert.deepEqual(
        ['error', 'state', 'iss'].map((name) => searchParams.get(name)),
        ['access_denied', 'af0ifjsldkj', app.url],
      );
    },
    async 'asks for the password when the sign-in is not recent, and keeps the choice'({ page, username }) {
      await openConsent(page, username, client);
      assert.equal(await page.locator('#password').count(), 0);
      app.clock.advance(11 * MINUTE);
      await page.reload();
      await page.uncheck('[value="posts:read"]');
      await page.fill('#password', 'wrong');

      await press(page, 'button[value="allow"]');

      assert.equal(await page.isChecked('[value="posts:read"]'), false);
      assert.equal(await grantOf(username), undefined);
      await page.fill('#password', PASSWORD);
      assert.ok((await answer(page, 'allow')).searchParams.has('code'));
      assert.deepEqual((await grantOf(username))?.scopes, ['openid', 'profile:read']);
      // A known application asks only when the last proof is older than 12 hours.
      await page.goto(pathOf(client, { prompt: 'consent' }));
      assert.equal(await page.locator('#password').count(), 0);
      app.clock.advance(12 * HOUR);
      await page.reload();
      assert.equal(await page.locator('#password').count(), 1);
      assert.equal((await answer(page, 'deny')).searchParams.get('error'), 'access_denied');
    },
    async 'warns of names and hosts that look like better-known ones'({ page, username, words }) {
      await openConsent(page, username, client);
      assert.equal(await page.locator('.notice').count(), 0);

      await page.goto(pathOf(fake));
      const warning = await page.innerText('.notice');
      for (const pattern of [words.likeName, words.likeHost, words.mixed]) assert.match(warning, pattern);
      await page.goto(pathOf(official));
      assert.match(await page.innerText('.notice'), words.official);
    },
    async 'leads to a form that reports the application to the operators once'({ page, username, words }) {
      await openConsent(page, username, fake);
      await page.click('a[href^="/report/application"]');
      await page.selectOption('#reason', 'imitation');
      await page.fill('#note', `Seen by ${username}.`);

      await press(page, 'main button.primary');

      assert.equal(await page.innerText('h1'), words.reported);
      const open = (
        await app.portico.oauth.reads.openClientReports(undefined, {
          clients: 10,
          reportsOfEach: 10,
          counted: 9,
        })
      ).find(({ clientId }) => clientId === fake.id);
      const own = open?.reports.filter(({ reporterName }) => reporterName === username);
      assert.deepEqual(
        own?.map(({ reason, note }) => [reason, note]),
        [['imitation', `Seen by ${username}.`]],
      );
      await page.click('main a[href^="/oauth/authorize"]');
      assert.equal(await page.locator('button[value="allow"]').count(), 1);
    },
    async 'is where a newcomer arrives who signs up on the way'({ page, username, words }) {
      await page.goto(pathOf(client));
      assert.match(await page.innerText('main'), new RegExp(words.toContinue));

      await page.click('header a[href^="/signup"]');
      assert.match(await page.innerText('main'), new RegExp(words.toContinue));
      await page.fill('#username', `${username}_new`);
      await page.fill('#password', PASSWORD);
      await press(page, 'main button.primary');

      assert.match(await page.innerText('.card .avatar + span'), new RegExp(`${username}_new`));
      assert.equal(await page.locator('#password').count(), 0);
    },
    async 'gives way to an error page that names the application and shares nothing'({
      page,
      username,
      words,
    }) {
      await openConsent(page, username, client);

      await page.goto(pathOf({ ...client, redirectUri: 'https://mallory.example.com/' }));

      const text = await page.innerText('main');
      assert.match(text, new RegExp(words.unregistered));
      assert.match(text, /[0-9A-Za-z]{8}/);
      assert.equal(await page.locator('a[href*="mallory.example"]').count(), 0);
    },
  };
}
