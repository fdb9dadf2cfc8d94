// Notes refused calls of the API and of userinfo for the request inspector, if it is known whose they were.

import type { AuthorizationServer } from '../oauth/authorization-server.ts';
import { type Principal, readBearerToken, TokenRefused } from '../oauth/bearer-token.ts';
import { clientOfCredential } from '../oauth/credential-client.ts';
import { OAuthError } from '../oauth/errors.ts';
import type { RequestInspector } from '../oauth/request-inspector.ts';
import type { RequestFacts } from '../oauth/request-inspector-store.ts';
import { type BrokenRule, credentialName } from '../oauth/request-rules.ts';
import { type BareRequest, queryOf, requestPath } from './answer.ts';
import type { ClientAddress } from './client-address.ts';
import type { Problem } from './problem.ts';
import { API_ENDPOINTS, PATHS } from './routes.ts';

export interface InspectedParts {
  oauth: AuthorizationServer;
  inspector: RequestInspector;
  clientAddress: ClientAddress;
}

/** A call that was refused. */
export interface RefusedCall {
  endpoint: 'api' | 'userinfo';
  /** The path, if it is one of ours. */
  path?: string;
  /** Undefined if no token was accepted. */
  caller?: Principal | undefined;
  problem: Problem;
  error?: unknown;
}

/** Note a refused call. The answer doesn't wait for it. */
export function noteRefusedCall(parts: InspectedParts, request: BareRequest, call: RefusedCall): void {
  const { caller, error } = call;
  if (caller !== undefined) {
    if (caller.clientId !== '') note(parts, request, call, caller);
  } else if (error instanceof TokenRefused) {
    note(parts, request, call, error);
  } else {
    const text = credentialIn(request);
    if (text === undefined) return;
    parts.inspector.noteLater(parts.clientAddress({ env: { incoming: request } }), async () => {
      const owner = await clientOfCredential(parts.oauth, text);
      if (owner !== undefined) note(parts, request, call, owner);
    });
  }
}

function note(
  { inspector, clientAddress }: InspectedParts,
  incoming: BareRequest,
  { endpoint, path, problem, error }: RefusedCall,
  { clientId, digest }: Pick<Principal, 'clientId' | 'digest'>,
): void {
  const facts: RequestFacts = {
    endpoint,
    outcome: 'refused',
    status: problem.status,
    error: problem.code,
    broken: brokenRules(problem, error, incoming),
    credential: credentialName(digest),
    ...(path !== undefined && { path }),
  };
  const address = clientAddress({ env: { incoming } });
  inspector.note({ clientId, kind: 'refused', facts, address, userAgent: incoming.headers['user-agent'] });
}

function brokenRules({ code }: Problem, error: unknown, request: BareRequest): readonly BrokenRule[] {
  const broken = error instanceof OAuthError ? error.broken : undefined;
  if (broken !== undefined) return [broken];
  switch (code) {
    case 'rate_limited':
      return [{ rule: 'too_many_requests' }];
    case 'missing_token':
      return [{ rule: 'token_in_address', expected: ['Authorization: Bearer ...'] }];
    case 'invalid_request':
      return [
        { rule: 'api_parameter_wrong', came: pageQueryOf(request), expected: ['page=0', 'size=1..50'] },
      ];
    case 'not_found':
      return [{ rule: 'api_path_unknown', came: requestPath(request), expected: KNOWN_PATHS }];
    case 'method_not_allowed':
      return [{ rule: 'api_method_unsupported', came: request.method ?? '', expected: ['GET', 'HEAD'] }];
    default:
      return [];
  }
}

const KNOWN_PATHS = [
  PATHS.api,
  ...API_ENDPOINTS.map(({ path }) => PATHS.api + path),
  PATHS.userinfo,
  PATHS.token,
  PATHS.revoke,
];

function pageQueryOf(request: BareRequest): string {
  const query = queryOf(request);
  const given = ['page', 'size'].flatMap((name) => query.getAll(name).map((value) => `${name}=${value}`));
  return given.join('&');
}

function credentialIn(request: BareRequest): string | undefined {
  const query = queryOf(request);
  try {
    const token = readBearerToken(request.headers.authorization);
    return token ?? query.get('access_token') ?? query.get('token') ?? undefined;
  } catch {
    return undefined;
  }
}
