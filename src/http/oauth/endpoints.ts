// All endpoints of the protocol: the pages of a sign-in, and the endpoints that applications call.

import { Hono, type MiddlewareHandler } from 'hono';
import { everyone, visitorForm } from '../pages/guards.ts';
import { factorFirst } from '../pages/required-factor.ts';
import { get, type ListedPage, post, servePages } from '../pages/serve-pages.ts';
import type { PageEnv } from '../pages/visitor.ts';
import { PATHS } from '../routes.ts';
import { answerConsent, authorizationEndpoint } from './authorization-endpoint.ts';
import { revokeCredentials } from './exposed-credentials.ts';
import { receiveFindings } from './github-findings.ts';
import { answerLogout, logoutEndpoint } from './logout-endpoint.ts';
import { metadataEndpoints } from './metadata-endpoints.ts';
import type { OAuthParts } from './oauth-parts.ts';
import { tokenServing } from './token-endpoint.ts';
import { userinfoEndpoint } from './userinfo-endpoint.ts';

/** The pages of a sign-in. */
export const AUTHORIZATION_PAGES: readonly ListedPage<OAuthParts>[] = [
  get(PATHS.authorize, everyone, authorizationEndpoint),
  post(PATHS.authorize, everyone, authorizationEndpoint),
  post(PATHS.consent, visitorForm, answerConsent),
  get(PATHS.logout, everyone, logoutEndpoint),
  post(PATHS.logout, everyone, logoutEndpoint),
  post(PATHS.logoutAnswer, visitorForm, answerLogout),
];

/** Serve the pages of a sign-in. `identifyVisitor` must run before them. */
export function authorizationPages(parts: OAuthParts): Hono<PageEnv> {
  const app = new Hono<PageEnv>();
  app.use(PATHS.authorize, windowsAndFrames);
  for (const path of [PATHS.authorize, PATHS.consent]) app.use(path, factorFirst(parts.identity));
  app.route('/', servePages(AUTHORIZATION_PAGES, parts));
  app.all(PATHS.authorize, (c) => c.text('Method Not Allowed', 405, { Allow: 'GET, POST' }));
  return app;
}

// Pages of a sibling host have the member's cookie with their fetches and pictures. No application wants a code there:
// it sends a window here, or for prompt=none a frame. Callers other than browsers send no such headers.
const windowsAndFrames: MiddlewareHandler<PageEnv> = async (c, next) => {
  const isFromElsewhere = /^(?:same|cross)-site$/.test(c.req.header('sec-fetch-site') ?? '');
  const isShown = /^(?:document|iframe|frame)$/.test(c.req.header('sec-fetch-dest') ?? 'document');
  if (!isFromElsewhere || isShown) return next();
  return c.text('Open this address in a window or a frame.', 403, { 'Cache-Control': 'no-store' });
};

/** Serve the token and the revocation endpoint. They set all their headers themselves. */
export function tokenEndpoints(parts: OAuthParts): Hono {
  const app = new Hono();
  const serve = tokenServing(parts);
  app.all(PATHS.token, serve.token);
  app.all(PATHS.revoke, serve.revocation);
  return app;
}

/** Serve userinfo, the metadata, and where exposed credentials are reported. They ignore cookies. */
export function informationEndpoints(parts: OAuthParts): Hono {
  const app = new Hono();
  app.all(PATHS.userinfo, (c) => userinfoEndpoint(parts, c));
  app.all(PATHS.revokeCredentials, (c) => revokeCredentials(parts, c));
  app.all(PATHS.githubFindings, (c) => receiveFindings(parts, c));
  app.route('/', metadataEndpoints(parts));
  return app;
}
