// The authorization endpoint (RFC 6749 §3.1, contract §3) and the answer to its question.

import { approve, authorize, denial, type SignedInMember } from '../../oauth/authorization.ts';
import {
  type AuthorizationRequest,
  type ReturnAddress,
  readAuthorizationRequest,
} from '../../oauth/authorization-request.ts';
import type { OAuthError } from '../../oauth/errors.ts';
import { Form } from '../../oauth/form.ts';
import { scopeSet } from '../../oauth/scope.ts';
import { outdatedForm, readPostedForm } from '../form-page.ts';
import { bodyPairs, type Pairs, queryPairs } from '../request-form.ts';
import { loginPath } from '../return-path.ts';
import { PATHS } from '../routes.ts';
import type { PageContext } from '../visitor.ts';
import { consentPage, consentSeal } from './consent-page.ts';
import type { OAuthDoor } from './door.ts';
import { unreturnablePage } from './unreturnable-page.ts';

/** GET and POST are the same request; HEAD has no effect at all. */
export async function authorizationEndpoint(door: OAuthDoor, c: PageContext): Promise<Response> {
  if (c.req.raw.method === 'HEAD') return c.body(null, 200, { 'Cache-Control': 'no-store' });
  c.header('Cache-Control', 'no-store');
  const pairs = c.req.method === 'POST' ? await bodyPairs(c) : queryPairs(c);
  return answerRequest(door, c, pairs);
}

async function answerRequest(door: OAuthDoor, c: PageContext, pairs: Pairs): Promise<Response> {
  const read = await readAuthorizationRequest(door.oauth, new Form(pairs));
  if (read.outcome === 'unreturnable') return unreturnablePage(door, c, read.problem);
  const member = signedInMember(c);
  // RFC 9700 §4.11.2: nobody is sent anywhere from here before they know that they came here.
  if (member === undefined) return c.redirect(loginPath(pathOf(pairs)), 303);
  if (read.outcome === 'refused') return redirect(c, read.returnTo, read.error);

  const { request } = read;
  const authorization = await authorize(door.oauth, request, member);
  if (authorization.outcome === 'code') return redirect(c, request.returnTo, authorization);
  return consentPage(door, c, request, authorization.question, queryOf(pairs));
}

/** The member's answer to the consent page. The request is the sealed one that the page was about. */
export async function answerConsent(door: OAuthDoor, c: PageContext): Promise<Response> {
  c.header('Cache-Control', 'no-store');
  const fields = await readPostedForm(c);
  const member = signedInMember(c);
  if (fields instanceof Response) return fields;
  const query = fields.text('request');
  if (member === undefined || !isSealed(c, query, fields.text('seal'))) {
    return outdatedForm(c, { startAgainAt: `${PATHS.authorize}?${query}` });
  }
  const read = await readAuthorizationRequest(door.oauth, new Form(new URLSearchParams(query)));
  // Changed since the page was shown, such as an address that is registered no more.
  if (read.outcome === 'unreturnable') return unreturnablePage(door, c, read.problem);
  if (read.outcome === 'refused') return redirect(c, read.returnTo, read.error);

  const { request } = read;
  const answer = await decide(door, request, member, fields.text('decision'), fields.all('scope'));
  return answer === undefined
    ? outdatedForm(c, { startAgainAt: `${PATHS.authorize}?${query}` })
    : redirect(c, request.returnTo, answer);
}

async function decide(
  door: OAuthDoor,
  request: AuthorizationRequest,
  member: SignedInMember,
  decision: string,
  ticked: readonly string[],
): Promise<{ code: string } | OAuthError | undefined> {
  if (decision === 'allow') return approve(door.oauth, request, member, scopeSet(ticked));
  return decision === 'deny' ? denial() : undefined;
}

function isSealed(c: PageContext, query: string, seal: string): boolean {
  return consentSeal.matches(c, query, seal);
}

function signedInMember(c: PageContext): SignedInMember | undefined {
  const { visit } = c.get('visitor');
  return visit && { userId: visit.user.id, authenticatedAt: visit.authenticatedAt };
}

// RFC 9700 §4.12: 303, so that nothing that was posted to us is posted on.
function redirect(c: PageContext, returnTo: ReturnAddress, answer: { code: string } | OAuthError): Response {
  return c.redirect(returnTo.withAnswer(answer), 303);
}

function queryOf(pairs: Pairs): string {
  return new URLSearchParams(pairs).toString();
}

function pathOf(pairs: Pairs): string {
  return `${PATHS.authorize}?${queryOf(pairs)}`;
}
