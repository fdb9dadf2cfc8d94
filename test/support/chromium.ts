// A real browser, where there is one: TEST_CHROMIUM names it.

import { type Browser, chromium } from 'playwright-core';

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

/** For a test's `skip`: false where there is a browser, else why it is skipped. */
export const withoutChromium = process.env.TEST_CHROMIUM ? false : 'no Chromium';

/** Opens a browser with a fresh profile. */
export function openChromium(): Promise<Browser> {
  return chromium.launch({ executablePath: process.env.TEST_CHROMIUM ?? '', args: FLAGS });
}
