// From an authorization request and a member to an answer: ask for consent, or issue a code.

import type { MemberDoer } from '../audit/doer.ts';
import type { Timestamp } from '../lib/clock.ts';
import { networkToShow } from '../lib/network.ts';
import { checkAuthentication } from './authentication-request.ts';
import type { AuthorizationRequest } from './authorization-request.ts';
import type { AuthorizationServer } from './authorization-server.ts';
import type { Client } from './client-store.ts';
import { OAuthError } from './errors.ts';
import { endOfGrant, isRemembered } from './grant.ts';
import { CODE_LIFETIME } from './issued-tokens.ts';
import { isSharedByDevice } from './redirect-uri.ts';
import { difference, intersection, type ScopeSet, union } from './scope.ts';
import type { Grant, GrantDuration, NewAuthorizationCode, SigningIn } from './store.ts';
import { mintToken } from './token.ts';

// A member answers one consent page at a time, so more answers than this at once are an attack.
const MOST_TRIES = 100;

/** The member who answers the request, and when they last proved their identity. */
export interface SignedInMember extends SigningIn {
  sessionKey: string | undefined;
  authenticatedAt: Timestamp;
  /** When the member last proved who they are in this browser: at the sign-in, or later. */
  provenAt: Timestamp;
  /** The short name of the browser. Undefined if it sent none. */
  program?: string | undefined;
}

/** What the consent page asks for: the new scopes. It also shows those that the member already allows. */
export interface ConsentQuestion {
  newScopes: ScopeSet;
  heldScopes: ScopeSet;
  /** The member paused the application then. Allowing the request resumes it. */
  pausedAt?: Timestamp;
  /**
   * The member signed in too often for an answer without a page, so the page asks, though nothing may be new. With
   * prompt=none, this is the answer.
   */
  tooOften?: OAuthError;
}

/** What a member allows on the consent page. */
export interface ConsentAnswer {
  ticked: ScopeSet;
  /** Scopes that the member allowed before, and allows no longer. */
  dropped?: ScopeSet;
  /** By default, until the member removes the access. */
  duration?: GrantDuration;
}

export type Authorization =
  | { outcome: 'code'; code: string }
  | { outcome: 'consent'; question: ConsentQuestion }
  /** `again`: a member is signed in, but must prove their identity again. */
  | { outcome: 'sign_in'; again: boolean }
  | { outcome: 'refused'; error: OAuthError };

/** Counts a sign-in without a page. Returns the error for a request with prompt=none if there were too many. */
export type SignInPace = (by: SignedInMember) => Promise<OAuthError | undefined>;

/**
 * Issue a code under a remembered consent, or say what the member must do first. With prompt=none there is an
 * error instead, because the server may show no page. `begunGrant` is the member's consent in force, if the caller has
 * begun to read it.
 */
export async function authorize(
  server: AuthorizationServer,
  by: SignedInMember | undefined,
  request: AuthorizationRequest,
  pace?: SignInPace,
  begunGrant?: Promise<Grant | undefined>,
): Promise<Authorization> {
  const authorization = await authorizeWithPages(server, by, request, pace, begunGrant);
  if (!request.authentication.prompts.has('none')) return authorization;
  if (authorization.outcome === 'sign_in') return { outcome: 'refused', error: loginRequired() };
  if (authorization.outcome === 'consent')
    return { outcome: 'refused', error: authorization.question.tooOften ?? consentRequired() };
  return authorization;
}

