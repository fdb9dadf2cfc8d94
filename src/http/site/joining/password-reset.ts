// A forgotten password: requesting a link, and setting a new password with it.

import { html } from 'hono/html';
import { openReset, requestReset, resetPassword } from '../../../identity/password-reset.ts';
import type { PasswordProblem } from '../../../identity/password-rules.ts';
import { contactLine } from '../../pages/contact.ts';
import { inputField, problemSummary } from '../../pages/fields.ts';
import { localPath, type PostedForm } from '../../pages/form-page.ts';
import { bilingual } from '../../pages/language.ts';
import { forgetLinkToken, linkToken } from '../../pages/link-token.ts';
import { page, visitorFormTokenField } from '../../pages/page.ts';
import { loginPath } from '../../pages/return-path.ts';
import type { PageContext } from '../../pages/visitor.ts';
import { retryAfter } from '../../pages/waiting.ts';
import { keepWaitingRequest } from '../../pages/waiting-request.ts';
import { ACCESS_PATH } from '../settings/access.ts';
import type { SiteParts } from '../site-parts.ts';
import { rememberMember } from './known-browser.ts';
import { FORGOTTEN_PATH, RESET_PATH } from './letters.ts';
import { outcomePage } from './outcome-page.ts';
import { leavePasswordAdvice, passwordAdvice } from './password-advice.ts';
import { passwordProblemWords } from './registration-form.ts';
import { waitingLink } from './waiting-link.ts';

/** Show the form that requests a link. */
export function forgottenPasswordPage(_: SiteParts, c: PageContext): Promise<Response> {
  return pageOfForgotten(c, localPath(c.req.query('return_to')));
}

/** Say that a link was mailed, whether or not the account exists. */
export function resetMailedPage(site: SiteParts, c: PageContext): Promise<Response> {
  return outcomeOf(site, c, 'sent');
}

/** Show the form behind the mailed link. */
export async function newPasswordPage(site: SiteParts, c: PageContext): Promise<Response> {
  const token = linkToken(c, 'reset');
  if (token instanceof Response) return token;
  const reset = await openReset(site.identity, token);
  return reset === undefined ? outcomeOf(site, c, 'unusable') : pageOfReset(c, { token, ...reset });
}

/** Say that the password is changed. */
export function passwordSetPage(site: SiteParts, c: PageContext): Promise<Response> {
  return outcomeOf(site, c, 'done');
}

/** Mail a link to the confirmed address of the account, if there is one. */
export async function mailResetLink(site: SiteParts, c: PageContext, form: PostedForm): Promise<Response> {
  const account = form.text('account');
  const returnTo = localPath(form.text('return_to'));
  if (account.trim() === '') return pageOfForgotten(c, returnTo, 400);
  const { language } = c.get('visitor');
  const address = site.clientAddress(c);
  const result = await requestReset(site.identity, { account, address, language });
  if (result.outcome === 'too_many') {
    retryAfter(c, result.retryAfterSeconds);
    return outcomeOf(site, c, 'too_many');
  }
  keepWaitingRequest(c, returnTo);
  return c.redirect(`${FORGOTTEN_PATH}/sent`, 303);
}

/** Set the new password with the token of the link. */
export async function setNewPassword(site: SiteParts, c: PageContext, form: PostedForm): Promise<Response> {
  const token = form.text('token');
  const password = form.text('password');
  const { language } = c.get('visitor');
  const address = site.clientAddress(c);
  const result = await resetPassword(site.identity, { token, password, language, address });
  if (result.outcome === 'done') {
    forgetLinkToken(c, 'reset');
    // Otherwise the member's next sign-in here would be mailed as one with a new browser. With a second factor it must
    // be: so far the browser has shown the mailbox only.
    if (!result.hasFactor) await rememberMember(site, c, { userId: result.userId, hasFactor: false });
    await leavePasswordAdvice(site, c, password, result);
    return c.redirect(`${RESET_PATH}/done`, 303);
  }
  if (result.outcome === 'too_many') {
    retryAfter(c, result.retryAfterSeconds);
    return outcomeOf(site, c, 'too_many');
  }
  const reset = 'problem' in result ? await openReset(site.identity, token) : undefined;
  if (reset === undefined || !('problem' in result)) return outcomeOf(site, c, 'unusable');
  return pageOfReset(c, { token, ...reset, problem: result.problem });
}

function pageOfForgotten(c: PageContext, returnTo: string, status: 200 | 400 = 200): Promise<Response> {
  const { language } = c.get('visitor');
  const t = words[language];
  const account = status === 400 ? t.accountMissing : undefined;
  const accountField = inputField({
    name: 'account',
    label: t.account,
    problem: account,
    autocomplete: 'username',
    required: true,
    attributes: html`autocapitalize="none" spellcheck="false"`,
  });
  return page(
    c,
    { title: t.forgotten, status, returnTo },
    html`
      <div class="narrow">
        <h1>${t.forgotten}</h1>
        <p class="soft">${t.explanation}</p>
        <form method="post" action="${FORGOTTEN_PATH}">
          ${visitorFormTokenField(c)}
          <input type="hidden" name="return_to" value="${returnTo}">
          ${problemSummary({ account }, language)}
          ${accountField}
          <div class="actions">
            <button class="primary">${t.send}</button>
          </div>
        </form>
        <p class="soft"><a href="${loginPath(returnTo)}">${t.signIn}</a></p>
      </div>`,
  );
}

