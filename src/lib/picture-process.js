// Redraws one picture in a process of its own: decoding a stranger's file can take all memory, or crash.
// Plain JavaScript, because Node without its compiler (lib/drawing-process.ts) can't load TypeScript.

import { setPriority } from 'node:os';
import sharp from 'sharp';

// The limit of the process leaves this much for a decoder.
const MOST_DECODER_BYTES = 115_000_000;
// Photographs taken with phones have up to 50 million pixels.
const MOST_PIXELS = 51_000_000;
// The memory of some decoders grows with the width alone.
const MOST_SIDE = 12_000;
const MOST_SECONDS = 8;
// Each scan goes through all pixels again, and an empty one takes 75 bytes. Ordinary files have about ten.
const MOST_SCANS = 64;
const QUALITY = 82;
const TRANSPARENT = { r: 0, g: 0, b: 0, alpha: 0 };

sharp.cache(false);
sharp.concurrency(1);
// The library reads many more formats, some with scripts, so all other loaders are blocked, whatever a file
// claims to be.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({
  operation: ['Jpeg', 'Png', 'Webp', 'Nsgif', 'Heif'].map((format) => `VipsForeignLoad${format}Buffer`),
});

try {
  setPriority(10);
} catch {
  // Some systems don't allow it. A picture then competes with requests.
}

process.once('message', async ({ file, shape }) => process.send(await draw(file, shape)));
// An ordinary exit would wait for the picture.
process.once('disconnect', () => process.kill(process.pid, 'SIGKILL'));

async function draw(file, { width: mostWidth, height: mostHeight, fit, smaller = [] }) {
  const options = { limitInputPixels: false, failOn: 'error', pages: 1 };
  try {
    const metadata = await sharp(file, options).metadata();
    const mostPixels = mostPixelsOf(metadata);
    const { width, height } = metadata;
    if (Math.max(width, height) > MOST_SIDE || width * height > mostPixels) {
      return { problem: 'too_many_pixels', mostPixels };
    }
    if (metadata.format === 'jpeg' && hasTooManyScans(file)) return { problem: 'too_costly' };
    const resized = sharp(file, options)
      .timeout({ seconds: MOST_SECONDS })
      .autoOrient()
      .resize(mostWidth, mostHeight, { fit, background: TRANSPARENT, withoutEnlargement: fit === 'inside' });
    if (smaller.length > 0) return await withSmaller(resized, smaller);
    const small =
      fit === 'contain' ? resized.png({ compressionLevel: 9 }) : resized.webp({ quality: QUALITY });
    const { data: image, info } = await small.toBuffer({ resolveWithObject: true });
    return { image, width: info.width, height: info.height, smaller: [] };
  } catch (error) {
    // The library's messages are about its own insides and tell the sender nothing.
    return { problem: /memory|alloc|timeout/i.test(error.message) ? 'too_costly' : 'not_a_picture' };
  }
}

// The file is decoded once.
async function withSmaller(resized, widths) {
  const { data, info } = await resized.raw().toBuffer({ resolveWithObject: true });
  const { width, height, channels } = info;
  const webp = (most) =>
    sharp(data, { raw: { width, height, channels } })
      .resize({ width: most })
      .webp({ quality: QUALITY })
      .toBuffer();
  const smaller = [];
  for (const most of widths.filter((most) => most < width)) {
    smaller.push({ width: most, image: await webp(most) });
  }
  return { image: await webp(width), width, height, smaller };
}

// Markers and their lengths, as decoders read them (ITU-T T.81 B.1.1). A decoder passes over those below 0xC0 in the data
// of a scan, without reading a length, and refuses them elsewhere.
function hasTooManyScans(file) {
  let scans = 0;
  let at = file.indexOf(MARKER, 2);
  while (at >= 0 && scans <= MOST_SCANS) {
    const kind = file[at + 1];
    if (kind === END_OF_IMAGE) break;
    if (kind === START_OF_SCAN) scans += 1;
    const length = hasLength(kind) ? 1 + ((file[at + 2] << 8) | file[at + 3]) : 0;
    at = file.indexOf(MARKER, at + 1 + length);
  }
  return scans > MOST_SCANS;
}

const [MARKER, START_OF_SCAN, END_OF_IMAGE] = [0xff, 0xda, 0xd9];

function hasLength(kind) {
  return kind >= 0xc0 && kind !== MARKER && !(kind >= 0xd0 && kind <= 0xd8);
}

function mostPixelsOf(metadata) {
  return Math.min(MOST_PIXELS, Math.floor(MOST_DECODER_BYTES / bytesPerPixel(metadata)));
}

// What each decoder needs for a pixel, measured, with the first conversion of colours.
function bytesPerPixel({ format, channels, depth, isProgressive, chromaSubsampling }) {
  const samples = channels * (depth === 'uchar' ? 1 : 2);
  switch (format) {
    // An ordinary JPEG or PNG is decoded row by row. A progressive one is kept whole until its last byte.
    case 'jpeg':
      if (!isProgressive) return 1;
      return chromaSubsampling === '4:2:0' ? 3.2 : 2.2 * channels;
    case 'png':
      return (isProgressive ? 1.6 : 0.55) * samples;
    case 'webp':
      return 4.6;
    case 'gif':
      return 7;
    default:
      return 28.5;
  }
}
