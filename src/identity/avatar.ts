// A member's picture. An uploaded file is redrawn as a small square, without its metadata.

import { hash } from 'node:crypto';
import type { MemberDoer } from '../audit/doer.ts';
import { type PictureProblem, squareOf } from '../lib/image.ts';
import type { Identity } from './identity.ts';

/** Larger files are refused unread. */
export const MOST_PICTURE_BYTES = 5 * 1024 * 1024;
// Twice the largest size at which a page shows a picture.
const SIDE = 256;
const VERSION_LENGTH = 12;

/** Make an uploaded file the member's picture, or say why the file is refused. */
export async function setAvatar(
  by: MemberDoer,
  { writes }: Identity,
  file: Uint8Array,
): Promise<PictureProblem | 'too_large' | undefined> {
  if (file.byteLength > MOST_PICTURE_BYTES) return 'too_large';
  const square = await squareOf(file, SIDE);
  if ('problem' in square) return square.problem;
  const version = hash('sha256', square.image, 'hex').slice(0, VERSION_LENGTH);
  await writes.setAvatar(by, version, square.image);
  return undefined;
}

/** Remove the member's picture. A picture drawn from the member's id takes its place. */
export function removeAvatar(by: MemberDoer, { writes }: Identity): Promise<void> {
  return writes.removeAvatar(by);
}
