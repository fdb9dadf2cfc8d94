// The pages behind the link "This wasn't me" in mails about security. It works without a session: the person who
// caused the mail may be the one who is signed in. Opening it changes nothing, since mail scanners open links.

import { html } from 'hono/html';
import { byMember } from '../../../audit/doer.ts';
import { disown, openDisowning } from '../../../identity/disowning.ts';
import { revokeOwnPersonalToken } from '../../../oauth/personal-token.ts';
import { withdrawOwnConsent } from '../../../oauth/withdrawal.ts';
import { contactLine } from '../../pages/contact.ts';
import type { PostedForm } from '../../pages/form-page.ts';
import { bilingual } from '../../pages/language.ts';
import { forgetLinkToken, keepLinkToken, linkToken } from '../../pages/link-token.ts';
import { questionPage } from '../../pages/question.ts';
import { clearSessionCookie, type PageContext } from '../../pages/visitor.ts';
import type { SiteParts } from '../site-parts.ts';
import { DISOWN_PATH, FORGOTTEN_PATH, RESET_PATH } from './letters.ts';
import { outcomePage } from './outcome-page.ts';

/** Ask whether the sign-ins and the password of the account are to end. */
export async function notMePage(site: SiteParts, c: PageContext): Promise<Response> {
  const token = linkToken(c, 'disown');
  if (token instanceof Response) return token;
  const opened = await openDisowning(site.identity, token);
  if (opened === undefined) return unusablePage(c);
  const t = words[c.get('visitor').language];
  const { clientId, tokenId } = opened.disowned;
  const client = clientId === undefined ? undefined : await site.oauth.reads.findClient(clientId);
  return questionPage(c, {
    title: t.title,
    explanation: html`<p>${t.question(opened.username)}</p>`,
    consequences: [
      ...(client === undefined ? [] : [t.application(client.name)]),
      ...(tokenId === undefined ? [] : [t.token]),
      ...t.consequences,
      ...(opened.hasFactor ? [t.factors] : []),
    ],
    fields: html`<input type="hidden" name="token" value="${token}">`,
    action: DISOWN_PATH,
    button: t.secure,
    isForVisitor: true,
    note: t.otherwise,
  });
}

/** End what the mail was about and everything that the password opened, and go on to a new password. */
export async function disownActivity(site: SiteParts, c: PageContext, form: PostedForm): Promise<Response> {
  const token = form.text('token');
  const address = site.clientAddress(c);
  const opened = await openDisowning(site.identity, token);
  forgetLinkToken(c, 'disown');
  if (opened === undefined) return unusablePage(c);
  const by = byMember({ id: opened.userId }, site.clock, address);
  const { clientId, tokenId } = opened.disowned;
  // First, so that the link still works if one of these fails. What has ended already stays so.
  if (clientId !== undefined) await withdrawOwnConsent(by, site.oauth, clientId);
  if (tokenId !== undefined) await revokeOwnPersonalToken(by, site.oauth, tokenId);
  const result = await disown(site.identity, token, address);
  if (result === undefined) return unusablePage(c);
  clearSessionCookie(c);
  keepLinkToken(c, 'reset', result.resetToken);
  return c.redirect(RESET_PATH, 303);
}

function unusablePage(c: PageContext): Promise<Response> {
  const t = words[c.get('visitor').language];
  return outcomePage(
    c,
    403,
    t.unusable,
    html`${contactLine(c)}<p><a class="button" href="${FORGOTTEN_PATH}">${t.reset}</a></p>`,
  );
}

const words = bilingual(
  {
    title: 'Secure your account',
    question: (username: string) =>
      `Was it someone else who used the account ${username}? Then press the button.`,
    application: (name: string) => `The access of the application ${name} is removed.`,
    token: 'The API token is revoked.',
    consequences: [
      'Every browser is signed out, and so are apps that run on a device or in a browser.',
      'The current password stops working. You choose a new one on the next page.',
      'Links in other emails that set a password or confirm an address stop working.',
    ],
    factors:
      'Second factors and recovery codes that were added in the last 72 hours, or since the email, are removed. Older ones stay.',
    secure: 'Secure account',
    otherwise: 'If it was you after all, close the page. Nothing will change.',
    reset: 'Set a new password',
    unusable: {
      title: 'This link is not valid',
      text: 'It was already used, is older than 72 hours, or is incomplete, or the account has another email address by now. If someone else changed the address, open the link in our email about that change. If you still get our email, set a new password. Otherwise contact the operators of the community.',
    },
  },
  {
    title: '保护您的账号',
    question: (username: string) => `是他人使用了账号 ${username} 吗？如果是，请按下面的按钮。`,
    application: (name: string) => `应用 ${name} 的访问权限会被移除。`,
    token: '该 API 令牌会被撤销。',
    consequences: [
      '所有浏览器，以及在设备或浏览器中运行的应用，都将退出登录。',
      '当前密码会失效，您将在下一页设置新密码。',
      '其他邮件中用于设置密码或确认邮箱的链接会失效。',
    ],
    factors: '最近 72 小时内或该邮件之后新增的第二重验证和恢复代码会被移除，更早的保留。',
    secure: '保护账号',
    otherwise: '如果其实是您本人操作，请关闭此页面，不会有任何更改。',
    reset: '设置新密码',
    unusable: {
      title: '此链接无法使用',
      text: '链接已被使用、已超过 72 小时或不完整，或者账号的邮箱已更换。如果是他人更换了邮箱，请打开我们关于该更改的邮件中的链接。如果您仍能收到我们的邮件，请设置新密码；否则请联系社区管理员。',
    },
  },
);
