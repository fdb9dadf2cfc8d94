// The pages behind the link that a member gets when an operator removes the second factor. It works without a session.

import { html } from 'hono/html';
import { keepFactorsByLink, openKeepLink } from '../../../identity/factor-reset.ts';
import { contactLine } from '../../pages/contact.ts';
import type { PostedForm } from '../../pages/form-page.ts';
import { bilingual } from '../../pages/language.ts';
import { forgetLinkToken, linkToken } from '../../pages/link-token.ts';
import { questionPage } from '../../pages/question.ts';
import type { PageContext } from '../../pages/visitor.ts';
import type { SiteParts } from '../site-parts.ts';
import { KEEP_PATH } from './letters.ts';
import { outcomePage } from './outcome-page.ts';

/** Ask whether the second factor stays. */
export async function keepFactorPage(site: SiteParts, c: PageContext): Promise<Response> {
  const token = linkToken(c, 'keep');
  if (token instanceof Response) return token;
  const account = await openKeepLink(site.identity, token);
  const t = words[c.get('visitor').language];
  if (account === undefined) return outcomePage(c, 403, t.unusable, html`${contactLine(c)}`);
  return questionPage(c, {
    title: t.title,
    explanation: html`<p>${t.question(account.username)}</p>`,
    fields: html`<input type="hidden" name="token" value="${token}">`,
    action: KEEP_PATH,
    button: t.keep,
    isDangerous: false,
    isForVisitor: true,
    note: t.otherwise,
  });
}

/** Keep the second factor. */
export async function keepFactor(site: SiteParts, c: PageContext, form: PostedForm): Promise<Response> {
  const t = words[c.get('visitor').language];
  const isKept = await keepFactorsByLink(site.identity, form.text('token'), site.clientAddress(c));
  forgetLinkToken(c, 'keep');
  return isKept
    ? outcomePage(c, 200, t.kept, html`<p><a class="button primary" href="/login">${t.signIn}</a></p>`)
    : outcomePage(c, 403, t.unusable, html`${contactLine(c)}`);
}

const words = bilingual(
  {
    title: 'Keep your second factor',
    question: (username: string) =>
      `An operator will remove the second factor of the account ${username}. Keep it instead?`,
    keep: 'Keep second factor',
    otherwise: 'If you asked for the removal, close the page. Nothing will change.',
    kept: {
      title: 'Your second factor stays',
      text: 'Someone may know your password. Sign in and change it.',
    },
    signIn: 'Sign in',
    unusable: {
      title: 'This link is not valid',
      text: 'It was already used, is older than 24 hours, or is incomplete. If you didn’t ask for the removal of your second factor, contact the operators of the community.',
    },
  },
  {
    title: '保留第二重验证',
    question: (username) => `管理员将移除账号 ${username} 的第二重验证。要保留它吗？`,
    keep: '保留第二重验证',
    otherwise: '如果移除是您本人的请求，请关闭此页面，不会有任何更改。',
    kept: { title: '第二重验证已保留', text: '可能有人知道您的密码，请登录并更改密码。' },
    signIn: '登录',
    unusable: {
      title: '此链接无法使用',
      text: '链接已被使用、已超过 24 小时或不完整。如果您没有请求移除第二重验证，请联系社区管理员。',
    },
  },
);
