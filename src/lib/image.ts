// Pictures from elsewhere. Each is redrawn, so nothing of the file is kept except how it looks.

import { type Drawing, drawInProcess, type Picture, type Shape } from './drawing-process.ts';

/** Why a file can't be redrawn. */
export type PictureProblem = Exclude<Drawing, Picture> | { problem: 'busy' };

// One picture is redrawn at a time. The others wait, with their files in memory.
const MOST_WAITING = 11;
let waiting = 0;
let last: Promise<unknown> = Promise.resolve();

/**
 * Redraw a file as a square WebP, `side` pixels wide: its middle, upright, first frame only, without
 * metadata.
 */
export function squareOf(file: Uint8Array, side: number): Promise<Picture | PictureProblem> {
  return drawInTurn(file, { width: side, height: side, fit: 'cover' });
}

/** The same as a square PNG with the whole picture, and transparent margins if it is no square. */
export function iconOf(file: Uint8Array, side: number): Promise<Picture | PictureProblem> {
  return drawInTurn(file, { width: side, height: side, fit: 'contain' });
}

/** Redraw a file as a WebP of at most this size, and narrower ones: upright, first frame only, without metadata. */
export function redrawn(
  file: Uint8Array,
  most: { width: number; height: number; smaller?: readonly number[] },
): Promise<Picture | PictureProblem> {
  return drawInTurn(file, { ...most, fit: 'inside' });
}

async function drawInTurn(file: Uint8Array, shape: Shape): Promise<Picture | PictureProblem> {
  if (!hasKnownFormat(file)) return { problem: 'not_a_picture' };
  if (waiting > MOST_WAITING) return { problem: 'busy' };
  waiting += 1;
  const picture = last.then(() => drawInProcess(file, shape));
  last = picture.catch(() => {});
  try {
    return await picture;
  } finally {
    waiting -= 1;
  }
}

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
