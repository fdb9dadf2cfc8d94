// A site that only members can read: visitors sign in before they see anything.

import type { MiddlewareHandler } from 'hono';
import { pathOf } from '../request-form.ts';
import { loginPath } from './return-path.ts';
import type { PageEnv } from './visitor.ts';

/** Ask visitors to sign in, unless everyone can read the site. */
export const forReaders: MiddlewareHandler<PageEnv> = async (c, next) => {
  if (c.get('site').reading === 'everyone') return next();
  const isRead = c.req.method === 'GET' || c.req.method === 'HEAD';
  // Forms have guards of their own, which show a visitor's text again.
  if (isRead && c.get('visitor').visit === undefined) return c.redirect(loginPath(pathOf(c)), 303);
  await next();
  // Caches between the server and a member would answer visitors too.
  const cache = c.res.headers.get('Cache-Control');
  if (cache?.includes('public')) c.res.headers.set('Cache-Control', cache.replace('public', 'private'));
};
