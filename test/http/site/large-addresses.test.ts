// Every page with the longest query or cookie, in the repetitions that take the most time to read. None may block the
// process.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { openApp } from '../../support/app.ts';
import { Browser } from '../../support/browser.ts';
import { browserOf, notebook } from '../../support/people.ts';
import { authorizationRequest } from '../../support/relying-party.ts';
import { seedEveryPage, type Who } from '../../support/tour.ts';

const MOST_BYTES = 14_500;
const MOST_PARAMETERS = 50;
// Besides what the same page takes without them.
const MOST_MS = 20;
const REPETITIONS = ['%FF', '%41', 'q=%F0a%F0a', '=', '+'];

const app = await openApp();
after(() => app.close());
const visits = await seedEveryPage(app.portico);

const browsers = new Map<Who, Browser>();
for (const { who } of visits) {
  if (!browsers.has(who))
    browsers.set(who, who === 'nobody' ? new Browser(app.url) : await browserOf(app, who));
}

for (const [what, query] of [
  ...REPETITIONS.map((text) => [text, repeated(text, MOST_BYTES)] as const),
  ...REPETITIONS.map((text) => [`${text} in many parameters`, inParameters(text)] as const),
  ['malformed parameters', `${'a'.repeat(1000)}%FF&`.repeat(10)] as const,
]) {
  test(`a query of ${what} takes no page more than ${MOST_MS} ms of processor time`, async () => {
    const slow: string[] = [];
    for (const { who, path } of visits) {
      const browser = browsers.get(who) as Browser;
      const long = path + (path.includes('?') ? '&' : '?') + query;
      const times = await timesOf(browser, long);
      if (Math.min(...times) > MOST_MS + (await timeOf(browser, path)))
        slow.push(`${path}: ${times.join(', ')} ms`);
    }
    assert.deepEqual(slow, []);
  });
}

for (const name of ['portico_colours', 'portico_flash', 'portico_keys', 'portico_view', 'language']) {
  test(`the cookie ${name} with malformed escapes takes no page more than ${MOST_MS} ms of processor time`, async () => {
    const slow: string[] = [];
    for (const { who, path } of visits) {
      const browser = browsers.get(who) as Browser;
      const usual = await timeOf(browser, path);
      browser.setCookie(name, repeated('%FFa', MOST_BYTES));
      const times = await timesOf(browser, path);
      browser.setCookie(name, '');
      if (Math.min(...times) > MOST_MS + usual) slow.push(`${path}: ${times.join(', ')} ms`);
    }
    assert.deepEqual(slow, []);
  });
}

test('an address with more than 50 parameters is refused at once', async () => {
  assert.equal(await statusOf(`/?${'a&'.repeat(MOST_PARAMETERS - 1)}`), 200);
  assert.equal(await statusOf(`/?${'a&'.repeat(MOST_PARAMETERS)}`), 400);
  assert.equal(await statusOf(`/?${'&'.repeat(MOST_PARAMETERS)}`), 400);
});

test('so is one with more than ten malformed parameters', async () => {
  const malformed = `${'a'.repeat(20)}%FF&`;

  assert.equal(await statusOf(`/?${malformed.repeat(10)}`), 200);
  assert.equal(await statusOf(`/?${malformed.repeat(11)}`), 400);
});

for (const [path, otherwise] of [
  ['/u/', 404],
  ['/docs/', 404],
  ['/?a=', 200],
  ['/api/open/v1/me?a=', 401],
] as const) {
  test(`${path} with many escapes, one of which is malformed, is refused at once`, async () => {
    assert.equal(await statusOf(`${path}${'%20'.repeat(100)}%FF`), 400);
    assert.equal(await statusOf(`${path}${'%20'.repeat(99)}%FF`), otherwise);
    assert.equal(await statusOf(`${path}${'%20'.repeat(3000)}`), otherwise);
  });
}

// nginx takes a node whose header is longer than its buffer for broken.
for (const path of [
  '/write?a=',
  '/about/?a=',
  '/renamed?return_to=/',
  `/oauth/authorize?${await requestWithState()}`,
]) {
  test(`${path.slice(0, 20)} redirects to no address that is too long`, async () => {
    const browser = await browserOf(app, 'alice');
    const stranger = new Browser(app.url);
    for (const visitor of [browser, stranger]) {
      const short = await visitor.open(`${path}${'%22'.repeat(100)}`);
      const long = await visitor.open(`${path}${'"'.repeat(4000)}`);

      if (short.headers.get('Location') === null) continue;
      assert.deepEqual([long.status, long.headers.get('Location')], [414, null]);
      assert.match(await long.text(), /This address is too long/);
    }
    assert.notEqual((await stranger.open(`${path}a`)).headers.get('Location'), null);
  });
}

async function requestWithState(): Promise<string> {
  const request = authorizationRequest(await notebook(app.portico, { name: 'Stately' }));
  request.delete('state');
  return `${request}&state=`;
}

async function statusOf(path: string): Promise<number> {
  return (await new Browser(app.url).open(path)).status;
}

/** As many parameters as may be, with those of the page itself. */
function inParameters(text: string): string {
  const count = MOST_PARAMETERS - 20;
  return `${repeated(text, MOST_BYTES / count - 1)}&`.repeat(count);
}

function repeated(text: string, length: number): string {
  return text.repeat(Math.floor(length / text.length));
}

// A busy machine, or a collection of garbage, makes one of three slow.
async function timesOf(browser: Browser, path: string): Promise<number[]> {
  return [await timeOf(browser, path), await timeOf(browser, path), await timeOf(browser, path)];
}

async function timeOf(browser: Browser, path: string): Promise<number> {
  const before = process.threadCpuUsage();
  await (await browser.open(path)).text();
  const { user, system } = process.threadCpuUsage(before);
  return Math.round((user + system) / 1000);
}
