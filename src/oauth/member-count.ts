// How many members allow an application, for the pages of its owner and of operators.

import { MINUTE, type Timestamp } from '../lib/clock.ts';
import { BoundedMap } from '../lib/remember.ts';
import type { AuthorizationServer } from './authorization-server.ts';
import type { Client } from './client-store.ts';

// Counting 100,000 takes SQLite 24 ms.
const COUNTED_EACH_TIME = 1000;
const KEPT_FOR = 10 * MINUTE;

const largeCounts = new BoundedMap<string, { members: number; until: Timestamp }>(1000);

/** Count the members who allow an application. A number above a thousand may be ten minutes old. */
export async function countMembers(
  { reads, clock }: Pick<AuthorizationServer, 'reads' | 'clock'>,
  { id }: Pick<Client, 'id'>,
): Promise<number> {
  const now = clock();
  const few = await reads.countGrants(id, now, COUNTED_EACH_TIME + 1);
  if (few <= COUNTED_EACH_TIME) return few;
  const kept = largeCounts.get(id);
  if (kept !== undefined && now < kept.until) return kept.members;
  const members = await reads.countGrants(id, now);
  largeCounts.set(id, { members, until: now + KEPT_FOR });
  return members;
}
