// Uploaded pictures: which are accepted, and what remains of them.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import sharp from 'sharp';
import { iconOf, redrawn, squareOf } from '../../src/lib/image.ts';

const NOBODY = { userId: undefined };
const RED = '#d01010';
const BLUE = '#1010d0';

function plain(width: number, height: number, background = RED) {
  return sharp({ create: { width, height, channels: 3, background } });
}

async function imageFrom(file: Uint8Array) {
  const result = await squareOf(file, 256, NOBODY);
  assert.ok('image' in result, JSON.stringify(result));
  return result.image;
}

async function colourAt(image: Uint8Array, left: number, top: number): Promise<'red' | 'blue'> {
  const [red = 0, , blue = 0] = await sharp(image)
    .removeAlpha()
    .extract({ left, top, width: 1, height: 1 })
    .raw()
    .toBuffer();
  return red > blue ? 'red' : 'blue';
}

const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="9" height="9"/></svg>';
const others = {
  'a drawing that could carry scripts': Buffer.from(svg),
  'a drawing that says it is a PNG': Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1A\n', 'latin1'),
    Buffer.from(svg),
  ]),
  'a format that is not supported': await plain(9, 9).tiff().toBuffer(),
  'a truncated picture': (await plain(600, 600).jpeg().toBuffer()).subarray(0, 900),
  'some text': Buffer.from('not a picture at all'),
  nothing: Buffer.alloc(0),
};

describe('redrawn', () => {
  const MOST = { width: 400, height: 800 };

  for (const [title, width, height, expected] of [
    ['a wide picture becomes as wide as allowed', 1000, 500, [400, 200]],
    ['a tall picture becomes as tall as allowed', 500, 2000, [200, 800]],
    ['a small picture keeps its size', 30, 20, [30, 20]],
  ] as const) {
    test(`${title}, and its size is told`, async () => {
      const result = await redrawn(await plain(width, height).png().toBuffer(), MOST, NOBODY);

      assert.ok('image' in result, JSON.stringify(result));
      const metadata = await sharp(result.image).metadata();
      assert.deepEqual([result.width, result.height], expected);
      assert.deepEqual([metadata.format, metadata.width, metadata.height], ['webp', ...expected]);
    });
  }

  test('a photograph stands upright, without its place and camera', async () => {
    const file = await plain(300, 200)
      .withExif({ IFD0: { Make: 'Camera of mallory' } })
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer();

    const result = await redrawn(file, MOST, NOBODY);

    assert.ok('image' in result, JSON.stringify(result));
    assert.deepEqual([result.width, result.height], [200, 300]);
    assert.equal((await sharp(result.image).metadata()).exif, undefined);
  });

  test('the largest pictures fit into the memory of the process', async () => {
    const photograph = await plain(8064, 6048).jpeg().toBuffer();
    const screenshot = await plain(3500, 7000).png().toBuffer();

    for (const file of [photograph, screenshot]) {
      const result = await redrawn(file, { width: 1600, height: 3200 }, NOBODY);
      assert.ok('image' in result, JSON.stringify(result));
    }
  });
});

