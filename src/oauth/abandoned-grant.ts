// Consents to applications that stay deactivated. They are withdrawn after a while: otherwise an application that is
// activated again years later would read the data of members who have forgotten it.

import { byServer } from '../audit/doer.ts';
import { DAY } from '../lib/clock.ts';
import type { AuthorizationServer } from './authorization-server.ts';

/** How long an application is deactivated before consents to it are withdrawn. */
export const ABANDONED_AFTER = 30 * DAY;

const GRANTS_OF_STEP = 50;

/** Withdraw some of the consents. Returns how many there were, 0 if none are left. */
export async function withdrawAbandonedGrants({
  reads,
  writes,
  clock,
}: AuthorizationServer): Promise<number> {
  const now = clock();
  const grants = await reads.abandonedGrants(now - ABANDONED_AFTER, now, GRANTS_OF_STEP);
  for (const grant of grants) await writes.withdrawAbandonedGrant(byServer(clock), grant);
  return grants.length;
}
