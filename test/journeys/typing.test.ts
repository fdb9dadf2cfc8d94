// What the text field of a post does with pasted addresses, and with Enter in a list, in Chromium.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { type App, openApp } from '../support/app.ts';
import { openChromium, withoutChromium } from '../support/chromium.ts';
import { openAs } from '../support/looks.ts';
import { person } from '../support/people.ts';

const skip = withoutChromium;

let app: App;
let chromium: Browser;
let page: Page;

before(async () => {
  if (skip) return;
  app = await openApp();
  await person(app.portico, 'alice');
  chromium = await openChromium();
  const context = await chromium.newContext({ locale: 'en-GB' });
  await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: app.url });
  page = await context.newPage();
  await openAs({ page, context, username: 'alice', language: 'en' }, app, '/drafts');
});
after(async () => {
  await chromium?.close();
  await app?.close();
});

describe('Writing', { skip }, () => {
  const text = () => page.inputValue('textarea[name=body]');

  async function write(body: string): Promise<void> {
    await page.goto(`${app.url}/write`);
    await page.click('textarea[name=body]');
    await page.keyboard.insertText(body);
  }

  async function paste(clipboard: string): Promise<void> {
    await page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(clipboard)})`);
    await page.keyboard.press('Control+v');
  }

  test('an address pasted over words makes a link of them', async () => {
    await write('see there');
    await page.keyboard.press('Control+Shift+ArrowLeft');
    await paste('https://a.example/b_(c)');
    assert.equal(await text(), 'see [there](<https://a.example/b_(c)>)');
    await page.keyboard.press('Control+z');
    assert.equal(await text(), 'see there');
  });

  test('an address pasted over nothing, over an address, or in code is pasted as it is', async () => {
    for (const [body, result] of [
      ['', 'https://a.example/'],
      ['https://b.example/', 'https://a.example/'],
      ['```\nx', 'https://a.example/'],
    ] as const) {
      await write(body);
      await page.keyboard.press('Control+a');
      if (body.startsWith('```')) await page.evaluate('document.activeElement.selectionStart = 4');
      await paste('https://a.example/');
      assert.equal((await text()).replace(/^```\n/, ''), result, body);
    }
  });

  test('Enter goes on with a list, and ends it behind an entry without words', async () => {
    for (const [body, next] of [
      ['- a', '- a\n- '],
      ['  9. a', '  9. a\n  10. '],
      ['- [x] a', '- [x] a\n- [ ] '],
      ['> a', '> a\n> '],
      ['a', 'a\n'],
      ['```\n- a', '```\n- a\n'],
      ['- a\n- ', '- a\n'],
    ] as const) {
      await write(body);
      await page.keyboard.press('Enter');
      assert.equal(await text(), next, body);
    }
  });

  test('cells of a spreadsheet are pasted as a table, and lines with tabs that are none as they are', async () => {
    await write('Flour:');
    await paste('grain\tgrams\r\nrye|wheat\t300\r\n');
    assert.equal(await text(), 'Flour:\n\n| grain | grams |\n| --- | --- |\n| rye\\|wheat | 300 |\n\n');
    await page.keyboard.press('Control+z');
    assert.equal(await text(), 'Flour:');
    for (const plain of ['a\tb', 'a\tb\nc', 'a\nb']) {
      await write('');
      await paste(plain);
      assert.equal(await text(), plain);
    }
    await write('```\n');
    await paste('a\tb\nc\td');
    assert.equal(await text(), '```\na\tb\nc\td');
  });
});
