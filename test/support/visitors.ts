// Members in Chromium, each signed in in a browser context of their own.

import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { PASSWORD } from './people.ts';
import type { Site } from './relying-party.ts';
import type { Who } from './tour.ts';

export interface Visitors {
  /** Open a new page for this visitor. */
  pageFor(who: Who): Promise<Page>;
  close(): Promise<void>;
}

export function visitorsOf(site: Site, chromium: Browser, options: BrowserContextOptions): Visitors {
  const contexts = new Map<Who, BrowserContext>();
  return {
    async pageFor(who) {
      let context = contexts.get(who);
      if (context === undefined) {
        context = await chromium.newContext(options);
        contexts.set(who, context);
        if (who !== 'nobody') await signIn(site, await context.newPage(), who);
      }
      return context.newPage();
    },
    async close() {
      for (const context of contexts.values()) await context.close();
    },
  };
}

async function signIn({ url }: Site, page: Page, username: string): Promise<void> {
  await page.goto(`${url}/login`);
  await page.locator('#username').fill(username);
  await page.locator('#password').fill(PASSWORD);
  await page.locator('main form button').first().click();
  await page.waitForURL(`${url}/`);
  await page.close();
}
