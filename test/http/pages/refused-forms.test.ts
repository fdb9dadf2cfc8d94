// Forms that are refused: who sees the text again, and how long a field may be.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { DAY } from '../../../src/lib/clock.ts';
import { openApp } from '../../support/app.ts';
import { Browser } from '../../support/browser.ts';
import { browserOf, person } from '../../support/people.ts';

const app = await openApp();
const { portico } = app;
after(() => app.close());
await person(portico, 'alice');

const QUOTES = '"'.repeat(100_000);
const write = (browser: Browser, body: string) => browser.post('/write', new URLSearchParams({ body }));

test('A refused form shows a stranger no long text, and says how to keep it', async () => {
  const stranger = new Browser(app.url);
  stranger.setCookie('portico_session', 'a'.repeat(54));

  const page = await (await write(stranger, QUOTES)).text();

  assert.ok(page.length < 10_000, `${page.length} characters`);
  assert.match(page, /Go back and copy your text\./);
  assert.ok((await (await write(stranger, '"'.repeat(10_000))).text()).includes('&quot;'.repeat(10_000)));
});

test('It shows a member the text again, up to the length of a post', async () => {
  const browser = await browserOf(app, 'alice');

  const [shown, long] = [await write(browser, QUOTES), await write(browser, `${QUOTES}.`)];

  assert.ok((await shown.text()).includes('&quot;'.repeat(100_000)));
  const page = await long.text();
  assert.ok(page.length < 10_000, `${page.length} characters`);
  assert.match(page, /Go back and copy your text\./);
});

test('It shows the text to a member whose session has expired since', async () => {
  const browser = await browserOf(app, 'alice');
  app.clock.advance(15 * DAY);

  const page = await (await write(browser, `${'Words. '.repeat(2_000)}A long evening’s work`)).text();

  assert.match(page, /Your text, to copy[\s\S]*A long evening’s work/);
});

test('A post can have 130,000 characters, an end of a line is one, and other fields 16,384', async () => {
  const browser = await browserOf(app, 'alice');
  const statuses = [];
  for (const [name, text] of [
    ['category', 'x'.repeat(16_384)],
    ['category', 'x'.repeat(16_385)],
    ['title', 'x'.repeat(16_385)],
    ['text_zh', 'x'.repeat(50_000)],
    ['body', 'x'.repeat(130_000)],
    ['body', 'x'.repeat(130_001)],
    ['body', '\r\n'.repeat(130_000)],
    ['body', '\r\n'.repeat(130_001)],
  ] as const) {
    const body = new URLSearchParams({ [name]: text });
    statuses.push((await browser.post('/write', body)).status);
  }

  assert.deepEqual(statuses, [403, 413, 413, 403, 403, 413, 403, 413]);
});

test('A form can have ten pairs with malformed escapes', async () => {
  const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
  const send = async (body: string) =>
    (await fetch(`${app.url}/login`, { method: 'POST', headers, body })).status;

  const statuses = ['%ff=%ff&'.repeat(10), '%ff=%ff&'.repeat(11), `a=${'%ff'.repeat(5000)}`].map(send);

  assert.deepEqual(await Promise.all(statuses), [403, 400, 403]);
});

test('A field can have 100 NULs, with or without a file beside it', async () => {
  const browser = await browserOf(app, 'alice');
  const send = async (body: string) => {
    const form = new FormData();
    form.set('body', body);
    const answers = [
      await write(browser, body),
      await browser.open('/write/picture', { method: 'POST', body: form }),
    ];
    return answers.map(({ status }) => status);
  };

  assert.deepEqual(await send('\0'.repeat(100)), [403, 403]);
  assert.deepEqual(await send('\0'.repeat(101)), [400, 400]);
});
