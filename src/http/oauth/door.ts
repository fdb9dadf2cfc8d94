// The protocol's door: authorization, consent, token and revocation endpoints.

import { Hono } from 'hono';
import type { Community } from '../../community/community.ts';
import type { Identity } from '../../identity/identity.ts';
import type { Counter } from '../../lib/counter.ts';
import type { Log } from '../../lib/log.ts';
import type { AuthorizationServer } from '../../oauth/authorization-server.ts';
import type { ClientAddress } from '../client-address.ts';
import type { PageEnv, Site } from '../pages/visitor.ts';
import { PATHS } from '../routes.ts';
import { answerConsent, authorizationEndpoint } from './authorization-endpoint.ts';
import { answerLogout, logoutEndpoint } from './logout-endpoint.ts';
import { metadataDoor } from './metadata-endpoints.ts';
import { tokenServing } from './token-endpoint.ts';
import { userinfoEndpoint } from './userinfo-endpoint.ts';

/** What the door needs of the rooms. */
export interface OAuthDoor {
  oauth: AuthorizationServer;
  identity: Identity;
  community: Community;
  counter: Counter;
  log: Log;
  site: Site;
  tokenRateLimitPerMinute: number;
  clientAddress: ClientAddress;
}

/** The pages of the flow, in a browser. Expects the visitor to be known. */
export function authorizationDoor(door: OAuthDoor): Hono<PageEnv> {
  const app = new Hono<PageEnv>();
  app.on(['GET', 'POST'], PATHS.authorize, (c) => authorizationEndpoint(door, c));
  app.post(PATHS.consent, (c) => answerConsent(door, c));
  app.on(['GET', 'POST'], PATHS.logout, (c) => logoutEndpoint(door, c));
  app.post(PATHS.logoutAnswer, (c) => answerLogout(door, c));
  app.all(PATHS.authorize, (c) => c.text('Method Not Allowed', 405, { Allow: 'GET, POST' }));
  return app;
}

/** Where applications get tokens and give them back. Sets all its headers itself, the protective ones included. */
export function tokenDoor(door: OAuthDoor): Hono {
  const app = new Hono();
  const serve = tokenServing(door);
  app.all(PATHS.token, serve.token);
  app.all(PATHS.revoke, serve.revocation);
  return app;
}

/** The other endpoints that applications call. They know no cookies. */
export function informationDoor(door: OAuthDoor): Hono {
  const app = new Hono();
  app.all(PATHS.userinfo, (c) => userinfoEndpoint(door, c));
  app.route('/', metadataDoor(door));
  return app;
}
