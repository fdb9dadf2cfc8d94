// Signing in. `return_to` may hold a whole authorization request.

import { html } from 'hono/html';
import { signInWithPasskey } from '../../../identity/passkey-sign-in.ts';
import { type SignIn, signIn } from '../../../identity/sign-in.ts';
import { contactLine } from '../../pages/contact.ts';
import { notFoundPage } from '../../pages/failures.ts';
import { localPath, type PostedForm } from '../../pages/form-page.ts';
import { bilingual } from '../../pages/language.ts';
import { type Html, page, visitorFormTokenField } from '../../pages/page.ts';
import {
  applicationOfReturn,
  formTargetsOfReturn,
  signupPath,
  uiLocalesOfReturn,
} from '../../pages/return-path.ts';
import { type PageContext, programOf, useRequestedLanguage } from '../../pages/visitor.ts';
import { retryAfter, waitText } from '../../pages/waiting.ts';
import { PASSKEY_SCRIPT } from '../../static-files.ts';
import { challengeUse, passkeyAnswer, siteOfPasskeys } from '../passkey-button.ts';
import type { SiteParts } from '../site-parts.ts';
import { finishSignIn } from './finished-sign-in.ts';
import { knownBrowser } from './known-browser.ts';
import { FORGOTTEN_PATH } from './letters.ts';
import { passkeyForm } from './passkey-form.ts';
import { toSecondStep } from './second-step.ts';

/** Show the sign-in page. */
export function loginPage(site: SiteParts, c: PageContext): Promise<Response> {
  const { visit } = c.get('visitor');
  const again = c.req.query('again') === '1' && visit !== undefined;
  const username = c.req.query('login_hint') ?? (again ? visit.user.username : '');
  const returnTo = localPath(c.req.query('return_to'));
  useRequestedLanguage(c, uiLocalesOfReturn(returnTo));
  return pageOfLogin(site, c, { returnTo, username, again });
}

interface LoginState {
  returnTo: string;
  username?: string;
  /** The signed-in member must sign in again, so the page has no link to continue as that member. */
  again?: boolean;
  problem?: string;
  /** The page says how to reach the operators. */
  isSuspended?: boolean;
  status?: 400 | 403 | 429;
}

/** Sign a member in and return to the page that asked for it. */
export async function logIn(site: SiteParts, c: PageContext, form: PostedForm): Promise<Response> {
  const returnTo = localPath(form.text('return_to'));
  const username = form.text('username').slice(0, 300);
  const again = form.has('again');
  useRequestedLanguage(c, uiLocalesOfReturn(returnTo));
  const result = await signIn(site.identity, {
    username,
    password: form.text('password'),
    address: site.clientAddress(c),
    browser: await knownBrowser(site, c),
    program: programOf(c),
  });
  if (result.outcome === 'signed_in') {
    return finishSignIn(site, c, { ...result, hasFactor: false }, result.cookie, returnTo);
  }
  if (result.outcome === 'second_factor') return toSecondStep(site, c, result.account, returnTo);
  return refusedSignIn(site, c, result, { returnTo, username, again });
}

/** Sign the member in whose passkey answered. */
export async function logInWithPasskey(site: SiteParts, c: PageContext, form: PostedForm): Promise<Response> {
  const returnTo = localPath(form.text('return_to'));
  useRequestedLanguage(c, uiLocalesOfReturn(returnTo));
  const passkeys = siteOfPasskeys(c);
  if (passkeys === undefined) return notFoundPage(c);
  const use = await challengeUse(site, c, 'sign-in');
  const result = await signInWithPasskey(site.identity, passkeys, use, passkeyAnswer(form), {
    address: site.clientAddress(c),
    browser: await knownBrowser(site, c),
    program: programOf(c),
  });
  if (result.outcome === 'signed_in') {
    return finishSignIn(site, c, { ...result, hasFactor: true }, result.cookie, returnTo);
  }
  return refusedSignIn(site, c, result, { returnTo });
}

type RefusedSignIn =
  | Exclude<SignIn, { outcome: 'signed_in' | 'second_factor' }>
  | { outcome: 'refused' | 'blocked_network' };

function refusedSignIn(
  site: SiteParts,
  c: PageContext,
  result: RefusedSignIn,
  state: LoginState,
): Promise<Response> {
  const { language } = c.get('visitor');
  const t = words[language];
  if (result.outcome === 'too_many') {
    retryAfter(c, result.retryAfterSeconds);
    const problem = t.tooMany(waitText(result.retryAfterSeconds, language));
    return pageOfLogin(site, c, { ...state, problem, status: 429 });
  }
  const isSuspended = result.outcome === 'suspended';
  const problem = result.outcome === 'suspended' ? t.suspended(result.reason) : t[result.outcome];
  const isMistake = result.outcome === 'wrong' || result.outcome === 'refused';
  return pageOfLogin(site, c, { ...state, problem, isSuspended, status: isMistake ? 400 : 403 });
}

