// The forms of the security settings: the email address, and the password.

import { html } from 'hono/html';
import type { EmailProblem } from '../../../identity/email.ts';
import type { PasswordChangeProblem } from '../../../identity/password-change.ts';
import type { ReauthenticationProblem } from '../../../identity/reauthentication.ts';
import type { User } from '../../../identity/user.ts';
import { inputField, problemSummary } from '../../pages/fields.ts';
import { bilingual, type Language } from '../../pages/language.ts';
import { formTokenField, type Html } from '../../pages/page.ts';
import { CONFIRM_PATH } from '../../pages/return-path.ts';
import type { PageContext } from '../../pages/visitor.ts';
import { passwordProblemWords } from '../joining/registration-form.ts';

const EMAIL_PATH = '/settings/security/email';
const EMAIL_AGAIN_PATH = '/settings/security/email/again';
const PASSWORD_PATH = '/settings/security/password';

/** The contents of the form for the address. */
export interface EmailForm {
  /** The address that is not confirmed yet. */
  pending: string | undefined;
  /** The address as it was typed, if the form was refused. */
  input?: string;
  problem?: EmailProblem | ReauthenticationProblem['problem'] | undefined;
}

/** Show the account's address, and the form to change or remove it. */
export function emailCard(
  c: PageContext,
  { email, hasFactor }: User,
  { pending, input, problem }: EmailForm,
): Html {
  const { language } = c.get('visitor');
  const t = words[language];
  const problems = emailProblems(problem, language);
  const addressField = inputField({
    name: 'email',
    type: 'email',
    label: t.newEmail,
    hint: t.emailHint,
    problem: problems.email,
    value: input ?? email ?? '',
    autocomplete: 'email',
    required: true,
  });
  return html`
    <section class="card" id="address">
      <h2>${t.email}</h2>
      <p>${email === undefined ? t.none : html`<strong>${email}</strong>`}</p>
      ${pending !== undefined && pendingNote(c, pending)}
      <form method="post" action="${EMAIL_PATH}">
        ${formTokenField(c)}
        ${problemSummary(problems, language)}
        ${addressField}
        ${!hasFactor && currentPasswordField('email_password', problems.email_password, language)}
        <div class="actions">
          <button class="primary" name="do" value="change">${t.change}</button>
          ${email !== undefined && html`<button name="do" value="remove">${t.remove}</button>`}
        </div>
      </form>
    </section>`;
}

function pendingNote(c: PageContext, email: string): Html {
  const t = words[c.get('visitor').language];
  return html`
    <div class="field">
      <form method="post" action="${EMAIL_AGAIN_PATH}">
        ${formTokenField(c)}
        <p>${t.pending(email)} <button class="link">${t.again}</button></p>
      </form>
    </div>`;
}

/** The contents of the form for the password. */
export interface PasswordForm {
  /** The member proves who they are before the form is shown, because no page repeats a password. */
  isLocked: boolean;
  problem?: PasswordChangeProblem['problem'] | undefined;
}

/** Make the form that changes the password. */
export function passwordCard(
  c: PageContext,
  { username, hasFactor }: User,
  { isLocked, problem }: PasswordForm,
): Html {
  const { language } = c.get('visitor');
  const t = words[language];
  if (isLocked) return lockedPasswordCard(c);
  const problems = passwordProblems(problem, language);
  const newPasswordField = inputField({
    name: 'new_password',
    type: 'password',
    label: t.newPassword,
    hint: t.passwordHint,
    problem: problems.new_password,
    autocomplete: 'new-password',
    required: true,
  });
  return html`
    <section class="card" id="change-password">
      <h2>${t.password}</h2>
      <p class="soft">${t.passwordNote}</p>
      <form method="post" action="${PASSWORD_PATH}">
        ${formTokenField(c)}
        <input type="text" name="username" value="${username}" autocomplete="username" readonly hidden>
        ${problemSummary(problems, language)}
        ${!hasFactor && currentPasswordField('current', problems.current, language)}
        ${newPasswordField}
        <div class="actions">
          <button class="primary">${t.changePassword}</button>
        </div>
      </form>
    </section>`;
}

