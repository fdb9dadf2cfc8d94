// The operators' pages, all together.

import { Hono } from 'hono';
import type { PageEnv } from '../../visitor.ts';
import type { SiteDoor } from '../door.ts';
import { operatorApplications } from './applications.ts';
import { operatorAudit } from './audit.ts';
import { operatorCategories } from './categories.ts';
import { operatorInvitations } from './invitations.ts';
import { operatorMember } from './member.ts';
import { operatorMembers } from './members.ts';
import { operatorOverview } from './overview.ts';
import { operatorReports } from './reports.ts';

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
