// The community's logo and accent colour, which operators set on the page of settings.

import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import sharp from 'sharp';
import { openApp } from '../../support/app.ts';
import { Browser } from '../../support/browser.ts';
import { member } from '../../support/people.ts';
import { drawPicture, SETTINGS, uploadLogo } from './picture-form.ts';

const app = await openApp();
after(() => app.close());

const olivia = await member(app, 'olivia', { isOperator: true });
const alice = await member(app, 'alice');
const visitor = new Browser(app.url);
const ACCENT = `${SETTINGS}/accent`;

const logoOf = (page: string) => /<a class="mark" href="\/"><img[^>]*src="([^"]*)"/.exec(page)?.[1];
const accentOf = (page: string) => /<link rel="stylesheet" href="(\/accent\/[^"]*)">/.exec(page)?.[1];

async function choose(fields: Record<string, string>): Promise<Response> {
  return olivia.browser.submit(await olivia.browser.read(SETTINGS), ACCENT, fields);
}

async function lastChange(): Promise<unknown[]> {
  const [entry] = await app.portico.audit.reads.auditEvents({ limit: 1 });
  return [entry?.actorName, entry?.action, entry?.subject.id, entry?.detail];
}

describe('The logo', () => {
  test('is uploaded by an operator, is on the next page of everyone, and is the icon of the tab', async () => {
    assert.match(await visitor.read('/'), /href="\/icon\.svg"[\s\S]*class="mark" href="\/"><svg/);

    assert.equal((await uploadLogo(olivia.browser, await drawPicture())).status, 303);

    for (const path of ['/', '/login', '/docs', '/nothing-here']) {
      const page = await visitor.read(path);
      const logo = logoOf(page) ?? '';
      assert.match(logo, /^\/logo\/[0-9a-f]{12}\.png$/, path);
      assert.ok(page.includes(`<link rel="icon" href="${logo}" type="image/png">`), path);
      assert.match(page, /<link rel="apple-touch-icon" href="\/icons\/180-[0-9a-f]{12}\.png">/, path);
      assert.doesNotMatch(page, /icon\.svg/);
    }
    const file = await visitor.open(logoOf(await visitor.read('/')) ?? '');
    assert.equal(file.headers.get('content-type'), 'image/png');
    assert.equal(file.headers.get('cache-control'), 'public, max-age=31536000, immutable');
    assert.equal(
      file.headers.get('content-security-policy'),
      "default-src 'none'; frame-ancestors 'none'; sandbox",
    );
    const { format, width, height } = await sharp(Buffer.from(await file.arrayBuffer())).metadata();
    assert.deepEqual([format, width, height], ['png', 192, 192]);
  });

  test('is replaced under another address, and is gone when it is removed; the audit log has each change', async () => {
    const before = logoOf(await visitor.read('/')) ?? '';
    await uploadLogo(olivia.browser, await drawPicture('#d01010', 200, 100));
    const logo = logoOf(await visitor.read('/')) ?? '';
    assert.notEqual(logo, before);
    assert.deepEqual([(await visitor.open(before)).status, (await visitor.open(logo)).status], [404, 200]);
    assert.deepEqual(await lastChange(), [
      'olivia',
      'setting.change',
      'logo',
      { value: logo.slice('/logo/'.length, -'.png'.length) },
    ]);

    await olivia.browser.submit(await olivia.browser.read(SETTINGS), `${SETTINGS}/logo/remove`);

    assert.equal(logoOf(await visitor.read('/')), undefined);
    assert.equal((await visitor.open(logo)).status, 404);
    assert.deepEqual(await lastChange(), ['olivia', 'setting.change', 'logo', { value: '' }]);
  });

  test('must be a picture: other files are refused with what to do, and nothing changes', async () => {
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>');
    const large = Buffer.alloc(5 * 1024 * 1024 + 1);
    for (const [file, words] of [
      [svg, /can’t be read as a picture/],
      [large, /larger than 5 MB/],
      [Buffer.alloc(0), /Choose a file first/],
    ] as const) {
      const answer = await uploadLogo(olivia.browser, file);
      assert.equal(answer.status, 400);
      const page = await answer.text();
      assert.match(page, words);
      assert.match(page, /id="logo-problem"/);
    }
    assert.equal(logoOf(await visitor.read('/')), undefined);
  });

  test('is for operators to change: a member finds no such page', async () => {
    const form = new FormData();
    form.append('logo', new Blob([new Uint8Array(await drawPicture())]), 'logo.png');

    assert.equal((await alice.browser.open(`${SETTINGS}/logo`, { method: 'POST', body: form })).status, 404);
    assert.equal((await alice.browser.post(ACCENT, new URLSearchParams({ accent: '#2f6045' }))).status, 404);
  });
});

