// Details of pages as people see and use them in Chromium: controls, tables, fonts, and the order of buttons.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { byServer } from '../../src/audit/doer.ts';
import { type App, openApp } from '../support/app.ts';
import { openChromium, withoutChromium } from '../support/chromium.ts';
import { openAs } from '../support/looks.ts';
import { browserOf, notebook, person, publish } from '../support/people.ts';
import { answerConsent, authorizationRequest } from '../support/relying-party.ts';

const skip = withoutChromium;
const DESK = { viewport: { width: 1280, height: 850 } };
const PHONE = { viewport: { width: 390, height: 844 } };
const CHAPTERS = [
  '',
  '/register',
  '/tokens',
  '/api',
  '/openid',
  '/errors',
  '/library',
  '/events',
  '/security',
];

let app: App;
let chromium: Browser;
let applicationPath = '';
let consentPath = '';
let postPath = '';

before(async () => {
  if (skip) return;
  app = await openApp();
  const { portico } = app;
  const alice = await person(portico, 'alice');
  await portico.identity.writes.setRole(byServer(portico.clock), alice.id, 'operator');
  await person(portico, 'bob');
  const client = await notebook(portico);
  await answerConsent(await browserOf(app, 'alice'), authorizationRequest(client));
  applicationPath = `/settings/apps/${client.id}`;
  consentPath = `/oauth/authorize?${authorizationRequest(client)}`;
  postPath = `/posts/${await publish(portico, alice, 'It wasn’t “easy” 并不“容易”', 'Two days, *slowly*.')}`;
  chromium = await openChromium();
});
after(async () => {
  await chromium?.close();
  await app?.close();
});

/** Open a page as alice, or with `path` alone as a visitor. */
async function open(path: string, options: BrowserContextOptions, username?: string): Promise<Page> {
  const context = await chromium.newContext({ locale: 'en-GB', ...options });
  const page = await context.newPage();
  if (username === undefined) await page.goto(app.url + path);
  else await openAs({ page, context, username, language: 'en' }, app, path);
  return page;
}

describe('Controls', { skip }, () => {
  test('are 48 pixels high: buttons, fields and selects', async () => {
    const page = await open('/operator/members', DESK, 'alice');
    for (const path of [
      '/operator/members',
      '/operator/members/1',
      '/search',
      '/write',
      '/settings/diary',
      '/docs',
    ]) {
      await page.goto(app.url + path);
      const heights: number[] = await page.evaluate(HEIGHTS);

      assert.ok(heights.length > 0, path);
      assert.deepEqual([...new Set(heights)], [48], path);
    }
    assert.deepEqual(await page.evaluate(HEADER_HEIGHTS), [44, 44]);
  });

  test('that can do harm come after the others on a phone, and on a desk', async () => {
    for (const options of [PHONE, DESK]) {
      const page = await open(applicationPath, options, 'alice');
      for (const path of [applicationPath, `${postPath}/remove`, '/operator/members/2/close']) {
        await page.goto(app.url + path);
        assert.equal(await page.evaluate(IS_DANGER_LAST), true, path);
      }
      await page.context().close();
    }
  });

  test('Deny and Allow are beside each other on the phone, Allow at the right', async () => {
    const page = await open(consentPath, PHONE, 'bob');
    const [deny, allow] = await Promise.all(
      ['deny', 'allow'].map((decision) => page.locator(`button[value="${decision}"]`).boundingBox()),
    );

    assert.equal(deny?.y, allow?.y);
    assert.ok((deny?.x ?? 0) < (allow?.x ?? 0));
  });
});

const VISIBLE_FIELDS = 'input:not([type="checkbox"], [type="radio"], [type="hidden"], [type="file"]), select';
const HEIGHTS = `[...document.querySelectorAll('main :is(${VISIBLE_FIELDS}, button:not(.link), .button)')]
  .filter((control) => control.getClientRects().length > 0)
  .map((control) => Math.round(control.getBoundingClientRect().height))`;
const HEADER_HEIGHTS = `[...document.querySelectorAll('header .quick-search input, header .button')]
  .map((control) => Math.round(control.getBoundingClientRect().height))`;
const IS_DANGER_LAST = `(() => {
  const danger = document.querySelector('main .actions .danger');
  const { left, top } = danger.getBoundingClientRect();
  return [...danger.closest('.actions').querySelectorAll('button, .button')]
    .filter((button) => button !== danger)
    .every((button) => {
      const other = button.getBoundingClientRect();
      return other.bottom <= top || (other.top === top && other.right <= left);
    });
})()`;

