// Pictures in posts and comments.

import type { HttpBindings } from '@hono/node-server';
import { readPicture } from '../../../community/picture.ts';
import { canModerate } from '../../../identity/user.ts';
import { wholeNetworkOf } from '../../../lib/network.ts';
import { versionIn } from '../../../lib/picture-path.ts';
import { turnsOf } from '../../../lib/turns.ts';
import type { PageContext } from '../../pages/visitor.ts';
import type { SiteParts } from '../site-parts.ts';

// A large picture takes long to read from PostgreSQL, and a connection that all other requests need too.
const inTurn = turnsOf({ atOnce: 4, waiting: 2000, waitingOfCaller: 500 });

/** Answer with a picture, to those who can see a text that shows it. */
export async function textPicture(
  { community, clientAddress }: SiteParts,
  c: PageContext,
): Promise<Response> {
  const version = versionIn(new URL(c.req.url).pathname);
  const { visit } = c.get('visitor');
  const viewer = { userId: visit?.user.id, canModerate: visit !== undefined && canModerate(visit.user) };
  const address = clientAddress(c);
  const caller = visit ? `member ${visit.user.id}` : wholeNetworkOf(address);
  const { socket } = (c.env as HttpBindings).incoming;
  const found = await inTurn(caller, async () => {
    // The caller may have gone while others had their turns.
    const isWanted = version !== undefined && !socket.destroyed;
    return (isWanted && (await readPicture(community, version, viewer))) || 'none';
  });
  const picture = found ?? 'unavailable';
  // Not a page, which nobody would see. A text can show it many times.
  if (picture === 'none')
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
