// Answers with pictures that people uploaded or that we draw.

import { FOREVER } from '../static-files.ts';
import type { PageContext } from './visitor.ts';

/** Applications may show the picture on their own pages. Opened on its own, it can't run scripts. */
export const INERT_HEADERS = {
  'Cross-Origin-Resource-Policy': 'cross-origin',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
};

/** Answer with an uploaded picture. A new picture has a new address, so browsers may keep it. */
export function uploadedPicture(
  c: PageContext,
  image: Uint8Array,
  type: 'image/webp' | 'image/png',
): Response {
  const headers = { 'Content-Type': type, 'Cache-Control': FOREVER, ...INERT_HEADERS };
  return c.body(new Uint8Array(image), 200, headers);
}
