// A real browser, if TEST_CHROMIUM names one.

import { type Browser, chromium, type Page } from 'playwright-core';
import { PASSWORD } from './people.ts';

const FLAGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** For a test's `skip`: false if there is a browser, otherwise the reason to skip it. */
export const withoutChromium = process.env.TEST_CHROMIUM ? false : 'no Chromium';

/** Open a browser with a fresh profile. */
export function openChromium(): Promise<Browser> {
  return chromium.launch({ executablePath: process.env.TEST_CHROMIUM ?? '', args: FLAGS });
}

/** Sign a member in on a sample page, and allow what it asks for. */
export async function signInWithCommunity(page: Page, username: string): Promise<void> {
  await page.getByRole('button', { name: 'Sign in with the community' }).click();
  await page.getByLabel('Username').fill(username);
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('button', { name: 'Allow' }).click();
}
