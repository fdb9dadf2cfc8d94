// Logout tokens (OpenID Connect Back-Channel Logout 1.0 §2.4): they tell an application that the member signed out.

import { MINUTE, SECOND, type Timestamp } from '../lib/clock.ts';
import { randomBase62 } from '../lib/secrets.ts';
import type { AuthorizationServer } from './authorization-server.ts';
import type { ApplicationEvent, EventEndpoint } from './event-store.ts';
import { subjectOf } from './id-token.ts';
import { signJwt } from './jwt.ts';
import type { EventMessage } from './webhook-message.ts';

const LIFETIME = 2 * MINUTE;
const LOGOUT_EVENT = 'http://schemas.openid.net/event/backchannel-logout';

/**
 * Write the request that delivers a logout token. Each attempt has a token of its own, because applications refuse
 * a `jti` that they have seen. Undefined if the application is gone.
 */
export async function logoutMessage(
  server: AuthorizationServer,
  { url, clientId }: EventEndpoint,
  { userId }: ApplicationEvent,
  now: Timestamp,
): Promise<EventMessage | undefined> {
  const client = await server.reads.findClient(clientId);
  if (client === undefined) return undefined;
  const claims = {
    iss: server.issuer,
    sub: subjectOf(userId),
    aud: clientId,
    iat: Math.floor(now / SECOND),
    exp: Math.floor((now + LIFETIME) / SECOND),
    jti: randomBase62(22),
    events: { [LOGOUT_EVENT]: {} },
  };
  const token = await signJwt(server, client.idTokenAlg, 'logout+jwt', claims);
  return {
    url,
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    body: `logout_token=${token}`,
  };
}