async function pageOfLogin(site: SiteParts, c: PageContext, state: LoginState): Promise<Response> {
  const { visit, language } = c.get('visitor');
  const t = words[language];
  const { returnTo, problem } = state;
  const { name, sentence, reading, signUp } = c.get('site');
  const canJoin = signUp !== 'closed';
  const application = await applicationOfReturn(site.oauth, returnTo);
  const forgottenPath = `${FORGOTTEN_PATH}?${new URLSearchParams({ return_to: returnTo })}`;
  return page(
    c,
    {
      title: t.title,
      status: state.status ?? 200,
      formTargets: await formTargetsOfReturn(site.oauth, returnTo),
      returnTo,
      ...(siteOfPasskeys(c) !== undefined && { script: PASSKEY_SCRIPT }),
    },
    html`
      <div class="narrow">
        <h1>${t.title}</h1>
        ${application !== undefined && !c.get('site').isSandbox && html`<p>${t.toContinue(application)}</p>`}
        ${visit === undefined && reading === 'members' && html`<p class="soft">${t.membersOnly(name)} ${sentence}</p>`}
        ${visit !== undefined && signedInNotice(visit.user.username, state, t)}
        ${problem !== undefined && html`<p class="notice error" role="alert" id="problem">${problem}</p>`}
        ${state.isSuspended && contactLine(c)}
        <form method="post" action="/login">
          ${visitorFormTokenField(c)}
          <input type="hidden" name="return_to" value="${returnTo}">
          ${state.again && html`<input type="hidden" name="again" value="1">`}
          ${signInFields(state, t)}
          <div class="actions">
            <button class="primary">${t.signIn}</button>
          </div>
        </form>
        ${await passkeyForm(site, c, { returnTo, isConditional: true })}
        <p class="soft"><a href="${returnTo === '/' ? FORGOTTEN_PATH : forgottenPath}">${t.forgotten}</a></p>
        ${canJoin && html`<p class="soft">${t.newHere} <a href="${signupPath(returnTo)}">${t.join}</a></p>`}
      </div>`,
  );
}

function signedInNotice(username: string, { again, returnTo }: LoginState, t: Words): Html {
  return again
    ? html`<p class="notice">${t.again}</p>`
    : html`<p class="notice">${t.already(username)} <a href="${returnTo}">${t.continueAs(username)}</a></p>`;
}

function signInFields({ username, problem }: LoginState, t: Words): Html {
  return html`
    <div class="field">
      <label for="username">${t.username}</label>
      <input
        type="text" id="username" name="username" value="${username ?? ''}" autocomplete="username webauthn"
        autocapitalize="none" spellcheck="false" required ${problem === undefined && 'autofocus'}>
    </div>
    <div class="field">
      <label for="password">${t.password}</label>
      <input
        type="password" id="password" name="password" autocomplete="current-password" required
        ${problem !== undefined && html`aria-describedby="problem" autofocus`}>
    </div>`;
}

type Words = (typeof words)['en'];

const words = bilingual(
  {
    title: 'Sign in',
    toContinue: (application: string) => `to continue to ${application}`,
    username: 'Username or email address',
    password: 'Password',
    signIn: 'Sign in',
    wrong: 'The username, the email address or the password is incorrect.',
    refused:
      'The passkey was not accepted: it is not registered here any more, or the page was open for more than five minutes. Try again, or use your password.',
    tooMany: (wait: string) =>
      `Too many attempts to sign in to this account from your network. Try again in ${wait}.`,
    blocked_network:
      'The operators of this community don’t accept sign-ins from your network. Try from another network, or contact them.',
    suspended: (reason: string | undefined) =>
      reason === undefined
        ? 'This account is suspended. Contact the operators of this community.'
        : `This account is suspended. The reason given: “${reason}” Contact the operators of this community.`,
    already: (username: string) => `You’re signed in as ${username}. To switch accounts, sign in below.`,
    continueAs: (username: string) => `Continue as ${username}`,
    again: 'The application asks you to confirm that it’s you. Sign in again to continue.',
    forgotten: 'Forgot your password?',
    membersOnly: (site: string) => `Only members can read ${site}.`,
    newHere: 'New here?',
    join: 'Create an account',
  },
  {
    title: '登录',
    toContinue: (application) => `登录后继续前往 ${application}`,
    username: '用户名或邮箱',
    password: '密码',
    signIn: '登录',
    wrong: '用户名、邮箱或密码不正确。',
    refused: '通行密钥未被接受：它已不再有效，或者页面打开已超过五分钟。请重试，或使用密码登录。',
    tooMany: (wait) => `您所在的网络尝试登录此账号的次数过多。请在 ${wait}后再试。`,
    blocked_network: '社区管理员不接受来自您所在网络的登录。请换一个网络，或联系管理员。',
    suspended: (reason) =>
      `此账号已被暂停${reason === undefined ? '' : `，原因：“${reason}”`}，请联系社区管理员。`,
    already: (username) => `您已登录为 ${username}。如需切换账号，请在下面登录。`,
    continueAs: (username) => `继续使用 ${username}`,
    again: '该应用要求确认是您本人，请重新登录。',
    forgotten: '忘记密码？',
    membersOnly: (site) => `只有成员可以阅读 ${site}。`,
    newHere: '还没有账号？',
    join: '注册账号',
  },
);