async function authorizeWithPages(
  server: AuthorizationServer,
  by: SignedInMember | undefined,
  request: AuthorizationRequest,
  pace: SignInPace | undefined,
  begunGrant: Promise<Grant | undefined> | undefined,
): Promise<Authorization> {
  if (by === undefined) return { outcome: 'sign_in', again: false };
  const authentication = await checkAuthentication(server, request.authentication, by);
  if (authentication === 'sign_in_again') return { outcome: 'sign_in', again: true };
  if (authentication === 'another_member') return { outcome: 'refused', error: anotherMember() };
  if (request.authentication.prompts.has('select_account')) return { outcome: 'sign_in', again: false };

  const grant = await (begunGrant ?? grantInForce(server, by, request));
  const question = questionFor(request, grant);
  const isAsked = grant === undefined || !isRemembered(grant, by.at) || question.newScopes.length > 0;
  if (isAsked || mustAlwaysAsk(request)) return { outcome: 'consent', question };
  const tooOften = await pace?.(by);
  // Any site can lead the member here again and again. It can't press Allow, so the member always gets on.
  if (tooOften !== undefined) return { outcome: 'consent', question: { ...question, tooOften } };
  const code = prepareCode(by, server, request, { ...grant, scopes: request.scopes });
  const isNoted = isSignInNoted(request);
  const isAdded = await server.writes.approveAgain(by, grant, code.record, { isNoted });
  if (!isAdded && (await hasSignedOut(server, by))) return { outcome: 'sign_in', again: false };
  // The member withdrew or changed the consent a moment ago, so the server must ask again.
  if (!isAdded) return { outcome: 'consent', question: questionFor(request, undefined) };
  return { outcome: 'code', code: code.text };
}

// Whoever has the session gets tokens of a public application without any secret, also through the page.
function isSignInNoted({ client }: AuthorizationRequest): boolean {
  return client.kind === 'public';
}

/**
 * Record that the member allows the ticked scopes besides those that they already allow, without the dropped ones,
 * and issue a code for the requested scopes that are allowed. If there are none, the answer is a denial, and the
 * dropped scopes are taken away all the same. A paused consent is resumed. The duration is that of the consent as a
 * whole: a shorter one also shortens earlier sign-ins. Undefined, and nothing recorded, if the member's session has
 * ended.
 */
export async function approve(
  by: SignedInMember,
  server: AuthorizationServer,
  request: AuthorizationRequest,
  { ticked, dropped = [], duration = 'until_removed' }: ConsentAnswer,
): Promise<{ code: string } | OAuthError | undefined> {
  const answer = intersection(union(ticked, lockedScopes(request)), request.scopes);
  const endsAt = endOfGrant(duration, by.at);
  const { name, claimedName } = request.client;
  const options = { allowedAs: claimedName ?? name, isNoted: isSignInNoted(request) };
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    const grant = await grantInForce(server, by, request);
    const keptScopes = difference(heldScopes(grant), difference(dropped, answer));
    const allowedScopes = union(keptScopes, answer);
    const scopes = intersection(request.scopes, allowedScopes);
    if (scopes.length === 0) {
      if (await takeAway(by, server, grant, dropped)) return denial();
      continue;
    }
    const code = prepareCode(by, server, request, { scopes, duration, endsAt });
    const isAllowed = await server.writes.approve(by, grant, allowedScopes, code.record, options);
    if (isAllowed) return { code: code.text };
    if (await hasSignedOut(server, by)) return undefined;
    // Another answer or a withdrawal changed the consent in between: the next round starts from the new one.
  }
  throw new Error('A consent changed faster than it could be recorded.');
}

// False if the consent was changed or withdrawn in between.
async function takeAway(
  by: MemberDoer,
  { writes }: AuthorizationServer,
  grant: Grant | undefined,
  dropped: ScopeSet,
): Promise<boolean> {
  if (grant === undefined || intersection(grant.scopes, dropped).length === 0) return true;
  const kept = difference(grant.scopes, dropped);
  return kept.length === 0
    ? writes.withdrawGrant(by, grant.userId, grant.clientId)
    : writes.narrowGrant(by, grant.userId, grant.clientId, grant.scopes, kept);
}

async function hasSignedOut(
  { reads }: AuthorizationServer,
  { sessionKey }: SignedInMember,
): Promise<boolean> {
  return sessionKey !== undefined && !(await reads.isSessionOpen(sessionKey));
}

/**
 * The requested scopes that can't be unticked: a member who doesn't want to sign in, or doesn't want to allow what the
 * application requires, denies the request. A consent page must have shown them before `approve`.
 */
