// A real browser, if TEST_CHROMIUM names one.

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

/** For a test's `skip`: false if there is a browser, otherwise the reason to skip it. */
export const withoutChromium = process.env.TEST_CHROMIUM ? false : 'no Chromium';

/** Open a browser with a fresh profile. */
export function openChromium(): Promise<Browser> {
  return chromium.launch({ executablePath: process.env.TEST_CHROMIUM ?? '', args: FLAGS });
}
