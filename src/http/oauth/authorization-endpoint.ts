// The authorization endpoint (RFC 6749 §3.1, contract §3) and the member's answer to the consent page.

import { byMember } from '../../audit/doer.ts';
import { reauthenticate } from '../../identity/reauthentication.ts';
import { begun } from '../../lib/awaitable.ts';
import type { Timestamp } from '../../lib/clock.ts';
import { ASKED_AT, checkAuthentication } from '../../oauth/authentication-request.ts';
import {
  approve,
  authorize,
  denial,
  grantInForce,
  isStrangerTo,
  questionFor,
  type SignedInMember,
  withPages,
} from '../../oauth/authorization.ts';
import {
  type AuthorizationRequest,
  type ReadRequest,
  type ReturnAddress,
  readAuthorizationRequest,
} from '../../oauth/authorization-request.ts';
import { callbackName } from '../../oauth/client-numbers.ts';
import { isAsSeen, markOf } from '../../oauth/client-review.ts';
import type { OAuthError } from '../../oauth/errors.ts';
import { Form } from '../../oauth/form.ts';
import { readGrantDuration } from '../../oauth/grant.ts';
import { difference, scopeSet } from '../../oauth/scope.ts';
import { needsProof } from '../../oauth/step-up.ts';
import { outdatedForm, type PostedForm } from '../pages/form-page.ts';
import { confirmPath, loginPath } from '../pages/return-path.ts';
import { findTrial } from '../pages/trial.ts';
import { type PageContext, programOf, useRequestedLanguage } from '../pages/visitor.ts';
import { forgetWaitingRequest } from '../pages/waiting-request.ts';
import { bodyPairs, LONGEST_REQUEST, type Pairs, queryPairs } from '../request-form.ts';
import { PATHS } from '../routes.ts';
import { consentPage, consentSeal } from './consent-page.ts';
import type { AnswerProblem, ConsentView } from './consent-view.ts';
import { mustSignInFirst, readDocumentFirst, unansweredPage } from './described-application.ts';
import { formPostPage } from './form-post-page.ts';
import { noteResult, resultOf } from './inspected-authorization.ts';
import { noRedirectPage } from './no-redirect-page.ts';
import type { OAuthParts } from './oauth-parts.ts';
import { tooManyConsents, tooManySignIns } from './sign-in-pace.ts';

/** Answer an authorization request. GET and POST mean the same, HEAD has no effect. */
export async function authorizationEndpoint(parts: OAuthParts, c: PageContext): Promise<Response> {
  if (c.req.raw.method === 'HEAD') return c.body(null, 200, { 'Cache-Control': 'no-store' });
  c.header('Cache-Control', 'no-store');
  if (c.req.method !== 'POST') return answerRequest(parts, c, queryPairs(c));
  const pairs = await bodyPairs(c, LONGEST_REQUEST);
  // The session can have ended while the body arrived.
  await c.get('visitor').lookAgain?.();
  return answerRequest(parts, c, pairs);
}

function readRequest({ oauth }: OAuthParts, c: PageContext, form: Form): Promise<ReadRequest> {
  return readAuthorizationRequest(
    oauth,
    form,
    (client) => findTrial(c, client, form.get('state'), oauth.clock())?.redirectUri,
  );
}

