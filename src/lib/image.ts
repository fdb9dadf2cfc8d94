// Pictures from elsewhere. Each is redrawn, so nothing of the file is kept except how it looks.

import { type Drawing, drawInProcess, type Picture, type Shape } from './drawing-process.ts';
import { turnsOf } from './turns.ts';

/** Why a file can't be redrawn. */
export type PictureProblem = Exclude<Drawing, Picture> | { problem: 'busy' };

/** Whom a picture is redrawn for. */
export interface Sender {
  /** Undefined for the server itself. */
  userId: number | undefined;
  /** Aborted when the sender waits for the picture no longer. One that waits for its turn is then not redrawn. */
  signal?: AbortSignal | undefined;
}

// One picture is redrawn at a time. The others wait, with their files in memory. A member can close the connection and
// send another. Ordinary pictures take a fifth of a second, and the slowest take three.
const inTurn = turnsOf({ atOnce: 1, waiting: 11, waitingOfCaller: 1, aboutAsLong: 500 });
let ownPictures = 0;

/**
 * Redraw a file as a square WebP, `side` pixels wide: its middle, upright, first frame only, without
 * metadata.
 */
export function squareOf(file: Uint8Array, side: number, sender: Sender): Promise<Picture | PictureProblem> {
  return drawInTurn(sender, file, { width: side, height: side, fit: 'cover' });
}

/** The same as a square PNG with the whole picture, and transparent margins if it is no square. */
export function iconOf(file: Uint8Array, side: number, sender: Sender): Promise<Picture | PictureProblem> {
  return drawInTurn(sender, file, { width: side, height: side, fit: 'contain' });
}

/** Redraw a file as a WebP of at most this size, and narrower ones: upright, first frame only, without metadata. */
export function redrawn(
  file: Uint8Array,
  most: { width: number; height: number; smaller?: readonly number[] },
  sender: Sender,
): Promise<Picture | PictureProblem> {
  return drawInTurn(sender, file, { ...most, fit: 'inside' });
}

async function drawInTurn(
  { userId, signal }: Sender,
  file: Uint8Array,
  shape: Shape,
): Promise<Picture | PictureProblem> {
  if (!hasKnownFormat(file)) return { problem: 'not_a_picture' };
  // Each picture of the server itself is a caller of its own, because an import redraws several at once.
  if (userId === undefined) ownPictures += 1;
  const caller = userId === undefined ? `own picture ${ownPictures}` : `${userId}`;
  const drawing = await inTurn(caller, () => drawInProcess(file, shape), signal);
  return drawing ?? { problem: 'busy' };
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
