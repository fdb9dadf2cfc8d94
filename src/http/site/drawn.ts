// Answers with pictures that the server draws: found among the kept ones, or drawn in turn.

import { hash } from 'node:crypto';
import type { HttpBindings } from '@hono/node-server';
import { DAY, MINUTE, SECOND } from '../../lib/clock.ts';
import { wholeNetworkOf } from '../../lib/network.ts';
import { memoize } from '../../lib/remember.ts';
import { draw, type WantedDrawing } from '../../site/drawing.ts';
import { INERT_HEADERS } from '../pages/picture.ts';
import type { PageContext } from '../pages/visitor.ts';
import { setAside } from '../under-way.ts';
import type { SiteParts } from './site-parts.ts';

/** A version of 12 characters, which changes with everything that is on the picture. */
export function versionOf(facts: readonly unknown[]): string {
  return digests(JSON.stringify(facts));
}

const digests = memoize((text: string) => hash('sha256', text).slice(0, 12), 1000);

/** The version in the address of a picture that was asked for, before `.png`. */
export function askedVersion(c: PageContext): string {
  return /([0-9a-f]{12})\.png$/.exec(c.req.path)?.[1] ?? '';
}

/** Answer with a picture at its address, which has its version. An earlier version is not there any more. */
export async function drawnPicture(
  parts: SiteParts,
  c: PageContext,
  wanted: WantedDrawing | undefined,
  cache = UNTIL_REMOVED,
): Promise<Response> {
  if (wanted === undefined || wanted.version !== askedVersion(c)) return noPicture(c);
  const headers = {
    ...INERT_HEADERS,
    ETag: `"${wanted.version}"`,
    'Cache-Control': cache,
  };
  if (c.req.header('if-none-match') === headers.ETag) return c.body(null, 304, headers);
  const kept = await parts.site.reads.findDrawing(wanted);
  if (kept !== undefined)
    return c.body(new Uint8Array(kept), 200, { ...headers, 'Content-Type': 'image/png' });
  const address = parts.clientAddress(c);
  const caller = wholeNetworkOf(address);
  const { allowed, resetSeconds } = await parts.counter.hit(
    `drawings:${caller}`,
    MOST_NEW_A_MINUTE,
    MINUTE / SECOND,
  );
  if (!allowed) return later(c, 429, resetSeconds);
  const drawing = await setAside(c.env as HttpBindings, draw(parts.site, wanted, caller));
  if ('problem' in drawing) return later(c, 503, drawing.problem === 'busy' ? 10 : 600);
  return c.body(new Uint8Array(drawing.image), 200, { ...headers, 'Content-Type': 'image/png' });
}

// A proxy must not keep it: a post can be removed.
const UNTIL_REMOVED = `private, max-age=${DAY / SECOND}`;

// A page of a list has 30 posts. A person shares a few of them.
const MOST_NEW_A_MINUTE = 30;

// Not pages, which nobody would see.
function noPicture(c: PageContext): Response {
  return c.text('There is no such picture.', 404, { 'Cache-Control': 'private, max-age=60' });
}

function later(c: PageContext, status: 429 | 503, seconds: number): Response {
  const text = 'The picture can’t be drawn now. Ask for it again later.';
  return c.text(text, status, { 'Retry-After': `${seconds}`, 'Cache-Control': 'no-store' });
}
