// What browsers need to visit a demo: sign-ins, a post with a picture, and the addresses of pages.

import type { Browser } from 'playwright-core';
import type { Demo } from '../demo/demo.ts';
import { MEMBER, OPERATOR, PASSWORD } from '../demo/seeding.ts';
import { drawPicture } from '../test/http/site/picture-form.ts';
import { openChromium } from '../test/support/chromium.ts';
import { untilTrue } from '../test/support/program.ts';
import { findChromium } from '../test/support/services.ts';

export type Visited = Awaited<ReturnType<typeof openVisits>>;

/** Find Chromium, and start it. Throws if there is none. */
export async function openBrowser(): Promise<Browser> {
  const service = await findChromium();
  if ('missing' in service) throw new Error(`${service.missing}: ${service.remedy}`);
  process.env[service.variable] = service.value;
  return openChromium();
}

/** Let alice publish a post with a picture, and find the other pages' addresses. */
export async function openVisits(browser: Browser, demo: Demo) {
  const states = { member: await signIn(MEMBER), operator: await signIn(OPERATOR) };
  const page = await (await browser.newContext({ storageState: states.member })).newPage();
  await page.goto(`${demo.url}/write`);
  await page.fill('#title', 'Rye');
  await page.fill('#body', 'Two days of *patience*, and **flour**.');
  await page.fill('#tags', 'rye');
  await page.setInputFiles('#picture', {
    name: 'loaf.png',
    mimeType: 'image/png',
    buffer: await drawPicture('#8a5a00', 1200, 800),
  });
  await untilTrue(async () => (await page.inputValue('#body')).includes('![]('));
  await page.fill('#body', (await page.inputValue('#body')).replace('![]', '![A loaf]'));
  await page.click('button[value="publish"]');
  await page.waitForURL(/\/rye$/);
  const post = new URL(page.url()).pathname;
  await page.goto(demo.sampleUrl);
  await page.getByRole('link', { name: 'Sign in with the community' }).click();
  await page.waitForURL(/\/oauth\/authorize\?/);
  const { pathname, search } = new URL(page.url());
  await page.context().close();
  return { states, post, tag: '/tags/rye', consent: pathname + search };

  async function signIn(username: string) {
    const context = await browser.newContext();
    const page = await context.newPage();
    await page.goto(`${demo.url}/login`);
    await page.fill('#username', username);
    await page.fill('#password', PASSWORD);
    await page.locator('#password').press('Enter');
    await page.waitForURL(`${demo.url}/`);
    const state = await context.storageState();
    await context.close();
    return state;
  }
}
