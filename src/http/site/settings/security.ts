// The security settings: email address, password, and this browser's sign-in.

import { html } from 'hono/html';
import { byMember } from '../../../audit/doer.ts';
import { changeEmail, confirmEmailAgain, emailToConfirm, removeEmail } from '../../../identity/email.ts';
import { changePassword } from '../../../identity/password-change.ts';
import { type PasswordOrProof, PROVEN } from '../../../identity/reauthentication.ts';
import { SESSION_IDLE, SESSION_LIFETIME } from '../../../identity/session.ts';
import type { User } from '../../../identity/user.ts';
import { DAY } from '../../../lib/clock.ts';
import type { PostedForm } from '../../pages/form-page.ts';
import { bilingual } from '../../pages/language.ts';
import { clockTimeOf, dayElement, offsetOf } from '../../pages/moments.ts';
import { formTokenField, type Html } from '../../pages/page.ts';
import { giveSession, type PageContext, programOf } from '../../pages/visitor.ts';
import { retryAfter } from '../../pages/waiting.ts';
import { rememberMember } from '../joining/known-browser.ts';
import { leavePasswordAdvice } from '../joining/password-advice.ts';
import { notice } from '../notice.ts';
import { isProven } from '../proof.ts';
import type { SiteParts } from '../site-parts.ts';
import { ACCESS_PATH } from './access.ts';
import { factorCard } from './factor-cards.ts';
import { settingsPage, settingsTitle } from './page.ts';
import { type EmailForm, emailCard, type PasswordForm, passwordCard } from './security-forms.ts';

const PATH = '/settings/security';
const NOTICES = [
  'mailed',
  'removed',
  'app',
  'app_removed',
  'passkey',
  'passkey_renamed',
  'passkey_removed',
  'factors_kept',
] as const;

/** Change or remove the email address. A new one takes effect once it is confirmed. */
export async function changeAddress(
  site: SiteParts,
  c: PageContext,
  user: User,
  form: PostedForm,
): Promise<Response> {
  const { language } = c.get('visitor');
  const email = form.text('email');
  const password = user.hasFactor ? PROVEN : form.text('email_password');
  const isRemoval = form.text('do') === 'remove';
  const by = byMember(user, site.clock, site.clientAddress(c));
  const refusal = isRemoval
    ? await removeEmail(by, site.identity, user, { password, language })
    : await changeEmail(by, site.identity, user, { email, password, language });
  if (refusal === undefined) return toNotice(c, isRemoval ? 'removed' : 'mailed');
  setRetryAfter(c, refusal);
  return securityPage(site, c, user, { email: { input: email, problem: refusal.problem } });
}

/** Send the confirmation link again. */
export async function mailConfirmationAgain(site: SiteParts, c: PageContext, user: User): Promise<Response> {
  const by = byMember(user, site.clock, site.clientAddress(c));
  const refusal = await confirmEmailAgain(by, site.identity, c.get('visitor').language);
  return refusal === undefined ? toNotice(c, 'mailed') : securityPage(site, c, user, { email: refusal });
}

/** Change the password, which gives this browser a new session and ends all others. */
export async function changeOwnPassword(
  site: SiteParts,
  c: PageContext,
  user: User,
  form: PostedForm,
): Promise<Response> {
  const { language } = c.get('visitor');
  const current: PasswordOrProof = user.hasFactor ? PROVEN : form.text('current');
  const passwords = { current, next: form.text('new_password'), language, program: programOf(c) };
  const outcome = await changePassword(
    byMember(user, site.clock, site.clientAddress(c)),
    site.identity,
    user,
    passwords,
  );
  if ('problem' in outcome) {
    setRetryAfter(c, outcome);
    return securityPage(site, c, user, { password: { problem: outcome.problem } });
  }
  await giveSession(c, site.identity, outcome.cookie, site.clientAddress(c));
  await rememberMember(site, c, { userId: user.id, hasFactor: user.hasFactor });
  await leavePasswordAdvice(site, c, passwords.next, user);
  return c.redirect(`${ACCESS_PATH}?done=password`, 303);
}

