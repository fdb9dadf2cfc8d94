// The paths that programs use, and the part of the service that each path belongs to. The service info, the
// OpenAPI document, the docs and the metadata are made from this table.

import { RESOURCES } from '../oauth/resource.ts';
import type { Scope } from '../oauth/scope.ts';

/** The paths that programs use. */
export const PATHS = {
  authorize: '/oauth/authorize',
  consent: '/oauth/consent',
  token: '/api/oauth/token',
  revoke: '/api/oauth/revoke',
  userinfo: '/api/oauth/userinfo',
  revokeCredentials: '/api/credentials/revoke',
  githubFindings: '/api/credentials/github',
  logout: '/oauth/logout',
  logoutAnswer: '/oauth/logout/answer',
  openidConfiguration: '/.well-known/openid-configuration',
  authorizationServer: '/.well-known/oauth-authorization-server',
  protectedResource: '/.well-known/oauth-protected-resource',
  jwks: '/.well-known/jwks.json',
  ...RESOURCES,
  docs: '/docs',
  alive: '/healthz',
  ready: '/readyz',
  probe: '/healthz/probe',
} as const;

/** An endpoint of the resource API that needs a scope (spec §4.4). `path` follows `PATHS.api`. */
export interface ApiEndpoint {
  method: 'GET';
  path: '/me' | '/me/posts';
  scope: Scope;
}

/** The endpoints of the resource API that need a scope. */
export const API_ENDPOINTS: readonly ApiEndpoint[] = [
  { method: 'GET', path: '/me', scope: 'profile:read' },
  { method: 'GET', path: '/me/posts', scope: 'posts:read' },
];

/** Return the address of the page that explains an error, for `error_uri` and for the `type` of problems. */
export function errorPage(baseUrl: string, code: string): string {
  return `${baseUrl}${PATHS.docs}/errors/${code}`;
}

/** Return the path of the page with an application's requests, and of the one with an error id. */
export function requestsPath(clientId: string, errorId?: string): string {
  const path = `/developers/apps/${encodeURIComponent(clientId)}/requests`;
  return errorId === undefined ? path : `${path}?error=${errorId}`;
}

/** Return the path of the page that tries an application's sign-in. */
export function trialPath(clientId: string): string {
  return `/developers/apps/${encodeURIComponent(clientId)}/try`;
}

const EVENTS = '/requests/events';

/** Return the path of the stream that says when an application has new requests. */
export function requestEventsPath(clientId: string): string {
  return `/developers/apps/${encodeURIComponent(clientId)}${EVENTS}`;
}

/** Report whether the answer at a path stays open, so that its duration says nothing. */
export function isEventStream(path: string): boolean {
  return path.endsWith(EVENTS);
}

/** The parts of the service, as the metrics name them. */
export const DOORS = [
  'api',
  'assistants',
  'token',
  'information',
  'authorization',
  'pages',
  'files',
  'health',
] as const;
export type Door = (typeof DOORS)[number];

/** Return the part of the service that a path belongs to. */
export function doorOf(path: string): Door {
  const door = DOOR_OF.get(path);
  if (door !== undefined) return door;
  // Also addresses that don't exist, so that programs get an answer that they can read.
  if (isForApplications(path)) return 'api';
  if (path.startsWith('/oauth/')) return 'authorization';
  return /\.(?:css|js|svg)$/.test(path) ? 'files' : 'pages';
}

const DOOR_OF: ReadonlyMap<string, Door> = new Map([
  [PATHS.api, 'api'],
  [PATHS.token, 'token'],
  [PATHS.revoke, 'token'],
  [PATHS.revokeCredentials, 'token'],
  [PATHS.githubFindings, 'token'],
  [PATHS.mcp, 'assistants'],
  [PATHS.userinfo, 'information'],
  [PATHS.openidConfiguration, 'information'],
  [PATHS.authorizationServer, 'information'],
  [PATHS.protectedResource, 'information'],
  [PATHS.jwks, 'information'],
  [PATHS.alive, 'health'],
  [PATHS.ready, 'health'],
  [PATHS.probe, 'health'],
]);

/** Report whether only applications call this path, so that its failures are JSON and not pages. */
export function isForApplications(path: string): boolean {
  return path === '/api' || path.startsWith('/api/');
}