describe('The documentation', { skip }, () => {
  for (const [locale, options] of [
    ['en-GB', DESK],
    ['en-GB', PHONE],
    ['zh-CN', DESK],
  ] as const) {
    test(`breaks no word of a table, ${options.viewport.width} pixels wide, ${locale}`, async () => {
      const page = await open('/docs', { ...options, locale });
      const broken: string[] = [];
      for (const chapter of CHAPTERS) {
        await page.goto(`${app.url}/docs${chapter}`);
        broken.push(...(await page.evaluate<string[]>(BROKEN_WORDS)));
        const width = await page.evaluate('document.documentElement.scrollWidth');
        assert.equal(width, options.viewport.width, chapter);
      }

      assert.deepEqual(broken, []);
    });
  }
});

const BROKEN_WORDS = `[...document.querySelectorAll('main :is(th, td)')].flatMap((cell) => {
  const broken = [];
  const texts = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
  for (let text = texts.nextNode(); text !== null; text = texts.nextNode()) {
    for (const { 0: word, index } of text.data.matchAll(/[A-Za-z]+/g)) {
      const range = document.createRange();
      range.setStart(text, index);
      range.setEnd(text, index + word.length);
      if (new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size > 1) broken.push(word);
    }
  }
  return broken;
})`;

test('A new API token is in a box that is seen in the dark and in the light', { skip }, async () => {
  for (const colorScheme of ['dark', 'light'] as const) {
    const page = await open('/settings/tokens/new', { ...DESK, colorScheme }, 'alice');
    await page.fill('#name', 'backup');
    await page.check('#scope');
    await page.click('#new button');
    await page.waitForSelector('#new-token');

    const contrast: number = await page.evaluate(BORDER_CONTRAST);
    assert.ok(contrast >= 3, `${colorScheme}: ${contrast}`);
  }
});

// Of the border, against the ground of the card.
const BORDER_CONTRAST = `(() => {
  const luminance = (color) => {
    const [r, g, b] = color.match(/[\\d.]+/g).slice(0, 3)
      .map((part) => part / 255)
      .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const box = document.getElementById('new-token');
  const { borderTopColor, borderTopWidth } = getComputedStyle(box);
  const { backgroundColor } = getComputedStyle(box.closest('.card'));
  const [light, dark] = [luminance(borderTopColor), luminance(backgroundColor)].sort((a, b) => b - a);
  return borderTopWidth === '0px' ? 1 : (light + 0.05) / (dark + 0.05);
})()`;

describe('Headings and posts', { skip }, () => {
  test('take letters, apostrophes and quotation marks from the site’s font, and Chinese from a Chinese one', async () => {
    const page = await open(postPath, { ...DESK, locale: 'en-GB' });
    const { own, others } = await glyphsOf(page, 'h1');

    assert.deepEqual([own > 0, others], [true, '并不容易'.length]);
    assert.equal((await glyphsOf(page, '.prose em')).others, 0);
  });

  test('have the wide quotation marks of Chinese on a Chinese page, but no wide apostrophe', async () => {
    const page = await open(postPath, { ...DESK, locale: 'zh-CN' });
    const { own, others } = await glyphsOf(page, 'h1');

    assert.deepEqual([own > 0, others], [true, '“”并不“容易”'.length]);
  });
});

/** How many glyphs of an element come from the site's font, and how many from others. */
async function glyphsOf(page: Page, selector: string): Promise<{ own: number; others: number }> {
  // A page doesn't wait for the font, so the second visit has it for certain.
  await page.reload();
  await page.evaluate('document.fonts.ready');
  const session = await page.context().newCDPSession(page);
  await session.send('DOM.enable');
  await session.send('CSS.enable');
  const { root } = await session.send('DOM.getDocument');
  const { nodeId } = await session.send('DOM.querySelector', {
    nodeId: root.nodeId,
    selector: `main ${selector}`,
  });
  const { fonts } = await session.send('CSS.getPlatformFontsForNode', { nodeId });
  const sum = (isOwn: boolean) =>
    fonts
      .filter(({ familyName }) => (familyName === 'Portico Serif') === isOwn)
      .reduce((total, { glyphCount }) => total + glyphCount, 0);
  return { own: sum(true), others: sum(false) };
}