function pageOfReset(
  c: PageContext,
  { token, username, problem }: { token: string; username: string; problem?: PasswordProblem },
): Promise<Response> {
  const { language } = c.get('visitor');
  const t = words[language];
  const password = problem && passwordProblemWords(problem, language);
  const passwordField = inputField({
    name: 'password',
    type: 'password',
    label: t.password,
    hint: t.passwordHint,
    problem: password,
    autocomplete: 'new-password',
    required: true,
  });
  return page(
    c,
    { title: t.reset, status: problem === undefined ? 200 : 400, returnTo: '/' },
    html`
      <div class="narrow">
        <h1>${t.reset}</h1>
        <p class="soft">${t.resetFor(username)}</p>
        <form method="post" action="${RESET_PATH}">
          ${visitorFormTokenField(c)}
          <input type="hidden" name="token" value="${token}">
          <input type="text" name="username" value="${username}" autocomplete="username" readonly hidden>
          ${problemSummary({ password }, language)}
          ${passwordField}
          <div class="actions">
            <button class="primary">${t.set}</button>
          </div>
        </form>
      </div>`,
  );
}

const STATUS = { sent: 200, done: 200, unusable: 403, too_many: 429 } as const;

async function outcomeOf(site: SiteParts, c: PageContext, outcome: keyof typeof STATUS): Promise<Response> {
  const t = words[c.get('visitor').language];
  const waiting = outcome === 'done' ? await waitingLink(site, c) : undefined;
  const reviewClass = waiting === undefined ? 'button primary' : 'button';
  const next = {
    sent: html`<p class="soft">${t.noMail}</p>${contactLine(c)}`,
    done: html`
      ${outcome === 'done' && passwordAdvice(c)}
      ${waiting}
      <p class="soft">${t.applications}</p>
      <p><a class="${reviewClass}" href="${loginPath(ACCESS_PATH)}">${t.signInAndReview}</a></p>`,
    unusable: html`<p><a class="button" href="${FORGOTTEN_PATH}">${t.again}</a></p>`,
    too_many: undefined,
  }[outcome];
  return outcomePage(c, STATUS[outcome], t.outcomes[outcome], next);
}

const words = bilingual(
  {
    forgotten: 'Forgot your password?',
    explanation:
      'We’ll email a link to the confirmed address of your account. Use the link to set a new password.',
    account: 'Username or email address',
    accountMissing: 'Enter the username or the email address of your account.',
    send: 'Send link',
    signIn: 'Sign in',
    reset: 'Set a new password',
    resetFor: (username: string) => `For the account ${username}. This signs you out of every browser.`,
    password: 'New password',
    passwordHint: 'At least 8 characters. Tip: several words are easier to remember than symbols.',
    set: 'Set password',
    noMail:
      'No email after a few minutes? Check your spam folder. If your account has no confirmed address, contact the operators of the community.',
    applications:
      'Apps that run on a device or in a browser were signed out too. API tokens and other connected applications keep working. After you sign in, you can revoke them all.',
    signInAndReview: 'Sign in and review access',
    again: 'Request a new link',
    outcomes: {
      sent: {
        title: 'Check your inbox',
        text: 'If the account exists and has a confirmed address, we’ve sent a link to it, now or within the last hour. A link is valid for one hour.',
      },
      done: {
        title: 'Password changed',
        text: 'You were signed out of every browser. Sign in with your new password.',
      },
      unusable: {
        title: 'This link is not valid',
        text: 'It was already used, has expired, or is incomplete. A link also stops working when the password or the email address changes.',
      },
      too_many: {
        title: 'Too many requests from your network',
        text: 'There were many requests for links or new passwords from your network in the last hour. Try again in an hour.',
      },
    },
  },
  {
    forgotten: '忘记密码？',
    explanation: '我们会向账号已确认的邮箱发送设置新密码的链接。',
    account: '用户名或邮箱',
    accountMissing: '请填写账号的用户名或邮箱。',
    send: '发送链接',
    signIn: '登录',
    reset: '设置新密码',
    resetFor: (username: string) => `账号：${username}。设置后，所有浏览器都将退出登录。`,
    password: '新密码',
    passwordHint: '至少 8 个字符。建议使用由几个词组成的短语，更好记。',
    set: '设置密码',
    noMail: '几分钟后仍未收到邮件？请查看垃圾邮件。如果账号没有已确认的邮箱，请联系社区管理员。',
    applications:
      '在设备或浏览器中运行的应用也已退出登录。API 令牌和其他已连接的应用仍然有效，登录后可以一并撤销。',
    signInAndReview: '登录并检查访问权限',
    again: '重新获取链接',
    outcomes: {
      sent: {
        title: '请查看您的邮箱',
        text: '如果该账号存在并有已确认的邮箱，我们已在刚才或过去一小时内向此邮箱发送链接。链接一小时内有效。',
      },
      done: { title: '密码已更改', text: '所有浏览器均已退出登录，请用新密码登录。' },
      unusable: {
        title: '此链接无法使用',
        text: '链接已被使用、已过期或不完整。密码或邮箱更改后，链接也会失效。',
      },
      too_many: {
        title: '您所在的网络请求过多',
        text: '过去一小时内，您所在的网络多次请求链接或提交新密码。请一小时后再试。',
      },
    },
  },
);
