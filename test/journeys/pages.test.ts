// Every page in a real browser: accessible, small, without layout shifts, on a phone, dark, in both languages, and the
// same without JavaScript.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { byServer } from '../../src/audit/doer.ts';
import { problemWithAccent } from '../../src/site/accent.ts';
import { removeLogo, setLogo } from '../../src/site/logo.ts';
import { changeSettings } from '../../src/site/site.ts';
import { drawPicture } from '../http/site/picture-form.ts';
import { type App, openApp } from '../support/app.ts';
import { openChromium, withoutChromium } from '../support/chromium.ts';
import { type Examination, examine, MOST_SHIFT } from '../support/examination.ts';
import { type PageVisit, seedEveryPage } from '../support/tour.ts';
import { visitorsOf } from '../support/visitors.ts';

const skip = withoutChromium;
const MOST_BYTES = 100_000;

const LOOKS = {
  'on a desk, light, in English': {
    viewport: { width: 1280, height: 900 },
    colorScheme: 'light',
    locale: 'en-GB',
  },
  'on a phone, dark, in Chinese': {
    viewport: { width: 320, height: 640 },
    colorScheme: 'dark',
    locale: 'zh-CN',
  },
} as const;

let app: App;
let chromium: Browser;
let visits: PageVisit[];

before(async () => {
  if (skip) return;
  app = await openApp();
  visits = await seedEveryPage(app.portico);
  chromium = await openChromium();
});
after(async () => {
  await chromium?.close();
  await app?.close();
});

interface Seen extends Examination {
  bytes: number;
  elsewhere: string[];
  complaints: string[];
}

async function look(page: Page, path: string): Promise<Seen> {
  const complaints: string[] = [];
  const elsewhere: string[] = [];
  let bytes = 0;
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('request', (request) => request.url().startsWith(app.url) || elsewhere.push(request.url()));
  const sizes: Promise<void>[] = [];
  page.on('requestfinished', (request) => {
    sizes.push(
      request.sizes().then((size) => {
        bytes += size.responseBodySize + size.responseHeadersSize;
      }),
    );
  });
  await page.goto(app.url + path, { waitUntil: 'load' });
  await Promise.all(sizes);
  for (const event of ['console', 'pageerror', 'request', 'requestfinished']) page.removeAllListeners(event);
  return { ...(await examine(page)), bytes, elsewhere, complaints };
}

for (const [name, options] of Object.entries(LOOKS)) {
  describe(`Every page, ${name},`, { skip }, () => {
    test('has no barrier, is small, does not shift, and loads nothing from other sites', async () => {
      assert.deepEqual(await faultsOf(visits, options), {});
    });

    test('nor with a logo and an accent that is as pale as it may be', async (t) => {
      const { site, clock } = app.portico;
      t.after(async () => {
        await changeSettings(byServer(clock), site, { accent: '' });
        await removeLogo(byServer(clock), site);
      });
      const problem = problemWithAccent('#f0c040');
      assert.ok(problem?.problem === 'contrast');
      assert.deepEqual(await changeSettings(byServer(clock), site, { accent: problem.nearest }), []);
      assert.equal(await setLogo(byServer(clock), site, await drawPicture()), undefined);

      const some = visits.filter(({ path }) =>
        /^\/(?:|login|operator\/settings|posts\/\d+|oauth\/authorize.*)$/.test(path),
      );
      assert.ok(some.length > 6);
      assert.deepEqual(await faultsOf(some, options), {});
    });
  });
}

async function faultsOf(
  visits: readonly PageVisit[],
  options: BrowserContextOptions,
): Promise<Record<string, unknown>> {
  const { pageFor, close } = visitorsOf(app, chromium, options);
  const faults: Record<string, unknown> = {};
  for (const { who, path } of visits) {
    const page = await pageFor(who);
    const { barriers, bytes, shift, isWiderThanScreen, elsewhere, complaints } = await look(page, path);
    const unexpected = complaints.filter((text) => !/status of 40[034]/.test(text));
    const fault = {
      ...(barriers.length > 0 && { barriers }),
      ...(bytes >= MOST_BYTES && { bytes }),
      ...(shift > MOST_SHIFT && { shift }),
      ...(isWiderThanScreen && { isWiderThanScreen }),
      ...(elsewhere.length > 0 && { elsewhere }),
      ...(unexpected.length > 0 && { complaints: unexpected }),
    };
    if (Object.keys(fault).length > 0) faults[`${who} ${path}`] = fault;
  }
  await close();
  return faults;
}

test('every page has the same text without JavaScript', { skip }, async () => {
  const [plain, scripted] = [
    visitorsOf(app, chromium, { javaScriptEnabled: false }),
    visitorsOf(app, chromium, {}),
  ];
  const read = async (page: Page, path: string) => {
    await page.goto(app.url + path);
    // Copying, sending, formatting and following along need the script, and their parts appear only with it.
    await page.evaluate(`
      const parts = '[data-copy], [data-on], [data-explorer], .toolbar, .to-preview, .preview.unasked';
      document.querySelectorAll(parts).forEach((element) => element.remove());
    `);
    const text = await page.locator('main').innerText();
    // Each error page has its own error id.
    return (
      text
        .replace(/\s+/g, ' ')
        .replace(/error id \w{8}/i, 'error id')
        // The first visit is counted a little later.
        .replace(/\d+ views?/, 'views')
    );
  };
  const different: string[] = [];
  let withScript = 0;
  for (const { who, path } of visits) {
    const page = await plain.pageFor(who);
    const text = await read(page, path);
    const hasScript = (await page.locator('script:not([src^="/keys."])').count()) > 0;
    if (text.length < 20) different.push(`${who} ${path} is empty`);
    // The script of the keys changes nothing on a page.
    if (!hasScript) continue;
    withScript += 1;
    const other = await scripted.pageFor(who);
    if ((await read(other, path)) !== text) different.push(`${who} ${path}`);
  }
  await plain.close();
  await scripted.close();

  assert.deepEqual(different, []);
  assert.ok(withScript > 0);
});
