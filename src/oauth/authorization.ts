// From a request and a member to an answer: ask for consent, or issue a code.

import { MINUTE, type Timestamp } from '../lib/clock.ts';
import { judgeAuthentication } from './authentication-request.ts';
import type { AuthorizationRequest } from './authorization-request.ts';
import type { AuthorizationServer } from './authorization-server.ts';
import { OAuthError } from './errors.ts';
import { isSharedByDevice } from './redirect-uri.ts';
import { difference, intersection, type ScopeSet, union } from './scope.ts';
import type { Grant, NewAuthorizationCode } from './store.ts';
import { mintToken } from './token.ts';

/** Spec §3.1. */
export const CODE_LIFETIME = 5 * MINUTE;

// More answers of one member at one moment than this are no member's.
const MOST_TRIES = 100;

/** The member who answers, and when they last proved who they are. */
export interface SignedInMember {
  userId: number;
  authenticatedAt: Timestamp;
}

/** What the consent page must ask: what is new, beside what is already allowed. */
export interface ConsentQuestion {
  newScopes: ScopeSet;
  heldScopes: ScopeSet;
}

export type Authorization =
  | { outcome: 'code'; code: string }
  | { outcome: 'consent'; question: ConsentQuestion }
  /** `again`: somebody is signed in, but must prove anew who they are. */
  | { outcome: 'sign_in'; again: boolean }
  | { outcome: 'refused'; error: OAuthError };

/** Issues a code under a remembered consent, or says what must happen first; with prompt=none nothing may. */
export async function authorize(
  server: AuthorizationServer,
  request: AuthorizationRequest,
  member: SignedInMember | undefined,
): Promise<Authorization> {
  const authorization = await authorizeWithPages(server, request, member);
  if (!request.authentication.prompts.has('none')) return authorization;
  if (authorization.outcome === 'sign_in') return { outcome: 'refused', error: loginRequired() };
  return authorization.outcome === 'consent'
    ? { outcome: 'refused', error: consentRequired() }
    : authorization;
}

async function authorizeWithPages(
  server: AuthorizationServer,
  request: AuthorizationRequest,
  member: SignedInMember | undefined,
): Promise<Authorization> {
  if (member === undefined) return { outcome: 'sign_in', again: false };
  const judgement = await judgeAuthentication(server, request.authentication, member);
  if (judgement === 'sign_in_again') return { outcome: 'sign_in', again: true };
  if (judgement === 'another_member') return { outcome: 'refused', error: loginRequired() };
  if (request.authentication.prompts.has('select_account')) return { outcome: 'sign_in', again: false };

  const grant = await grantInForce(server, request, member);
  const question = questionFor(request, grant);
  if (grant === undefined || question.newScopes.length > 0 || mustAlwaysAsk(request)) {
    return { outcome: 'consent', question };
  }
  const code = prepareCode(server, request, member, request.scopes);
  const added = await server.writes.approveAgain(code.record, grant.scopes, server.clock());
  // Withdrawn or narrowed a moment ago: then nothing is held any more that could spare the question.
  if (!added) return { outcome: 'consent', question: questionFor(request, undefined) };
  return { outcome: 'code', code: code.text };
}

/**
 * Records that the member allows the ticked scopes beside those already allowed, and issues a code for what was asked
 * and is allowed. Ticking nothing, with nothing allowed before, is a denial.
 */
export async function approve(
  server: AuthorizationServer,
  request: AuthorizationRequest,
  member: SignedInMember,
  ticked: ScopeSet,
): Promise<{ code: string } | OAuthError> {
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    const held = (await grantInForce(server, request, member))?.scopes ?? [];
    // Signing in is what the member came for: it can be denied, not unticked.
    const answered = union(ticked, ['openid']);
    const allowed = union(held, intersection(answered, request.scopes));
    const scopes = intersection(request.scopes, allowed);
    if (scopes.length === 0) return denial();
    const code = prepareCode(server, request, member, scopes);
    const approved = await server.writes.approve(held, allowed, code.record, server.clock());
    if (approved) return { code: code.text };
    // Changed by another answer or a withdrawal in between: decided again on what holds now.
  }
  throw new Error('A consent changed faster than it could be recorded.');
}

function loginRequired(): OAuthError {
  return new OAuthError('login_required', 'The member must sign in, and no page may be shown for it.');
}

function consentRequired(): OAuthError {
  return new OAuthError('consent_required', 'The member must be asked, and no page may be shown for it.');
}

/** The member said no. Nothing is stored. */
export function denial(): OAuthError {
  return new OAuthError(
    'access_denied',
    'The member did not allow the application to read from the account.',
  );
}

async function grantInForce(
  server: AuthorizationServer,
  request: AuthorizationRequest,
  member: SignedInMember,
): Promise<Grant | undefined> {
  const grant = await server.reads.findGrant(member.userId, request.client.id);
  return grant?.withdrawnAt === undefined ? grant : undefined;
}

function questionFor(request: AuthorizationRequest, grant: Grant | undefined): ConsentQuestion {
  const held = intersection(request.scopes, grant?.scopes ?? []);
  return { newScopes: difference(request.scopes, held), heldScopes: held };
}

// RFC 8252 §8.6: anyone on the device could pose as a public application with such a callback.
function mustAlwaysAsk(request: AuthorizationRequest): boolean {
  if (request.authentication.prompts.has('consent')) return true;
  return request.client.kind === 'public' && isSharedByDevice(request.returnTo.redirectUri);
}

function prepareCode(
  server: AuthorizationServer,
  request: AuthorizationRequest,
  member: SignedInMember,
  scopes: ScopeSet,
): { text: string; record: NewAuthorizationCode } {
  const now = server.clock();
  const { text, key, digest } = mintToken('code', server.brand, now);
  return {
    text,
    record: {
      key,
      digest,
      clientId: request.client.id,
      userId: member.userId,
      redirectUri: request.returnTo.redirectUri,
      scopes,
      codeChallenge: request.codeChallenge,
      nonce: request.nonce,
      authenticatedAt: member.authenticatedAt,
      expiresAt: now + CODE_LIFETIME,
    },
  };
}
