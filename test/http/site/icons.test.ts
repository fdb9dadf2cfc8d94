// What browsers and phones install of the site: icons, manifest and search.

import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { SaxesParser } from 'saxes';
import sharp from 'sharp';
import { byServer } from '../../../src/audit/doer.ts';
import { openApp } from '../../support/app.ts';
import { Browser } from '../../support/browser.ts';
import { linkOf } from '../../support/head.ts';
import { member } from '../../support/people.ts';
import { drawPicture, uploadLogo } from './picture-form.ts';

const app = await openApp();
after(() => app.close());
const olivia = await member(app, 'olivia', { isOperator: true });
const visitor = new Browser(app.url);
const { site, clock } = app.portico;

interface Manifest {
  name: string;
  short_name?: string;
  description?: string;
  start_url: string;
  icons: { src: string; sizes: string; purpose?: string }[];
}

async function readManifest(): Promise<Manifest> {
  const answer = await visitor.open('/manifest.webmanifest');
  assert.equal(answer.headers.get('content-type'), 'application/manifest+json');
  return answer.json() as Promise<Manifest>;
}

async function iconAt(path: string): Promise<{ width: number; corner: number[]; answer: Response }> {
  const answer = await visitor.open(path);
  assert.equal(answer.status, 200, path);
  const { data, info } = await sharp(Buffer.from(await answer.arrayBuffer()))
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { width: info.width, corner: [...data.subarray(0, 3)], answer };
}

describe('Icons', () => {
  test('are drawn from the arch in all sizes that the pages and the manifest name, without holes', async () => {
    const page = await visitor.read('/');
    const { icons } = await readManifest();
    const paths = [linkOf(page, 'apple-touch-icon') ?? '', ...icons.map(({ src }) => src)];
    const drawn = [];
    for (const path of paths) drawn.push(await iconAt(path));

    assert.deepEqual(
      drawn.map(({ width }) => width),
      [180, 192, 512, 512],
    );
    assert.deepEqual(
      icons.map(({ sizes, purpose }) => [sizes, purpose]),
      [
        ['192x192', undefined],
        ['512x512', undefined],
        ['512x512', 'maskable'],
      ],
    );
    for (const { corner, answer } of drawn) {
      assert.deepEqual(corner, [0xfb, 0xf8, 0xf3]);
      assert.equal(answer.headers.get('cache-control'), 'public, max-age=31536000, immutable');
    }
  });

  test('have other addresses with another logo or accent, and the old ones are gone', async () => {
    const touchIcon = async () => linkOf(await visitor.read('/'), 'apple-touch-icon') ?? '';
    const first = await touchIcon();
    await uploadLogo(olivia.browser, await drawPicture('#d01010'));
    const second = await touchIcon();
    await site.writes.saveSettings(byServer(clock), { accent: '#2f5d50' });
    const third = await touchIcon();

    assert.equal(new Set([first, second, third]).size, 3);
    assert.deepEqual([(await visitor.open(first)).status, (await visitor.open(second)).status], [404, 404]);
    assert.equal((await iconAt(third)).width, 180);
  });

  test('are found where browsers and phones look without being told', async () => {
    for (const [path, width] of [
      ['/favicon.ico', 32],
      ['/apple-touch-icon.png', 180],
    ] as const) {
      const answer = await visitor.open(path);
      assert.equal(answer.status, 303);
      assert.equal((await iconAt(answer.headers.get('location') ?? '')).width, width);
    }
    const [, version] = /180-([0-9a-f]{12})/.exec(await visitor.read('/')) ?? [];
    for (const size of ['64', 'toString', 'constructor'.slice(0, 8)]) {
      assert.equal((await visitor.open(`/icons/${size}-${version}.png`)).status, 404, size);
    }
  });
});

describe('The manifest and the search say the community’s name and sentence, which are only text:', () => {
  for (const [name, sentence] of [
    ['Agora', 'A place to talk.'],
    ['慢烤社区', '慢慢烤，慢慢写。'],
    ['"}<script>alert(1)</script>', ']]></Description><x onload="y">&amp; \\u003c \\"'],
    ['A very long name that no home screen has room for', '<!-- & -->'],
  ] as const) {
    test(name, async () => {
      await site.writes.saveSettings(byServer(clock), { name, sentence });
      const manifest = await readManifest();
      const page = await visitor.read('/');
      const search = await visitor.open(linkOf(page, 'search') ?? '');
      const texts: Record<string, string> = {};
      const urls: string[] = [];
      let element = '';
      const parser = new SaxesParser();
      parser.on('opentag', (tag) => {
        element = tag.name;
        if (tag.name === 'Url') urls.push(String(tag.attributes.template));
      });
      parser.on('text', (text) => {
        if (text.trim() !== '') texts[element] = text;
      });
      parser.write(await search.text()).close();

      assert.deepEqual([manifest.name, manifest.description, manifest.start_url], [name, sentence, '/']);
      assert.equal(manifest.short_name, [...name].length > 12 ? undefined : name);
      assert.equal(
        search.headers.get('content-type'),
        'application/opensearchdescription+xml; charset=utf-8',
      );
      assert.ok([...(texts.ShortName ?? '')].length <= 16);
      assert.equal(texts.LongName, [...name].length > 48 ? `${name.slice(0, 47).trimEnd()}…` : name);
      assert.equal(texts.Description, sentence);
      assert.equal(urls[0], `${app.url}/search?q={searchTerms}`);
    });
  }
});

test('A page’s policy lets browsers read the manifest', async () => {
  const policy = (await visitor.open('/')).headers.get('content-security-policy') ?? '';

  assert.match(policy, /; manifest-src 'self';/);
});
