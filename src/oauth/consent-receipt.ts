// The receipt of a consent: what a member allows an application, as a statement that this server signs. It is made
// anew for each download, so that the published keys verify it.

import type { AuthorizationServer } from './authorization-server.ts';
import type { Client } from './client-store.ts';
import { subjectOf } from './id-token.ts';
import { secondsOf, signJwt } from './jwt.ts';
import type { Grant } from './store.ts';

const TYPE = 'consent-receipt+jwt';

/** Sign the receipt of a consent. Times are in seconds, as in other tokens. */
export async function consentReceipt(
  server: AuthorizationServer,
  client: Client,
  grant: Grant,
): Promise<{ consent: object; jwt: string }> {
  const consent = {
    iss: server.issuer,
    iat: secondsOf(server.clock()),
    sub: subjectOf(grant.userId),
    // Without `aud` and with another type, no application takes the receipt for an id_token.
    client_id: client.id,
    client_name: client.name,
    redirect_uris: client.redirectUris,
    scopes: grant.scopes,
    state: stateOf(grant),
    granted_at: secondsOf(grant.grantedAt),
    consented_at: secondsOf(grant.consentedAt),
    duration: grant.duration,
    ends_at: grant.endsAt === undefined ? null : secondsOf(grant.endsAt),
    paused_at: grant.pausedAt === undefined ? null : secondsOf(grant.pausedAt),
    withdrawn_at: grant.withdrawnAt === undefined ? null : secondsOf(grant.withdrawnAt),
  };
  return { consent, jwt: await signJwt(server, client.idTokenAlg, TYPE, consent) };
}

function stateOf({ withdrawnAt, pausedAt }: Grant): 'granted' | 'paused' | 'withdrawn' {
  if (withdrawnAt !== undefined) return 'withdrawn';
  return pausedAt === undefined ? 'granted' : 'paused';
}
