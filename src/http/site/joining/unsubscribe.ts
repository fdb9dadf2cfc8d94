// The link that ends mails about answers, or the digest. A person opens it and presses a button, since mail scanners
// open links. A mail program posts to it (RFC 8058), without a cookie and from anywhere: the secret is the proof.

import { html } from 'hono/html';
import { byMember } from '../../../audit/doer.ts';
import { stopMails } from '../../../community/news.ts';
import { findMailedLink } from '../../../identity/mail.ts';
import type { MailToken } from '../../../identity/mail-store.ts';
import { readVisitorForm } from '../../pages/form-page.ts';
import { bilingual } from '../../pages/language.ts';
import { forgetLinkToken, linkToken } from '../../pages/link-token.ts';
import { questionPage } from '../../pages/question.ts';
import type { PageContext } from '../../pages/visitor.ts';
import type { SiteParts } from '../site-parts.ts';
import { UNSUBSCRIBE_PATH } from './letters.ts';
import { outcomePage } from './outcome-page.ts';

/** The secret: in the address if a mail program posts, and otherwise in the form of our page. */
export async function unsubscribeForm(_: unknown, c: PageContext): Promise<[string] | Response> {
  const token = c.req.query('token');
  if (token !== undefined) return [token];
  const form = await readVisitorForm(c);
  return form instanceof Response ? form : [form.text('token')];
}

/** Ask whether mails of this kind are to end. */
export async function unsubscribePage(site: SiteParts, c: PageContext): Promise<Response> {
  const token = linkToken(c, 'unsubscribe');
  if (token instanceof Response) return token;
  const link = await findLink(site, token);
  if (link === undefined) return unusablePage(c);
  const t = words[c.get('visitor').language];
  return questionPage(c, {
    title: t.title[link.kind],
    fields: html`<input type="hidden" name="token" value="${token}">`,
    action: UNSUBSCRIBE_PATH,
    button: t.stop,
    isDangerous: false,
    isForVisitor: true,
    note: t.note,
  });
}

/** End mails of this kind. The link stays valid, so a mail program may post to it again. */
export async function unsubscribe(site: SiteParts, c: PageContext, token: string): Promise<Response> {
  const link = await findLink(site, token);
  forgetLinkToken(c, 'unsubscribe');
  if (link === undefined) return unusablePage(c);
  await stopMails(byMember({ id: link.userId }, site.clock), site.community, link.kind);
  const t = words[c.get('visitor').language];
  return outcomePage(c, 200, t.stopped[link.kind], settingsLink(c));
}

type StoppableLink = Pick<MailToken, 'userId'> & { kind: 'answers' | 'digest' };

async function findLink({ identity }: SiteParts, token: string): Promise<StoppableLink | undefined> {
  for (const kind of ['answers', 'digest'] as const) {
    const link = await findMailedLink(identity, `stop_${kind}`, token);
    if (link !== undefined) return { userId: link.userId, kind };
  }
  return undefined;
}

function unusablePage(c: PageContext): Promise<Response> {
  return outcomePage(c, 403, words[c.get('visitor').language].unusable, settingsLink(c));
}

function settingsLink(c: PageContext) {
  const t = words[c.get('visitor').language];
  return html`<p><a href="/settings/mails">${t.settings}</a></p>`;
}

const words = bilingual(
  {
    title: {
      answers: 'Stop emails about answers to you?',
      digest: 'Stop the weekly digest?',
    },
    stop: 'Stop these emails',
    note: 'Emails about the security of your account still reach you.',
    stopped: {
      answers: {
        title: 'You’ll get no more emails about answers',
        text: 'Replies, mentions and comments are still among your notifications.',
      },
      digest: {
        title: 'You’ll get no more digests',
        text: 'Popular posts are on the page Popular.',
      },
    },
    unusable: {
      title: 'This link is not valid',
      text: 'It is older than 90 days, or incomplete. Sign in to choose which emails you get.',
    },
    settings: 'Choose which emails you get',
  },
  {
    title: { answers: '不再接收回应提醒邮件？', digest: '不再接收每周精选邮件？' },
    stop: '不再接收',
    note: '有关账号安全的邮件仍会发送给您。',
    stopped: {
      answers: { title: '您不会再收到回应提醒邮件', text: '回复、提及和评论仍会显示在通知中。' },
      digest: { title: '您不会再收到每周精选邮件', text: '热门文章可在“热门”页面查看。' },
    },
    unusable: { title: '此链接无法使用', text: '链接已超过 90 天或不完整。请登录后选择接收哪些邮件。' },
    settings: '选择接收哪些邮件',
  },
);
