// The numbers in the header: unread notifications, and for operators and moderators what waits for a decision.

import type { MiddlewareHandler } from 'hono';
import { countWaitingTexts } from '../../community/approval.ts';
import type { Community } from '../../community/community.ts';
import { countUnread } from '../../community/notification.ts';
import { countOpenReports, MOST_REPORTS_SHOWN } from '../../community/report.ts';
import { canModerate, type User } from '../../identity/user.ts';
import type { AuthorizationServer } from '../../oauth/authorization-server.ts';
import type { PageEnv } from './visitor.ts';

interface CountedParts {
  community: Community;
  oauth: AuthorizationServer;
}

/** Let pages count them. Redirects don't count. Runs after `identifyVisitor`. */
export function provideUnreadCount(parts: CountedParts): MiddlewareHandler<PageEnv> {
  return async (c, next) => {
    const visitor = c.get('visitor');
    const { visit } = visitor;
    if (visit !== undefined) visitor.unread = () => countUnread(parts.community, visit.user.id);
    if (visit !== undefined && canModerate(visit.user)) {
      visitor.reports = () => countReports(parts, visit.user);
      visitor.waiting = () => countWaitingTexts(parts.community);
    }
    await next();
  };
}

// Moderators decide about content only, so reports of applications are for operators.
async function countReports({ community, oauth }: CountedParts, user: User): Promise<number> {
  const ofContent = await countOpenReports(community);
  if (!user.isOperator) return ofContent;
  return ofContent + (await oauth.reads.countOpenClientReports(MOST_REPORTS_SHOWN + 1));
}
