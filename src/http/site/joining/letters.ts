// The texts of mails, and the paths that their links lead to.

import type { MailFacts } from '../../../identity/mail.ts';
import type { Letter } from '../../../lib/mail.ts';
import { bilingual, type Language } from '../../pages/language.ts';
import type { CurrentSite } from '../../pages/visitor.ts';
import { applicationLetters } from './application-letters.ts';
import { credentialLetters } from './credential-letters.ts';
import { factorResetLetter } from './factor-letters.ts';
import { momentOf, unlinked } from './letter-words.ts';
import { moderationLetters } from './moderation-letters.ts';
import { newsLetters } from './news-letters.ts';
import { securityLetters } from './security-letters.ts';

export const CONFIRM_PATH = '/email/confirm';
export const UNDO_PATH = '/email/undo';
export const KEEP_PATH = '/second-factor/keep';
export const DISOWN_PATH = '/not-me';
export const UNSUBSCRIBE_PATH = '/unsubscribe';
export const RESET_PATH = '/reset-password';
export const FORGOTTEN_PATH = '/forgot-password';
const LOGIN_PATH = '/login';

/**
 * Write a mail. The words in it that people choose are the username, the site's name, in mails about moderation the
 * title of the member's own post and the reason that an operator or moderator gave, in mails about a credential the
 * name of the member's own API token or application, in mails about security the name of an application and of a
 * browser, and in mails about answers and digests the beginnings of what others wrote.
 */
export function letterOf(site: CurrentSite, facts: MailFacts): Letter {
  const language: Language = facts.language === 'zh' ? 'zh' : 'en';
  const t = words[language];
  const { kind, expiresAt } = facts;
  const username = unlinked(facts.username);
  const link = (path: string) => `${site.baseUrl}${path}?token=${facts.token ?? ''}`;
  const until = expiresAt === undefined ? '' : momentOf(expiresAt, { language, timeZone: site.timeZone });
  const undo = (act: 'change' | 'removal') =>
    facts.token === undefined ? [t.tooYoung] : [t.undo[act], link(UNDO_PATH), t.undo.valid(until)];
  const { subject, paragraphs } = {
    confirm: () => t.confirm(site.name, username, link(CONFIRM_PATH), until),
    reset: () => t.reset(site.name, username, link(RESET_PATH), until),
    taken: () => t.taken(site.name, username, site.baseUrl + FORGOTTEN_PATH),
    email_changed: () => t.emailChanged(site.name, username, undo('change')),
    email_removed: () => t.emailRemoved(site.name, username, undo('removal')),
    email_restored: () => t.emailRestored(site.name, username),
    email_added: () => t.emailAdded(site.name, username, site.baseUrl + LOGIN_PATH),
    email_replaced: () => t.emailReplaced(site.name, username),
    reset_link_created: () => t.resetLinkCreated(site.name, username),
    factor_reset_asked: () =>
      factorResetLetter(language, { site: site.name, username, link: link(KEEP_PATH), until }),
    renamed: () => t.renamed(site.name, username),
    ...applicationLetters(site, language, facts.about),
    ...moderationLetters(site, language, username, facts.about),
    ...newsLetters(site, language, facts.about.news, link(UNSUBSCRIBE_PATH)),
    ...credentialLetters(site, { language, timeZone: site.timeZone }, username, facts.about),
    ...securityLetters(site, { language, timeZone: site.timeZone }, username, {
      ...facts.about.security,
      link: link(DISOWN_PATH),
      until,
    }),
  }[kind]();
  const unsubscribe = facts.about.news === undefined ? undefined : link(UNSUBSCRIBE_PATH);
  return { ...letter(site, facts.email, subject, [t.greeting(username), ...paragraphs]), unsubscribe };
}

/** Write the mail with which an operator tests the mail server. */
export function testLetter(site: CurrentSite, to: string, language: Language): Letter {
  const { subject, text } = words[language].test(site.name);
  return letter(site, to, subject, [text]);
}

function letter(site: CurrentSite, to: string, subject: string, paragraphs: readonly string[]): Letter {
  const text = [...paragraphs, signature(site)].join('\n\n');
  return { to, subject, text: `${text}\n`, senderName: site.name };
}

function signature({ name, baseUrl, contact }: CurrentSite): string {
  const address = contact.startsWith('/') ? `${baseUrl}${contact}` : contact;
  return ['-- ', name, baseUrl, ...(contact === '' ? [] : [address])].join('\n');
}

