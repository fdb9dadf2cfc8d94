// How operators help a member: what the member signs in with, and the forms that change it.

import { html } from 'hono/html';
import { emailToConfirm } from '../../../identity/email.ts';
import type { SetEmailProblem } from '../../../identity/email-by-operator.ts';
import type { FactorReset } from '../../../identity/factor-store.ts';
import type { Identity } from '../../../identity/identity.ts';
import { type ResetLink, resetLinkPath } from '../../../identity/password-reset.ts';
import type { RenamingProblem } from '../../../identity/renaming.ts';
import { countSessions } from '../../../identity/session.ts';
import type { User } from '../../../identity/user.ts';
import type { EarlierUsername } from '../../../identity/username-store.ts';
import { inputField, problemSummary } from '../../pages/fields.ts';
import { bilingual } from '../../pages/language.ts';
import { clockTimeOf, dayElement, offsetOf } from '../../pages/moments.ts';
import { formTokenField, type Html } from '../../pages/page.ts';
import type { PageContext } from '../../pages/visitor.ts';
import { usernameProblemWords } from '../joining/registration-form.ts';
import { notice } from '../notice.ts';
import { factorState, removeFactorForm } from './member-factor.ts';
import { manageMemberPath } from './members.ts';

/** What the forms show after they were sent. */
export interface HelpResult {
  /** The new link, right after it was created. */
  link?: ResetLink;
  linkProblem?: SetEmailProblem;
  factorProblem?: 'address_changed';
  email?: { input: string; problem: SetEmailProblem };
  username?: { input: string; problem: RenamingProblem };
}

/** What the page says about the member's sign-in. */
export interface SignInFacts {
  emailToConfirm: string | undefined;
  earlierUsernames: readonly EarlierUsername[];
  sessions: number;
  reset: FactorReset | undefined;
}

/** Read what the page says about the member's sign-in. */
export async function signInFactsOf(identity: Identity, user: User): Promise<SignInFacts> {
  const [pending, earlierUsernames, sessions, reset] = await Promise.all([
    emailToConfirm(identity, user),
    identity.reads.earlierUsernames(user.id),
    countSessions(identity, user.id),
    identity.reads.findFactorReset(user.id),
  ]);
  return { emailToConfirm: pending, earlierUsernames, sessions, reset };
}

/** Say what an operator has just done for the member. */
export function helpNotice(c: PageContext): Html | '' {
  const t = words[c.get('visitor').language];
  const done = c.req.query('helped') ?? '';
  return notice(Object.hasOwn(t.helped, done) ? t.helped[done as keyof typeof t.helped] : undefined);
}

/** The link for a new password. Only the response to the form shows it. */
export function newLinkCard(c: PageContext, { token, expiresAt }: ResetLink): Html {
  const visitor = c.get('visitor');
  const t = words[visitor.language];
  return html`
    <section class="card fresh" role="status">
      <h2>${t.linkCreated}</h2>
      <pre class="once" tabindex="0">${c.get('site').baseUrl}${resetLinkPath(token)}</pre>
      <p class="soft">
        ${t.linkOnce} ${t.linkExpires} ${dayElement(expiresAt, visitor)}
        ${clockTimeOf(expiresAt, visitor)} (${offsetOf(expiresAt, visitor)})
      </p>
    </section>`;
}

/** The address, the browsers and the earlier names of a member, with the buttons and forms that change them. */
export function helpCards(
  c: PageContext,
  { operator, user }: { operator: User; user: User },
  facts: SignInFacts,
  result: HelpResult,
): Html {
  const t = words[c.get('visitor').language];
  const whyNot = user.id === operator.id ? t.own : t.ofOperator;
  const path = manageMemberPath(user.id);
  const mayLoseFactor = !user.isOperator && user.hasFactor && facts.reset === undefined;
  return html`
    <section class="card">
      <h2>${t.signIn}</h2>
      ${factList(c, user, facts)}
      ${user.isOperator ? html`<p class="soft">${whyNot}</p>` : linkForm(c, user, result.linkProblem)}
      ${mayLoseFactor && removeFactorForm(c, user, result.factorProblem !== undefined)}
      <div class="actions">
        <a class="button" href="${path}/sign-out">${t.signOut}</a>
      </div>
    </section>
    ${!user.isOperator && emailForm(c, user, result.email)}
    ${usernameForm(c, user, result.username)}`;
}

