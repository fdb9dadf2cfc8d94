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
import { type Examination, examine, MOST_SHIFT, RULES_OF_LOOKS } from '../support/examination.ts';
import { type PageVisit, seedEveryPage } from '../support/tour.ts';
import { visitorsOf } from '../support/visitors.ts';

const skip = withoutChromium;
// On a first visit, without pictures and without headers.
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

async function look(page: Page, path: string, isFirst: boolean): Promise<Seen> {
  const complaints: string[] = [];
  const elsewhere: string[] = [];
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('request', (request) => request.url().startsWith(app.url) || elsewhere.push(request.url()));
  const bytes = await weigh(page, path);
  for (const event of ['console', 'pageerror', 'request']) page.removeAllListeners(event);
  return { ...(await examine(page, isFirst ? undefined : RULES_OF_LOOKS)), bytes, elsewhere, complaints };
}

/** Load the page as on a first visit, and return its bytes. From a cache, fonts that it doesn't need would come too. */
async function weigh(page: Page, path: string): Promise<number> {
  const session = await page.context().newCDPSession(page);
  await session.send('Network.enable');
  await session.send('Network.setCacheDisabled', { cacheDisabled: true });
  await page.goto(app.url + path, { waitUntil: 'load' });
  // Before axe-core, which measures texts in fonts that the page doesn't use.
  const bytes = await page.evaluate<number>(WEIGHT);
  await session.detach();
  return bytes;
}

// Runs in the page.
const WEIGHT = `document.fonts.ready.then(() =>
  [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]
    .filter(({ initiatorType }) => initiatorType !== 'img')
    .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0))`;

for (const [name, options] of Object.entries(LOOKS)) {
  describe(`Every page, ${name},`, { skip }, () => {
    // The rest of a page is the same in both looks.
    const isFirst = options === LOOKS['on a desk, light, in English'];
    const text = isFirst ? ', has the same text without JavaScript' : '';
    test(`has no barrier, is small, does not shift${text}, and loads nothing from other sites`, async () => {
      assert.deepEqual(await faultsOf(visits, options, isFirst), {});
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

/** Visit the pages. In the first look, all rules count, and the texts are compared with those without JavaScript. */
async function faultsOf(
  visits: readonly PageVisit[],
  options: BrowserContextOptions,
  isFirst = false,
): Promise<Record<string, unknown>> {
  const visitors = visitorsOf(app, chromium, options);
  const withoutScripts = visitorsOf(app, chromium, { ...options, javaScriptEnabled: false });
  const faults: Record<string, unknown> = {};
  let compared = 0;
  for (const { who, path } of visits) {
    const page = await visitors.pageFor(who);
    const fault = faultOf(await look(page, path, isFirst));
    if (isFirst) {
      const texts = [await textOf(page)];
      // The script of the keys changes nothing on a page.
      if ((await page.locator('script:not([src^="/keys."])').count()) > 0) {
        compared += 1;
        const plain = await withoutScripts.pageFor(who);
        await plain.goto(app.url + path);
        texts.push(await textOf(plain));
      }
      if (new Set(texts).size > 1 || texts.some(({ length }) => length < 20)) Object.assign(fault, { texts });
    }
    if (Object.keys(fault).length > 0) faults[`${who} ${path}`] = fault;
  }
  await visitors.close();
  await withoutScripts.close();
  assert.ok(!isFirst || compared > 0);
  return faults;
}

function faultOf({ barriers, bytes, shift, isWiderThanScreen, ...seen }: Seen): object {
  const complaints = seen.complaints.filter((text) => !/status of 40[034]/.test(text));
  return {
    ...(barriers.length > 0 && { barriers }),
    ...(bytes >= MOST_BYTES && { bytes }),
    ...(shift > MOST_SHIFT && { shift }),
    ...(isWiderThanScreen && { isWiderThanScreen }),
    ...(seen.elsewhere.length > 0 && { elsewhere: seen.elsewhere }),
    ...(complaints.length > 0 && { complaints }),
  };
}

async function textOf(page: Page): Promise<string> {
  // Copying, sending, formatting and following along need the script, and their parts appear only with it.
  await page.evaluate(`
    const parts = '[data-copy], [data-on], [data-explorer], .toolbar, .to-preview, .preview';
    document.querySelectorAll(parts).forEach((element) => element.remove());
  `);
  const text = await page.locator('main').innerText();
  // Each error page has its own error id, and the first visit is counted a little later.
  return text
    .replace(/\s+/g, ' ')
    .replace(/error id \w{8}/i, 'error id')
    .replace(/\d+ views?/, 'views');
}
