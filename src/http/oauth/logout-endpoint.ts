// Signing out of the community on an application's request (contract §6). The member is asked first, unless an
// id_token proves that the application got it in this sign-in of the browser: no other link may sign people out.

import { html } from 'hono/html';
import { signOut as endVisit, type Visit } from '../../identity/session.ts';
import { OAuthError } from '../../oauth/errors.ts';
import { Form } from '../../oauth/form.ts';
import { authTimeOf } from '../../oauth/id-token.ts';
import { type LogoutRequest, readLogoutRequest } from '../../oauth/logout-request.ts';
import type { PostedForm } from '../pages/form-page.ts';
import { bilingual } from '../pages/language.ts';
import { formTokenField, page } from '../pages/page.ts';
import {
  clearSessionCookie,
  forgetVisitor,
  formToken,
  isFormToken,
  type PageContext,
  sessionCookie,
} from '../pages/visitor.ts';
import { problemOf } from '../problem.ts';
import { bodyPairs, LONGEST_REQUEST, queryPairs } from '../request-form.ts';
import { PATHS } from '../routes.ts';
import { formTargetsFor } from '../security-headers.ts';
import type { OAuthParts } from './oauth-parts.ts';

/** Answer the request of an application, by GET or POST. */
export async function logoutEndpoint(parts: OAuthParts, c: PageContext): Promise<Response> {
  if (c.req.raw.method === 'HEAD') return c.body(null, 200, { 'Cache-Control': 'no-store' });
  const pairs = c.req.method === 'POST' ? await bodyPairs(c, LONGEST_REQUEST) : queryPairs(c);
  return withRequest(parts, c, pairs, async (request) => {
    const { visit } = c.get('visitor');
    const query = new URLSearchParams(pairs).toString();
    // Browsers send no Lax cookie with a POST from another site, but they do after this redirect.
    if (visit === undefined && c.req.method === 'POST') return c.redirect(`${PATHS.logout}?${query}`, 303);
    if (visit === undefined) return finish(c, request);
    if (!isOfSignIn(request, visit)) return question(c, request, query);
    return signOut(parts, c, request);
  });
}

// An id_token has no time limit here, so an old one in a log or a history must not sign its member out for ever.
function isOfSignIn({ signIn }: LogoutRequest, { user, authenticatedAt }: Visit): boolean {
  return signIn?.userId === user.id && signIn.authTime === authTimeOf(authenticatedAt);
}

/** Take the member's answer to the question. */
export async function answerLogout(parts: OAuthParts, c: PageContext, form: PostedForm): Promise<Response> {
  const query = form.text('request');
  if (!isFormToken(c, form.text('seal'), purposeOf(query)))
    return c.redirect(`${PATHS.logout}?${new URLSearchParams(query)}`, 303);
  return withRequest(parts, c, new URLSearchParams(query), async (request) =>
    form.text('decision') === 'sign_out' ? signOut(parts, c, request) : c.redirect('/', 303),
  );
}

async function withRequest(
  parts: OAuthParts,
  c: PageContext,
  pairs: Iterable<readonly [string, string]>,
  answer: (request: LogoutRequest) => Promise<Response>,
): Promise<Response> {
  c.header('Cache-Control', 'no-store');
  try {
    return await answer(await readLogoutRequest(parts.oauth, new Form(pairs)));
  } catch (error) {
    if (!(error instanceof OAuthError)) throw error;
    const t = words[c.get('visitor').language];
    const { status, detail } = problemOf(error);
    return page(
      c,
      { title: t.wrong, status },
      html`
        <h1>${t.wrong}</h1>
        <p>${t.nothing}</p>
        <p class="soft">${detail}</p>`,
    );
  }
}

async function signOut(parts: OAuthParts, c: PageContext, request: LogoutRequest): Promise<Response> {
  const cookie = sessionCookie(c);
  if (cookie !== undefined) await endVisit(parts.identity, cookie, parts.clientAddress(c));
  clearSessionCookie(c);
  forgetVisitor(c);
  return finish(c, request);
}

async function finish(c: PageContext, request: LogoutRequest): Promise<Response> {
  if (request.returnTo !== undefined) return c.redirect(request.returnTo, 303);
  const t = words[c.get('visitor').language];
  return page(
    c,
    { title: t.done },
    html`
      <h1>${t.done}</h1>
      <p><a href="/">${t.home}</a></p>`,
  );
}

async function question(c: PageContext, request: LogoutRequest, query: string): Promise<Response> {
  const t = words[c.get('visitor').language];
  const formTargets = request.returnTo === undefined ? [] : formTargetsFor(request.returnTo);
  return page(
    c,
    { title: t.title, formTargets },
    html`
      <h1>${t.title}</h1>
      <p>${request.client === undefined ? t.asked : t.askedBy(request.client.name)}</p>
      <form method="post" action="${PATHS.logoutAnswer}">
        ${formTokenField(c)}
        <input type="hidden" name="request" value="${query}">
        <input type="hidden" name="seal" value="${formToken(c, purposeOf(query))}">
        <div class="actions">
          <button name="decision" value="stay">${t.stay}</button>
          <button class="primary" name="decision" value="sign_out">${t.signOut}</button>
        </div>
      </form>`,
  );
}

// Binds the form's seal to this request.
function purposeOf(query: string): string {
  return `logout\n${query}`;
}

const words = bilingual(
  {
    title: 'Sign out here too?',
    asked: 'An application asks to sign you out of this community.',
    askedBy: (client: string) => `${client} asks to sign you out of this community.`,
    stay: 'Stay signed in',
    signOut: 'Sign out',
    done: 'You are signed out',
    home: 'Go to the home page',
    wrong: 'This sign-out link is not valid',
    nothing: 'Nothing was changed.',
  },
  {
    title: '也要在本站退出吗？',
    asked: '有应用请求您退出本社区。',
    askedBy: (client: string) => `${client} 请求您退出本社区。`,
    stay: '保持登录',
    signOut: '退出',
    done: '您已退出',
    home: '返回首页',
    wrong: '此退出链接无效',
    nothing: '未作任何更改。',
  },
);
