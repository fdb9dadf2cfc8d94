// Files that are small to send and expensive to decode, for every format that a member may upload.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { crc32, deflateSync } from 'node:zlib';
import sharp, { type Sharp } from 'sharp';

export interface Bomb {
  name: string;
  file: Buffer;
  /** The required outcome. If it is left out, the picture may be drawn or refused. */
  outcome?: 'drawn' | 'too_many_pixels' | 'too_costly' | 'not_a_picture';
}

const MOST_BYTES = 5 * 1024 * 1024;
const RED = { r: 208, g: 16, b: 16, alpha: 0.5 };

function plain(width: number, height: number, channels: 3 | 4 = 3): Sharp {
  return sharp({ create: { width, height, channels, background: RED }, limitInputPixels: false });
}

function sample(name: string): Buffer {
  return readFileSync(join(import.meta.dirname, '../samples/pictures', name));
}

/** Made one after another, since some take much memory to make. */
export async function bombs(): Promise<Bomb[]> {
  return [
    ...(await large()),
    ...(await lies()),
    ...(await moving()),
    ...(await metadata()),
    ...(await mixtures()),
  ];
}

/** Pictures as large as the bounds allow, and larger ones. */
async function large(): Promise<Bomb[]> {
  const deep = plain(2980, 2980, 4).toColourspace('rgb16');
  return [
    { name: 'AVIF, 40 MP with alpha', file: sample('6300x6300-alpha.avif'), outcome: 'too_many_pixels' },
    {
      name: 'AVIF, 4 MP of 10 bits with alpha',
      file: sample('2007x2007-alpha-10-bit.avif'),
      outcome: 'drawn',
    },
    { name: 'PNG, 64 MP', file: await plain(8000, 8000).png().toBuffer(), outcome: 'too_many_pixels' },
    { name: 'PNG, 50 MP', file: await plain(7000, 7100).png().toBuffer(), outcome: 'drawn' },
    { name: 'PNG, interlaced, 16 bits with alpha', file: await deep.png({ progressive: true }).toBuffer() },
    { name: 'PNG, very wide', file: await plain(100_000, 100).png().toBuffer(), outcome: 'too_many_pixels' },
    { name: 'WebP, 36 MP', file: await plain(6000, 6000).webp({ effort: 0 }).toBuffer() },
    { name: 'WebP, lossless, 24 MP', file: await plain(4900, 5000, 4).webp({ lossless: true }).toBuffer() },
    { name: 'GIF, 16 MP', file: await plain(4000, 4000).gif({ effort: 1 }).toBuffer(), outcome: 'drawn' },
    { name: 'JPEG, 48 MP', file: await plain(8064, 6048).jpeg().toBuffer(), outcome: 'drawn' },
    { name: 'JPEG, progressive, 17 MP', file: await progressive(4150).toBuffer(), outcome: 'drawn' },
    {
      name: 'JPEG, progressive, 49 MP',
      file: await progressive(7000).toBuffer(),
      outcome: 'too_many_pixels',
    },
    { name: 'JPEG, with thousands of scans', file: withScans(await progressive(2500).toBuffer()) },
    { name: 'JPEG, 51 MP, with 800 empty scans', file: emptyScans(800), outcome: 'too_costly' },
    { name: 'JPEG, 51 MP, with scans that a marker hides', file: hiddenScans(600), outcome: 'too_costly' },
    { name: 'JPEG, 51 MP, with 64 empty scans', file: emptyScans(64), outcome: 'drawn' },
  ];
}

function progressive(side: number): Sharp {
  return plain(side, side).jpeg({ progressive: true, chromaSubsampling: '4:4:4' });
}

// The last scan again and again, up to the largest file that is accepted.
function withScans(jpeg: Buffer): Buffer {
  const scan = jpeg.subarray(jpeg.lastIndexOf(Buffer.from('\xFF\xDA', 'latin1')), -2);
  const count = Math.floor((MOST_BYTES - jpeg.length) / scan.length);
  return Buffer.concat([jpeg.subarray(0, -2), ...Array<Buffer>(count).fill(scan), jpeg.subarray(-2)]);
}

