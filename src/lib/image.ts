// Uploaded pictures. Each is redrawn as a small square, so nothing of the file is kept except how it looks.

/** Why a file can't be redrawn. */
export type PictureProblem = 'not_a_picture' | 'too_many_pixels' | 'busy';

type Sharp = typeof import('sharp')['default'];

// Ordinary phone photographs have fewer. Decoding a picture of this size takes about 160 MB of memory.
const MOST_PIXELS = 40_000_000;
const MOST_SECONDS = 8;
const QUALITY = 82;

// Redrawing takes a core and much memory, so few run at once and a few more may wait.
const MOST_IN_PARALLEL = 2;
const MOST_WAITING = 8;

/**
 * Redraw a file as a square WebP, `side` pixels wide: its middle, upright, first frame only, without
 * metadata.
 */
export async function squareOf(
  file: Uint8Array,
  side: number,
): Promise<{ image: Uint8Array } | { problem: PictureProblem }> {
  if (!hasKnownFormat(file)) return { problem: 'not_a_picture' };
  if (waiting.length >= MOST_WAITING) return { problem: 'busy' };
  await waitForTurn();
  try {
    return await draw(await loadSharp(), file, side);
  } finally {
    running -= 1;
    waiting.shift()?.();
  }
}

async function draw(
  sharp: Sharp,
  file: Uint8Array,
  side: number,
): Promise<{ image: Uint8Array } | { problem: PictureProblem }> {
  const options = { limitInputPixels: MOST_PIXELS, failOn: 'error', pages: 1 } as const;
  try {
    const { width, height } = await sharp(file, { ...options, limitInputPixels: false }).metadata();
    if (width * height > MOST_PIXELS) return { problem: 'too_many_pixels' };
    const image = await sharp(file, options)
      .timeout({ seconds: MOST_SECONDS })
      .autoOrient()
      .resize(side, side, { fit: 'cover' })
      .webp({ quality: QUALITY })
      .toBuffer();
    return { image };
  } catch {
    // The library's message is about its own insides and tells the sender nothing.
    return { problem: 'not_a_picture' };
  }
}

let running = 0;
const waiting: (() => void)[] = [];

async function waitForTurn(): Promise<void> {
  running += 1;
  if (running > MOST_IN_PARALLEL) await new Promise<void>((resolve) => waiting.push(resolve));
}

let library: Promise<Sharp> | undefined;

// Loaded with the first picture, since the library takes time and memory. It reads many more formats than we
// accept, some with scripts, so all its other loaders are blocked, whatever a file claims to be.
function loadSharp(): Promise<Sharp> {
  library ??= import('sharp').then(({ default: sharp }) => {
    sharp.cache(false);
    sharp.concurrency(1);
    sharp.block({ operation: ['VipsForeignLoad'] });
    sharp.unblock({ operation: LOADERS });
    return sharp;
  });
  return library;
}

const LOADERS = ['Jpeg', 'Png', 'Webp', 'Nsgif', 'Heif'].map((format) => `VipsForeignLoad${format}Buffer`);

// The first bytes of each format that we accept.
function hasKnownFormat(file: Uint8Array): boolean {
  const head = Buffer.from(file.buffer, file.byteOffset, Math.min(file.byteLength, 32)).toString('latin1');
  return (
    head.startsWith('\xFF\xD8\xFF') ||
    head.startsWith('\x89PNG\r\n\x1A\n') ||
    /^GIF8[79]a/.test(head) ||
    /^RIFF[\s\S]{4}WEBP/.test(head) ||
    // AVIF names its brand first or in the list of compatible brands that follows.
    /^[\s\S]{4}ftyp[\s\S]*avi[fs]/.test(head)
  );
}
