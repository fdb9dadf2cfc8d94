// Members in Chromium, each signed in in a browser context of their own.

import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { PASSWORD } from './people.ts';
import type { Site } from './relying-party.ts';
import type { Who } from './tour.ts';

export interface Visitors {
  /** The page of this visitor, always the same one: a new one would compile the tests' scripts again. */
  pageFor(who: Who): Promise<Page>;
  close(): Promise<void>;
}

export function visitorsOf(site: Site, chromium: Browser, options: BrowserContextOptions): Visitors {
  const pages = new Map<Who, Page>();
  return {
    async pageFor(who) {
      let page = pages.get(who);
      if (page === undefined) {
        page = await (await chromium.newContext(options)).newPage();
        pages.set(who, page);
        if (who !== 'nobody') await signIn(site, page, who);
      }
      return page;
    },
    async close() {
      for (const page of pages.values()) await page.context().close();
    },
  };
}

async function signIn({ url }: Site, page: Page, username: string): Promise<void> {
  await page.goto(`${url}/login`);
  await page.locator('#username').fill(username);
  await page.locator('#password').fill(PASSWORD);
  await page.locator('main form button').first().click();
  await page.waitForURL(`${url}/`);
}
