// The fields of a new account, for signing up and for the first set-up.

import { html } from 'hono/html';
import type { PasswordProblem } from '../../../identity/password-rules.ts';
import type { Registration, RegistrationProblems } from '../../../identity/registration.ts';
import { inputField, problemSummary } from '../../pages/fields.ts';
import type { PostedForm } from '../../pages/form-page.ts';
import { bilingual, type Language } from '../../pages/language.ts';
import type { Html } from '../../pages/page.ts';

/** The texts that the form shows again after a mistake: all but the password. */
export type TypedRegistration = Pick<Registration, 'username' | 'email'>;

/** Read the fields of a new account from a form. */
export function readRegistration(form: PostedForm): Registration {
  return { username: form.text('username'), password: form.text('password'), email: form.text('email') };
}

/** Make the fields of a new account, each with the problem of its text. */
export function registrationFields(
  typed: TypedRegistration,
  problems: RegistrationProblems,
  language: Language,
): Html {
  const t = words[language];
  const username = problems.username && t.usernameProblems[problems.username];
  const password = problems.password && t.passwordProblems[problems.password];
  const email = problems.email && t.emailProblems[problems.email];
  const usernameField = inputField({
    name: 'username',
    label: t.username,
    hint: t.usernameHint,
    problem: username,
    value: typed.username,
    autocomplete: 'username',
    required: true,
    attributes: html`autocapitalize="none" spellcheck="false"`,
  });
  const passwordField = inputField({
    name: 'password',
    type: 'password',
    label: t.password,
    hint: t.passwordHint,
    problem: password,
    autocomplete: 'new-password',
    required: true,
  });
  const emailField = inputField({
    name: 'email',
    type: 'email',
    label: t.email,
    hint: t.emailHint,
    problem: email,
    value: typed.email ?? '',
    autocomplete: 'email',
  });
  return html`
    ${problemSummary({ username, password, email }, language)}
    ${usernameField}
    ${passwordField}
    ${emailField}`;
}

/** The problem with a new password, in words. */
export function passwordProblemWords(problem: PasswordProblem, language: Language): string {
  return words[language].passwordProblems[problem];
}

/** The problem with a new username, in words. */
export function usernameProblemWords(
  problem: NonNullable<RegistrationProblems['username']>,
  language: Language,
): string {
  return words[language].usernameProblems[problem];
}

const words = bilingual(
  {
    username: 'Username',
    usernameHint:
      '3 to 30 characters: letters and digits of any language, with _ or - between them. Everyone can see it.',
    password: 'Password',
    passwordHint: 'At least 8 characters. Tip: several words are easier to remember than symbols.',
    email: 'Email (optional)',
    emailHint:
      'Lets you reset a forgotten password. We’ll email you a link to confirm the address. Other members and applications never see it.',
    usernameProblems: {
      too_short: 'The username needs at least 3 characters.',
      too_long: 'The username can have at most 30 characters.',
      characters:
        'The username can have letters, digits, and _ or - between them, but no dots, spaces or other symbols.',
      mixed_scripts: 'The username mixes letters from different alphabets that look alike.',
      reserved:
        'This username is reserved, because it looks like a name of the site or of its operators. Choose another one.',
      taken: 'This username is taken. Choose another one.',
    },
    passwordProblems: {
      too_short: 'The password needs at least 8 characters.',
      too_long: 'The password is too long.',
      context:
        'The password is just a name that is easy to guess: the site’s name, your username or your email address.',
      common:
        'Many people use this password, so it is among the first that attackers try. Choose another one.',
      breached: 'This password became public in a data breach. Choose another one.',
    },
    emailProblems: {
      invalid: 'Enter an email address, such as name@example.org.',
      blocked: 'This community doesn’t accept addresses of this mail provider. Use another address, or none.',
      taken: 'This email address can’t be used.',
    },
  },
  {
    username: '用户名',
    usernameHint: '3 到 30 个文字或数字，中间可用 _ 或 -。所有人可见。',
    password: '密码',
    passwordHint: '至少 8 个字符。建议使用由几个词组成的短语，更好记。',
    email: '邮箱（可选）',
    emailHint:
      '忘记密码时用来设置新密码。我们会发送一封确认邮件；邮箱不会展示给其他成员，也不会提供给任何应用。',
    usernameProblems: {
      too_short: '用户名至少需要 3 个字符。',
      too_long: '用户名最多 30 个字符。',
      characters: '用户名只能包含文字和数字，中间可用 _ 或 -，不能有点号、空格或其他符号。',
      mixed_scripts: '用户名混用了不同字母表中外形相似的字母。',
      reserved: '此用户名已保留：它看起来像本站或管理人员的名称。请换一个。',
      taken: '此用户名已被使用，请换一个。',
    },
    passwordProblems: {
      too_short: '密码至少需要 8 个字符。',
      too_long: '密码太长。',
      context: '密码不能只由本站名称、您的用户名或邮箱组成，这样很容易被猜到。',
      common: '很多人都在用这个密码，攻击者会最先尝试它。请换一个。',
      breached: '这个密码已在数据泄露中公开。请换一个。',
    },
    emailProblems: {
      invalid: '请填写正确的邮箱地址，例如 name@example.org。',
      blocked: '本社区不接受这家邮箱服务的地址。请换一个邮箱，或者不填。',
      taken: '此邮箱无法使用。',
    },
  },
);
