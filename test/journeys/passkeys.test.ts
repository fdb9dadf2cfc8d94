// Two-step verification and passkeys in Chromium, with its virtual authenticator: in both languages, on a desktop and
// on a phone. SCREENSHOTS names a folder for a picture of each step.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { type Browser, devices, type Page } from 'playwright-core';
import { openApp } from '../support/app.ts';
import { openChromium, withoutChromium } from '../support/chromium.ts';
import { codeAt, STEP } from '../support/codes.ts';
import { PASSWORD, person } from '../support/people.ts';
import { freePort } from '../support/services.ts';

// Browsers accept no passkeys for an IP address.
const port = String(await freePort());
const app = await openApp({ HOST: 'localhost', PORT: port, BASE_URL: `http://localhost:${port}` });
after(() => app.close());
let chromium: Browser | undefined;
after(() => chromium?.close());

const SCREENS = { desktop: { viewport: { width: 1280, height: 900 } }, phone: devices['iPhone 13'] };
const WORDS = {
  'en-GB': { name: 'nina', passkey: 'Use a passkey', codes: 'Recovery codes', known: /has a passkey/ },
  'zh-CN': { name: 'ming', passkey: '使用通行密钥', codes: '恢复代码', known: /已有您账号的通行密钥/ },
};

for (const [locale, words] of Object.entries(WORDS)) {
  for (const [screen, options] of Object.entries(SCREENS)) {
    test(`A member sets up two steps and a passkey, ${locale}, ${screen}`, {
      skip: withoutChromium,
    }, async () => {
      chromium ??= await openChromium();
      const username = `${words.name}_${screen}`;
      await person(app.portico, username);
      const context = await chromium.newContext({
        ...options,
        defaultBrowserType: undefined,
        locale,
      } as object);
      const page = await context.newPage();
      const complaints: string[] = [];
      page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
      page.on('pageerror', (error) => complaints.push(error.message));
      const device = await addDevice(page);
      const show = picturesOf(page, `${locale}-${screen}`);

      await signIn(page, username);
      await page.goto(`${app.url}/settings/security`);
      await show('off');

      // The authenticator app.
      await press(page, 'form[action$="/app/start"] button');
      const secret = (await page.locator('pre.once').innerText()).replaceAll(' ', '');
      await show('app');
      await page.fill('[name=code]', codeAt(secret, app.clock.now));
      await press(page, 'form[action$="/app"] button.primary');
      assert.equal(await page.locator('h1').innerText(), words.codes);
      const codes = (await page.locator('pre.once').innerText()).split('\n');
      assert.equal(codes.length, 10);
      await show('codes');
      app.clock.advance(STEP);

      // A passkey. The same device can't be added twice.
      await page.goto(`${app.url}/settings/security/passkeys`);
      await show('new-passkey');
      await press(page, 'button[data-passkey=create]');
      assert.equal(new URL(page.url()).search, '?done=passkey');
      assert.equal((await device.credentials()).length, 1);
      await page.goto(`${app.url}/settings/security/passkeys`);
      await page.click('button[data-passkey=create]');
      await page.getByText(words.known).waitFor();
      await page.goto(`${app.url}/settings/security`);
      await show('on');

      // Signing in with the password needs the code, or the passkey.
      await signOut(page);
      await device.pause();
      await signIn(page, username);
      assert.equal(new URL(page.url()).pathname, '/login/verify');
      await show('second-step');
      await page.fill('[name=code]', codeAt(secret, app.clock.now));
      await press(page, 'button.primary');
      app.clock.advance(STEP);
      assert.equal(new URL(page.url()).pathname, '/');

      // Signing in with the passkey that the browser suggests in the field for the username.
      await signOut(page);
      await page.goto(`${app.url}/login?return_to=/drafts`);
      await show('sign-in');
      await device.resume();
      // The device answers at once, so the browser can be led on before this page counts as open.
      const opening = page
        .goto(`${app.url}/login?return_to=/drafts`, { waitUntil: 'commit' })
        .catch(() => {});
      // The first navigation can be aborted by the second one while it is waited for.
      await page.waitForURL(isDrafts).catch(() => page.waitForURL(isDrafts));
      await opening;

      // Signing in with the button, in a browser without suggestions.
      await signOut(page);
      await page.addInitScript('PublicKeyCredential.isConditionalMediationAvailable = undefined');
      await page.goto(`${app.url}/login?return_to=/drafts`);
      await Promise.all([page.waitForURL(isDrafts), page.click('button[data-passkey=get]')]);

      // An important change after ten minutes asks for a proof; the passkey is one, and the act goes on.
      await page.goto(`${app.url}/settings/tokens`);
      await page.fill('#new [name=name]', 'backup script');
      await page.check('#new [name=scope] >> nth=0');
      app.clock.advance(11 * 60 * 1000);
      await press(page, '#new button.primary');
      await show('proof');
      await press(page, `text=${words.passkey}`);
      assert.match(await page.locator('pre.once').first().innerText(), /^svcp_/);

      // The counter of a copied device is refused.
      const [credential] = await device.credentials();
      const { id } = (await app.portico.identity.reads.findUserByName(username)) ?? { id: 0 };
      const [stored] = await app.portico.identity.reads.passkeysOf(id);
      assert.equal(stored?.counter, credential?.signCount);
      assert.deepEqual(complaints, []);
      await context.close();
    });
  }
}

const isDrafts = ({ pathname }: URL) => pathname === '/drafts';

async function signIn(page: Page, username: string): Promise<void> {
  await page.goto(`${app.url}/login`);
  await page.fill('[name=username]', username);
  await page.fill('[name=password]', PASSWORD);
  await press(page, 'form[action="/login"] button.primary');
}

async function signOut(page: Page): Promise<void> {
  await page.goto(`${app.url}/settings/security`);
  await press(page, 'main form[action="/logout"] button');
}

async function press(page: Page, selector: string): Promise<void> {
  await Promise.all([page.waitForNavigation(), page.click(selector)]);
}

/** Give the page a device with a fingerprint reader, whose owner touches it at once. */
async function addDevice(page: Page) {
  const session = await page.context().newCDPSession(page);
  await session.send('WebAuthn.enable');
  const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  const simulate = (enabled: boolean) =>
    session.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled });
  return {
    credentials: async () => (await session.send('WebAuthn.getCredentials', { authenticatorId })).credentials,
    pause: () => simulate(false),
    resume: () => simulate(true),
  };
}

function picturesOf(page: Page, name: string): (step: string) => Promise<void> {
  let step = 0;
  return async (title) => {
    step += 1;
    const folder = process.env.SCREENSHOTS;
    if (folder === undefined) return;
    await page.screenshot({ path: join(folder, `${name}-${step}-${title}.png`), fullPage: true });
  };
}