describe('The accent colour', () => {
  test('is chosen by an operator, and colours the next page of everyone with a style sheet that browsers keep', async () => {
    assert.equal(accentOf(await visitor.read('/')), undefined);

    assert.equal((await choose({ accent: ' 2F6045' })).headers.get('location'), `${SETTINGS}?saved`);

    const path = accentOf(await visitor.read('/login')) ?? '';
    const style = await visitor.open(path);
    assert.equal(style.headers.get('content-type'), 'text/css; charset=utf-8');
    assert.equal(style.headers.get('cache-control'), 'public, max-age=31536000, immutable');
    assert.match(await style.text(), /^:root \{\n {2}--accent: light-dark\(#2f6045, #[0-9a-f]{6}\);\n\}\n$/);
    assert.match(
      await olivia.browser.read(SETTINGS),
      /Light pages use #2f6045, and dark pages #[0-9a-f]{6}\./,
    );
    assert.deepEqual(await lastChange(), ['olivia', 'setting.change', 'accent', { value: '#2f6045' }]);
  });

  test('is chosen with one press of a preset’s button, and the standard colour needs no other style sheet', async () => {
    const before = accentOf(await visitor.read('/')) ?? '';
    const page = await olivia.browser.read(SETTINGS);
    const presets = [...page.matchAll(/name="preset" value="([^"]*)"/g)].map(([, colour]) => colour ?? '');
    assert.ok(presets.length > 5);
    for (const preset of presets) assert.equal((await choose({ preset })).status, 303, preset);
    assert.equal((await visitor.open(before)).status, 404);

    await choose({ preset: '' });

    assert.equal(accentOf(await visitor.read('/')), undefined);
  });

  test('that can’t be read is refused with its contrast, the one that is needed, and a button for the nearest shade', async () => {
    const answer = await choose({ accent: '#E8A070' });

    const page = await answer.text();
    assert.equal(answer.status, 400);
    assert.match(
      page,
      /its contrast is 1\.89:1, and 4\.5:1 is needed\. The nearest shade with enough contrast is (#\w{6})/,
    );
    assert.match(page, /name="accent" value="#E8A070"/);
    const nearest = /name="preset" value="(#\w{6})"/.exec(page)?.[1] ?? '';
    assert.ok(page.includes(`contrast is ${nearest}.`));
    assert.equal((await choose({ preset: nearest })).status, 303);
    const wrong = await choose({ accent: '<green>' });
    assert.equal(wrong.status, 400);
    assert.match(await wrong.text(), /“&lt;green&gt;” is not a colour of this form/);
  });

  test('and the logo are shown to visitors who have to sign in before they can read', async () => {
    await uploadLogo(olivia.browser, await drawPicture());
    await olivia.browser.submit(await olivia.browser.read(SETTINGS), SETTINGS, { reading: 'members' });

    const page = await visitor.read('/login');

    for (const path of [logoOf(page), accentOf(page)]) {
      const answer = await visitor.open(path ?? '/none');
      assert.equal(answer.status, 200);
      assert.match(answer.headers.get('cache-control') ?? '', /^public/);
    }
  });
});
