// The pages behind the link that the previous address gets when an account's address changes. It works without a
// session: the person who changed the address may be the one who has it.

import { html } from 'hono/html';
import { openUndo, undoEmailChange } from '../../../identity/email.ts';
import { contactLine } from '../../pages/contact.ts';
import type { PostedForm } from '../../pages/form-page.ts';
import { bilingual } from '../../pages/language.ts';
import { forgetLinkToken, keepLinkToken, linkToken } from '../../pages/link-token.ts';
import { questionPage } from '../../pages/question.ts';
import { clearSessionCookie, type PageContext } from '../../pages/visitor.ts';
import type { SiteParts } from '../site-parts.ts';
import { RESET_PATH, UNDO_PATH } from './letters.ts';
import { outcomePage } from './outcome-page.ts';

/** Ask whether the change of address is to be undone. */
export async function undoAddressPage(site: SiteParts, c: PageContext): Promise<Response> {
  const token = linkToken(c, 'undo');
  if (token instanceof Response) return token;
  const undo = await openUndo(site.identity, token);
  if (undo === undefined) return refusalPage(c, 'unusable');
  const t = words[c.get('visitor').language];
  return questionPage(c, {
    title: t.title,
    explanation: html`<p>${t.question(undo.email, undo.username)}</p>`,
    consequences: undo.hasFactor ? [...t.consequences, t.factors] : t.consequences,
    fields: html`<input type="hidden" name="token" value="${token}">`,
    action: UNDO_PATH,
    button: t.undo,
    isDangerous: false,
    isForVisitor: true,
    note: t.otherwise,
  });
}

/** Undo the change, and go on to a new password. */
export async function undoAddress(site: SiteParts, c: PageContext, form: PostedForm): Promise<Response> {
  const { language } = c.get('visitor');
  const address = site.clientAddress(c);
  const result = await undoEmailChange(site.identity, form.text('token'), language, address);
  forgetLinkToken(c, 'undo');
  if (result.outcome !== 'restored') return refusalPage(c, result.outcome);
  clearSessionCookie(c);
  keepLinkToken(c, 'reset', result.resetToken);
  return c.redirect(RESET_PATH, 303);
}

const STATUS = { taken: 409, unusable: 403 } as const;

function refusalPage(c: PageContext, refusal: keyof typeof STATUS): Promise<Response> {
  return outcomePage(
    c,
    STATUS[refusal],
    words[c.get('visitor').language].refusals[refusal],
    html`${contactLine(c)}`,
  );
}

const words = bilingual(
  {
    title: 'Undo the change of email address',
    question: (email: string, username: string) =>
      `Make ${email} the address of the account ${username} again?`,
    consequences: [
      'Every browser is signed out, and so are apps that run on a device or in a browser.',
      'The current password stops working. You choose a new one on the next page.',
      'Links that were emailed to the other address stop working.',
    ],
    factors:
      'Second factors and recovery codes that were added in the last 72 hours, or since the change, are removed. Older ones stay.',
    undo: 'Undo change',
    otherwise: 'If the change was yours, close the page. Nothing will change.',
    refusals: {
      taken: {
        title: 'This address belongs to another account',
        text: 'Another account has the address now, so the change can’t be undone. Contact the operators of the community.',
      },
      unusable: {
        title: 'This link is not valid',
        text: 'It was already used, is older than 72 hours, or is incomplete. If someone else changed the address of your account, contact the operators of the community.',
      },
    },
  },
  {
    title: '撤消邮箱更改',
    question: (email: string, username: string) => `将账号 ${username} 的邮箱恢复为 ${email}？`,
    consequences: [
      '所有浏览器，以及在设备或浏览器中运行的应用，都将退出登录。',
      '当前密码会失效，您将在下一页设置新密码。',
      '已发送到另一个邮箱的链接会失效。',
    ],
    factors: '最近 72 小时内或更改邮箱之后新增的第二重验证和恢复代码会被移除，更早的保留。',
    undo: '撤消更改',
    otherwise: '如果是您本人更改的，请关闭此页面，不会有任何更改。',
    refusals: {
      taken: {
        title: '此邮箱属于另一个账号',
        text: '此邮箱现已属于另一个账号，因此无法撤消更改。请联系社区管理员。',
      },
      unusable: {
        title: '此链接无法使用',
        text: '链接已被使用、已超过 72 小时或不完整。如果是他人更改了您账号的邮箱，请联系社区管理员。',
      },
    },
  },
);
