// The texts of mails, and the paths that their links lead to.

import type { MailFacts } from '../../../identity/mail.ts';
import type { Letter } from '../../../lib/mail.ts';
import { bilingual, type Language } from '../../pages/language.ts';
import { clockTimeOf, dayOf } from '../../pages/moments.ts';
import type { Site } from '../../pages/visitor.ts';

export const CONFIRM_PATH = '/email/confirm';
export const RESET_PATH = '/reset-password';
export const FORGOTTEN_PATH = '/forgot-password';

/** Write a mail. The only text in it that people chose is the member's name and the site's. */
export function letterOf(site: Site, facts: MailFacts): Letter {
  const language: Language = facts.language === 'zh' ? 'zh' : 'en';
  const t = words[language];
  const { kind, username, expiresAt } = facts;
  const link = (path: string) => `${site.baseUrl}${path}?token=${facts.token ?? ''}`;
  const until =
    expiresAt === undefined ? '' : `${dayOf(expiresAt, language)}, ${clockTimeOf(expiresAt)} (UTC+8)`;
  const { subject, paragraphs } = {
    confirm: () => t.confirm(site.name, username, link(CONFIRM_PATH), until),
    reset: () => t.reset(site.name, username, link(RESET_PATH), until),
    taken: () => t.taken(site.name, username, site.baseUrl + FORGOTTEN_PATH),
    email_changed: () => t.emailChanged(site.name, username),
    email_removed: () => t.emailRemoved(site.name, username),
    password_changed: () => t.passwordChanged(site.name, username, site.baseUrl + FORGOTTEN_PATH),
  }[kind]();
  const text = [t.greeting(username), ...paragraphs, `-- \n${site.name}\n${site.baseUrl}`].join('\n\n');
  return { to: facts.email, subject, text: `${text}\n` };
}

const words = bilingual(
  {
    greeting: (username: string) => `Hello ${username},`,
    confirm: (site: string, username: string, link: string, until: string) => ({
      subject: `Confirm your e-mail address for ${site}`,
      paragraphs: [
        `this address was given for the account ${username} on ${site}. To confirm that it is yours, open this page and press its button:`,
        link,
        `The link holds until ${until}, and can be used once.`,
        'If you know nothing of this, do nothing: without the confirmation the address is not used.',
      ],
    }),
    reset: (site: string, username: string, link: string, until: string) => ({
      subject: `Set a new password for ${site}`,
      paragraphs: [
        `somebody asked to set a new password for your account ${username} on ${site}. If it was you, do it on this page:`,
        link,
        `The link holds until ${until}, and can be used once.`,
        'If it was not you, do nothing: your password stays as it is.',
      ],
    }),
    taken: (site: string, username: string, link: string) => ({
      subject: `Your e-mail address on ${site}`,
      paragraphs: [
        `somebody gave this address for an account on ${site}. It belongs to your account ${username} already, so nothing was changed.`,
        'If it was you, sign in with that account. If you forgot its password, set a new one here:',
        link,
        'If it was not you, do nothing: whoever it was learned nothing of your account.',
      ],
    }),
    emailChanged: (site: string, username: string) => ({
      subject: `Your e-mail address on ${site} was changed`,
      paragraphs: [
        `your account ${username} on ${site} has another e-mail address now. Mails no longer go to this one.`,
        'If it was not you, tell the operators of the community at once.',
      ],
    }),
    emailRemoved: (site: string, username: string) => ({
      subject: `Your e-mail address on ${site} was removed`,
      paragraphs: [
        `this address was removed from your account ${username} on ${site}. Mails no longer go to it, and a forgotten password can no longer be replaced by one.`,
        'If it was not you, tell the operators of the community at once.',
      ],
    }),
    passwordChanged: (site: string, username: string, link: string) => ({
      subject: `Your password for ${site} was changed`,
      paragraphs: [
        `the password of your account ${username} on ${site} was changed, and all other browsers were signed out.`,
        'If it was not you, set a new one here at once, and tell the operators of the community:',
        link,
      ],
    }),
  },
  {
    greeting: (username: string) => `${username}，您好：`,
    confirm: (site: string, username: string, link: string, until: string) => ({
      subject: `请确认您在 ${site} 的邮箱`,
      paragraphs: [
        `有人在 ${site} 为账号 ${username} 填写了此邮箱。如果这是您的邮箱，请打开下面的页面并按下按钮确认：`,
        link,
        `此链接在 ${until} 之前有效，只能使用一次。`,
        '如果您对此毫不知情，请不必理会：未经确认，此邮箱不会被使用。',
      ],
    }),
    reset: (site: string, username: string, link: string, until: string) => ({
      subject: `设置您在 ${site} 的新密码`,
      paragraphs: [
        `有人请求为您在 ${site} 的账号 ${username} 设置新密码。如果是您本人，请在此页面设置：`,
        link,
        `此链接在 ${until} 之前有效，只能使用一次。`,
        '如果不是您本人，请不必理会：您的密码不会改变。',
      ],
    }),
    taken: (site: string, username: string, link: string) => ({
      subject: `关于您在 ${site} 的邮箱`,
      paragraphs: [
        `有人在 ${site} 为一个账号填写了此邮箱。它已属于您的账号 ${username}，因此没有任何改变。`,
        '如果是您本人，请用该账号登录。如果忘记了密码，可在此设置新密码：',
        link,
        '如果不是您本人，请不必理会：对方没有得知您账号的任何信息。',
      ],
    }),
    emailChanged: (site: string, username: string) => ({
      subject: `您在 ${site} 的邮箱已更改`,
      paragraphs: [
        `您在 ${site} 的账号 ${username} 已改用另一个邮箱，今后邮件不再发送到此邮箱。`,
        '如果不是您本人所为，请立即告诉社区管理员。',
      ],
    }),
    emailRemoved: (site: string, username: string) => ({
      subject: `您在 ${site} 的邮箱已移除`,
      paragraphs: [
        `此邮箱已从您在 ${site} 的账号 ${username} 中移除。今后邮件不再发送到此邮箱，忘记密码时也无法再通过邮件设置新密码。`,
        '如果不是您本人所为，请立即告诉社区管理员。',
      ],
    }),
    passwordChanged: (site: string, username: string, link: string) => ({
      subject: `您在 ${site} 的密码已更改`,
      paragraphs: [
        `您在 ${site} 的账号 ${username} 的密码已更改，其他浏览器均已退出登录。`,
        '如果不是您本人所为，请立即在此设置新密码，并告诉社区管理员：',
        link,
      ],
    }),
  },
);
