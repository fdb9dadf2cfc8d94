// Giving an application to another member, who must accept it.

import type { Doer, MemberDoer } from '../audit/doer.ts';
import { DAY } from '../lib/clock.ts';
import type { AuthorizationServer } from './authorization-server.ts';
import { markOf } from './client-review.ts';
import { MOST_OWN_CLIENTS } from './own-client.ts';

const OFFER_LIFETIME = 7 * DAY;

/** Offer an application to another member for a week. False if that is not possible. */
export function offerClient(
  by: Doer,
  { writes }: AuthorizationServer,
  clientId: string,
  to: number,
): Promise<boolean> {
  return writes.offerClient(by, clientId, to, by.at + OFFER_LIFETIME);
}

/** Take an offer back. False if there is none. */
export function withdrawOffer(by: Doer, { writes }: AuthorizationServer, clientId: string): Promise<boolean> {
  return writes.offerClient(by, clientId, undefined, undefined);
}

/** `changed`: it is no longer what the member saw. `refused`: it isn't offered any more, or they have too many. */
export type AcceptOutcome = 'accepted' | 'changed' | 'refused';

/** Take over an application that is offered, as the member saw it. */
export async function acceptClient(
  by: MemberDoer,
  server: AuthorizationServer,
  { clientId, mark }: { clientId: string; mark: string },
): Promise<AcceptOutcome> {
  const client = await findOffered(by, server, clientId);
  if (client === undefined) return 'refused';
  if (markOf(client) !== mark) return 'changed';
  if (await server.writes.acceptClient(by, client, MOST_OWN_CLIENTS)) return 'accepted';
  const now = await findOffered(by, server, clientId);
  return now !== undefined && markOf(now) !== mark ? 'changed' : 'refused';
}

async function findOffered(by: MemberDoer, { reads }: AuthorizationServer, clientId: string) {
  const offers = await reads.clientsOfferedTo(by.userId, by.at);
  return offers.find(({ client }) => client.id === clientId)?.client;
}

/** Decline an application that is offered. */
export async function declineClient(
  by: MemberDoer,
  { writes }: AuthorizationServer,
  clientId: string,
): Promise<void> {
  await writes.declineClient(by, clientId);
}

/**
 * Set the owner of an application, for operators. As for an acceptance, the earlier secret and the addresses of events
 * are removed. False if there is no such application, or if it is the member's already.
 */
export function setClientOwner(
  by: Doer,
  { writes }: AuthorizationServer,
  clientId: string,
  ownerId: number,
): Promise<boolean> {
  return writes.setOwner(by, clientId, ownerId);
}