function factList(c: PageContext, user: User, facts: SignInFacts): Html {
  const t = words[c.get('visitor').language];
  const { emailToConfirm, earlierUsernames, sessions } = facts;
  const names = earlierUsernames.map(({ username }) => username).join(', ');
  const waiting = html`<dt>${t.waiting}</dt><dd>${emailToConfirm}</dd>`;
  return html`
    <dl class="facts">
      <dt>${t.email}</dt>
      <dd>${user.email === undefined ? t.noEmail : html`${user.email} <span class="badge">${t.confirmed}</span>`}</dd>
      ${emailToConfirm !== undefined && waiting}
      <dt>${t.browsers}</dt>
      <dd>${sessions}</dd>
      <dt>${t.factor}</dt>
      <dd>${factorState(c, user, facts.reset)}</dd>
      ${names !== '' && html`<dt>${t.earlierNames}</dt><dd>${names}</dd>`}
    </dl>`;
}

function linkForm(c: PageContext, user: User, problem: SetEmailProblem | undefined): Html {
  const t = words[c.get('visitor').language];
  return html`
    <form method="post" action="${manageMemberPath(user.id)}/reset-link">
      ${formTokenField(c)}
      ${problem !== undefined && html`<p class="notice wrong" role="alert">${t.emailProblems[problem]}</p>`}
      <p class="soft">${t.linkHint}</p>
      <button class="primary">${t.createLink}</button>
    </form>`;
}

function emailForm(c: PageContext, user: User, state: HelpResult['email']): Html {
  const { language } = c.get('visitor');
  const t = words[language];
  const email = state && t.emailProblems[state.problem];
  const field = inputField({
    name: 'email',
    type: 'email',
    label: t.newEmail,
    hint: t.emailHint,
    problem: email,
    value: state?.input ?? user.email ?? '',
  });
  return html`
    <section class="card">
      <h2>${t.email}</h2>
      <form method="post" action="${manageMemberPath(user.id)}/email">
        ${formTokenField(c)}
        ${problemSummary({ email }, language)}
        ${field}
        <div class="actions">
          <button class="primary" name="do" value="set">${t.setEmail}</button>
          ${user.email !== undefined && html`<button name="do" value="remove">${t.removeEmail}</button>`}
        </div>
      </form>
    </section>`;
}

function usernameForm(c: PageContext, user: User, state: HelpResult['username']): Html {
  const { language } = c.get('visitor');
  const t = words[language];
  const username = state && problemWithName(state.problem, language);
  const field = inputField({
    name: 'username',
    label: t.newUsername,
    hint: t.usernameHint,
    problem: username,
    value: state?.input ?? user.username,
    required: true,
    attributes: html`autocapitalize="none" spellcheck="false"`,
  });
  return html`
    <section class="card">
      <h2>${t.username}</h2>
      <form method="post" action="${manageMemberPath(user.id)}/username">
        ${formTokenField(c)}
        ${problemSummary({ username }, language)}
        ${field}
        <div class="actions">
          <button class="primary">${t.rename}</button>
        </div>
      </form>
    </section>`;
}

function problemWithName(problem: RenamingProblem, language: 'en' | 'zh'): string {
  const t = words[language];
  if (problem === 'unchanged') return t.sameName;
  return problem === 'closed' ? t.emailProblems.closed : usernameProblemWords(problem, language);
}