describe('squareOf', () => {
  for (const format of ['jpeg', 'png', 'webp', 'gif', 'avif'] as const) {
    test(`makes a small square WebP of a ${format}`, async () => {
      const image = await imageFrom(await plain(600, 300)[format]().toBuffer());

      const { format: newFormat, width, height } = await sharp(image).metadata();
      assert.deepEqual([newFormat, width, height], ['webp', 256, 256]);
      assert.equal(await colourAt(image, 128, 128), 'red');
    });
  }

  test('removes the place and the camera from a photograph', async () => {
    const exif = {
      IFD0: { Make: 'Camera of mallory' },
      IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '51/1 30/1 3230/100' },
    };
    const file = await plain(400, 400)
      .withExif(exif)
      .withXmp('<x:xmpmeta xmlns:x="adobe:ns:meta/"><secret/></x:xmpmeta>')
      .jpeg()
      .toBuffer();
    assert.ok(file.includes('Camera of mallory'));
    assert.ok((await sharp(file).metadata()).exif !== undefined);

    const image = await imageFrom(file);

    const metadata = await sharp(image).metadata();
    for (const name of ['exif', 'xmp', 'iptc', 'icc'] as const) assert.equal(metadata[name], undefined, name);
    assert.ok(!Buffer.from(image).includes('mallory'));
  });

  test('rotates a photograph as its metadata says', async () => {
    // The left half is blue. Rotated a quarter clockwise, it is the upper half.
    const file = await plain(400, 400)
      .composite([{ input: await plain(200, 400, BLUE).png().toBuffer(), left: 0, top: 0 }])
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer();

    const image = await imageFrom(file);

    assert.deepEqual([await colourAt(image, 128, 20), await colourAt(image, 128, 236)], ['blue', 'red']);
  });

  test('crops to the middle, and keeps only the first frame', async () => {
    const wide = await plain(900, 300)
      .composite([{ input: await plain(300, 300, BLUE).png().toBuffer(), left: 300, top: 0 }])
      .png()
      .toBuffer();
    const frames = [await plain(64, 64, BLUE).png().toBuffer(), await plain(64, 64, RED).png().toBuffer()];
    const moving = await sharp(frames, { join: { animated: true } })
      .gif()
      .toBuffer();
    assert.equal((await sharp(moving).metadata()).pages, 2);

    const [middle, first] = [await imageFrom(wide), await imageFrom(moving)];

    assert.deepEqual([await colourAt(middle, 4, 128), await colourAt(middle, 252, 128)], ['blue', 'blue']);
    assert.equal(await colourAt(first, 128, 128), 'blue');
    assert.equal((await sharp(first).metadata()).pages, undefined);
  });

  test('makes an icon of the whole picture, with transparent margins, and without metadata', async () => {
    const wide = await plain(900, 300, BLUE)
      .withExif({ IFD0: { Make: 'mallory' } })
      .jpeg()
      .toBuffer();

    const icon = await iconOf(wide, 192, NOBODY);

    assert.ok('image' in icon);
    const { format, width, height, exif, hasAlpha } = await sharp(icon.image).metadata();
    assert.deepEqual([format, width, height, exif, hasAlpha], ['png', 192, 192, undefined, true]);
    const alphaAt = async (top: number) =>
      (await sharp(icon.image).extract({ left: 4, top, width: 1, height: 1 }).raw().toBuffer())[3];
    assert.deepEqual([await alphaAt(4), await alphaAt(96), await alphaAt(188)], [0, 255, 0]);
    assert.equal(await colourAt(icon.image, 4, 96), 'blue');
    assert.deepEqual(await iconOf(others['a drawing that says it is a PNG'], 192, NOBODY), {
      problem: 'not_a_picture',
    });
  });

  test('drops data that hides in or after a picture', async () => {
    const script = '<script>alert(document.cookie)</script>';
    const file = Buffer.concat([await plain(300, 300).png().toBuffer(), Buffer.from(script)]);

    const image = await imageFrom(file);

    assert.ok(!Buffer.from(image).includes('script'));
  });

  test('refuses a small file that unfolds into a huge picture, and names the bound for its kind', async () => {
    const png = await plain(8000, 8000).png({ compressionLevel: 9 }).toBuffer();
    const jpeg = await plain(4500, 4500).jpeg({ progressive: true, chromaSubsampling: '4:4:4' }).toBuffer();
    assert.ok(png.byteLength < 1024 * 1024);

    assert.deepEqual(await squareOf(png, 256, NOBODY), {
      problem: 'too_many_pixels',
      mostPixels: 51_000_000,
    });
    assert.deepEqual(await squareOf(jpeg, 256, NOBODY), {
      problem: 'too_many_pixels',
      mostPixels: 17_424_242,
    });
  });

  test('takes photographs of 12 and 48 million pixels', async () => {
    for (const [width, height] of [
      [4032, 3024],
      [8064, 6048],
    ] as const) {
      await imageFrom(await plain(width, height).withMetadata({ orientation: 6 }).jpeg().toBuffer());
    }
  });

  for (const [name, file] of Object.entries(others)) {
    test(`refuses ${name}`, async () => {
      assert.deepEqual(await squareOf(file, 256, NOBODY), { problem: 'not_a_picture' });
    });
  }

  test('draws one at a time and lets a few wait; the others are told to come again', async () => {
    const file = await plain(1500, 1500).jpeg().toBuffer();

    const results = await Promise.all(
      Array.from({ length: 20 }, (_, userId) => squareOf(file, 256, { userId })),
    );

    assert.equal(results.filter(isDrawn).length, 12);
    assert.equal(results.filter(isBusy).length, 8);
    assert.ok(isDrawn(await squareOf(file, 256, NOBODY)));
  });

  test('draws one of a member and lets one wait, so others have room', async () => {
    const file = await plain(1500, 1500).jpeg().toBuffer();

    const ofOne = Array.from({ length: 20 }, () => squareOf(file, 256, { userId: 1 }));
    const ofAnother = await squareOf(file, 256, { userId: 2 });

    assert.ok(isDrawn(ofAnother));
    const results = await Promise.all(ofOne);
    assert.equal(results.filter(isDrawn).length, 2);
    assert.equal(results.filter(isBusy).length, 18);
  });

  test('draws none whose sender has gone, and it takes no place', async () => {
    const file = await plain(1500, 1500).jpeg().toBuffer();
    const connection = new AbortController();

    const first = squareOf(file, 256, { userId: 0 });
    const gone = Array.from({ length: 11 }, (_, number) =>
      squareOf(file, 256, { userId: 1 + number, signal: connection.signal }),
    );
    connection.abort();
    const others = Array.from({ length: 11 }, (_, number) => squareOf(file, 256, { userId: 20 + number }));

    assert.ok((await Promise.all([first, ...others])).every(isDrawn));
    assert.ok((await Promise.all(gone)).every(isBusy));
    assert.ok(isBusy(await squareOf(file, 256, { userId: 0, signal: connection.signal })));
  });
});

function isDrawn(result: Awaited<ReturnType<typeof squareOf>>): boolean {
  return 'image' in result;
}

function isBusy(result: Awaited<ReturnType<typeof squareOf>>): boolean {
  return 'problem' in result && result.problem === 'busy';
}
