// Signing up: a new account, signed in at once. The operators choose whether sign-up is open.

import { html } from 'hono/html';
import { openInvitation } from '../../../identity/invitation.ts';
import type { RegistrationProblems } from '../../../identity/registration.ts';
import { startSession } from '../../../identity/session.ts';
import { signUpVisitor } from '../../../identity/sign-up.ts';
import { contactLine } from '../../pages/contact.ts';
import { localPath, type PostedForm } from '../../pages/form-page.ts';
import { bilingual } from '../../pages/language.ts';
import { forgetLinkToken, linkToken } from '../../pages/link-token.ts';
import { page, visitorFormTokenField } from '../../pages/page.ts';
import {
  applicationOfReturn,
  formTargetsOfReturn,
  loginPath,
  uiLocalesOfReturn,
} from '../../pages/return-path.ts';
import { giveSession, type PageContext, programOf, useRequestedLanguage } from '../../pages/visitor.ts';
import { retryAfter } from '../../pages/waiting.ts';
import { keepWaitingRequest } from '../../pages/waiting-request.ts';
import { leaveWelcome } from '../../pages/welcome.ts';
import type { SiteParts } from '../site-parts.ts';
import { rememberMember } from './known-browser.ts';
import { outcomePage } from './outcome-page.ts';
import { readRegistration, registrationFields, type TypedRegistration } from './registration-form.ts';

/** Show the sign-up page, or say why this visitor can't sign up. */
export async function signupPage(site: SiteParts, c: PageContext): Promise<Response> {
  const returnTo = localPath(c.req.query('return_to'));
  const invitation = linkToken(c, 'invitation');
  if (invitation instanceof Response) return invitation;
  useRequestedLanguage(c, uiLocalesOfReturn(returnTo));
  const mode = c.get('site').signUp;
  if (mode === 'closed') return closedPage(c, returnTo, 'closed');
  if (mode === 'invitation' && (await openInvitation(site.identity, invitation)) === undefined) {
    return closedPage(c, returnTo, invitation === '' ? 'invitation' : 'unusable');
  }
  return pageOfSignup(site, c, { returnTo, invitation, typed: { username: '' }, problems: {} });
}

/** Create the account, sign it in, and return to the page that the visitor came from. */
export async function signUp(site: SiteParts, c: PageContext, form: PostedForm): Promise<Response> {
  const returnTo = localPath(form.text('return_to'));
  const invitation = form.text('invitation');
  useRequestedLanguage(c, uiLocalesOfReturn(returnTo));
  const typed = readRegistration(form);
  const outcome = await signUpVisitor(site.identity, {
    registration: typed,
    mode: c.get('site').signUp,
    invitation,
    address: site.clientAddress(c),
    language: c.get('visitor').language,
  });
  if ('problems' in outcome) {
    return pageOfSignup(site, c, { returnTo, invitation, typed, problems: outcome.problems });
  }
  if ('refused' in outcome) {
    if ('retryAfterSeconds' in outcome) retryAfter(c, outcome.retryAfterSeconds);
    const isUnusable = outcome.refused === 'invitation' && invitation !== '';
    return closedPage(c, returnTo, isUnusable ? 'unusable' : outcome.refused);
  }
  forgetLinkToken(c, 'invitation');
  const address = site.clientAddress(c);
  const cookie = await startSession(site.identity, outcome.id, {
    method: 'sign_up',
    address,
    browser: { program: programOf(c), isNew: false },
  });
  await giveSession(c, site.identity, cookie, address);
  await rememberMember(site, c, { userId: outcome.id, hasFactor: false });
  keepWaitingRequest(c, returnTo);
  leaveWelcome(c, Boolean(typed.email?.trim()));
  return c.redirect(returnTo, 303);
}

interface SignupState {
  returnTo: string;
  invitation: string;
  typed: TypedRegistration;
  problems: RegistrationProblems;
}

async function pageOfSignup(
  site: SiteParts,
  c: PageContext,
  { returnTo, invitation, typed, problems }: SignupState,
): Promise<Response> {
  const { language } = c.get('visitor');
  const t = words[language];
  const formTargets = await formTargetsOfReturn(site.oauth, returnTo);
  const application = await applicationOfReturn(site.oauth, returnTo);
  return page(
    c,
    { title: t.title, status: Object.keys(problems).length > 0 ? 400 : 200, formTargets, returnTo },
    html`
      <div class="narrow">
        <h1>${t.heading(c.get('site').name)}</h1>
        ${application !== undefined && html`<p>${t.toContinue(application)}</p>`}
        <form method="post" action="/signup">
          ${visitorFormTokenField(c)}
          <input type="hidden" name="return_to" value="${returnTo}">
          ${invitation !== '' && html`<input type="hidden" name="invitation" value="${invitation}">`}
          ${registrationFields(typed, problems, language)}
          <div class="actions">
            <button class="primary">${t.join}</button>
          </div>
        </form>
        <p class="soft">${t.already} <a href="${loginPath(returnTo)}">${t.signIn}</a></p>
      </div>`,
  );
}

function closedPage(
  c: PageContext,
  returnTo: string,
  reason: keyof (typeof words)['en']['refusals'],
): Promise<Response> {
  const t = words[c.get('visitor').language];
  const asks = reason === 'closed' || reason === 'invitation';
  const next = html`
    ${asks && contactLine(c)}
    <p class="soft">${t.already} <a href="${loginPath(returnTo)}">${t.signIn}</a></p>`;
  return outcomePage(c, reason === 'too_many' ? 429 : 403, t.refusals[reason], next);
}

const words = bilingual(
  {
    title: 'Join',
    heading: (site: string) => `Join ${site}`,
    toContinue: (application: string) => `to continue to ${application}`,
    join: 'Create account',
    already: 'Already a member?',
    signIn: 'Sign in',
    refusals: {
      closed: {
        title: 'Sign-up is closed',
        text: 'This community isn’t taking new members right now.',
      },
      invitation: {
        title: 'You need an invitation to join',
        text: 'This community takes new members by invitation. Ask an operator for an invitation link.',
      },
      unusable: {
        title: 'This invitation is not valid',
        text: 'It was already used, was revoked, has expired, or its link is incomplete. Ask the sender for a new one.',
      },
      blocked_network: {
        title: 'You can’t join from this network',
        text: 'The operators of this community don’t accept new accounts from your network. Try from another network, or contact them.',
      },
      too_many: {
        title: 'Too many new accounts from your network',
        text: 'Several accounts were created or tried from your network in the last hour. Try again in an hour.',
      },
    },
  },
  {
    title: '加入',
    heading: (site: string) => `加入 ${site}`,
    toContinue: (application) => `注册后继续前往 ${application}`,
    join: '创建账号',
    already: '已经是成员？',
    signIn: '登录',
    refusals: {
      closed: {
        title: '目前无法加入',
        text: '社区目前不接受新成员。',
      },
      invitation: {
        title: '需要邀请才能加入',
        text: '社区只通过邀请接受新成员。请向管理员索取邀请链接。',
      },
      unusable: {
        title: '此邀请无法使用',
        text: '邀请已被使用、已撤回或已过期，也可能链接不完整。请向发送者索取新的邀请。',
      },
      blocked_network: {
        title: '无法从此网络加入',
        text: '社区管理员不接受来自您所在网络的新账号。请换一个网络，或联系管理员。',
      },
      too_many: {
        title: '您所在的网络新建账号过多',
        text: '过去一小时内，您所在的网络已多次创建或尝试创建账号。请一小时后再试。',
      },
    },
  },
);