function lockedPasswordCard(c: PageContext): Html {
  const t = words[c.get('visitor').language];
  const query = new URLSearchParams({ return_to: '/settings/security' });
  return html`
    <section class="card" id="change-password">
      <h2>${t.password}</h2>
      <p class="soft">${t.passwordNote}</p>
      <p><a class="button" href="${CONFIRM_PATH}?${query}">${t.changePassword}</a></p>
    </section>`;
}

function currentPasswordField(name: string, problem: string | undefined, language: Language): Html {
  return inputField({
    name,
    type: 'password',
    label: words[language].current,
    problem,
    autocomplete: 'current-password',
    required: true,
  });
}

/** Say why the current password was not accepted. */
export function proofProblemWords(problem: ReauthenticationProblem['problem'], language: Language): string {
  return words[language].proofProblems[problem];
}

function emailProblems(problem: EmailForm['problem'], language: Language) {
  const t = words[language];
  if (problem === 'wrong_password' || problem === 'too_many_attempts') {
    return { email: undefined, email_password: proofProblemWords(problem, language) };
  }
  return { email: problem && t.emailProblems[problem], email_password: undefined };
}

function passwordProblems(problem: PasswordForm['problem'], language: Language) {
  if (problem === 'wrong_password' || problem === 'too_many_attempts') {
    return { current: proofProblemWords(problem, language), new_password: undefined };
  }
  if (problem === 'too_many_changes') {
    return { current: undefined, new_password: words[language].tooManyChanges };
  }
  return { current: undefined, new_password: problem && passwordProblemWords(problem, language) };
}

const words = bilingual(
  {
    email: 'Email address',
    none: 'You have no confirmed email address. Without one, you can’t reset a forgotten password.',
    pending: (email: string) => `${email} is not confirmed yet. Open the link that we emailed you.`,
    again: 'Send the link again',
    newEmail: 'New address',
    emailHint: 'We’ll email you a link to confirm it.',
    current: 'Current password',
    change: 'Change address',
    remove: 'Remove address',
    password: 'Password',
    passwordNote:
      'Changing your password signs you out of all other browsers, and of apps that run on a device or in a browser. Other applications stay connected.',
    newPassword: 'New password',
    passwordHint: 'At least 8 characters. Tip: several words are easier to remember than symbols.',
    changePassword: 'Change password',
    tooManyChanges: 'You’ve changed your password several times already. Try again in an hour.',
    emailProblems: {
      invalid: 'Enter an email address, such as name@example.org.',
      blocked: 'This community doesn’t accept addresses of this mail provider. Use another address.',
      unchanged: 'This is already your email address.',
      too_many_mails: 'We have sent several emails already. Check your spam folder, or try again in an hour.',
    },
    proofProblems: {
      wrong_password: 'The current password is incorrect.',
      too_many_attempts: 'Too many attempts. Try again in 15 minutes.',
    },
  },
  {
    email: '邮箱',
    none: '您还没有已确认的邮箱。没有邮箱，忘记密码时就无法重设。',
    pending: (email: string) => `${email} 尚未确认。请打开我们发送的链接。`,
    again: '重新发送链接',
    newEmail: '新邮箱',
    emailHint: '我们会发送一个链接，用于确认邮箱。',
    current: '当前密码',
    change: '更改邮箱',
    remove: '移除邮箱',
    password: '密码',
    passwordNote:
      '更改密码后，其他所有浏览器，以及在设备或浏览器中运行的应用，都会退出登录。其他已连接的应用不受影响。',
    newPassword: '新密码',
    passwordHint: '至少 8 个字符。建议使用由几个词组成的短语，更好记。',
    changePassword: '更改密码',
    tooManyChanges: '您已多次更改密码，请一小时后再试。',
    emailProblems: {
      invalid: '请填写邮箱地址，例如 name@example.org。',
      blocked: '本社区不接受这家邮箱服务的地址，请换一个邮箱。',
      unchanged: '这已经是您的邮箱。',
      too_many_mails: '我们已发送过多封邮件。请查看垃圾邮件，或一小时后再试。',
    },
    proofProblems: {
      wrong_password: '当前密码不正确。',
      too_many_attempts: '尝试次数过多，请 15 分钟后再试。',
    },
  },
);
