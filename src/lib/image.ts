// Pictures that strangers send: drawn anew as small squares, so that nothing of the file but its look goes on.

/** Why a file can't be drawn. */
export type PictureProblem = 'not_a_picture' | 'too_many_pixels' | 'busy';

type Sharp = typeof import('sharp')['default'];

// A photograph of the largest phones is below it; in memory it takes some 160 MB for a moment.
const MOST_PIXELS = 40_000_000;
const MOST_SECONDS = 8;
const QUALITY = 82;

// Drawing takes a core and much memory: few at once, and a few more may wait.
const MOST_AT_ONCE = 2;
const MOST_WAITING = 8;

/** The file as a square WebP of so many pixels a side: its middle, upright, its first frame, without any metadata. */
export async function squareOf(
  file: Uint8Array,
  side: number,
): Promise<{ image: Uint8Array } | { problem: PictureProblem }> {
  if (!isTaken(file)) return { problem: 'not_a_picture' };
  if (waiting.length >= MOST_WAITING) return { problem: 'busy' };
  await turn();
  try {
    return await draw(await loaded(), file, side);
  } finally {
    underWay -= 1;
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
    // What is wrong with the file only its sender could tell: the library's words are about its own insides.
    return { problem: 'not_a_picture' };
  }
}

let underWay = 0;
const waiting: (() => void)[] = [];

async function turn(): Promise<void> {
  underWay += 1;
  if (underWay > MOST_AT_ONCE) await new Promise<void>((resolve) => waiting.push(resolve));
}

let library: Promise<Sharp> | undefined;

// Only when somebody sends a picture: the library costs start time and memory. It reads many more formats than are
// taken here, drawings with scripts among them; all others are closed, whatever a file pretends to be.
function loaded(): Promise<Sharp> {
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

// The first bytes of each format that is taken.
function isTaken(file: Uint8Array): boolean {
  const head = Buffer.from(file.buffer, file.byteOffset, Math.min(file.byteLength, 32)).toString('latin1');
  return (
    head.startsWith('\xFF\xD8\xFF') ||
    head.startsWith('\x89PNG\r\n\x1A\n') ||
    /^GIF8[79]a/.test(head) ||
    /^RIFF[\s\S]{4}WEBP/.test(head) ||
    // In AVIF the brand is the first of the file or one of those after it.
    /^[\s\S]{4}ftyp[\s\S]*avi[fs]/.test(head)
  );
}
