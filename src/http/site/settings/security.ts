// The member's address and password, and how this browser is signed in.

import { html } from 'hono/html';
import { byMember } from '../../../audit/doer.ts';
import { changeEmail, confirmEmailAgain, emailToConfirm, removeEmail } from '../../../identity/email.ts';
import { changePassword } from '../../../identity/password-change.ts';
import { SESSION_IDLE, SESSION_LIFETIME } from '../../../identity/session.ts';
import type { User } from '../../../identity/user.ts';
import { DAY } from '../../../lib/clock.ts';
import type { PostedForm } from '../../pages/form-page.ts';
import { bilingual } from '../../pages/language.ts';
import { clockTimeOf, dayElement } from '../../pages/moments.ts';
import { formTokenField, type Html } from '../../pages/page.ts';
import { giveSession, type PageContext } from '../../pages/visitor.ts';
import { retryAfter } from '../../pages/waiting.ts';
import type { SiteParts } from '../site-parts.ts';
import { settingsPage, settingsTitle } from './page.ts';
import { type EmailForm, emailCard, type PasswordForm, passwordCard } from './security-forms.ts';

const PATH = '/settings/security';
const NOTICES = ['mailed', 'removed', 'password'] as const;

export async function changeAddress(
  site: SiteParts,
  c: PageContext,
  user: User,
  form: PostedForm,
): Promise<Response> {
  const { language } = c.get('visitor');
  const email = form.text('email');
  const password = form.text('email_password');
  const isRemoval = form.text('do') === 'remove';
  const by = byMember(user, site.clock);
  const refusal = isRemoval
    ? await removeEmail(by, site.identity, user, { password, language })
    : await changeEmail(by, site.identity, user, { email, password, language });
  if (refusal === undefined) return toNotice(c, isRemoval ? 'removed' : 'mailed');
  tellWhen(c, refusal);
  return securityPage(site, c, user, { email: { typed: email, problem: refusal.problem } });
}

export async function mailConfirmationAgain(site: SiteParts, c: PageContext, user: User): Promise<Response> {
  const by = byMember(user, site.clock);
  const refusal = await confirmEmailAgain(by, site.identity, c.get('visitor').language);
  return refusal === undefined ? toNotice(c, 'mailed') : securityPage(site, c, user, { email: refusal });
}

export async function changeOwnPassword(
  site: SiteParts,
  c: PageContext,
  user: User,
  form: PostedForm,
): Promise<Response> {
  const { language } = c.get('visitor');
  const typed = { current: form.text('current'), next: form.text('new_password'), language };
  const changed = await changePassword(byMember(user, site.clock), site.identity, user, typed);
  if ('problem' in changed) {
    tellWhen(c, changed);
    return securityPage(site, c, user, { password: { problem: changed.problem } });
  }
  await giveSession(c, site.identity, changed.cookie);
  return toNotice(c, 'password');
}

function toNotice(c: PageContext, what: (typeof NOTICES)[number]): Response {
  return c.redirect(`${PATH}?done=${what}`, 303);
}

function tellWhen(c: PageContext, refusal: object): void {
  if ('retryAfterSeconds' in refusal) retryAfter(c, Number(refusal.retryAfterSeconds));
}

interface Mistakes {
  email?: Pick<EmailForm, 'typed' | 'problem'>;
  password?: Pick<PasswordForm, 'problem'>;
}

export async function securityPage(
  { identity }: SiteParts,
  c: PageContext,
  user: User,
  { email, password }: Mistakes = {},
): Promise<Response> {
  const title = settingsTitle(c, PATH);
  const problem = email?.problem ?? password?.problem;
  const isTooMany = problem === 'too_many_attempts' || problem === 'too_many_mails';
  const waiting = await emailToConfirm(identity, user);
  return settingsPage(
    c,
    PATH,
    { title, status: problem === undefined ? 200 : isTooMany ? 429 : 400 },
    html`<h1>${title}</h1>
${notice(c)}
${emailCard(c, { ...email, email: user.email, waiting: waiting === user.email ? undefined : waiting })}
${passwordCard(c, { ...password, username: user.username })}
${browserCard(c)}`,
  );
}

function notice(c: PageContext): Html | string {
  const what = NOTICES.find((name) => name === c.req.query('done'));
  if (what === undefined) return '';
  return html`<p class="notice" role="status">${words[c.get('visitor').language].done[what]}</p>`;
}

function browserCard(c: PageContext): Html {
  const { visit, language } = c.get('visitor');
  const since = visit?.authenticatedAt ?? 0;
  const t = words[language];
  return html`<section class="card"><h2>${t.thisBrowser}</h2>
<p>${t.since} ${dayElement(since, language)}, ${clockTimeOf(since)} (UTC+8)</p>
<p class="soft">${t.ends(SESSION_IDLE / DAY, SESSION_LIFETIME / DAY)}</p>
<form method="post" action="/logout">${formTokenField(c)}<button>${t.signOut}</button></form></section>`;
}

const words = bilingual(
  {
    done: {
      mailed: 'A link is on its way. Open it to confirm the address; it holds for a day.',
      removed: 'The address was removed.',
      password: 'The new password holds. All other browsers were signed out.',
    },
    thisBrowser: 'This browser',
    since: 'Signed in since',
    ends: (idle: number, most: number) =>
      `You stay signed in until you sign out, or stay away for ${idle} days; after ${most} days you are asked again in any case.`,
    signOut: 'Sign out',
  },
  {
    done: {
      mailed: '链接已在发送途中。请打开它确认邮箱，一天内有效。',
      removed: '邮箱已移除。',
      password: '新密码已生效，其他所有浏览器都已退出登录。',
    },
    thisBrowser: '此浏览器',
    since: '登录于',
    ends: (idle: number, most: number) =>
      `登录状态会一直保持，直到您退出，或连续 ${idle} 天没有访问；无论如何，${most} 天后都需要重新登录。`,
    signOut: '退出',
  },
);