function toNotice(c: PageContext, name: (typeof NOTICES)[number]): Response {
  return c.redirect(`${PATH}?done=${name}`, 303);
}

function setRetryAfter(c: PageContext, refusal: object): void {
  if ('retryAfterSeconds' in refusal) retryAfter(c, Number(refusal.retryAfterSeconds));
}

/** The problems of a form that was refused. */
interface Mistakes {
  email?: Pick<EmailForm, 'input' | 'problem'>;
  password?: Pick<PasswordForm, 'problem'>;
}

/** Show the forms for address and password, also after one was refused, and this browser's sign-in. */
export async function securityPage(
  site: SiteParts,
  c: PageContext,
  user: User,
  { email, password }: Mistakes = {},
): Promise<Response> {
  const title = settingsTitle(c, PATH);
  const problem = email?.problem ?? password?.problem;
  const isTooMany = problem?.startsWith('too_many') === true;
  const pending = await emailToConfirm(site.identity, user);
  const change = NOTICES.find((name) => name === c.req.query('done'));
  return settingsPage(
    c,
    PATH,
    { title, status: problem === undefined ? 200 : isTooMany ? 429 : 400 },
    html`
      <h1>${title}</h1>
      ${notice(change && words[c.get('visitor').language].done[change])}
      ${emailCard(c, user, { ...email, pending: pending === user.email ? undefined : pending })}
      ${passwordCard(c, user, { ...password, isLocked: user.hasFactor && !isProven(site, c) })}
      ${await factorCard(site, c, user)}
      ${browserCard(c)}`,
  );
}

function browserCard(c: PageContext): Html {
  const visitor = c.get('visitor');
  const since = visitor.visit?.authenticatedAt ?? 0;
  const t = words[visitor.language];
  return html`
    <section class="card">
      <h2>${t.thisBrowser}</h2>
      <p>
        ${t.since} ${dayElement(since, visitor)}, ${clockTimeOf(since, visitor)} (${offsetOf(since, visitor)})
      </p>
      <p class="soft">${t.ends(SESSION_IDLE / DAY, SESSION_LIFETIME / DAY)}</p>
      <form method="post" action="/logout">
        ${formTokenField(c)}
        <button>${t.signOut}</button>
      </form>
    </section>`;
}

const words = bilingual(
  {
    done: {
      mailed:
        'Check your inbox. Open the link in our email to confirm the address. The link is valid for one day.',
      removed: 'Email address removed. Add one to be able to reset a forgotten password.',
      app: 'Authenticator app added.',
      app_removed: 'Authenticator app removed. Other browsers were signed out.',
      passkey: 'Passkey added.',
      passkey_renamed: 'Passkey renamed.',
      passkey_removed: 'Passkey removed. Other browsers were signed out.',
      factors_kept: 'Your second factor stays. If you didn’t ask for its removal, change your password.',
    },
    thisBrowser: 'This browser',
    since: 'Signed in since',
    ends: (idle: number, most: number) =>
      `You stay signed in until you sign out or don’t visit for ${idle} days. After ${most} days, you always have to sign in again.`,
    signOut: 'Sign out',
  },
  {
    done: {
      mailed: '确认邮件已发送。请在一天内打开邮件中的链接，确认邮箱。',
      removed: '邮箱已移除。添加邮箱后，忘记密码时才能重设。',
      app: '验证器应用已添加。',
      app_removed: '验证器应用已移除，其他浏览器均已退出登录。',
      passkey: '通行密钥已添加。',
      passkey_renamed: '通行密钥已重命名。',
      passkey_removed: '通行密钥已移除，其他浏览器均已退出登录。',
      factors_kept: '第二重验证已保留。如果移除不是您的请求，请更改密码。',
    },
    thisBrowser: '此浏览器',
    since: '登录于',
    ends: (idle: number, most: number) =>
      `登录状态会一直保持，直到您退出，或连续 ${idle} 天没有访问；无论如何，${most} 天后都需要重新登录。`,
    signOut: '退出',
  },
);
