// Pictures in posts and comments. Each was redrawn, belongs to the texts that it was brought into, and is shown as long
// as one of them shows it.

import { hash } from 'node:crypto';
import { type PictureProblem, redrawn } from '../lib/image.ts';
import type { NewPicture } from './picture-store.ts';

export { pictureIn, picturePath, smallPicturePath } from '../lib/picture-path.ts';

/** The format of pictures that are kept. */
export const PICTURE_TYPE = 'image/webp';
// Twice the width of a post on a page. A longer screenshot becomes narrower.
const MOST_SIDES = { width: 1600, height: 3200 };
const DIGEST_LENGTH = 32;

/** Redraw a file, without its metadata, and small enough for a page. */
export async function newPicture(file: Uint8Array): Promise<NewPicture | PictureProblem> {
  const drawing = await redrawn(file, MOST_SIDES);
  if ('problem' in drawing) return drawing;
  const digest = hash('sha256', drawing.image, 'hex').slice(0, DIGEST_LENGTH);
  return { ...drawing, digest, type: PICTURE_TYPE };
}