const words = bilingual(
  {
    test: (site: string) => ({
      subject: `Test mail from ${site}`,
      text: `${site} can send mail: an operator tested it, and this mail arrived.`,
    }),
    greeting: (username: string) => `Hello ${username},`,
    confirm: (site: string, username: string, link: string, until: string) => ({
      subject: `Confirm your email address for ${site}`,
      paragraphs: [
        `This address was entered for the account ${username} on ${site}. To confirm that it is yours, open this page and press the button:`,
        link,
        `The link is valid until ${until} and works once.`,
        'If you don’t recognise this account, ignore this email. We use the address only after you confirm it.',
      ],
    }),
    reset: (site: string, username: string, link: string, until: string) => ({
      subject: `Set a new password for ${site}`,
      paragraphs: [
        `We received a request to set a new password for your account ${username} on ${site}. If you made it, set the password on this page:`,
        link,
        `The link is valid until ${until} and works once.`,
        'If you didn’t make this request, ignore this email. Your password stays the same.',
      ],
    }),
    taken: (site: string, username: string, link: string) => ({
      subject: `Your email address on ${site}`,
      paragraphs: [
        `This address was entered for another account on ${site}. It already belongs to your account ${username}, so nothing was changed.`,
        'If you entered it, sign in to your existing account instead. If you forgot its password, set a new one here:',
        link,
        'If you didn’t enter it, ignore this email. The other person learned nothing about your account.',
      ],
    }),
    undo: {
      change: 'If you didn’t change it, undo the change on this page and choose a new password:',
      removal: 'If you didn’t remove it, restore it on this page and choose a new password:',
      valid: (until: string) => `The link is valid until ${until} and works once. You don’t have to sign in.`,
    },
    tooYoung:
      'The account had this address for less than three days, so this email has no link that undoes it. If you didn’t do this, open the link in our email to the account’s earlier address, or contact the operators of the community.',
    emailChanged: (site: string, username: string, undo: string[]) => ({
      subject: `Your email address on ${site} was changed`,
      paragraphs: [
        `Your account ${username} on ${site} now has a different email address. We no longer send email to this one.`,
        ...undo,
      ],
    }),
    emailRestored: (site: string, username: string) => ({
      subject: `Your email address on ${site} was changed`,
      paragraphs: [
        `Your account ${username} on ${site} has its previous email address again: the change to this address was undone with a link that we sent to the previous one. We no longer send email to this address.`,
        'If you think that this is a mistake, contact the operators of the community.',
      ],
    }),
    emailRemoved: (site: string, username: string, undo: string[]) => ({
      subject: `Your email address on ${site} was removed`,
      paragraphs: [
        `This address was removed from your account ${username} on ${site}. We no longer send email to it, and you can no longer use it to reset a forgotten password.`,
        ...undo,
      ],
    }),
    emailAdded: (site: string, username: string, link: string) => ({
      subject: `Your email address on ${site}`,
      paragraphs: [
        `An operator of ${site} set this address as the email address of your account ${username}. You can sign in with it, and use it to set a new password:`,
        link,
        'If you don’t recognise this account, ask the operators of the community to remove the address.',
      ],
    }),
    emailReplaced: (site: string, username: string) => ({
      subject: `Your email address on ${site} was changed`,
      paragraphs: [
        `An operator of ${site} removed this address from your account ${username}, or replaced it with another. We no longer send email to it.`,
        'If you didn’t ask for this, contact the operators of the community at once.',
      ],
    }),
    resetLinkCreated: (site: string, username: string) => ({
      subject: `An operator created a password link for your account on ${site}`,
      paragraphs: [
        `An operator of ${site} created a link with which a new password can be set for your account ${username}. It is valid for one hour and works once. We’ll email you when it is used.`,
        'If you didn’t ask for this, contact the operators of the community at once.',
      ],
    }),
    renamed: (site: string, username: string) => ({
      subject: `Your username on ${site} was changed`,
      paragraphs: [
        `An operator of ${site} changed your username. It is now ${username}. No one else can have your earlier username, and you can still sign in with it.`,
        'If you didn’t ask for this, contact the operators of the community.',
      ],
    }),
  },
  {
    test: (site: string) => ({
      subject: `来自 ${site} 的测试邮件`,
      text: `${site} 可以发送邮件：管理员进行了测试，此邮件已送达。`,
    }),
    greeting: (username: string) => `${username}，您好：`,
    confirm: (site: string, username: string, link: string, until: string) => ({
      subject: `请确认您在 ${site} 的邮箱`,
      paragraphs: [
        `有人在 ${site} 为账号 ${username} 填写了此邮箱。如果这是您的邮箱，请打开下面的页面，点击按钮确认：`,
        link,
        `此链接在 ${until} 之前有效，只能使用一次。`,
        '如果您不认识此账号，请忽略此邮件。未经确认，此邮箱不会被使用。',
      ],
    }),
    reset: (site: string, username: string, link: string, until: string) => ({
      subject: `设置您在 ${site} 的新密码`,
      paragraphs: [
        `我们收到了为您在 ${site} 的账号 ${username} 设置新密码的请求。如果是您本人操作，请在此页面设置：`,
        link,
        `此链接在 ${until} 之前有效，只能使用一次。`,
        '如果不是您本人操作，请忽略此邮件，您的密码不会改变。',
      ],
    }),
    taken: (site: string, username: string, link: string) => ({
      subject: `关于您在 ${site} 的邮箱`,
      paragraphs: [
        `有人在 ${site} 为另一个账号填写了此邮箱。它已属于您的账号 ${username}，因此未作任何更改。`,
        '如果是您本人操作，请用您的账号登录。如果忘记了密码，可在此设置新密码：',
        link,
        '如果不是您本人操作，请忽略此邮件。对方没有得知您账号的任何信息。',
      ],
    }),
    undo: {
      change: '如果不是您本人操作，请在此页面撤消更改，并设置新密码：',
      removal: '如果不是您本人操作，请在此页面恢复邮箱，并设置新密码：',
      valid: (until: string) => `此链接在 ${until} 之前有效，只能使用一次，无需登录。`,
    },
    tooYoung:
      '该账号使用此邮箱不到三天，因此本邮件没有可以撤消更改的链接。如果不是您本人操作，请打开我们发送到该账号更早邮箱的邮件中的链接，或联系社区管理员。',
    emailChanged: (site: string, username: string, undo: string[]) => ({
      subject: `您在 ${site} 的邮箱已更改`,
      paragraphs: [`您在 ${site} 的账号 ${username} 已改用另一个邮箱，今后邮件不再发送到此邮箱。`, ...undo],
    }),
    emailRestored: (site: string, username: string) => ({
      subject: `您在 ${site} 的邮箱已更改`,
      paragraphs: [
        `您在 ${site} 的账号 ${username} 已恢复使用原来的邮箱：有人使用我们发送到原邮箱的链接撤消了更改。今后邮件不再发送到此邮箱。`,
        '如果您认为有误，请联系社区管理员。',
      ],
    }),
    emailRemoved: (site: string, username: string, undo: string[]) => ({
      subject: `您在 ${site} 的邮箱已移除`,
      paragraphs: [
        `此邮箱已从您在 ${site} 的账号 ${username} 中移除。今后邮件不再发送到此邮箱，忘记密码时也无法再通过它设置新密码。`,
        ...undo,
      ],
    }),
    emailAdded: (site: string, username: string, link: string) => ({
      subject: `您在 ${site} 的邮箱`,
      paragraphs: [
        `${site} 的管理员已将此邮箱设为您的账号 ${username} 的邮箱。您可以用它登录，也可以用它设置新密码：`,
        link,
        '如果您不认识此账号，请告知社区管理员，由他们移除此邮箱。',
      ],
    }),
    emailReplaced: (site: string, username: string) => ({
      subject: `您在 ${site} 的邮箱已更改`,
      paragraphs: [
        `${site} 的管理员已将此邮箱从您的账号 ${username} 中移除，或换成了另一个邮箱。今后邮件不再发送到此邮箱。`,
        '如果这不是您的要求，请立即联系社区管理员。',
      ],
    }),
    resetLinkCreated: (site: string, username: string) => ({
      subject: `${site} 的管理员为您的账号创建了密码链接`,
      paragraphs: [
        `${site} 的管理员为您的账号 ${username} 创建了一个设置新密码的链接，一小时内有效，只能使用一次。链接被使用后，我们会再发邮件通知您。`,
        '如果这不是您的要求，请立即联系社区管理员。',
      ],
    }),
    renamed: (site: string, username: string) => ({
      subject: `您在 ${site} 的用户名已更改`,
      paragraphs: [
        `${site} 的管理员更改了您的用户名，现在是 ${username}。原来的用户名为您保留，他人无法使用，您仍可用它登录。`,
        '如果这不是您的要求，请联系社区管理员。',
      ],
    }),
  },
);
