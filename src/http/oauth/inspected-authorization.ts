// Notes authorization requests for the request inspector.

import { digestOf } from '../../lib/secrets.ts';
import type { Authorization } from '../../oauth/authorization.ts';
import type { AuthorizationRequest, NoRedirect } from '../../oauth/authorization-request.ts';
import type { Client } from '../../oauth/client-store.ts';
import { OAuthError } from '../../oauth/errors.ts';
import type { RequestFacts } from '../../oauth/request-inspector-store.ts';
import { type BrokenRule, credentialName } from '../../oauth/request-rules.ts';
import { formatScope } from '../../oauth/scope.ts';
import type { PageContext } from '../pages/visitor.ts';
import type { OAuthParts } from './oauth-parts.ts';

/** Note a request that ends on a page. Returns the id of its line, or undefined if there is no such application. */
export function noteNoRedirect(
  parts: OAuthParts,
  c: PageContext,
  { client, reason, redirectUri }: NoRedirect,
): string | undefined {
  if (client === undefined) return undefined;
  const facts: RequestFacts = {
    endpoint: 'authorize',
    outcome: 'refused',
    status: 400,
    error: reason,
    broken: [brokenRule(reason, redirectUri, client.redirectUris)],
  };
  return send(parts, c, client.id, facts);
}

function brokenRule(
  reason: NoRedirect['reason'],
  came: string | undefined,
  expected: readonly string[],
): BrokenRule {
  if (reason === 'redirect_uri_missing') return { rule: reason, parameter: 'redirect_uri', expected };
  if (reason === 'redirect_uri_unregistered') return { rule: reason, came: came ?? '', expected };
  return { rule: 'application_deactivated' };
}

/** What a request led to: a page of ours, or an answer to the application. */
export type Result = 'sign_in_asked' | 'consent_asked' | { code: string } | OAuthError;

export function resultOf(authorization: Authorization): Result {
  switch (authorization.outcome) {
    case 'sign_in':
      return 'sign_in_asked';
    case 'consent':
      return 'consent_asked';
    case 'refused':
      return authorization.error;
    case 'code':
      return authorization;
  }
}

/** Note what a request led to. `request` is undefined if it was refused. */
export function noteResult(
  parts: OAuthParts,
  c: PageContext,
  client: Client,
  request: Pick<AuthorizationRequest, 'scopes' | 'mistakes'> | undefined,
  result: Result,
): void {
  const { scopes = [], mistakes = [] } = request ?? {};
  send(parts, c, client.id, factsOf(result, formatScope(scopes), mistakes));
}

function factsOf(result: Result, scope: string, mistakes: readonly BrokenRule[]): RequestFacts {
  const endpoint = 'authorize';
  if (result instanceof OAuthError) {
    const { code: error, broken: failed } = result;
    const broken = failed === undefined ? mistakes : [failed, ...mistakes];
    return { endpoint, outcome: 'refused', status: 303, error, broken };
  }
  if (result === 'consent_asked') return { endpoint, outcome: result, status: 200, broken: mistakes, scope };
  if (result === 'sign_in_asked') return { endpoint, outcome: result, status: 303, broken: mistakes, scope };
  const credential = credentialName(digestOf(result.code));
  return { endpoint, outcome: 'code_issued', status: 303, broken: mistakes, scope, credential };
}

// Anyone can open a link to the authorization endpoint.
function send(
  { inspector, clientAddress }: OAuthParts,
  c: PageContext,
  clientId: string,
  facts: RequestFacts,
): string {
  const kind = facts.outcome === 'code_issued' ? 'done' : 'anyone';
  const userAgent = c.req.header('user-agent');
  return inspector.note({ clientId, kind, facts, address: clientAddress(c), userAgent });
}
