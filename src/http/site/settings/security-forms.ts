// The forms of the security settings: the email address, and the password.

import { html } from 'hono/html';
import type { EmailProblem } from '../../../identity/email.ts';
import type { PasswordProblem } from '../../../identity/password.ts';
import type { ProofProblem } from '../../../identity/proof.ts';
import { inputField, problemSummary } from '../../pages/fields.ts';
import { bilingual, type Language } from '../../pages/language.ts';
import { formTokenField, type Html } from '../../pages/page.ts';
import type { PageContext } from '../../pages/visitor.ts';
import { passwordProblemWords } from '../joining/registration-form.ts';

const EMAIL_PATH = '/settings/security/email';
const EMAIL_AGAIN_PATH = '/settings/security/email/again';
const PASSWORD_PATH = '/settings/security/password';

/** What the form for the address shows. */
export interface EmailForm {
  /** The account's address. */
  email: string | undefined;
  /** The address that is not confirmed yet. */
  pending: string | undefined;
  /** The address as it was typed, if the form was refused. */
  input?: string;
  problem?: EmailProblem | ProofProblem['problem'] | undefined;
}

/** The account's address, and the form to change or remove it. */
export function emailCard(c: PageContext, { email, pending, input, problem }: EmailForm): Html {
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
        ${currentPasswordField('email_password', problems.email_password, language)}
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
        <p>${t.waiting(email)} <button class="link">${t.again}</button></p>
      </form>
    </div>`;
}

/** What the form for the password shows. */
export interface PasswordForm {
  username: string;
  problem?: PasswordProblem | ProofProblem['problem'] | undefined;
}

/** The form to change the password. */
export function passwordCard(c: PageContext, { username, problem }: PasswordForm): Html {
  const { language } = c.get('visitor');
  const t = words[language];
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
        ${currentPasswordField('current', problems.current, language)}
        ${newPasswordField}
        <div class="actions">
          <button class="primary">${t.changePassword}</button>
        </div>
      </form>
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
export function proofProblemWords(problem: ProofProblem['problem'], language: Language): string {
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
  return { current: undefined, new_password: problem && passwordProblemWords(problem, language) };
}

const words = bilingual(
  {
    email: 'E-mail address',
    none: 'There is none. Without one a forgotten password can not be replaced.',
    waiting: (email: string) => `${email} waits for you to open the link that was mailed to it.`,
    again: 'Mail it again',
    newEmail: 'New address',
    emailHint: 'It is the account’s as soon as you open the link that we mail to it.',
    current: 'Current password',
    change: 'Change address',
    remove: 'Remove address',
    password: 'Password',
    passwordNote: 'All other browsers are signed out. Applications that you allowed something keep it.',
    newPassword: 'New password',
    passwordHint: 'At least 8 characters. A few words in a row are easier to remember than a riddle.',
    changePassword: 'Change password',
    emailProblems: {
      invalid: 'This does not look like an e-mail address, such as name@example.org.',
      unchanged: 'This is the account’s address already.',
      too_many_mails:
        'Enough mails were sent for now. Look among the unwanted mail, or try again in an hour.',
    },
    proofProblems: {
      wrong_password: 'The current password is not right.',
      too_many_attempts: 'Too many attempts. Try again in a quarter of an hour.',
    },
  },
  {
    email: '邮箱',
    none: '尚无邮箱。没有邮箱，忘记密码时就无法重设。',
    waiting: (email: string) => `${email} 正等待您打开确认邮件中的链接。`,
    again: '重新发送',
    newEmail: '新邮箱',
    emailHint: '打开我们发送的链接之后，它才会成为账号的邮箱。',
    current: '当前密码',
    change: '更改邮箱',
    remove: '移除邮箱',
    password: '密码',
    passwordNote: '其他所有浏览器都将退出登录。您授权过的应用不受影响。',
    newPassword: '新密码',
    passwordHint: '至少 8 个字符。几个连在一起的词比谜语般的字符更容易记住。',
    changePassword: '更改密码',
    emailProblems: {
      invalid: '这不像是邮箱地址，正确的例子：name@example.org。',
      unchanged: '这已经是账号的邮箱。',
      too_many_mails: '暂时不能发送更多邮件。请查看垃圾邮件，或一小时后再试。',
    },
    proofProblems: {
      wrong_password: '当前密码不正确。',
      too_many_attempts: '尝试次数过多，请一刻钟后再试。',
    },
  },
);
