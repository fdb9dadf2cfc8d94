// Deleting applications: planned a week ahead, so that a mistake can be undone. Until then the application works.

import { byServer, type Doer } from '../audit/doer.ts';
import { DAY } from '../lib/clock.ts';
import type { AuthorizationServer } from './authorization-server.ts';

/** How long after its owner asked for it an application is deleted. */
export const DELETION_COUNTDOWN = 7 * DAY;

const MOST_AT_ONCE = 20;

/** Plan the deletion of an application. False if there is none, or if it is planned already. */
export function planDeletion(by: Doer, { writes }: AuthorizationServer, clientId: string): Promise<boolean> {
  return writes.planDeletion(by, clientId, by.at + DELETION_COUNTDOWN);
}

/** Keep an application that was to be deleted. False if no deletion was planned. */
export function cancelDeletion(
  by: Doer,
  { writes }: AuthorizationServer,
  clientId: string,
): Promise<boolean> {
  return writes.planDeletion(by, clientId, undefined);
}

/** Delete an application now, for good. False if there is no such application. */
export function deleteClient(by: Doer, { writes }: AuthorizationServer, clientId: string): Promise<boolean> {
  return writes.deleteClient(by, clientId, false);
}

/** Delete the applications whose countdown is over. Returns how many. */
export async function deleteDueClients({ reads, writes, clock }: AuthorizationServer): Promise<number> {
  const by = byServer(clock);
  const ids = await reads.clientsToDelete(by.at, MOST_AT_ONCE);
  for (const id of ids) await writes.deleteClient(by, id, true);
  return ids.length;
}
