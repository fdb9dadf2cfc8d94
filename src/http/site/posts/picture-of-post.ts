// The picture of a post in previews of links to it.

import { firstPicture } from '../../../lib/html-text.ts';
import { pictureIn, SMALLER_WIDTHS, smallPicturePath } from '../../../lib/picture-path.ts';
import type { SharedPicture } from '../../pages/sharing.ts';

// Programs that show previews leave out smaller ones.
const LEAST_PIXELS = 200;
const MOST_WIDTH = Math.max(...SMALLER_WIDTHS);

/** Return the first picture in the HTML of a post. Undefined if there is none, or it is too small for a preview. */
export function pictureOfPost(rendered: string): SharedPicture | undefined {
  const { path = '', alt = '' } = firstPicture(rendered) ?? {};
  const key = pictureIn(path);
  if (key === undefined || Math.min(key.width, key.height) < LEAST_PIXELS) return undefined;
  const width = Math.min(key.width, MOST_WIDTH);
  const height = Math.round((key.height * width) / key.width);
  return { path: smallPicturePath(key, MOST_WIDTH), width, height, alt };
}
