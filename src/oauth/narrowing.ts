// Narrowing consent: the member leaves the application fewer scopes, and its codes and tokens lose the others.

import type { MemberDoer } from '../audit/doer.ts';
import type { AuthorizationServer } from './authorization-server.ts';
import { difference, intersection, type ScopeSet, union } from './scope.ts';

// Each round but the first needs a change of the consent while the one before it ran.
const MOST_TRIES = 10;

export type Narrowing =
  | { outcome: 'narrowed'; scopes: ScopeSet }
  /** The application has no other scopes, so nothing changed. */
  | { outcome: 'unchanged' }
  /** No scope would be left: the member must withdraw the consent instead. Nothing changed. */
  | { outcome: 'nothing_left' }
  /** No consent is in force. */
  | { outcome: 'no_consent' };

/**
 * Leave an application only those scopes of the member's consent that are ticked. A paused consent can be narrowed
 * too. The scope openid stays: an application that may not sign the member in has its access removed.
 */
export async function narrowOwnConsent(
  by: MemberDoer,
  server: AuthorizationServer,
  clientId: string,
  ticked: ScopeSet,
): Promise<Narrowing> {
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    const grant = await server.reads.findGrant(by.userId, clientId, by.at);
    if (grant === undefined || grant.withdrawnAt !== undefined) return { outcome: 'no_consent' };
    const scopes = intersection(grant.scopes, union(ticked, ['openid']));
    if (scopes.length === 0) return { outcome: 'nothing_left' };
    if (difference(grant.scopes, scopes).length === 0) return { outcome: 'unchanged' };
    const isNarrowed = await server.writes.narrowGrant(by, by.userId, clientId, grant.scopes, scopes);
    if (isNarrowed) return { outcome: 'narrowed', scopes };
  }
  throw new Error('A consent changed faster than it could be narrowed.');
}
