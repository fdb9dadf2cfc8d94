// Pages as members see them in Chromium: on a desk and on a phone, in English and in Chinese.

import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { PASSWORD } from './people.ts';

export const LOOKS = [
  { name: 'on a desk, in English', locale: 'en-GB', language: 'en', viewport: { width: 1280, height: 850 } },
  { name: 'on a phone, in Chinese', locale: 'zh-CN', language: 'zh', viewport: { width: 390, height: 844 } },
] as const;

export type Look = (typeof LOOKS)[number];

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
