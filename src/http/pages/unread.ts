// The number of unread notifications, for the header.

import type { MiddlewareHandler } from 'hono';
import type { Community } from '../../community/community.ts';
import { countUnread } from '../../community/notification.ts';
import type { PageEnv } from './visitor.ts';

/** Let pages count the unread notifications. Redirects don't count them. Runs after `identifyVisitor`. */
export function provideUnreadCount(community: Community): MiddlewareHandler<PageEnv> {
  return async (c, next) => {
    const visitor = c.get('visitor');
    const { visit } = visitor;
    if (visit !== undefined) visitor.unread = () => countUnread(community, visit.user.id);
    await next();
  };
}
