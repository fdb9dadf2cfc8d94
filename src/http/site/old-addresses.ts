// Redirects from the addresses that imported contents had, where this site has no page of its own.

import type { MiddlewareHandler } from 'hono';
import { pathOfOldAddress } from '../../community/old-address.ts';
import type { PageContext, PageEnv } from '../pages/visitor.ts';
import { pathOf } from '../request-form.ts';
import type { SiteParts } from './site-parts.ts';

export function redirectOldAddresses({
  community,
}: Pick<SiteParts, 'community'>): MiddlewareHandler<PageEnv> {
  return async (c, next) => {
    if (c.req.method !== 'GET' && c.req.method !== 'HEAD') return next();
    // The home page has no number of a post; WordPress has the short addresses of posts there.
    const isShort = c.req.path === '/' && c.req.query('p') !== undefined && mayRead(c);
    if (!isShort) {
      await next();
      if (c.res.status !== 404) return undefined;
    }
    const asked = isShort ? `/?p=${c.req.query('p')}` : pathOf(c);
    const path = await pathOfOldAddress(community.reads, asked);
    if (path === undefined) return isShort ? next() : undefined;
    const headers = { Location: path, 'Cache-Control': 'no-store' };
    // An answer that is there already would give its headers to the next one.
    if (!isShort) c.res = undefined;
    c.res = new Response(null, { status: 301, headers });
    return undefined;
  };
}

function mayRead(c: PageContext): boolean {
  return c.get('site').reading === 'everyone' || c.get('visitor').visit !== undefined;
}
