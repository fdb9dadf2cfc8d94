// Cards: what is written on them, in which scripts, and that no text is more than text.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import sharp from 'sharp';
import { type Card, drawCard, drawIcon } from '../../src/lib/card.ts';

const MARK =
  '<svg xmlns="http://www.w3.org/2000/svg" width="24" height="24"><rect width="24" height="24" fill="#1010d0"/></svg>';
const PAPER = '#fbf8f3';
const PLAIN: Card = { title: '', mark: MARK, paper: PAPER, accent: '#9a3f1b' };

async function cardOf(more: Partial<Card>): Promise<Uint8Array> {
  const drawing = await drawCard({ ...PLAIN, ...more }, 'test');
  assert.ok('image' in drawing, JSON.stringify(drawing));
  return drawing.image;
}

interface Region {
  left: number;
  top: number;
  width: number;
  height: number;
}

const TITLE = { left: 0, top: 150, width: 1200, height: 320 };
const FOOT = { left: 80, top: 480, width: 600, height: 100 };

async function pixelsOf(more: Partial<Card>, region: Region = TITLE): Promise<Buffer> {
  return sharp(await cardOf(more))
    .extract(region)
    .removeAlpha()
    .raw()
    .toBuffer();
}

const empty = await pixelsOf({});
const emptyFoot = await pixelsOf({}, FOOT);
const isEmpty = (title: Buffer) => title.equals(empty);

describe('The title', () => {
  for (const title of ['Rye', '在冬天里养一罐老面：“耐心”', 'Rye 面包', 'a'.repeat(120), '面'.repeat(120)]) {
    test(`“${title.slice(0, 20)}” is written with the fonts of the site alone`, async () => {
      assert.ok(!isEmpty(await pixelsOf({ title })));
    });
  }

  test('is left out where letters have no form in any font', async () => {
    // A script of which no common font has letters, and a code point without a character.
    for (const title of ['Rye \u{11A5C}', '\u{10EB0} \u{31350}'])
      assert.ok(isEmpty(await pixelsOf({ title })), title);
  });

  test('is written without the signs that have no form', async () => {
    const [plain, more] = [
      await pixelsOf({ title: 'Rye and wheat' }),
      await pixelsOf({ title: 'Rye \u{1FAE8}\u200D\u{1FADF} and \u{1FA89}\uFE0F wheat \u{1CC00}' }),
    ];
    assert.ok(!isEmpty(plain));
    assert.ok(more.equals(plain));
  });

  test('is text, and not markup', async () => {
    for (const title of ['<span size="900000">x</span></span> &lt;', '&#0; \u0001\uFFFE\uD800 & </svg>']) {
      assert.ok(!isEmpty(await pixelsOf({ title })), title);
    }
  });

  test('never leaves its place, however tall or wide its signs are', async () => {
    for (const title of [`Z${'\u0301'.repeat(119)}`, '﷽'.repeat(60), 'W'.repeat(120)]) {
      assert.ok((await pixelsOf({ title }, FOOT)).equals(emptyFoot), title.slice(0, 4));
    }
  });
});

test('Line, author and picture each have their place, below the title', async () => {
  for (const more of [{ author: 'alice' }, { avatar: MARK }]) {
    assert.ok(!(await pixelsOf(more, FOOT)).equals(emptyFoot));
  }
  assert.ok(!isEmpty(await pixelsOf({ line: 'Bakes bread.' })));
});

test('A file that is no picture of ours makes no card', async () => {
  const gif = Buffer.from('R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==', 'base64');

  assert.deepEqual(await drawCard({ ...PLAIN, avatar: gif }, 'test'), { problem: 'too_costly' });
});

test('An icon is a square without holes, and its mark leaves the edge free', async () => {
  for (const [side, share] of [
    [32, 0.9],
    [512, 0.6],
  ] as const) {
    const drawing = await drawIcon({ ...PLAIN, side, share }, 'test');
    assert.ok('image' in drawing);
    const { data, info } = await sharp(drawing.image).raw().toBuffer({ resolveWithObject: true });
    const pixel = (x: number, y: number) => [...data.subarray((y * side + x) * info.channels).subarray(0, 3)];
    assert.deepEqual([info.width, info.height], [side, side]);
    assert.deepEqual(pixel(0, 0), [0xfb, 0xf8, 0xf3]);
    assert.deepEqual(pixel(side / 2, side / 2), [0x10, 0x10, 0xd0]);
  }
});