const words = bilingual(
  {
    helped: {
      email_set: 'Email address set. The member can sign in with it at once.',
      email_removed: 'Email address removed.',
      renamed: 'Member renamed. The old username stays reserved.',
      signed_out: 'The member was signed out everywhere.',
      factors: 'The second factor will be removed in 24 hours, unless the member cancels it.',
    },
    signIn: 'Sign-in',
    email: 'Email address',
    confirmed: 'Confirmed',
    noEmail: 'None',
    waiting: 'Waiting for confirmation',
    browsers: 'Signed-in browsers',
    earlierNames: 'Earlier usernames',
    factor: 'Second factor',
    linkCreated: 'Password link created',
    linkOnce: 'Copy the link now: it is shown only once. Give it to the member only. It works once.',
    linkExpires: 'Valid until',
    linkHint:
      'A member who can’t sign in chooses a new password with a link from you. It is valid for one hour. The member’s email address gets a notice.',
    createLink: 'Create password link',
    own: 'This is your own account. Change its password and email address in your settings.',
    ofOperator:
      'This account belongs to an operator. Its password and email address can only be reset on the command line: user reset-link and user set-email.',
    signOut: 'Sign out everywhere',
    newEmail: 'New email address',
    emailHint:
      'The account gets the address at once, without a confirmation. Check that it is the member’s: whoever reads its mail can set a new password. Both the old and the new address get a notice.',
    setEmail: 'Set address',
    removeEmail: 'Remove address',
    username: 'Username',
    newUsername: 'New username',
    usernameHint:
      'The old username stays reserved for the member, who is told by email and at the next sign-in. The address of the profile changes.',
    rename: 'Rename member',
    sameName: 'This is the member’s username already.',
    emailProblems: {
      invalid: 'Enter an email address, such as name@example.org.',
      blocked: 'This mail domain is blocked under “Newcomers”.',
      taken: 'Another account has this email address.',
      unchanged: 'The account has this email address already.',
      operator: 'This member is an operator now. Use the command line.',
      closed: 'This account is closed.',
      changed: 'The account was changed in the meantime. Check it and try again.',
    },
  },
  {
    helped: {
      email_set: '邮箱已设置，该成员可以立即用它登录。',
      email_removed: '邮箱已移除。',
      renamed: '用户名已更改，原用户名继续保留。',
      signed_out: '该成员已在所有设备上退出登录。',
      factors: '第二重验证将在 24 小时后移除，除非该成员取消。',
    },
    signIn: '登录',
    email: '邮箱',
    confirmed: '已确认',
    noEmail: '无',
    waiting: '等待确认',
    browsers: '已登录的浏览器',
    earlierNames: '曾用用户名',
    factor: '第二重验证',
    linkCreated: '密码链接已创建',
    linkOnce: '请立即复制链接：它只显示这一次。请只交给该成员本人，链接只能使用一次。',
    linkExpires: '有效期至',
    linkHint: '无法登录的成员可以用您提供的链接设置新密码，链接一小时内有效。该成员的邮箱会收到通知。',
    createLink: '创建密码链接',
    own: '这是您自己的账号。请在设置中更改密码和邮箱。',
    ofOperator: '此账号属于管理员，其密码和邮箱只能通过命令行重置：user reset-link 和 user set-email。',
    signOut: '全部退出登录',
    newEmail: '新邮箱',
    emailHint:
      '无需确认，立即生效。请确认这是该成员本人的邮箱：能收到此邮箱邮件的人可以设置新密码。新旧邮箱都会收到通知。',
    setEmail: '设置邮箱',
    removeEmail: '移除邮箱',
    username: '用户名',
    newUsername: '新用户名',
    usernameHint:
      '原用户名为该成员保留。该成员会收到邮件通知，下次登录时也会看到提示。个人主页的地址会改变。',
    rename: '更改用户名',
    sameName: '该成员已在使用此用户名。',
    emailProblems: {
      invalid: '请填写正确的邮箱地址，例如 name@example.org。',
      blocked: '该邮箱域名已在“新成员”页被屏蔽。',
      taken: '此邮箱属于另一个账号。',
      unchanged: '该账号已在使用此邮箱。',
      operator: '该成员现在是管理员，请使用命令行。',
      closed: '此账号已关闭。',
      changed: '该账号在此期间有变动。请核对后重试。',
    },
  },
);
