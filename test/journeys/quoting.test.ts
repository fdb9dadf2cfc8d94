// Quoting selected words, and the marks of new comments, in Chromium.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { byMember } from '../../src/audit/doer.ts';
import { comment } from '../../src/community/comment.ts';
import { HOUR, MINUTE } from '../../src/lib/clock.ts';
import { type App, openApp } from '../support/app.ts';
import { openChromium, withoutChromium } from '../support/chromium.ts';
import { openAs } from '../support/looks.ts';
import { type Person, person, publish } from '../support/people.ts';

const skip = withoutChromium;

let app: App;
let chromium: Browser;
let page: Page;
let bob: Person;
let alice: Person;
let postId = 0;

async function addComment(author: Person, body: string): Promise<number> {
  const { portico } = app;
  const done = await comment(byMember(author, portico.clock), portico.community, postId, body);
  assert.ok(done !== undefined && 'id' in done);
  return done.id;
}

before(async () => {
  if (skip) return;
  app = await openApp();
  bob = await person(app.portico, 'bob');
  alice = await person(app.portico, 'alice');
  chromium = await openChromium();
  const context = await chromium.newContext({ locale: 'en-GB', viewport: { width: 1280, height: 700 } });
  page = await context.newPage();
  await openAs({ page, context, username: 'alice', language: 'en' }, app, '/drafts');
});
after(async () => {
  await chromium?.close();
  await app?.close();
});

/** Select the text of an element, as a reader does. */
async function select(selector: string): Promise<void> {
  await page.locator(selector).first().scrollIntoViewIfNeeded();
  await page.evaluate(`getSelection().selectAllChildren(document.querySelector('${selector}'))`);
  await page.waitForSelector('button.quote:visible');
}

describe('Quoting', { skip }, () => {
  test('selected words of the post go into the comment, below what is written, as plain words', async () => {
    postId = await publish(app.portico, bob, 'Paste', 'Ask \\@bob about `rye`.');
    await page.goto(`${app.url}/posts/${postId}`);
    await page.fill('#write-comment textarea', 'Yes.');

    await select('.reading .e-content p');
    await page.click('button.quote');

    assert.equal(await page.inputValue('#write-comment textarea'), 'Yes.\n\n> Ask \\@bob about rye.\n\n');
    assert.equal(await page.evaluate('document.activeElement.tagName'), 'TEXTAREA');
    assert.equal(await page.isVisible('button.quote'), false);
  });

  test('selected words of a comment go into a reply to it, once', async () => {
    const id = await addComment(bob, 'One [a] b.\n\nTwo.');
    await page.goto(`${app.url}/posts/${postId}`);

    await select(`#comment-${id} .e-content`);
    await Promise.all([page.waitForURL(`${app.url}/comments/${id}/reply`), page.click('button.quote')]);

    assert.equal(await page.inputValue('form textarea'), '> One \\[a\\] b.\n>\n> Two.\n\n');
    await page.reload();
    assert.equal(await page.inputValue('form textarea'), '');
  });

  test('a link in the comment, whatever its address, is not the way to the reply', async () => {
    const id = await addComment(bob, 'Rye, says [this page](/elsewhere/reply).');
    await page.goto(`${app.url}/posts/${postId}`);

    await select(`#comment-${id} .e-content`);
    await page.click('button.quote');

    await page.waitForURL(`${app.url}/comments/${id}/reply`);
  });

  test('words of two comments, and words elsewhere, are not offered', async () => {
    const [first, second] = [await addComment(bob, 'Three.'), await addComment(bob, 'Four.')];
    await page.goto(`${app.url}/posts/${postId}`);

    for (const [from, to] of [
      [`#comment-${first} .e-content p`, `#comment-${second} .e-content p`],
      ['#comments-title', '#comments-title'],
    ]) {
      await select(`#comment-${first} .e-content`);
      await page.evaluate(`
        getSelection().setBaseAndExtent(document.querySelector('${from}'), 0, document.querySelector('${to}'), 1);
      `);
      await page.waitForSelector('button.quote', { state: 'hidden' });
    }
  });
});

describe('New comments', { skip }, () => {
  test('are marked at the next visit, except the reader’s own, and not before the first', async () => {
    postId = await publish(app.portico, bob, 'Rye', 'A grain.');
    await addComment(bob, 'Old');
    await page.goto(`${app.url}/posts/${postId}`);
    assert.equal(await page.locator('.comment .fresh').count(), 0);
    app.clock.advance(HOUR);
    const fresh = await addComment(bob, 'Fresh');
    await addComment(alice, 'Mine');
    app.clock.advance(MINUTE);

    for (const look of ['first', 'second']) {
      await page.goto(`${app.url}/posts/${postId}`);

      const marked = await page.locator('.comment:has(.fresh)').evaluateAll((all) => all.map(({ id }) => id));
      assert.deepEqual(marked, [`comment-${fresh}`], `${look} look of the same visit`);
      assert.equal(await page.innerText('#comments-title a'), '1 new');
      assert.equal(await page.getAttribute('#comments-title a', 'href'), `#comment-${fresh}`);
    }
    app.clock.advance(HOUR);
    await page.reload();
    assert.equal(await page.locator('.comment .fresh').count(), 0);
  });
});