/** A grey picture whose scans each go through all blocks and say that nothing is in them. */
function emptyScans(count: number): Buffer {
  const [width, height, blocksOfRun] = [12_000, 4250, 16_384];
  const blocks = Math.ceil(width / 8) * Math.ceil(height / 8);
  // Each code is one bit: a block without a difference, or the end of a run of blocks and 14 bits of its length.
  const codes = (kind: number, symbol: number) => segment(0xc4, [kind, 1, ...Array(15).fill(0), symbol]);
  const runs = Buffer.alloc(Math.ceil((Math.ceil(blocks / blocksOfRun) * 15) / 8));
  const scan = (coefficient: number) => segment(0xda, [1, 1, 0, coefficient, coefficient, 0]);
  const others = Array.from({ length: count - 1 }, (_, index) => [scan(1 + (index % 63)), runs]);
  return Buffer.concat([
    Buffer.from('ffd8', 'hex'),
    segment(0xdb, [0, ...Array(64).fill(1)]),
    segment(0xc2, [8, height >> 8, height & 255, width >> 8, width & 255, 1, 1, 0x11, 0]),
    codes(0x00, 0),
    codes(0x10, 0xe0),
    scan(0),
    Buffer.alloc(Math.ceil(blocks / 8)),
    ...others.flat(),
    Buffer.from('ffd9', 'hex'),
  ]);
}

// Where a picture has restarts, decoders pass over an unknown marker in the data of a scan, not over what follows it.
function hiddenScans(count: number): Buffer {
  const file = emptyScans(count);
  const [frame, first] = ['ffc2', 'ffda'].map((marker) => file.indexOf(marker, 'hex')) as [number, number];
  const second = file.indexOf('ffda', first + 10, 'hex');
  return Buffer.concat([
    file.subarray(0, frame),
    segment(0xdd, [0xff, 0xff]),
    file.subarray(frame, first + 10),
    Buffer.from('0000ff02ffff', 'hex'),
    segment(0xdd, [0, 0]),
    file.subarray(second),
  ]);
}

function segment(marker: number, content: number[]): Buffer {
  const length = content.length + 2;
  return Buffer.from([0xff, marker, length >> 8, length & 255, ...content]);
}

/** Small pictures whose headers claim a huge size, and truncated pictures. */
async function lies(): Promise<Bomb[]> {
  const [png, jpeg, gif, webp, avif] = [
    await plain(600, 600).png().toBuffer(),
    await plain(600, 600).jpeg().toBuffer(),
    await plain(600, 600).gif().toBuffer(),
    await plain(600, 600).webp({ lossless: true }).toBuffer(),
    await plain(600, 600).avif({ effort: 0 }).toBuffer(),
  ];
  const broken = Object.entries({ png, jpeg, gif, webp, avif }).map(([name, file]) => ({
    name: `${name}, broken off`,
    file: file.subarray(0, Math.floor(file.length * 0.6)),
  }));
  const frame = jpeg.indexOf(Buffer.from('\xFF\xC0', 'latin1'));
  const claims = avif.indexOf('ispe');
  return [
    ...broken,
    { name: 'PNG that claims 2 billion rows', file: pngWithHead(png, 60_000, 0x7fff_ffff) },
    { name: 'JPEG that claims 4.3 GP', file: patched(jpeg, frame + 5, 'ffdcffdc') },
    { name: 'GIF that claims 4.3 GP', file: patched(gif, 6, 'ffffffff') },
    { name: 'WebP that claims 268 MP', file: patched(webp, 21, 'ffffff0f') },
    { name: 'AVIF that claims 4.3 GP', file: patched(avif, claims + 8, '0000ffff0000ffff') },
  ];
}

function patched(file: Buffer, offset: number, hex: string): Buffer {
  const copy = Buffer.from(file);
  copy.write(hex, offset, 'hex');
  return copy;
}

/** Animations: only the first frame is drawn. */
async function moving(): Promise<Bomb[]> {
  const many = { width: 16, height: 16 * 3000, channels: 3 } as const;
  const pixels = Buffer.alloc(many.width * many.height * many.channels).map((_, index) => index >> 10);
  const frames = () => sharp(pixels, { raw: { ...many, pageHeight: 16 }, limitInputPixels: false });
  const large = await Promise.all([
    plain(3000, 3000, 4).png().toBuffer(),
    plain(3000, 3000).png().toBuffer(),
  ]);
  const animation = (images: Buffer[]) =>
    sharp(images, { join: { animated: true }, limitInputPixels: false });
  return [
    {
      name: 'GIF of 3,000 frames',
      file: await frames().gif({ effort: 1 }).toBuffer(),
      outcome: 'drawn',
    },
    {
      name: 'WebP of 3,000 frames',
      file: await frames().webp({ effort: 0 }).toBuffer(),
      outcome: 'drawn',
    },
    { name: 'GIF of 9 MP frames', file: await animation(large).gif({ effort: 1 }).toBuffer() },
    { name: 'WebP of 9 MP frames', file: await animation(large).webp({ effort: 0 }).toBuffer() },
  ];
}