export function lockedScopes({ scopes, client }: AuthorizationRequest): ScopeSet {
  return intersection(scopes, ['openid', ...client.requiredScopes]);
}

/** The answer of a member who refuses the request. Nothing is stored. */
export function denial(): OAuthError {
  return new OAuthError(
    'access_denied',
    'The member did not allow the application to read from the account.',
    { rule: 'member_denied' },
  );
}

function loginRequired(): OAuthError {
  return new OAuthError(
    'login_required',
    'The member must sign in, but prompt=none does not allow a sign-in page.',
    { rule: 'sign_in_needed' },
  );
}

function anotherMember(): OAuthError {
  return new OAuthError(
    'login_required',
    'The id_token_hint does not identify the member who is signed in.',
    { rule: 'another_member' },
  );
}

function consentRequired(): OAuthError {
  return new OAuthError(
    'consent_required',
    'The member must be asked for consent, but prompt=none does not allow a consent page.',
    { rule: 'consent_needed' },
  );
}

/** The member's consent to the application, unless it was withdrawn or has ended. */
export async function grantInForce(
  server: AuthorizationServer,
  by: MemberDoer,
  { client }: { client: Pick<Client, 'id'> },
): Promise<Grant | undefined> {
  const grant = await server.reads.findGrant(by.userId, client.id, by.at);
  return grant?.withdrawnAt === undefined ? grant : undefined;
}

/**
 * Report whether nobody vouches for the application: nobody registered it, and the member doesn't allow it. It gets no
 * answer but the member's own, since any other one would say that somebody is signed in here.
 */
export async function isStrangerTo(
  server: AuthorizationServer,
  by: MemberDoer,
  of: Pick<AuthorizationRequest, 'client'>,
): Promise<boolean> {
  return of.client.documentUrl !== undefined && (await grantInForce(server, by, of)) === undefined;
}

/** The request as it is answered with pages, whatever it asks for. */
export function withPages(request: AuthorizationRequest): AuthorizationRequest {
  const prompts = new Set([...request.authentication.prompts].filter((prompt) => prompt !== 'none'));
  return { ...request, authentication: { ...request.authentication, prompts } };
}

/** What the consent page asks for under this consent. */
export function questionFor(request: AuthorizationRequest, grant: Grant | undefined): ConsentQuestion {
  const held = intersection(request.scopes, heldScopes(grant));
  const question = { newScopes: difference(request.scopes, held), heldScopes: held };
  return grant?.pausedAt === undefined ? question : { ...question, pausedAt: grant.pausedAt };
}

// What was allowed for one sign-in is not held at the next.
function heldScopes(grant: Grant | undefined): ScopeSet {
  return grant === undefined || grant.duration === 'once' ? [] : grant.scopes;
}

// RFC 8252 §8.6: any program on the device could pose as a public application with such a callback.
function mustAlwaysAsk(request: AuthorizationRequest): boolean {
  if (request.authentication.prompts.has('consent')) return true;
  return request.client.kind === 'public' && isSharedByDevice(request.returnTo.redirectUri);
}

function prepareCode(
  by: SignedInMember,
  server: AuthorizationServer,
  request: AuthorizationRequest,
  { scopes, duration, endsAt }: Pick<Grant, 'scopes' | 'duration' | 'endsAt'>,
): { text: string; record: NewAuthorizationCode } {
  const { text, key, digest } = mintToken('code', server.brand, by.at);
  return {
    text,
    record: {
      key,
      digest,
      clientId: request.client.id,
      userId: by.userId,
      redirectUri: request.returnTo.redirectUri,
      scopes,
      codeChallenge: request.codeChallenge,
      nonce: request.nonce,
      authenticatedAt: by.authenticatedAt,
      expiresAt: Math.min(by.at + CODE_LIFETIME, endsAt ?? Infinity),
      duration,
      grantEndsAt: endsAt,
      program: by.program,
      network: by.address === undefined ? undefined : networkToShow(by.address),
    },
  };
}