async function answerRequest(parts: OAuthParts, c: PageContext, pairs: Pairs): Promise<Response> {
  const form = new Form(pairs);
  const member = signedInMember(parts, c);
  const described = await documentFirst(parts, c, pairs, form, member);
  if (described !== undefined) return described;
  const clientId = form.get('client_id') ?? '';
  // Read together with the application.
  const grant = member && begun(grantInForce(parts.oauth, member, { client: { id: clientId } }));
  const read = await readRequest(parts, c, form);
  if (read.outcome === 'no_redirect') return noRedirectPage(parts, c, read.problem);
  // Browsers send no Lax cookie with a POST from another site, but they do after this redirect.
  if (member === undefined && c.req.method === 'POST') return c.redirect(pathOf(pairs), 303);
  useRequestedLanguage(c, form.get('ui_locales'));
  if (read.outcome === 'refused') {
    noteResult(parts, c, read.returnTo.client, undefined, read.error);
    // RFC 9700 §4.11.2: a visitor must sign in here before an error redirects to the application.
    if (member === undefined && !read.atOnce) return toLogin(c, pairs, { again: false });
    const isStranger = member !== undefined && (await isStrangerTo(parts.oauth, member, read.returnTo));
    return isStranger
      ? unansweredPage(parts, c, read.returnTo.client, read.error)
      : respond(c, read.returnTo, read.error);
  }

  const isStranger = member !== undefined && (await isStrangerTo(parts.oauth, member, read.request));
  const request = isStranger ? withPages(read.request) : read.request;
  const { client, returnTo } = request;
  // The numbers are about registered addresses, and a trial's callback is none.
  if (client.redirectUris.includes(returnTo.redirectUri))
    parts.numbers.noteUse(client.id, callbackName(returnTo.redirectUri), parts.oauth.clock());
  const authorization = await authorize(
    parts.oauth,
    member,
    request,
    (by) => tooManySignIns(parts, by.userId, client),
    client.id === clientId ? grant : undefined,
  );
  noteResult(parts, c, request.client, request, resultOf(authorization));
  switch (authorization.outcome) {
    case 'sign_in':
      return toLogin(c, pairsAfterSignIn(parts, pairs, request.authentication), {
        again: authorization.again,
        hint: request.authentication.loginHint,
      });
    case 'refused':
      return isStranger
        ? unansweredPage(parts, c, client, authorization.error)
        : respond(c, request.returnTo, authorization.error);
    case 'code':
      return respond(c, request.returnTo, authorization);
    case 'consent':
      return askConsent(parts, c, member, {
        request,
        question: authorization.question,
        query: queryOf(pairs),
      });
  }
}

// An application that describes itself is known only after its document was read, which only members can cause.
async function documentFirst(
  parts: OAuthParts,
  c: PageContext,
  pairs: Pairs,
  form: Form,
  member: SignedInMember | undefined,
): Promise<Response | undefined> {
  const clientId = form.get('client_id');
  if (member !== undefined) return readDocumentFirst(parts, c, member, clientId);
  if (!(await mustSignInFirst(parts, clientId))) return undefined;
  if (c.req.method === 'POST') return c.redirect(pathOf(pairs), 303);
  useRequestedLanguage(c, form.get('ui_locales'));
  const prompts = (form.get('prompt') ?? '').split(' ');
  const next = pairsAfterSignIn(parts, pairs, { prompts, askedAt: undefined });
  return toLogin(c, next, { again: false, hint: form.get('login_hint') });
}

async function askConsent(
  parts: OAuthParts,
  c: PageContext,
  member: SignedInMember | undefined,
  view: Pick<ConsentView, 'request' | 'question' | 'query'>,
): Promise<Response> {
  const grant = member && (await grantInForce(parts.oauth, member, view.request));
  const isProofDue = member !== undefined && needsProof(member, view.request.client, grant);
  if (isProofDue && hasFactor(c)) return c.redirect(confirmPath(`${PATHS.authorize}?${view.query}`), 303);
  return consentPage(parts, c, { ...view, needsProof: isProofDue, duration: grant?.duration });
}

// After signing in, the member returns to this request. That satisfies prompt=select_account, and
// prompt=login if the sign-in is newer than `asked_at`.
function pairsAfterSignIn(
  parts: OAuthParts,
  pairs: Pairs,
  { prompts, askedAt }: { prompts: Iterable<string>; askedAt: Timestamp | undefined },
): Pairs {
  const others = pairs.filter(([name]) => name !== 'prompt' && name !== ASKED_AT);
  const prompt = [...prompts].filter((one) => one !== 'select_account').join(' ');
  const promptPairs: Pairs = prompt === '' ? [] : [['prompt', prompt]];
  return [...others, ...promptPairs, [ASKED_AT, String(askedAt ?? parts.oauth.clock())]];
}

function toLogin(
  c: PageContext,
  pairs: Pairs,
  { again, hint }: { again: boolean; hint?: string | undefined },
): Response {
  return c.redirect(loginPath(pathOf(pairs), { again, hint }), 303);
}

