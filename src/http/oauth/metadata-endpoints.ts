// The metadata that libraries read first: OpenID Connect Discovery, RFC 8414, RFC 9728, and the keys (RFC
// 7517). They are public, the same for every caller, and independent of the request's Host.

import { type Context, type Handler, Hono } from 'hono';
import { MINUTE, SECOND } from '../../lib/clock.ts';
import { PROMPTS } from '../../oauth/authentication-request.ts';
import { JWKS_CACHE_TIME, publishedKeys } from '../../oauth/jwks.ts';
import { API_SCOPES, SCOPES } from '../../oauth/scope.ts';
import { SIGNING_ALGORITHMS } from '../../oauth/signing-algorithm.ts';
import { GRANT_TYPE_NAMES } from '../../oauth/token-request.ts';
import { PATHS } from '../routes.ts';
import type { OAuthParts } from './oauth-parts.ts';

const METADATA_CACHE_TIME = 5 * MINUTE;

/** Serve the metadata at their well-known paths. */
export function metadataEndpoints(parts: OAuthParts): Hono {
  const app = new Hono();
  const server = authorizationServerMetadata(parts.site.baseUrl);
  for (const path of [PATHS.openidConfiguration, PATHS.authorizationServer]) {
    publishAt(app, path, async (c) =>
      publish(c, { ...server, ...(await documentSupport(parts)) }, METADATA_CACHE_TIME),
    );
  }
  // RFC 9728 §3.1 appends the resource's path. The path without it is for clients that know only the host.
  const api = protectedResourceMetadata(parts.site.baseUrl, PATHS.api);
  const mcp = protectedResourceMetadata(parts.site.baseUrl, PATHS.mcp);
  publishAt(app, PATHS.protectedResource, (c) => publish(c, api, METADATA_CACHE_TIME));
  publishAt(app, PATHS.protectedResource + PATHS.api, (c) => publish(c, api, METADATA_CACHE_TIME));
  publishAt(app, PATHS.protectedResource + PATHS.mcp, (c) => publish(c, mcp, METADATA_CACHE_TIME));
  publishAt(app, PATHS.jwks, async (c) => publish(c, await publishedKeys(parts.oauth), JWKS_CACHE_TIME));
  return app;
}

// Left out while new applications of this kind are not accepted.
async function documentSupport({ oauth }: OAuthParts) {
  const policy = await oauth.documentPolicy();
  const isAccepted = policy === 'open' || policy === 'approval';
  return isAccepted ? { client_id_metadata_document_supported: true } : {};
}

/** Describe the server. Every value is explicit, because the standard's defaults differ from ours. */
export function authorizationServerMetadata(baseUrl: string) {
  const authMethods = ['client_secret_basic', 'client_secret_post', 'none'];
  return {
    issuer: baseUrl,
    authorization_endpoint: baseUrl + PATHS.authorize,
    token_endpoint: baseUrl + PATHS.token,
    revocation_endpoint: baseUrl + PATHS.revoke,
    userinfo_endpoint: baseUrl + PATHS.userinfo,
    end_session_endpoint: baseUrl + PATHS.logout,
    jwks_uri: baseUrl + PATHS.jwks,
    scopes_supported: SCOPES,
    response_types_supported: ['code'],
    response_modes_supported: ['query', 'form_post'],
    grant_types_supported: GRANT_TYPE_NAMES,
    token_endpoint_auth_methods_supported: authMethods,
    revocation_endpoint_auth_methods_supported: authMethods,
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: SIGNING_ALGORITHMS,
    claim_types_supported: ['normal'],
    claims_supported: [
      'iss',
      'sub',
      'aud',
      'exp',
      'iat',
      'auth_time',
      'nonce',
      'at_hash',
      ...USERINFO_CLAIMS,
    ],
    code_challenge_methods_supported: ['S256'],
    prompt_values_supported: PROMPTS,
    display_values_supported: ['page'],
    ui_locales_supported: ['en', 'zh-Hans'],
    backchannel_logout_supported: true,
    // Logout tokens name the member and no session: id_tokens have no `sid`.
    backchannel_logout_session_supported: false,
    claims_parameter_supported: false,
    request_parameter_supported: false,
    request_uri_parameter_supported: false,
    require_request_uri_registration: false,
    authorization_response_iss_parameter_supported: true,
    service_documentation: baseUrl + PATHS.docs,
  };
}

/** The claims that userinfo adds to `sub` with the scope profile:read. */
export const USERINFO_CLAIMS = ['preferred_username', 'picture', 'profile'] as const;

function protectedResourceMetadata(baseUrl: string, path: string) {
  return {
    resource: baseUrl + path,
    authorization_servers: [baseUrl],
    scopes_supported: API_SCOPES,
    bearer_methods_supported: ['header'],
    resource_documentation: baseUrl + PATHS.docs,
  };
}

function publishAt(app: Hono, path: string, answer: Handler): void {
  app.get(path, answer);
  // Some libraries send a header of their own, for which browsers require a preflight.
  app.options(path, (c) => c.body(null, 204, PREFLIGHT_HEADERS));
  app.all(path, (c) => c.text('Method Not Allowed', 405, { Allow: 'GET, HEAD, OPTIONS' }));
}

const PREFLIGHT_HEADERS = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Allow-Methods': 'GET, HEAD',
  'Access-Control-Allow-Headers': '*',
  'Access-Control-Max-Age': '86400',
};

function publish(c: Context, document: object, cacheTime: number): Response {
  return c.json(document, 200, {
    'Access-Control-Allow-Origin': '*',
    'Cross-Origin-Resource-Policy': 'cross-origin',
    'Cache-Control': `public, max-age=${cacheTime / SECOND}`,
  });
}
