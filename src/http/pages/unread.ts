// What the header tells a member: how much of what happened they have not read.

import type { MiddlewareHandler } from 'hono';
import type { Community } from '../../community/community.ts';
import { countUnread } from '../../community/notification.ts';
import type { PageEnv } from './visitor.ts';

/** Lets pages ask for it, once they are written: what only redirects asks nothing. Goes after `knowVisitor`. */
export function knowUnread(community: Community): MiddlewareHandler<PageEnv> {
  return async (c, next) => {
    const visitor = c.get('visitor');
    const { visit } = visitor;
    if (visit !== undefined) visitor.unread = () => countUnread(community, visit.user.id);
    await next();
  };
}
