// The operators' pages.

import type { Hono } from 'hono';
import type { PageEnv } from '../../pages/visitor.ts';
import type { SiteDoor } from '../door.ts';
import { together } from '../together.ts';
import { operatorApplications } from './applications.ts';
import { operatorAudit } from './audit.ts';
import { operatorCategories } from './categories.ts';
import { operatorInvitations } from './invitations.ts';
import { operatorMember } from './member.ts';
import { operatorMembers } from './members.ts';
import { operatorOverview } from './overview.ts';
import { operatorReports } from './reports.ts';

export function operatorDoor(site: SiteDoor): Hono<PageEnv> {
  return together(site, [
    operatorApplications,
    operatorAudit,
    operatorCategories,
    operatorInvitations,
    operatorMember,
    operatorMembers,
    operatorOverview,
    operatorReports,
  ]);
}
