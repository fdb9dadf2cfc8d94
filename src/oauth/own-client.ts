// A member's own applications: who may register them, and how many.

import type { MemberDoer } from '../audit/doer.ts';
import { isRecentKey } from '../lib/secrets.ts';
import type { AuthorizationServer } from './authorization-server.ts';
import { type ClientRegistration, newClient } from './client.ts';
import type { Client } from './client-store.ts';

/** How many applications a member can have, besides those that they deleted. */
export const MOST_OWN_CLIENTS = 20;

/** Where the operators decide who may register applications. */
export type RegistrationMode = 'open' | 'approval' | 'operators';

/** Report whether this member may register applications. */
export function mayRegister(mode: RegistrationMode, { isOperator }: { isOperator: boolean }): boolean {
  return mode !== 'operators' || isOperator;
}

export interface OwnRegistration extends Omit<ClientRegistration, 'ownerId' | 'acceptsMissingStateAndNonce'> {
  /**
   * The key of the form, so that a form that is sent twice registers one application. It becomes the id, so it must be
   * one that the server made in the last day: an id decides the application's place among the others.
   */
  key: string | undefined;
  /** Whether it waits until an operator activates it. */
  mustWait: boolean;
}

/**
 * Register a member's own application. The secret of a confidential one is returned in clear here and never again.
 * Throws `InvalidRegistration`.
 */
export async function registerOwnClient(
  by: MemberDoer,
  server: AuthorizationServer,
  { key, mustWait, ...registration }: OwnRegistration,
): Promise<
  { client: Client; secret: string | undefined } | { problem: 'too_many' | 'made_already' | 'outdated' }
> {
  if (key !== undefined && !isRecentKey(key, by.at)) return { problem: 'outdated' };
  const { client: made, secret } = newClient(by, server, { ...registration, ownerId: by.userId }, key);
  const client: Client = mustWait ? { ...made, status: 'deactivated', deactivation: 'approval' } : made;
  const outcome = await server.writes.addOwnClient(by, client, MOST_OWN_CLIENTS);
  if (outcome === 'added') return { client, secret };
  return { problem: outcome === 'exists' ? 'made_already' : 'too_many' };
}
