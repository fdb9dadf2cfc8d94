// Pictures in posts and comments.

import { readPicture } from '../../../community/picture.ts';
import { canModerate } from '../../../identity/user.ts';
import { versionIn } from '../../../lib/picture-path.ts';
import type { PageContext } from '../../pages/visitor.ts';
import type { SiteParts } from '../site-parts.ts';

/** Answer with a picture, to those who can see a text that shows it. */
export async function textPicture({ community }: SiteParts, c: PageContext): Promise<Response> {
  const version = versionIn(new URL(c.req.url).pathname);
  const { visit } = c.get('visitor');
  const viewer = { userId: visit?.user.id, canModerate: visit !== undefined && canModerate(visit.user) };
  const picture = version && (await readPicture(community, version, viewer));
  // Not a page, which nobody would see. A text can show it many times.
  if (picture === undefined)
    return c.text('There is no such picture.', 404, { 'Cache-Control': 'private, max-age=60' });
  if (picture === 'unavailable')
    return c.text('The picture can’t be read right now.', 503, {
      'Cache-Control': 'no-store',
      'Retry-After': '60',
    });
  return c.body(new Uint8Array(picture.image), 200, {
    'Content-Type': picture.type,
    // Another picture has another address. A proxy must not keep it: it is gone for others when its text is.
    'Cache-Control': 'private, max-age=31536000, immutable',
    'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
  });
}
