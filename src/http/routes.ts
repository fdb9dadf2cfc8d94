// The table of addresses that programs use. GET /, the OpenAPI document, the docs and the metadata are made from it.

import type { Scope } from '../oauth/scope.ts';

export const PATHS = {
  authorize: '/oauth/authorize',
  consent: '/oauth/consent',
  token: '/api/oauth/token',
  revoke: '/api/oauth/revoke',
  userinfo: '/api/oauth/userinfo',
  logout: '/oauth/logout',
  logoutAnswer: '/oauth/logout/answer',
  openidConfiguration: '/.well-known/openid-configuration',
  authorizationServer: '/.well-known/oauth-authorization-server',
  protectedResource: '/.well-known/oauth-protected-resource',
  jwks: '/.well-known/jwks.json',
  api: '/api/open/v1',
  docs: '/docs',
} as const;

/** An endpoint of the resource API that needs a scope (spec §4.4). `path` follows `PATHS.api`. */
export interface ApiEndpoint {
  method: 'GET';
  path: '/me' | '/me/posts';
  scope: Scope;
}

export const API_ENDPOINTS: readonly ApiEndpoint[] = [
  { method: 'GET', path: '/me', scope: 'profile:read' },
  { method: 'GET', path: '/me/posts', scope: 'posts:read' },
];

/** The page that explains one error, for `error_uri` and for the `type` of problems. */
export function errorPage(baseUrl: string, code: string): string {
  return `${baseUrl}${PATHS.docs}/errors/${code}`;
}