/** Carry out the member's decision on the consent page. The seal proves what the page showed. */
export async function answerConsent(
  parts: OAuthParts,
  c: PageContext,
  fields: PostedForm,
): Promise<Response> {
  c.header('Cache-Control', 'no-store');
  const member = signedInMember(parts, c);
  const query = fields.text('request');
  if (member === undefined || !consentSeal.matches(c, query, fields.text('mark'), fields.text('seal'))) {
    return outdatedForm(c, { startAgainAt: `${PATHS.authorize}?${query}` });
  }
  const form = new Form(new URLSearchParams(query));
  useRequestedLanguage(c, form.get('ui_locales'));
  const read = await readRequest(parts, c, form);
  // Possible if the application changed meanwhile, for example if its callback was removed.
  if (read.outcome === 'no_redirect') return noRedirectPage(parts, c, read.problem);
  if (read.outcome === 'refused') {
    noteResult(parts, c, read.returnTo.client, undefined, read.error);
    return respond(c, read.returnTo, read.error);
  }

  const { request } = read;
  // The page may have been open for long.
  const authentication = await checkAuthentication(parts.oauth, request.authentication, member);
  if (authentication !== 'sufficient') return c.redirect(`${PATHS.authorize}?${query}`, 303);
  const grant = await grantInForce(parts.oauth, member, request);
  const isAllowed = fields.text('decision') === 'allow';
  const isProofDue = isAllowed && needsProof(member, request.client, grant);
  if (isProofDue && hasFactor(c)) return c.redirect(confirmPath(`${PATHS.authorize}?${query}`), 303);
  const problem = isAllowed ? await problemOf(parts, member, request, fields, isProofDue) : undefined;
  if (problem !== undefined) {
    const question = questionFor(request, grant);
    const duration = readGrantDuration(fields.text('duration'));
    const refused = { problem, scopes: scopeSet(fields.all('scope')) };
    return consentPage(parts, c, { request, question, query, needsProof: isProofDue, duration, refused });
  }
  // Checking a password takes a while.
  if (isProofDue && !(await isAsSeen(parts.oauth, request.client)))
    return c.redirect(`${PATHS.authorize}?${query}`, 303);
  const answer = await decide(parts, request, member, fields);
  if (answer === undefined) return outdatedForm(c, { startAgainAt: `${PATHS.authorize}?${query}` });
  noteResult(parts, c, request.client, request, answer);
  return respond(c, request.returnTo, answer);
}

// The consent page asks for the password only. A page of its own asks for the second factor, too.
function hasFactor(c: PageContext): boolean {
  return c.get('visitor').visit?.user.hasFactor ?? false;
}

async function problemOf(
  { identity }: OAuthParts,
  by: SignedInMember,
  request: AuthorizationRequest,
  fields: PostedForm,
  isProofDue: boolean,
): Promise<AnswerProblem | undefined> {
  // The application may have changed since the page was opened. No member allows what no page showed.
  if (markOf(request.client) !== fields.text('mark')) return { problem: 'changed' };
  if (!isProofDue) return undefined;
  const password = fields.text('password');
  return password === '' ? { problem: 'missing' } : reauthenticate(by, identity, password);
}

async function decide(
  parts: OAuthParts,
  request: AuthorizationRequest,
  member: SignedInMember,
  fields: PostedForm,
): Promise<{ code: string } | OAuthError | undefined> {
  const decision = fields.text('decision');
  if (decision === 'deny') return denial();
  const duration = readGrantDuration(fields.text('duration') || 'until_removed');
  if (decision !== 'allow' || duration === undefined) return undefined;
  const tooOften = await tooManyConsents(parts, member);
  if (tooOften !== undefined) return tooOften;
  // Each scope that can be unticked has a box on the page, those that the member allowed before, too.
  const ticked = scopeSet(fields.all('scope'));
  return approve(member, parts.oauth, request, {
    ticked,
    dropped: difference(request.scopes, ticked),
    duration,
  });
}

function signedInMember({ oauth, clientAddress }: OAuthParts, c: PageContext): SignedInMember | undefined {
  const { visit } = c.get('visitor');
  return (
    visit && {
      ...byMember(visit.user, oauth.clock, clientAddress(c)),
      authenticatedAt: visit.authenticatedAt,
      provenAt: visit.provenAt,
      sessionKey: visit.sessionKey,
      program: programOf(c) || undefined,
    }
  );
}

// RFC 9700 §4.12: status 303, so that the browser doesn't post our form on to the application.
async function respond(
  c: PageContext,
  returnTo: ReturnAddress,
  answer: { code: string } | OAuthError,
): Promise<Response> {
  forgetWaitingRequest(c);
  if (returnTo.responseMode === 'form_post') return formPostPage(c, returnTo, answer);
  return c.redirect(returnTo.withAnswer(answer), 303);
}

function queryOf(pairs: Pairs): string {
  return new URLSearchParams(pairs).toString();
}

function pathOf(pairs: Pairs): string {
  return `${PATHS.authorize}?${queryOf(pairs)}`;
}
