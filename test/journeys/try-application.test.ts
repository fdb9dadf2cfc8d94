// Trying the sign-in of one's own application in Chromium, from registering it to the verified id_token.

import assert from 'node:assert/strict';
import { after, before } from 'node:test';
import { type App, openApp } from '../support/app.ts';
import { withoutChromium } from '../support/chromium.ts';
import { assertFits, openAs, press, testInLooks } from '../support/looks.ts';

let app: App;

before(async () => {
  if (!withoutChromium) app = await openApp();
});
after(() => app?.close());

const WORDS = {
  en: { failed: /not as it should be/, done: /11 requests were sent/, checks: /7 of 7 checks passed/ },
  zh: { failed: /不符合预期/, done: /已发送 11 个请求/, checks: /7 项核对中通过了 7 项/ },
};

testInLooks('A developer', () => app, {
  async 'registers an application, and sees its whole sign-in with nothing else running'(visit) {
    const { page, language } = visit;
    const words = WORDS[language];
    await openAs(visit, app, '/developers/apps/new');
    await page.check('[value="server"]');
    await page.fill('#name', 'Reading list');
    await page.fill('#callback-0', 'https://list.example/callback');
    await press(page, 'form.kinds button.primary');
    const secret = (await page.textContent('#new-secret')) ?? '';

    await press(page, '.facts + p a');
    await assertFits(page);
    await press(page, 'main a.button.primary');
    assert.equal(new URL(page.url()).pathname, '/oauth/authorize');
    await page.click('[value="allow"]');
    await page.waitForURL('**/try/return?code=*');
    await assertFits(page);

    await page.fill('#client_secret', secret);
    assert.equal(await page.getAttribute('#client_secret', 'autocomplete'), 'off');
    await press(page, 'form.card button.primary');
    await assertFits(page);
    const text = (await page.textContent('main')) ?? '';
    assert.match(text, words.done);
    assert.match(text, words.checks);
    assert.doesNotMatch(text, words.failed);
    assert.equal(text.includes(secret), false);
    assert.equal(new URL(page.url()).search, '');

    // The button Reload sends the form again.
    page.on('dialog', (dialog) => dialog.accept());
    await page.reload();
    await page.locator('.notice.wrong').waitFor();

    await page.goto(`${app.url}/settings/apps`);
    assert.match((await page.textContent('main')) ?? '', /Reading list/);
  },
});
