// Another site leads a member to one of our pages with the first half of a double-click. The second half does nothing.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { type App, openApp } from '../../support/app.ts';
import { openChromium, withoutChromium } from '../../support/chromium.ts';
import type { TestScope } from '../../support/databases.ts';
import { signIn } from '../../support/looks.ts';
import { notebook, type Person, person, publish } from '../../support/people.ts';
import { authorizationRequest } from '../../support/relying-party.ts';

// So that a slow machine is not too late.
const SLOW = 0.01;

let app: App;
let alice: Person;
let chromium: Browser;

before(async () => {
  if (withoutChromium) return;
  app = await openApp();
  alice = await person(app.portico, 'alice');
  chromium = await openChromium();
});
after(async () => {
  await chromium?.close();
  await app?.close();
});

/** A page with one button that matters, and the addresses to which the browser posted. */
interface Visit {
  page: Page;
  address: string;
  button: ReturnType<Page['locator']>;
  posts: string[];
  /** Presses at the place of the button, whatever is there. */
  press(): Promise<void>;
  /** Sets how fast the time of animations passes. */
  setPace(pace: number): Promise<unknown>;
}

async function visit(
  t: TestScope,
  { path, button: selector }: { path: string; button: string },
  options: BrowserContextOptions = {},
): Promise<Visit> {
  const context = await chromium.newContext({ viewport: { width: 1280, height: 1400 }, ...options });
  t.after(() => context.close());
  const page = await context.newPage();
  const address = app.url + path;
  await page.goto(address);
  await signIn(page, 'alice');
  const button = page.locator(selector).last();
  const box = await button.boundingBox();
  assert.ok(box);
  const inspector = await context.newCDPSession(page);
  await inspector.send('Animation.enable');
  const setPace = (playbackRate: number) => inspector.send('Animation.setPlaybackRate', { playbackRate });
  const posts: string[] = [];
  page.on('request', (request) => request.method() === 'POST' && posts.push(request.url()));
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  const press = () => (options.hasTouch ? page.touchscreen.tap(x, y) : page.mouse.click(x, y));
  return { page, address, button, posts, press, setPace };
}

/** The member who reads the page can press the button, and nothing was posted before. */
async function assertFirst({ page, button, posts, setPace }: Visit): Promise<void> {
  assert.deepEqual(posts, []);
  await setPace(1);
  const posted = page.waitForEvent('request', (request) => request.method() === 'POST');
  await button.click({ timeout: 5000 });
  await (await posted).response();
  assert.equal(posts.length, 1);
}

/** Show a page of another origin that leads to ours when the mouse is pressed on it. */
async function showTrap({ page, address }: Visit): Promise<void> {
  await page.route('http://trap.example/', (route) =>
    route.fulfill({
      contentType: 'text/html',
      body: `<body style="height: 100vh" onmousedown="location.replace('${address}')">Double-click here`,
    }),
  );
  await page.goto('http://trap.example/');
}

async function consent() {
  const client = await notebook(app.portico);
  const request = authorizationRequest(client);
  return { path: `/oauth/authorize?${request}`, button: 'button[value="allow"]' };
}

async function question() {
  const id = await publish(app.portico, alice, 'On arches');
  return { path: `/posts/${id}/remove`, button: 'main form button' };
}

describe('The second half of a double-click', { skip: withoutChromium }, () => {
  for (const [title, prepare] of Object.entries({ consent, question })) {
    test(`on a page of another site doesn’t answer a ${title} page`, async (t) => {
      const visited = await visit(t, await prepare());
      const { page, address, button, press, setPace } = visited;
      await showTrap(visited);
      await setPace(SLOW);
      await page.mouse.move(200, 200);
      await Promise.all([page.waitForURL(address), page.mouse.down()]);
      await page.mouse.up();
      await button.waitFor();

      await press();

      await assertFirst(visited);
    });
  }

  test('on a window that was over the consent page doesn’t answer it', async (t) => {
    const visited = await visit(t, await consent());
    const { page, press, setPace } = visited;
    await page.evaluate('Promise.all(document.getAnimations().map(({ finished }) => finished))');
    await setPace(SLOW);
    await page.mouse.move(-10, -10);

    await press();

    await assertFirst(visited);
  });

  test('with a finger doesn’t answer the consent page either', async (t) => {
    const visited = await visit(t, await consent(), { hasTouch: true, isMobile: true });
    await visited.setPace(SLOW);
    await visited.page.reload();

    await visited.press();

    await assertFirst(visited);
  });
});
