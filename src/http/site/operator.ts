// The operators' pages, all together.

import { Hono } from 'hono';
import type { PageEnv } from '../visitor.ts';
import type { SiteDoor } from './door.ts';
import { operatorApplications } from './operator-applications.ts';
import { operatorAudit } from './operator-audit.ts';
import { operatorCategories } from './operator-categories.ts';
import { operatorInvitations } from './operator-invitations.ts';
import { operatorMember } from './operator-member.ts';
import { operatorMembers } from './operator-members.ts';
import { operatorOverview } from './operator-overview.ts';
import { operatorReports } from './operator-reports.ts';

export function operatorPages(site: SiteDoor): Hono<PageEnv> {
  const door = new Hono<PageEnv>();
  for (const pages of [
    operatorOverview,
    operatorReports,
    operatorMembers,
    operatorMember,
    operatorApplications,
    operatorCategories,
    operatorInvitations,
    operatorAudit,
  ]) {
    door.route('/', pages(site));
  }
  return door;
}
