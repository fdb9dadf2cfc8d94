// The numbers in the header: unread notifications, and for operators and moderators what waits for a decision.

import type { MiddlewareHandler } from 'hono';
import { countWaitingTexts } from '../../community/approval.ts';
import type { Community } from '../../community/community.ts';
import { countUnread } from '../../community/notification.ts';
import { countOpenReports } from '../../community/report.ts';
import { canModerate } from '../../identity/user.ts';
import type { PageEnv } from './visitor.ts';

/** Let pages count them. Redirects don't count. Runs after `identifyVisitor`. */
export function provideUnreadCount(community: Community): MiddlewareHandler<PageEnv> {
  return async (c, next) => {
    const visitor = c.get('visitor');
    const { visit } = visitor;
    if (visit !== undefined) visitor.unread = () => countUnread(community, visit.user.id);
    if (visit !== undefined && canModerate(visit.user)) {
      visitor.reports = () => countOpenReports(community);
      visitor.waiting = () => countWaitingTexts(community);
    }
    await next();
  };
}
