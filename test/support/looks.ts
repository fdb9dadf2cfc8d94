// Pages as members see them in Chromium: on a desk and on a phone, in English and in Chinese.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import type { App } from './app.ts';
import { openChromium, withoutChromium } from './chromium.ts';
import { PASSWORD, person } from './people.ts';

export const LOOKS = [
  { name: 'on a desk, in English', locale: 'en-GB', language: 'en', viewport: { width: 1280, height: 850 } },
  { name: 'on a phone, in Chinese', locale: 'zh-CN', language: 'zh', viewport: { width: 390, height: 844 } },
] as const;

export type Look = (typeof LOOKS)[number];

/** A member with a browser, who hasn't signed in yet. */
export interface Visit {
  page: Page;
  context: BrowserContext;
  username: string;
  language: Look['language'];
}

/** Make a test of each check in each look, with a member and a browser of its own. `appOf` is called in the tests. */
export function testInLooks(
  subject: string,
  appOf: () => App,
  checks: Record<string, (visit: Visit) => Promise<void>>,
): void {
  let chromium: Browser;
  let members = 0;
  before(async () => {
    if (!withoutChromium) chromium = await openChromium();
  });
  after(() => chromium?.close());
  for (const { name, locale, language, viewport } of LOOKS) {
    describe(`${subject} ${name}`, { skip: withoutChromium }, () => {
      for (const [title, check] of Object.entries(checks)) {
        test(title, async (t) => {
          const context = await chromium.newContext({ locale, viewport });
          t.after(() => context.close());
          members += 1;
          const username = `reader${members}`;
          await person(appOf().portico, username);
          await check({ page: await context.newPage(), context, username, language });
        });
      }
    });
  }
}

/** Open a page of the site, signing in on the way if it asks. */
export async function openAs({ page, username }: Visit, { url, portico }: App, path: string): Promise<void> {
  await portico.mergeDiary();
  await page.goto(url + path);
  if (new URL(page.url()).pathname === '/login') await signIn(page, username);
  await assertFits(page);
}

/** Fill in the form of the sign-in page. */
export async function signIn(page: Page, username: string): Promise<void> {
  await page.fill('#username', username);
  await page.fill('#password', PASSWORD);
  await press(page, 'main form[action="/login"] button');
}

/** Click, and wait for the page to which it leads. */
export async function press(page: Page, selector: string): Promise<void> {
  await Promise.all([page.waitForEvent('domcontentloaded'), page.click(selector)]);
}

/** A page that is wider than the screen hides something on a phone. */
export async function assertFits(page: Page): Promise<void> {
  assert.equal(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), true, page.url());
}
