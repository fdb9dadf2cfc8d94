// Giving an application to another member, who must accept it.

import type { Doer, MemberDoer } from '../audit/doer.ts';
import { DAY } from '../lib/clock.ts';
import type { AuthorizationServer } from './authorization-server.ts';
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

/** Take over an application that is offered. False if it isn't any more, or if the member has too many. */
export function acceptClient(
  by: MemberDoer,
  { writes }: AuthorizationServer,
  clientId: string,
): Promise<boolean> {
  return writes.acceptClient(by, clientId, MOST_OWN_CLIENTS);
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