/** Metadata: colour profiles and texts that decompress to far more, and EXIF data that refers to itself. */
async function metadata(): Promise<Bomb[]> {
  const png = await plain(300, 300).png().toBuffer();
  const jpeg = await plain(300, 300).jpeg().toBuffer();
  const zeros = deflateSync(Buffer.alloc(300_000_000), { level: 1 });
  const profile = Buffer.concat([Buffer.from('icc\0\0', 'latin1'), zeros]);
  // The second directory of this EXIF data is the first one again.
  const loop = Buffer.from('45786966000049492a0008000000010012010300010000000600000008000000', 'hex');
  const empty = Buffer.alloc(2_000_000, jpegSegment(0xe5, Buffer.alloc(0)));
  const segment = jpegSegment(
    0xe2,
    Buffer.concat([Buffer.from('ICC_PROFILE\0\x01\xFF', 'latin1'), Buffer.alloc(65_000)]),
  );
  return [
    { name: 'PNG with a colour profile of 300 MB', file: pngWith(png, 'iCCP', profile) },
    {
      name: 'PNG with a text of 300 MB',
      file: pngWith(png, 'zTXt', Buffer.concat([Buffer.from('a\0\0'), zeros])),
    },
    { name: 'JPEG with EXIF data in a loop', file: jpegWith(jpeg, jpegSegment(0xe1, loop)) },
    { name: 'JPEG with 4 MB of colour profiles', file: jpegWith(jpeg, ...Array<Buffer>(60).fill(segment)) },
    { name: 'JPEG with an empty segment, again and again', file: jpegWith(jpeg, empty) },
  ];
}

/** Files of two kinds at once. */
async function mixtures(): Promise<Bomb[]> {
  const [png, gif] = [await plain(300, 300).png().toBuffer(), await plain(300, 300).gif().toBuffer()];
  const svg =
    '<svg xmlns="http://www.w3.org/2000/svg" width="30000" height="30000"><rect width="9" height="9"/></svg>';
  const head = (start: string, rest: string) => Buffer.from(start + rest, 'latin1');
  return [
    { name: 'PNG and HTML', file: Buffer.concat([png, Buffer.from('<script>x</script>')]), outcome: 'drawn' },
    { name: 'GIF and JavaScript', file: Buffer.concat([gif, Buffer.from('=1;alert(1)')]), outcome: 'drawn' },
    { name: 'SVG', file: Buffer.from(svg), outcome: 'not_a_picture' },
    { name: 'SVG after the header of a PNG', file: head('\x89PNG\r\n\x1A\n', svg), outcome: 'not_a_picture' },
    { name: 'SVG after the header of a JPEG', file: head('\xFF\xD8\xFF', svg), outcome: 'not_a_picture' },
    {
      name: 'TIFF after the file type box of an AVIF',
      file: head('\0\0\0\x1Cftypavif', 'II*\0'),
      outcome: 'not_a_picture',
    },
  ];
}

const PNG_HEAD_END = 33;

function pngChunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}

function pngWith(png: Buffer, type: string, data: Buffer): Buffer {
  return Buffer.concat([png.subarray(0, PNG_HEAD_END), pngChunk(type, data), png.subarray(PNG_HEAD_END)]);
}

function pngWithHead(png: Buffer, width: number, height: number): Buffer {
  const head = Buffer.from(png.subarray(16, 29));
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  return Buffer.concat([png.subarray(0, 8), pngChunk('IHDR', head), png.subarray(PNG_HEAD_END)]);
}

function jpegSegment(marker: number, data: Buffer): Buffer {
  const head = Buffer.from([0xff, marker, 0, 0]);
  head.writeUInt16BE(data.length + 2, 2);
  return Buffer.concat([head, data]);
}

function jpegWith(jpeg: Buffer, ...segments: Buffer[]): Buffer {
  return Buffer.concat([jpeg.subarray(0, 2), ...segments, jpeg.subarray(2)]);
}
